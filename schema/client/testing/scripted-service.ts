import type { Clock } from '../base/clock.ts';
import { Rcpt, type RcptOptions } from '../rcpt.ts';
import { spelling, type OpenResult } from '../../words/result.ts';

// The service as the client meets it, as a function in place of fetch: it counts what it was asked and what it charged, so
// that a test can say what was asked twice. It keeps to `Idempotency-Key` to the letter: each entry of a key is charged once;
// a key has one body, one attempt at a time, ten at most, and is forgotten after a day.

export type Asked = {
  readonly emails: readonly string[];
  readonly accept: string | null;
  readonly prefer: string | null;
  readonly key: string;
  /** How many attempts under this key there were before. */
  readonly repeats: number;
  readonly bytes: number;
};
/** What it says of an address, the nth time that it is asked. */
export type Says = (email: string, nth: number) => Partial<OpenResult>;
/** How it answers the nth request: null for the usual way. */
export type Answers = (asked: Asked, nth: number, signal: AbortSignal) => Response | Promise<Response> | null;
/** What becomes of one attempt: how many lines are written, and so charged, and how many of them arrive. */
export type Cut = {
  readonly written: number;
  readonly read: number;
  readonly ends: 'broken' | 'closed';
  /** This many later attempts under its key find it still in progress. */
  readonly lingers: number;
};

/** What the service keeps of a key. */
type Keyed = {
  readonly emails: string;
  readonly atMs: number;
  readonly charged: Set<number>;
  /** All attempts, and those that got an answer of 200. */
  attempts: number;
  served: number;
  lingers: number;
};

const DAY_MS = 86_400_000;

const utf8 = new TextEncoder();

export function resultOf(email: string, said: Partial<OpenResult> = {}): OpenResult {
  return {
    email: spelling(email),
    result: 'deliverable',
    status: 'valid',
    score: 95,
    catch_all: false,
    reason: null,
    retry_after: null,
    smtp_code: 250,
    smtp_enhanced_code: null,
    syntax: true,
    mx_found: true,
    smtp_check: true,
    disposable: false,
    role_based: false,
    free_provider: false,
    did_you_mean: null,
    mx_records: ['mx.example.test'],
    ...said,
  };
}

export const GREYLISTED = {
  result: 'unknown',
  status: 'unknown',
  score: 50,
  reason: 'greylisting',
  retry_after: 300,
  smtp_code: 450,
} as const;

export const UNPROBED = {
  result: 'unknown',
  status: 'unknown',
  score: 30,
  reason: 'timeout',
  retry_after: 60,
  smtp_code: null,
  smtp_check: false,
} as const;

export class ScriptedService {
  readonly requests: Asked[] = [];
  /** How often each address was answered in a line that was handed over. */
  readonly answered = new Map<string, number>();
  readonly #keyed = new Map<string, Keyed>();
  readonly #wallMs: () => number;
  /** Credits by address. */
  readonly ledger = new Map<string, number>();
  /** Codes of what it refused because of a key. */
  readonly refusals: string[] = [];
  /** What the next attempts come to, in turn; null is a whole answer. */
  cuts: (Cut | null)[] = [];
  /** Entries that a request may have, and how often it is served. */
  entriesMax = 500;
  attemptsMax = 10;
  /** Called when an attempt arrives. */
  onAttempt: () => void = () => {};
  charged = 0;
  inFlight = 0;
  mostInFlight = 0;
  says: Says = () => ({});
  answers: Answers = () => null;

