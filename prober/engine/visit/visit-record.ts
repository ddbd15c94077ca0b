import { consequenceOf, NO_TALLY, type Onward, type SessionEnd, type Way } from './consequence.ts';
import type { HostProbe } from './host-probe.ts';

/** What a visit remembers of its address from session to session. */
export class VisitRecord {
  readonly #host: HostProbe;
  #tally = NO_TALLY;
  /** Where to go once nobody is left to ask about here. */
  onward: Onward = 'next_host';
  /** STARTTLS is our own choice, and has not failed here yet. */
  tlsFirst: boolean;
  /** Takes only sessions that have served no other domain: an implicit MX has none, and elsewhere one has failed this domain. */
  own: boolean;
  /** Talks to the server before it greets if it offered PIPECONNECT, until it did not do as it had offered. */
  early: boolean;
  /** Sessions in a row that were put off at MAIL or RCPT because of our crowd. */
  putOff = 0;
  /** The row of refusals at the address when a shared session refused this domain. */
  refusedSince: number | null = null;

  constructor(host: HostProbe) {
    const { mxFound, tools } = host.probe;
    this.#host = host;
    this.tlsFirst = tools.settings.startTls === 'always';
    this.own = !mxFound;
    this.early = mxFound && !this.tlsFirst;
  }

  /** Notes what the end of a session, or of the try to have one, is evidence of. @returns where to ask next */
  conclude(end: SessionEnd): Way {
    const { probe, target } = this.#host;
    if (end.kind === 'failed') probe.noteFailure(target.host, end.failure);
    const consequence = consequenceOf(end, this.#tally);
    const { way, recipients, tally } = consequence;
    this.#tally = tally;
    this.#host.blame(consequence);
    if (way !== 'same_address') this.onward = way;
    // The host's next address may do better by those who were given up.
    else if (recipients.length > 0) this.onward = 'next_address';
    return way;
  }
}
