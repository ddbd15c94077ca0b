import type { DomainProbe } from './domain-probe.ts';

/** How a visit goes about its next session, as it has learnt it. */
export type VisitRecord = {
  /** STARTTLS is our own choice, and has not failed here yet. */
  tlsFirst: boolean;
  /** Takes only sessions that have served no other domain: an implicit MX has none, and elsewhere one has failed this domain. */
  own: boolean;
  /** Talks to the server before it greets if it offered PIPECONNECT, until it did not do as it had offered. */
  early: boolean;
  /** Sessions in a row that were put off at MAIL or RCPT because of our crowd. */
  putOff: number;
  /** The row of refusals at the address when a shared session refused this domain. */
  refusedSince: number | null;
};

export function newRecord({ mxFound, tools }: DomainProbe): VisitRecord {
  const tlsFirst = tools.settings.startTls === 'always';
  return { tlsFirst, own: !mxFound, early: mxFound && !tlsFirst, putOff: 0, refusedSince: null };
}
