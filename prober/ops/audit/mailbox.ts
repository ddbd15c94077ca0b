import { type Likeness, likenessOf } from '../health/mailboxes.ts';
import type { WayOut } from '../health/ways-out.ts';
import { mend, ok, type Finding } from './findings.ts';

const OTHER = 'or name another that exists, at a server of yours that refuses unknown mailboxes: CANARY_MAILBOX';
const FOUND: Readonly<Record<Likeness, string>> = {
  apart: 'accepts it and refuses a made-up one',
  both_refused: `refuses it and a made-up one; create it, ${OTHER}`,
  both_accepted: `accepts it and a made-up one; let it refuse unknown mailboxes, ${OTHER}`,
  unclear: `was not reached, or answered neither clearly; let it answer this host, ${OTHER}`,
};

/** Whether a mailbox that must exist can show, each minute, that nothing on the way refuses for everybody. */
export async function checkMailbox(way: WayOut, mailbox: string, signal: AbortSignal): Promise<Finding> {
  const likeness = await likenessOf(way, mailbox, signal);
  const detail = `asked from ${way.from.ip ?? 'default'}, its server ${FOUND[likeness]}`;
  return (likeness === 'apart' ? ok : mend)('mailbox', mailbox, detail);
}
