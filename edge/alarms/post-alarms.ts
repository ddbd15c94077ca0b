import { isPaging, PAGING } from '../base/paging.ts';
import type { Alarm } from './alarm.ts';

const ANSWERS_WITHIN_MS = 5_000;
const TEXT_MAX = 2_000;
/** The text about one alarm. */
const WORDS_MAX = 300;

/**
 * The content of one post: `text` is what chat services show. No address and no domain: fields are those of the log
 * line.
 */
export type Post = { readonly text: string; readonly alarms: readonly PostedAlarm[] };
type PostedAlarm = {
  readonly event: string;
  readonly at: string;
  readonly times: number;
  readonly runbook: string;
  readonly fields: Alarm['fields'];
};

/** The body of a post about these alarms. Pure. */
export function postOf(alarms: readonly Alarm[]): Post {
  const posted = alarms.map(({ event, fields, firstAtMs, times }) => ({
    event,
    at: new Date(firstAtMs).toISOString(),
    times,
    runbook: isPaging(event) ? PAGING[event] : 'edge/runbooks/events.md',
    fields,
  }));
  const lines = posted.map(
    ({ event, fields: said, runbook }) => `rcpt: ${event} ${wordsOf(said).slice(0, WORDS_MAX)} (${runbook})`,
  );
  return { text: lines.join('\n').slice(0, TEXT_MAX), alarms: posted };
}

function wordsOf(fields: Alarm['fields']): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/**
 * @returns null if the webhook took it, with any 2xx within 5 s; else why not
 */
export async function postAlarms(webhook: string, alarms: readonly Alarm[]): Promise<string | null> {
  try {
    const answer = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(postOf(alarms)),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `it answered ${answer.status}`;
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return isTimeout ? 'it did not answer within 5 s' : 'it cannot be reached';
  }
}
