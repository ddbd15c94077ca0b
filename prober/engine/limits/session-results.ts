import type { EngineObserver } from '../ports/observer.ts';
import type { Account } from '../ports/ports.ts';
import type { WaitingGroup } from './connection-queue.ts';
import type { ConnectionRequest, SessionResult } from './connection-request.ts';
import type { CoolDownCause } from './server/cool-down.ts';
import { accountLimitOf } from './host-records.ts';
import type { LimitPath } from './limit-paths.ts';
import type { StreakId } from './server/refusal-streak.ts';

type Scope = Parameters<EngineObserver['coolDownBegan']>[1];

export type SessionReport = Pick<ConnectionRequest, 'account' | 'domain' | 'ip'> & {
  readonly result: SessionResult;
  /** The streak of refusals when the domain was first asked about. */
  readonly since: StreakId;
};

/** Draws the limits' conclusions from the results of sessions: which scope cools down, or eases. */
export class SessionResults<Waiter> {
  readonly #observer: EngineObserver | null;
  readonly #onCoolDown: (groups: Iterable<WaitingGroup<Waiter>>) => void;

  /** @param onCoolDown groups of waiting connections for which a cool-down has begun */
  constructor(observer: EngineObserver | null, onCoolDown: (groups: Iterable<WaitingGroup<Waiter>>) => void) {
    this.#observer = observer;
    this.#onCoolDown = onCoolDown;
  }

  record(path: LimitPath<Waiter>, { account, domain, ip, result, since }: SessionReport, now: number): void {
    if (result === 'neutral') return;
    const { record, provider } = path;
    if (result === 'served') {
      record.refusals.end();
      record.limit.rate?.serve(now);
      for (const limit of [record.limit, provider?.limit, record.accountCoolDowns.get(account)]) limit?.coolDown.ease();
      return;
    }
    if (result.when === 'opening') return this.#coolAddress(path, ip, result, now);
    const conclusion = record.refusals.add({ account }, domain, result.why, now, since);
    // However sure it sounds, it may be the policy of three domains: it begins short.
    if (conclusion.for === 'everybody') this.#coolAddress(path, ip, { why: conclusion.why, as: 'asked_too_much' }, now);
    if (conclusion.for === 'account') this.#coolAccount(path, account, conclusion.why, now);
  }

  /** No account dials the address for a while (for how long goes by `as`), and none dials its provider if too many of its addresses cool down. */
  #coolAddress(
    path: LimitPath<Waiter>,
    ip: string,
    { why, as = why }: { readonly why: CoolDownCause; readonly as?: CoolDownCause },
    now: number,
  ): void {
    const { record, provider } = path;
    if (!record.limit.coolDown.begin(as, now)) return;
    this.#observe(path, 'address', why, record.limit.coolDown.until - now);
    this.#onCoolDown(record.groups.values());
    if (provider?.countCoolDown(ip, as, now) !== true) return;
    this.#observe(path, 'provider', why, provider.limit.coolDown.until - now);
    this.#onCoolDown(provider.groups);
  }

  #coolAccount(path: LimitPath<Waiter>, account: Account, why: CoolDownCause, now: number): void {
    const limit = accountLimitOf(path.record, account);
    if (!limit.coolDown.begin(why, now)) return;
    this.#observe(path, 'account', why, limit.coolDown.until - now);
    const groups = [...path.record.groups.values()].filter((group) => group.account === account);
    for (const group of groups) group.mustPass(limit);
    this.#onCoolDown(groups);
  }

  #observe({ from, provider }: LimitPath<Waiter>, scope: Scope, why: CoolDownCause, lastsMs: number): void {
    this.#observer?.coolDownBegan({ provider: provider?.name ?? null, egress: from }, scope, why, lastsMs);
  }
}
