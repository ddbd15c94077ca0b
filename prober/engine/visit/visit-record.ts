import type { DomainProbe } from './domain-probe.ts';

/** How a visit conducts its next session, as learnt so far. */
export type VisitRecord = {
  /** STARTTLS is our own choice, and has not failed here yet. */
  tlsFirst: boolean;
  /**
   * Only takes sessions that have served no other domain: an implicit MX has none, and elsewhere one has failed this
   * domain.
   */
  own: boolean;
  /** Sends commands before the greeting of a server that offered PIPECONNECT, until it breaks its offer. */
  early: boolean;
  /** The streak of refusals at the address when a shared session refused this domain. */
  refusedSince: number | null;
};

export function newRecord({ mxFound, tools }: DomainProbe): VisitRecord {
  const tlsFirst = tools.settings.startTls === 'always';
  return { tlsFirst, own: !mxFound, early: mxFound && !tlsFirst, refusedSince: null };
}
