import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Target } from '../targets/targets.ts';
import { Site } from './site.ts';
import { IdleWorkers } from './idle-workers.ts';
import type { ClientContext } from './client-context.ts';

/** What was learnt about a server is forgotten after this long, and no session lasts longer. */
const LASTS_MS = 300_000;

/**
 * The sessions of all accounts, by account, provider, dialled address and port. A session keeps the egress address that
 * it was opened from. No account ever gets another's, and nothing is kept with one but how the server behaved.
 */
export class Sites {
  readonly #context: ClientContext;
  readonly #sites = new Map<string, Site>();
  readonly #idle: IdleWorkers;

  constructor(context: ClientContext) {
    this.#context = context;
    this.#idle = new IdleWorkers(context.ports.clock);
    context.limits.endIdle = (isInTheWay) => this.#idle.makeRoom(isInTheWay);
  }

  get size(): { readonly idle: number; readonly sites: number } {
    return { idle: this.#idle.size, sites: this.#sites.size };
  }

  /** A domain starts using an address; it leaves with `Site.leave`. @param provider null for unlisted hosts */
  arrive(account: Account, { ip, port }: Target, provider: ProviderLimits | null): Site {
    const key = `${account} ${provider?.provider ?? ''} ${ip} ${port}`;
    const known = this.#sites.get(key);
    const now = this.#context.ports.clock.now();
    if (known !== undefined && now < known.untilMs) {
      known.arrive();
      return known;
    }
    // Others here keep what they know, and their sessions end with them.
    const site = new Site(this.#context, {
      account,
      provider,
      untilMs: now + LASTS_MS,
      idle: this.#idle,
      onUnused: () => {
        if (this.#sites.get(key) === site) this.#sites.delete(key);
      },
    });
    this.#sites.set(key, site);
    site.arrive();
    return site;
  }

  endIdle(): void {
    this.#idle.endAll();
  }
}
