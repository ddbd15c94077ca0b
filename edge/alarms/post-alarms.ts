import { isPaging, PAGING } from '../base/paging.ts';
import type { Alarm } from './alarm-book.ts';

const ANSWERS_WITHIN_MS = 5_000;
const TEXT_MAX = 1_000;

/** What one post says: `text` is what chat services show. No address and no domain: fields are those of the log line. */
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
  const lines = posted.map(({ event, fields, runbook }) => `rcpt: ${event} ${wordsOf(fields)} (${runbook})`);
  return { text: lines.join('\n').slice(0, TEXT_MAX), alarms: posted };
}

function wordsOf(fields: Alarm['fields']): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** @returns whether the webhook took it: any 2xx within 5 s */
export async function postAlarms(webhook: string, alarms: readonly Alarm[]): Promise<boolean> {
  try {
    const answer = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(postOf(alarms)),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
