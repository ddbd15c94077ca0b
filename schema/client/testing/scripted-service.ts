import type { Clock } from '../base/clock.ts';
import { Rcpt, type RcptOptions } from '../rcpt.ts';
import { spelling, type OpenResult } from '../../words/result.ts';

// The service as the client meets it, as a function in the place of fetch: it counts what it was asked and what it
// charged, so that a test can say what was asked twice. Under one key it charges each entry once; what it was going to
// write counts as written.

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
  /** By key: the places that were charged, and how many attempts there were. */
  readonly #keyed = new Map<string, { readonly charged: Set<number>; attempts: number }>();
  charged = 0;
  inFlight = 0;
  mostInFlight = 0;
  says: Says = () => ({});
  answers: Answers = () => null;

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, headers, signal } = request;
    signal.throwIfAborted();
    if (url.endsWith('/api/v1/credits')) return Response.json({ credits: 1_000 - this.charged });
    const body = await request.text();
    const { emails }: { emails: string[] } = JSON.parse(body);
    const key = headers.get('idempotency-key') ?? '';
    const keyed = this.#keyed.get(key) ?? { charged: new Set(), attempts: 0 };
    this.#keyed.set(key, keyed);
    const asked = {
      emails,
      key,
      repeats: keyed.attempts,
      accept: headers.get('accept'),
      prefer: headers.get('prefer'),
      bytes: utf8.encode(body).length,
    };
    keyed.attempts += 1;
    const nth = this.requests.push(asked) - 1;
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      return (await this.answers(asked, nth, signal)) ?? this.answer(asked);
    } finally {
      this.inFlight -= 1;
    }
  };

  /** The lines of a whole answer, without line feeds. */
  lines({ emails, key }: Asked, order: readonly number[] = [...emails.keys()]): string[] {
    const before = this.#keyed.get(key)?.charged ?? new Set();
    const held = emails.length - before.size;
    let charged = 0;
    const elements = order.map((index) => {
      const email = emails[index] ?? '';
      const nth = this.answered.get(email) ?? 0;
      this.answered.set(email, nth + 1);
      const result = resultOf(email, this.says(email, nth));
      if ((result.reason !== 'timeout' || result.smtp_check) && !before.has(index)) {
        before.add(index);
        charged += 1;
      }
      return JSON.stringify({ index, ...result });
    });
    this.charged += charged;
    return [...elements, JSON.stringify({ done: true, charged, returned: held - charged })];
  }

  answer(asked: Asked): Response {
    const headers = this.headers(asked);
    return linesResponse([`${this.lines(asked).join('\n')}\n`], 'closed', headers);
  }

  /** What a repetition is told before its lines. */
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
