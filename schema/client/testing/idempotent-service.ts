import { failureResponse, linesResponse, resultOf } from './scripted-service.ts';
import type { OpenResult } from '../../words/result.ts';

// The service's side of `Idempotency-Key`, to the letter: which entries of which key were charged, one body for each key,
// one attempt at a time, ten at most, and nothing known of a key after a day. Answers are cut where a test says.

/** What becomes of one attempt: how many lines are written, and so charged, and how many of them arrive. */
export type Cut = {
  readonly written: number;
  readonly read: number;
  readonly ends: 'broken' | 'closed';
  /** So many later attempts under its key find it still under way. */
  readonly lingers: number;
};

type Keyed = {
  readonly body: string;
  readonly atMs: number;
  readonly charged: Set<number>;
  attempts: number;
  lingers: number;
};

const DAY_MS = 86_400_000;
const ATTEMPTS_MAX = 10;

export class IdempotentService {
  readonly #keys = new Map<string, Keyed>();
  readonly #wallMs: () => number;
  readonly #refusals: string[] = [];
  /** What the next attempts come to, in turn; null is a whole answer. */
  cuts: (Cut | null)[] = [];
  /** What it says of an address; credits of policy rejections and of what was never probed come back. */
  says: (email: string) => Partial<OpenResult> = () => ({});
  /** Entries that a request may have. */
  entriesMax = 500;
  /** Called when an answer is about to be given. */
  onAttempt: () => void = () => {};
  /** The ledger: credits by address. */
  readonly ledger = new Map<string, number>();

  constructor(wallMs: () => number) {
    this.#wallMs = wallMs;
  }

  get charged(): number {
    return [...this.ledger.values()].reduce((sum, credits) => sum + credits, 0);
  }

  /** Codes of what it refused by the key. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const key = request.headers.get('idempotency-key') ?? '';
    const body = await request.text();
    this.onAttempt();
    const { emails }: { emails: string[] } = JSON.parse(body);
    if (emails.length > this.entriesMax) return this.#refuse(400, 'TOO_MANY');
    const keyed = this.#keyOf(key, body);
    const refusal = this.#refusal(keyed, body);
    if (refusal !== null) return refusal;
    keyed.attempts += 1;
    return this.#answer(keyed, emails, headersOf(keyed));
  };

  #keyOf(key: string, body: string): Keyed {
    const known = this.#keys.get(key);
    if (known !== undefined && this.#wallMs() - known.atMs < DAY_MS) return known;
    const fresh = { body, atMs: this.#wallMs(), charged: new Set<number>(), attempts: 0, lingers: 0 };
    this.#keys.set(key, fresh);
    return fresh;
  }

  #refusal(keyed: Keyed, body: string): Response | null {
    if (keyed.body !== body) return this.#refuse(422, 'IDEMPOTENCY_MISMATCH');
    if (keyed.lingers > 0) {
      keyed.lingers -= 1;
      return this.#refuse(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '2' });
    }
    if (keyed.attempts < ATTEMPTS_MAX) return null;
    return this.#refuse(429, 'IDEMPOTENCY_EXHAUSTED', { 'retry-after': '3600', ...headersOf(keyed) });
  }

  #refuse(status: number, code: string, headers: Record<string, string> = {}): Response {
    this.#refusals.push(code);
    return failureResponse(status, code, headers);
  }

  #answer(keyed: Keyed, emails: readonly string[], headers: Record<string, string>): Response {
    const cut = this.cuts.shift() ?? null;
    const held = emails.length - keyed.charged.size;
    let charged = 0;
    const lines = emails.slice(0, cut?.written ?? Infinity).map((email, index) => {
      const said = this.says(email);
      const isFree = said.reason === 'policy_rejected' || (said.reason === 'timeout' && said.smtp_check === false);
      if (!isFree && !keyed.charged.has(index)) {
        keyed.charged.add(index);
        charged += 1;
        this.ledger.set(email, (this.ledger.get(email) ?? 0) + 1);
      }
      return `${JSON.stringify({ index, ...resultOf(email, said) })}\n`;
    });
    if (lines.length === emails.length)
      lines.push(`${JSON.stringify({ done: true, charged, returned: held - charged })}\n`);
    if (cut === null) return linesResponse(lines, 'closed', headers);
    keyed.lingers = cut.lingers;
    return linesResponse(lines.slice(0, cut.read), cut.ends, headers);
  }
}

/** What its answers say of the attempts before. */
function headersOf({ charged }: Keyed): Record<string, string> {
  return { 'idempotency-charged': String(charged.size) };
}
