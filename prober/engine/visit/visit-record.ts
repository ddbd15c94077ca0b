import type { Wanted } from '../pool/host-sessions.ts';
import type { StreakId } from '../limits/server/refusal-streak.ts';

/** Where to ask next for recipients that have no answer yet. */
export type Onward = 'next_address' | 'next_host';

/** What a visit remembers of its MX host from session to session. */
export type VisitRecord = {
  /** It is the domain's own address, since the domain has no MX: nobody shares it. */
  readonly implicit: boolean;
  /** STARTTLS is our own choice, and has not failed here yet. */
  readonly tlsFirst: boolean;
  /** Barren sessions in a row: they answered for nobody. */
  readonly barren: number;
  /** Recipients given up in a row. */
  readonly givenUp: number;
  /** Where to go once nobody is left to ask about here. */
  readonly onward: Onward;
  /** Sessions in a row that others left no room for. */
  readonly crowded: number;
  /** Sessions in a row that were put off at MAIL or RCPT because of our crowd. */
  readonly putOff: number;
  /**
   * Which sessions it takes: those that have served other domains, until one of them did not serve this one; then one for such
   * domains; and if that does not tell either, only its own.
   */
  readonly use: Wanted['use'];
  /** Talks to the server before it greets if it offered PIPECONNECT, until it did not do as it had offered. */
  readonly early: boolean;
  /** How many domains the shared session had served that failed this one; null once it was served since. */
  readonly failedAfter: number | null;
  /** The row of refusals at the address when a shared session refused this domain. */
  readonly refusedSince: StreakId | null;
};

/** @param tlsFirst STARTTLS is our own choice */
export function newVisitRecord(implicit: boolean, tlsFirst: boolean): VisitRecord {
  return {
    implicit,
    tlsFirst,
    barren: 0,
    givenUp: 0,
    onward: 'next_host',
    crowded: 0,
    putOff: 0,
    use: implicit ? 'own' : 'shared',
    early: !implicit && !tlsFirst,
    failedAfter: null,
    refusedSince: null,
  };
}
