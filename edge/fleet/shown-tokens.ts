import { TOKEN_MAX_AGE_S } from '../../schema/link.ts';

/** Longer than a token holds, whichever clock is ahead. */
const REMEMBERED_MS = (TOKEN_MAX_AGE_S + 15) * 1_000;
/** Dial-ins of one enrolment in that time. A host that cannot stay connected needs some twenty. */
const PER_HOST_MAX = 128;

/** The tokens that hosts have dialled in with: each is good once. */
export class ShownTokens {
  /** When each may be forgotten, the oldest first. */
  readonly #byHost = new Map<string, Map<string, number>>();

  /** @returns false for a token that was shown before, or of a host that dials in too often to be remembered */
  take(host: string, token: string, now: number): boolean {
    const tokens = this.#byHost.get(host) ?? new Map<string, number>();
    forget(tokens, now);
    if (tokens.has(token) || tokens.size >= PER_HOST_MAX) return false;
    tokens.set(token, now + REMEMBERED_MS);
    this.#byHost.set(host, tokens);
    return true;
  }

  /** Lets go of what has expired. @returns when there is more to let go of, null for never */
  tidy(now: number): number | null {
    let next: number | null = null;
    for (const [host, tokens] of this.#byHost) {
      forget(tokens, now);
      const [first] = tokens.values();
      if (first === undefined) this.#byHost.delete(host);
      else next = Math.min(next ?? first, first);
    }
    return next;
  }
}

function forget(tokens: Map<string, number>, now: number): void {
  for (const [token, end] of tokens) {
    if (end > now) return;
    tokens.delete(token);
  }
}
