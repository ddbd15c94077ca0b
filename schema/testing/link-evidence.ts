import type { Evidence } from '../evidence.ts';
import type { LinkEvidence } from '../link.ts';
import * as whole from './evidence.ts';

/** The same evidence as it travels, its MX in row 0. */
export function onLink({ signals, outcome }: Evidence): LinkEvidence {
  return { mx: 0, signals, outcome };
}

export const seen = (...what: Parameters<typeof whole.seen>): LinkEvidence => onLink(whole.seen(...what));

/** That row. */
export const ROW = { n: 0, mx: whole.ACCEPTED.mx, mxFound: whole.ACCEPTED.mxFound };

export const ACCEPTED = onLink(whole.ACCEPTED);
export const POLICY = onLink(whole.POLICY);
export const NO_BANNER = onLink(whole.NO_BANNER);
export const TIMEOUT = onLink(whole.TIMEOUT);
export const UNPROBED_HOST = onLink(whole.UNPROBED_HOST);
