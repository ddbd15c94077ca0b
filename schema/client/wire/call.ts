import { answers } from '../list/entry.ts';
import { RcptError } from '../base/errors.ts';
import { readLines } from './lines.ts';
import { readLine } from './read-line.ts';
import type { OpenResult } from '../../words/result.ts';
import { readCount, readRequestId, readRetryAfterMs } from './headers.ts';
import { isUnsent } from './unsent.ts';
import { readFailure, send, type Service } from './service.ts';

/** What the attempt was charged; null if its last line was not read. */
type Bill = { readonly charged: number; readonly returned: number } | null;

/** How a request ended; its results came on the way. */
export type CallResult = {
  /** Null: every entry has its result, and the bill was read. */
  readonly error: RcptError | null;
  readonly bill: Bill;
  /** It was refused, or never left: nothing was done. */
  readonly isRefused: boolean;
  /** What earlier attempts under its key were charged (`Idempotency-Charged`); null: not said. */
  readonly chargedBefore: number | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number;
};

/** What one request asks for. */
export type Asked = {
  readonly emails: readonly string[];
  readonly waitS: number | null;
  readonly idempotencyKey: string;
  readonly attempt: number;
};

/** The result of the entry at this place of the request. Called once for each. */
type OnResult = (index: number, result: OpenResult) => void;

const LINES = 'application/x-ndjson';

/** One POST verify: entries in, results line by line out. @throws the signal's reason */
export async function ask(
  service: Service,
  { emails, ...how }: Asked,
  signal: AbortSignal,
  onResult: OnResult,
): Promise<CallResult> {
  const request = { path: '/api/v1/verify', accept: LINES, body: JSON.stringify({ emails }), ...how };
  try {
    return await send(service, request, signal, async (response) => {
      const chargedBefore = readCount(response.headers, 'idempotency-charged');
      if (!response.ok) return { ...(await refused(response, service.clock.wallMs())), chargedBefore };
      return { ...(await readAnswer(response, emails, onResult)), chargedBefore };
    });
  } catch (error) {
    if (!(error instanceof RcptError)) throw error;
    return { ...ended(error, null), isRefused: isUnsent(error.cause), chargedBefore: null };
  }
}

/** How a request ended, without what the headers say. */
type Ended = Omit<CallResult, 'chargedBefore'>;

async function refused(response: Response, wallMs: number): Promise<Ended> {
  const { error, isCertain } = await readFailure(response);
  return { error, bill: null, isRefused: isCertain, retryAfterMs: readRetryAfterMs(response.headers, wallMs) };
}

async function readAnswer(response: Response, emails: readonly string[], onResult: OnResult): Promise<Ended> {
  const { status, headers, body } = response;
  const details = { status, requestId: readRequestId(headers) };
  const type = headers.get('content-type') ?? '';
  if (body === null || !type.toLowerCase().startsWith(LINES))
    return ended(new RcptError('BAD_ANSWER', `The answer is ${type === '' ? 'of no type' : type}.`, details), null);
  const open = new Set(emails.keys());
  for await (const text of readLines(body)) {
    const line = readLine(text);
    if (line?.kind === 'closing' && line.charged + line.returned <= emails.length) {
      const missing = new RcptError('INCOMPLETE', `Entries without an answer: ${open.size}.`, details);
      return ended(open.size === 0 ? null : missing, line);
    }
    // Any other line answers nothing that was asked; a newer service may send lines of its own.
    const email = line?.kind === 'element' && open.has(line.index) ? emails[line.index] : undefined;
    if (line?.kind !== 'element' || email === undefined || !answers(line.result, email)) continue;
    open.delete(line.index);
    onResult(line.index, line.result);
  }
  return ended(new RcptError('INCOMPLETE', 'The answer ended without its last line.', details), null);
}

function ended(error: RcptError | null, bill: Bill): Ended {
  return { error, bill, isRefused: false, retryAfterMs: 0 };
}
