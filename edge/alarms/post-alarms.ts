import { isPaging, PAGING } from '../base/paging.ts';
import { type Alarm, type Posting, POSTS_MAX } from './alarm.ts';

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
  readonly state: Posting['state'];
  readonly at: string;
  /** When it was last logged. */
  readonly until: string;
  readonly times: number;
  readonly runbook: string;
  readonly fields: Alarm['fields'];
};

/** The body of a post about these alarms. Pure. */
export function postOf(postings: readonly Posting[]): Post {
  const alarms = postings.map(({ state, alarm: { event, fields, firstAtMs, lastAtMs, times } }) => ({
    event,
    state,
    at: new Date(firstAtMs).toISOString(),
    until: new Date(lastAtMs).toISOString(),
    times,
    runbook: isPaging(event) ? PAGING[event] : 'edge/runbooks/events.md',
    fields,
  }));
  const lines = alarms.map(({ event, state, at, until, fields, runbook }) => {
    const words = `${event} ${wordsOf(fields).slice(0, WORDS_MAX)}`;
    if (state === 'over') return `rcpt: over: ${words}, from ${at} to ${until}`;
    return `rcpt: ${state === 'lasts' ? `still, since ${at}: ` : ''}${words} (${runbook})`;
  });
  const silent = postings.flatMap(({ alarm: { event }, silentUntilMs: until }) =>
    until === null
      ? []
      : [`rcpt: no more about ${event} before ${new Date(until).toISOString()}: ${POSTS_MAX} posts an hour`],
  );
  const ends = [...new Set(silent)].join('\n');
  const text = lines.join('\n').slice(0, TEXT_MAX - ends.length - 1);
  return { text: ends === '' ? text : `${text}\n${ends}`, alarms };
}

function wordsOf(fields: Alarm['fields']): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** @returns null if the webhook took it, with any 2xx within 5 s; else why not */
export async function postAlarms(webhook: string, postings: readonly Posting[]): Promise<string | null> {
  try {
    const answer = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(postOf(postings)),
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
