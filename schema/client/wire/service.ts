import type { Clock } from '../base/clock.ts';
import { ERROR_CODE_ROWS, ERROR_CODES } from '../../words/error-codes.ts';
import { isKnown, type Open } from '../../words/open.ts';
import { RCPT_ERROR_CODES, RcptError, type RcptErrorCode } from '../base/errors.ts';
import { readCount, readRequestId } from './headers.ts';
import type { Pace } from './pace.ts';
import { parseRecord } from './read-line.ts';

/** One deployment of the service, and how to reach it. */
export type Service = {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly onAttempt: (attempt: Attempt) => void;
};

/** One request as it was sent, and how it was answered: nothing of what it asked. */
export type Attempt = {
  /** `/api/v1/verify`, `/api/v1/credits`. */
  readonly path: string;
  /** How often this request has been sent by now. */
  readonly attempt: number;
  /** Null: no response. */
  readonly status: number | null;
  /** The service's name for it, in the log of your calls too. */
  readonly requestId: string | null;
  /** Until the end of the response. */
  readonly ms: number;
};

/** What all requests of a client share. */
export type Means = { readonly service: Service; readonly pace: Pace; readonly maxRetries: number };

export type Request = {
  readonly path: string;
  readonly accept: string;
  /** How often it has been sent by now, 1 or more. */
  readonly attempt: number;
  readonly body?: string;
  /** How long the service may take; null or absent: no preference. */
  readonly waitS?: number | null;
  /** Under this key the service charges each entry of the body once, however often it is sent. */
  readonly idempotencyKey?: string;
};

/** Network time of a request and its response. */
const TRANSIT_MS = 5_000;

/** Of an error's body. */
const ERROR_CHARS_MAX = 500;
const ERROR_BYTES_MAX = 16_384;
const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Sends one request and has `read` read its response; both together take `timeoutMs` at most, and stop when `signal`
 * fires.
 * @throws RcptError; the signal's reason
 */
export async function send<T>(
  service: Service,
  request: Request,
  signal: AbortSignal | null,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  // `AbortSignal.any` came with Node 20.3.
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const hurriedMs = typeof request.waitS === 'number' ? request.waitS * 1_000 + TRANSIT_MS : Infinity;
  const timeoutMs = Math.min(service.timeoutMs, hurriedMs);
  const timeout = new RcptError('TIMEOUT', `There was no complete response within ${timeoutMs} ms.`);
  const callOff = service.clock.after(timeoutMs, () => stop.abort(timeout));
  const sentMs = service.clock.now();
  let seen: Pick<Attempt, 'status' | 'requestId'> = { status: null, requestId: null };
  try {
    const answered = await answer(service, request, stop.signal, async (response) => {
      seen = { status: response.status, requestId: readRequestId(response.headers) };
      return await read(response);
    });
    stop.signal.throwIfAborted();
    return answered;
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (stop.signal.aborted) throw timeout.with(seen);
    throw error instanceof RcptError ? error : connectionError(error).with(seen);
  } finally {
    const { path, attempt } = request;
    service.onAttempt({ path, attempt, ...seen, ms: Math.round(service.clock.now() - sentMs) });
    callOff();
    signal?.removeEventListener('abort', onAbort);
    // Ends any reading in progress.
    stop.abort(timeout);
  }
}

async function answer<T>(
  { baseURL, apiKey, fetch }: Service,
  { path, accept, body, waitS = null, idempotencyKey }: Request,
  signal: AbortSignal,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const prefer = waitS === null ? {} : { prefer: `wait=${waitS}` };
  const keyed = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept,
    'content-type': 'application/json',
    ...prefer,
    ...keyed,
  };
  const init = body === undefined ? { method: 'GET' } : { method: 'POST', body };
  // Redirects are not followed: the key goes nowhere else.
  const response = await fetch(`${baseURL}${path}`, { ...init, headers, signal, redirect: 'manual' });
  return read(response);
}

function connectionError(cause: unknown): RcptError {
  return new RcptError('CONNECTION', `The service could not be reached, or the connection broke: ${wordsOf(cause)}`, {
    cause,
  });
}

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause).slice(0, ERROR_CHARS_MAX);
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return `${cause.message}${inner}`.slice(0, ERROR_CHARS_MAX);
}

/**
 * Reads an error response.
 * @returns `isCertain`: nothing was done; a 408 or 5xx without a code of the service may come from a gateway that gave up
 */
export async function readFailure(response: Response): Promise<{ error: RcptError; isCertain: boolean }> {
  const { status, headers } = response;
  const said = parseRecord(await readStart(response));
  const words = typeof said?.['error'] === 'string' ? said['error'].slice(0, ERROR_CHARS_MAX) : `HTTP ${status}`;
  const code = said?.['code'];
  const error = new RcptError(codeOf(status, code), words, {
    status,
    requestId: readRequestId(headers),
    creditsLeft: readCount(headers, 'rcpt-remaining'),
  });
  const isOurs = typeof code === 'string' && isKnown(ERROR_CODES, code);
  return { error, isCertain: isOurs || (status < 500 && status !== 408) };
}

/** What a status says where the body has no code, or not one of this status. */
const BY_STATUS: Readonly<Record<number, RcptErrorCode>> = {
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  408: 'TIMEOUT',
  413: 'BODY_TOO_LARGE',
  429: 'RATE_LIMITED',
};

/** A code of a newer service is kept. */
function codeOf(status: number, code: unknown): Open<RcptErrorCode> {
  if (typeof code === 'string' && ERROR_CODE.test(code)) {
    if (!isKnown(RCPT_ERROR_CODES, code)) return code;
    if (isKnown(ERROR_CODES, code) && ERROR_CODE_ROWS[code].status === status) return code;
  }
  return BY_STATUS[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'BAD_ANSWER');
}

/** The beginning of a body as text. */
export async function readStart(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const utf8 = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < ERROR_BYTES_MAX;) {
    const { done, value } = await reader.read();
    if (done) return text + utf8.decode();
    bytes += value.length;
    text += utf8.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return text;
}