  constructor(wallMs: () => number = () => 0) {
    this.#wallMs = wallMs;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, headers, signal } = request;
    signal.throwIfAborted();
    if (url.endsWith('/api/v1/credits')) return Response.json({ credits: 1_000 - this.charged });
    const body = await request.text();
    const { emails }: { emails: string[] } = JSON.parse(body);
    this.onAttempt();
    if (emails.length > this.entriesMax) return this.#refuse(400, 'TOO_MANY');
    const key = headers.get('idempotency-key') ?? '';
    const keyed = this.#keyOf(key, emails);
    const asked = {
      emails,
      key,
      repeats: keyed.attempts,
      accept: headers.get('accept'),
      prefer: headers.get('prefer'),
      bytes: utf8.encode(body).length,
    };
    const refusal = this.#refusal(keyed, emails);
    if (refusal !== null) return refusal;
    keyed.attempts += 1;
    const nth = this.requests.push(asked) - 1;
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      const response = (await this.answers(asked, nth, signal)) ?? this.answer(asked);
      if (response.ok) keyed.served += 1;
      // As fetch does it: the signal ends the body too.
      const whole = response.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal }) ?? null;
      return new Response(whole, response);
    } finally {
      this.inFlight -= 1;
    }
  };

  #keyOf(key: string, emails: readonly string[]): Keyed {
    const known = this.#keyed.get(key);
    if (known !== undefined && this.#wallMs() - known.atMs < DAY_MS) return known;
    const fresh = {
      emails: emails.join(),
      atMs: this.#wallMs(),
      charged: new Set<number>(),
      attempts: 0,
      served: 0,
      lingers: 0,
    };
    this.#keyed.set(key, fresh);
    return fresh;
  }

  #refusal(keyed: Keyed, emails: readonly string[]): Response | null {
    if (keyed.emails !== emails.join()) return this.#refuse(422, 'IDEMPOTENCY_MISMATCH');
    if (keyed.lingers > 0) {
      keyed.lingers -= 1;
      return this.#refuse(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '2' });
    }
    if (keyed.served < this.attemptsMax) return null;
    const headers = { 'retry-after': '3600', 'idempotency-charged': String(keyed.charged.size) };
    return this.#refuse(429, 'IDEMPOTENCY_EXHAUSTED', headers);
  }

  #refuse(status: number, code: string, headers: Record<string, string> = {}): Response {
    this.refusals.push(code);
    return failureResponse(status, code, headers);
  }

  /** The lines of an answer, without line feeds; whole with the bill, unless it stops after as many as `written` says. */
  lines({ emails, key }: Asked, written = emails.length): string[] {
    const before = this.#keyed.get(key)?.charged ?? new Set();
    const held = emails.length - before.size;
    let charged = 0;
    const elements = emails.slice(0, written).map((email, index) => {
      const nth = this.answered.get(email) ?? 0;
      this.answered.set(email, nth + 1);
      const result = resultOf(email, this.says(email, nth));
      const isFree = result.reason === 'policy_rejected' || (result.reason === 'timeout' && !result.smtp_check);
      if (!isFree && !before.has(index)) {
        before.add(index);
        charged += 1;
        this.ledger.set(email, (this.ledger.get(email) ?? 0) + 1);
      }
      return JSON.stringify({ index, ...result });
    });
    this.charged += charged;
    if (elements.length < emails.length) return elements;
    return [...elements, JSON.stringify({ done: true, charged, returned: held - charged })];
  }

  answer(asked: Asked): Response {
    const headers = this.headers(asked);
    const cut = this.cuts.shift() ?? null;
    const lines = this.lines(asked, cut?.written).map((line) => `${line}\n`);
    if (cut === null) return linesResponse([lines.join('')], 'closed', headers);
    const keyed = this.#keyed.get(asked.key);
    if (keyed !== undefined) keyed.lingers = cut.lingers;
    return linesResponse(lines.slice(0, cut.read), cut.ends, headers);
  }

  /** The headers of a repetition. */
  headers({ key, repeats }: Asked): Record<string, string> {
    return repeats === 0 ? {} : { 'idempotency-charged': String(this.#keyed.get(key)?.charged.size ?? 0) };
  }
}

/** An answer in these pieces; `ending` says how it ends. */
export function linesResponse(
  pieces: ReadonlyArray<string | Uint8Array>,
  ending: 'closed' | 'broken' | 'open' = 'closed',
  headers: Readonly<Record<string, string>> = {},
  onCancel: () => void = () => {},
): Response {
  const left = pieces.map((piece) => (typeof piece === 'string' ? utf8.encode(piece) : piece));
  const stream = new ReadableStream<Uint8Array>({
    cancel: onCancel,
    pull: (controller) => {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (ending === 'closed') controller.close();
      else if (ending === 'broken') controller.error(new TypeError('terminated'));
      else return new Promise(() => {});
      return undefined;
    },
  });
  return new Response(stream, { headers: { 'content-type': 'application/x-ndjson', ...headers } });
}

export function failureResponse(
  status: number,
  code: string | null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { error: `It is ${status}.`, ...(code === null ? {} : { code }) };
  return Response.json(body, { status, headers });
}

/** The longest that a client waits for an answer; a hurried clock does not hurry it, however slow the machine is. */
const UNHURRIED_MS = 86_400_000;

/** A client of a scripted service; its waits take no time unless a test brings a clock. */
export function clientOf(service: ScriptedService, options: Partial<RcptOptions> = {}): Rcpt {
  return new Rcpt({
    apiKey: 'svc_live_test',
    baseURL: 'https://verify.example.test/',
    fetch: service.fetch,
    clock: hurried(),
    timeoutMs: UNHURRIED_MS,
    ...options,
  });
}

/** A clock on which waits pass at once, and time with them; waiting for an answer apart. */
export function hurried(): Clock {
  let nowMs = 0;
  return {
    now: () => nowMs,
    wallMs: () => 1_700_000_000_000 + nowMs,
    random: () => 0.5,
    after: (delayMs, run) => {
      const dueMs = nowMs + delayMs;
      const timer = setTimeout(
        () => {
          nowMs = Math.max(nowMs, dueMs);
          run();
        },
        delayMs < UNHURRIED_MS ? Math.min(50, delayMs / 1_000) : delayMs,
      );
      return () => clearTimeout(timer);
    },
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<{ readonly got: T[]; readonly error: unknown }> {
  const got: T[] = [];
  try {
    for await (const item of items) got.push(item);
  } catch (error) {
    return { got, error };
  }
  return { got, error: null };
}

export function addresses(count: number, domains = 50): string[] {
  return Array.from({ length: count }, (_, n) => `user${n}@d${n % domains}.test`);
}
