import { TOKEN_MAX_AGE_S } from '../../../schema/link.ts';

/** Longer than a token is valid, even if one clock is ahead of the other. */
const REMEMBERED_MS = (TOKEN_MAX_AGE_S + 15) * 1_000;
/** Dial-ins of one enrolment in that time. A host that cannot stay connected needs some twenty. */
const PER_HOST_MAX = 128;
const PREFIX = 'token:';

/** What outlives the object: an eviction must not make a token good again. */
export type TokenStore = Pick<SyncKvStorage, 'list' | 'put' | 'delete'>;

/** The tokens that hosts have dialled in with: each is good once. */
export class UsedTokens {
  readonly #store: TokenStore;
  /** When each may be forgotten, the oldest first. */
  readonly #byHost = new Map<string, Map<string, number>>();

  constructor(store: TokenStore) {
    this.#store = store;
    const kept = [...store.list<number>({ prefix: PREFIX })].toSorted(([, a], [, b]) => a - b);
    for (const [key, end] of kept) {
      const [host = '', token = ''] = key.slice(PREFIX.length).split(' ');
      this.#keep(host, token, end);
    }
  }

  /** @returns false for a token that was shown before, or of a host that dials in too often to be remembered */
  use(host: string, token: string, now: number): boolean {
    this.#forget(now);
    const tokens = this.#byHost.get(host);
    if (tokens !== undefined && (tokens.has(token) || tokens.size >= PER_HOST_MAX)) return false;
    this.#keep(host, token, now + REMEMBERED_MS);
    this.#store.put(keyOf(host, token), now + REMEMBERED_MS);
    return true;
  }

  #keep(host: string, token: string, end: number): void {
    const tokens = this.#byHost.get(host);
    if (tokens === undefined) this.#byHost.set(host, new Map([[token, end]]));
    else tokens.set(token, end);
  }

  #forget(now: number): void {
    for (const [host, tokens] of this.#byHost) {
      for (const [token, end] of tokens) {
        if (end > now) break;
        tokens.delete(token);
        this.#store.delete(keyOf(host, token));
      }
      if (tokens.size === 0) this.#byHost.delete(host);
    }
  }
}

function keyOf(host: string, token: string): string {
  return `${PREFIX}${host} ${token}`;
}
