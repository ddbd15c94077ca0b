import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Target } from '../targets/targets.ts';
import { HostSessions } from './host-sessions.ts';
import { IdleSessions } from './idle-sessions.ts';
import type { Tools } from './tools.ts';

/** What was learnt about a server is forgotten after this long, and no session lasts longer. */
const LASTS_MS = 300_000;

/**
 * The sessions of all accounts, by account, provider, dialled address and port. A session keeps the egress address that
 * it was opened from. No account ever gets another's, and nothing is kept with one but how the server behaved.
 */
export class SessionPool {
  readonly #tools: Tools;
  readonly #hosts = new Map<string, HostSessions>();
  readonly #idle: IdleSessions;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#idle = new IdleSessions(tools.ports.clock);
    tools.limits.endIdle = (isInTheWay) => this.#idle.makeRoom(isInTheWay);
  }

  get size(): { readonly idle: number; readonly hosts: number } {
    return { idle: this.#idle.size, hosts: this.#hosts.size };
  }

  /** A domain starts using an address; it leaves with `HostSessions.leave`. @param provider null for unlisted hosts */
  arrive(account: Account, { ip, port }: Target, provider: ProviderLimits | null): HostSessions {
    const key = `${account} ${provider?.provider ?? ''} ${ip} ${port}`;
    const known = this.#hosts.get(key);
    const now = this.#tools.ports.clock.now();
    if (known !== undefined && now < known.untilMs) {
      known.arrive();
      return known;
    }
    // Others here keep what they know, and their sessions end with them.
    const host = new HostSessions(this.#tools, {
      account,
      provider,
      untilMs: now + LASTS_MS,
      idle: this.#idle,
      onUnused: () => {
        if (this.#hosts.get(key) === host) this.#hosts.delete(key);
      },
    });
    this.#hosts.set(key, host);
    host.arrive();
    return host;
  }

  endIdle(): void {
    this.#idle.endAll();
  }
}
