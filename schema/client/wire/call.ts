import { answers } from '../list/entry.ts';
import { RcptError } from '../base/errors.ts';
import { readLines } from './lines.ts';
import { type OtherLine, readLine } from './read-line.ts';
import type { OpenResult } from '../../words/result.ts';
import { readRetryAfterMs } from './retry-after.ts';
import { readFailure, send, wasNeverSent, type Service } from './service.ts';

/** What a request cost: null if its last line was never read. */
export type Bill = { readonly charged: number; readonly returned: number } | null;

/** How a request ended. What it learnt was told on the way. */
export type CallResult = {
  /** Null: every entry was answered, and the bill was read. */
  readonly error: RcptError | null;
  readonly bill: Bill;
  /** What the service asked for before the next request. */
  readonly retryAfterMs: number;
};

/** What one request asks for. */
export type Asked = { readonly emails: readonly string[]; readonly waitS: number | null };

/** What is told while a request runs. */
export type Listener = {
  /** The answer began; null: there was none. Told once. */
  readonly onHead: (headers: Headers | null) => void;
  /** The entry at this place of the request is answered. Told once for each. */
  readonly onResult: (index: number, result: OpenResult) => void;
  /** A line of a kind that a newer service has added. */
  readonly onOtherLine: (line: OtherLine) => void;
  /** A line that is not one of the service's, or that answers nothing that was asked. */
  readonly onStrayLine: () => void;
};

const FREE: Bill = { charged: 0, returned: 0 };
const LINES = 'application/x-ndjson';

/**
 * One POST verify: entries in, results line by line out.
 * @throws the signal's reason
 */
export async function ask(
  service: Service,
  { emails, waitS }: Asked,
  signal: AbortSignal,
  listener: Listener,
): Promise<CallResult> {
  const request = { path: '/api/v1/verify', accept: LINES, body: JSON.stringify({ emails }), waitS };
  let wasHeard = false;
  const hear = (headers: Headers | null): void => {
    if (!wasHeard) listener.onHead(headers);
    wasHeard = true;
  };
  let isBegun = false;
  try {
    return await send(service, request, signal, async (response, stopped) => {
      hear(response.headers);
      if (response.status !== 200) return await refused(response, service.clock.wallMs());
      isBegun = true;
      return await readAnswer(response, emails, listener, stopped);
    });
  } catch (error) {
    if (!(error instanceof RcptError)) throw error;
    return { error, bill: !isBegun && wasNeverSent(error) ? FREE : null, retryAfterMs: 0 };
  } finally {
    hear(null);
  }
}

async function refused(response: Response, nowMs: number): Promise<CallResult> {
  return { error: await readFailure(response), bill: FREE, retryAfterMs: readRetryAfterMs(response.headers, nowMs) };
}

async function readAnswer(
  response: Response,
  emails: readonly string[],
  listener: Listener,
  stopped: AbortSignal,
): Promise<CallResult> {
  const { status, headers, body } = response;
  const details = { status, requestId: headers.get('x-request-id') };
  const type = headers.get('content-type') ?? '';
  if (body === null || !type.toLowerCase().startsWith(LINES))
    return ended(new RcptError('BAD_ANSWER', `The answer is ${type === '' ? 'of no type' : type}.`, details), null);
  const open = new Set(emails.keys());
  for await (const text of readLines(body, stopped)) {
    if (stopped.aborted) break;
    const line = text === null ? null : readLine(text);
    if (line?.kind === 'closing' && line.charged + line.returned <= emails.length) {
      const missing = new RcptError('INCOMPLETE', `${open.size} entries were not answered.`, details);
      return ended(open.size === 0 ? null : missing, line);
    }
    if (line?.kind === 'other') {
      listener.onOtherLine(line.line);
      continue;
    }
    const email = line?.kind === 'element' && open.has(line.index) ? emails[line.index] : undefined;
    if (line?.kind !== 'element' || email === undefined || !answers(line.result, email)) {
      listener.onStrayLine();
      continue;
    }
    open.delete(line.index);
    listener.onResult(line.index, line.result);
  }
  return ended(new RcptError('INCOMPLETE', 'The answer ended without its last line.', details), null);
}

function ended(error: RcptError | null, bill: Bill): CallResult {
  return { error, bill, retryAfterMs: 0 };
}
