import type { Clock } from '../ports/ports.ts';
import { DEFAULT_PACE, type ProviderPace } from '../providers/provider-paces.ts';
import { canonicalIp, type Family } from '../targets/routable.ts';
import type { Egress } from '../ports/settings.ts';

export const COOL_FIRST_MS = 30_000;
export const COOL_MAX_MS = 900_000;
const MINUTE_MS = 60_000;
/** Sums of spacings are not exact: a start that is early by no more than this is on time. */
const ROUNDING_MS = 0.01;
/** Providers are forgotten when idle; the map is swept when it has grown to twice what the last sweep left. */
const SWEEP_MIN = 1024;

/** How a session went, for the pace: `good` was served, `cool` was told that we ask too much, `neutral` tells nothing. */
export type Leaving = 'good' | 'cool' | 'neutral';

export type Entry =
  | { readonly kind: 'go'; readonly egress: Egress; readonly leave: (how: Leaving) => void }
  /** Every egress address cools down past the deadline. */
  | { readonly kind: 'cooling'; readonly waitS: number }
  /** The signal fired while waiting. */
  | { readonly kind: 'ended' }
  /** No egress address is of the family. */
  | { readonly kind: 'no_egress' };

export type Visitor = {
  readonly provider: string;
  readonly family: Family;
  /** When waiting is no longer worth it, in the clock's milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
};

/** One egress address at one provider. */
type Door = { readonly egress: Egress; active: number; dueAt: number; coolUntil: number; coolMs: number };
type Waiter = { readonly visitor: Visitor; readonly settle: (entry: Entry) => void };
type Provider = { readonly doors: readonly Door[]; waiters: Waiter[]; wake: (() => void) | null };

/**
 * Sessions at once, sessions a minute and cool-downs, per egress address and provider. Starts are spaced by a token
 * bucket whose burst is the number of sessions at once, so that no minute sees more than its row allows.
 */
export class Pace {
  readonly #providers = new Map<string, Provider>();
  readonly #rows: ReadonlyMap<string, ProviderPace>;
  readonly #clock: Clock;
  readonly #egress: readonly { readonly egress: Egress; readonly family: Family | null }[];
  #sweepAt = SWEEP_MIN;

  constructor(clock: Clock, egress: readonly Egress[], rows: readonly ProviderPace[]) {
    this.#clock = clock;
    this.#rows = new Map(rows.map((row) => [row.provider, row]));
    this.#egress = egress.map((one) => ({
      egress: one,
      family: one.ip === null ? null : (canonicalIp(one.ip)?.family ?? null),
    }));
  }

  row(provider: string): ProviderPace {
    return this.#rows.get(provider) ?? this.#rows.get('default') ?? DEFAULT_PACE;
  }

  /** Providers that cool down now, at any egress address. */
  cooling(): number {
    const now = this.#clock.now();
    let count = 0;
    for (const { doors } of this.#providers.values()) if (doors.some((door) => door.coolUntil > now)) count += 1;
    return count;
  }

  /** Providers remembered. */
  get size(): number {
    return this.#providers.size;
  }

  /** Asks for one session. Waits if the pace demands it and the visitor's deadline allows it; first come, first served. */
  enter(visitor: Visitor): Entry | Promise<Entry> {
    const provider = this.#provider(visitor.provider);
    const entry = provider.waiters.length === 0 ? this.#admit(provider, visitor) : null;
    return entry ?? this.#wait(provider, visitor);
  }

  #provider(name: string): Provider {
    const known = this.#providers.get(name);
    if (known !== undefined) return known;
    if (this.#providers.size >= this.#sweepAt) this.#sweep();
    const doors = this.#egress.map(({ egress }) => ({ egress, active: 0, dueAt: 0, coolUntil: 0, coolMs: 0 }));
    const fresh: Provider = { doors, waiters: [], wake: null };
    this.#providers.set(name, fresh);
    return fresh;
  }

  #admit(provider: Provider, visitor: Visitor): Entry | null {
    const now = this.#clock.now();
    const row = this.row(visitor.provider);
    let best: Door | null = null;
    let coolUntil = Infinity;
    for (const [index, door] of provider.doors.entries()) {
      const family = this.#egress[index]?.family ?? null;
      if (family !== null && family !== visitor.family) continue;
      coolUntil = Math.min(coolUntil, door.coolUntil);
      if (door.active >= row.sessions || readyAt(door, row) > now) continue;
      if (best === null || isCalmer(door, best)) best = door;
    }
    if (coolUntil === Infinity) return { kind: 'no_egress' };
    if (coolUntil > visitor.deadlineMs && coolUntil > now)
      return { kind: 'cooling', waitS: Math.ceil((coolUntil - now) / 1000) };
    return best === null ? null : this.#open(provider, best, visitor, now);
  }

  #open(provider: Provider, door: Door, visitor: Visitor, now: number): Entry {
    door.active += 1;
    door.dueAt = Math.max(door.dueAt, now) + spacingMs(this.row(visitor.provider));
    let left = false;
    const leave = (how: Leaving): void => {
      if (left) return;
      left = true;
      door.active -= 1;
      this.#note(door, how);
      this.#pump(provider);
    };
    return { kind: 'go', egress: door.egress, leave };
  }

  #note(door: Door, how: Leaving): void {
    const now = this.#clock.now();
    if (how === 'good') door.coolMs = door.coolMs / 2 < COOL_FIRST_MS ? 0 : door.coolMs / 2;
    // Sessions that were open when the cool-down began say nothing new.
    if (how !== 'cool' || door.coolUntil > now) return;
    door.coolMs = door.coolMs === 0 ? COOL_FIRST_MS : Math.min(COOL_MAX_MS, door.coolMs * 2);
    door.coolUntil = now + door.coolMs;
  }

  #wait(provider: Provider, visitor: Visitor): Promise<Entry> {
    return new Promise((resolve) => {
      const onAbort = (): void => {
        provider.waiters = provider.waiters.filter((one) => one !== waiter);
        resolve({ kind: 'ended' });
      };
      const settle = (entry: Entry): void => {
        visitor.signal.removeEventListener('abort', onAbort);
        resolve(entry);
      };
      const waiter: Waiter = { visitor, settle };
      if (visitor.signal.aborted) return resolve({ kind: 'ended' });
      visitor.signal.addEventListener('abort', onAbort, { once: true });
      provider.waiters.push(waiter);
      this.#pump(provider);
    });
  }

  #pump(provider: Provider): void {
    if (provider.waiters.length === 0) return;
    const waiting: Waiter[] = [];
    for (const waiter of provider.waiters) {
      const entry = this.#admit(provider, waiter.visitor);
      if (entry === null) waiting.push(waiter);
      else waiter.settle(entry);
    }
    provider.waiters = waiting;
    provider.wake?.();
    provider.wake = null;
    const [first] = waiting;
    if (first === undefined) return;
    const row = this.row(first.visitor.provider);
    const at = Math.min(
      ...provider.doors.filter((door) => door.active < row.sessions).map((door) => readyAt(door, row)),
    );
    if (at === Infinity) return; // every door is full: the next to leave pumps
    provider.wake = this.#clock.after(Math.max(1, Math.ceil(at - this.#clock.now())), () => {
      provider.wake = null;
      this.#pump(provider);
    });
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const [name, { doors, waiters }] of this.#providers) {
      const idle = doors.every((door) => door.active === 0 && door.dueAt <= now && door.coolUntil + door.coolMs <= now);
      if (idle && waiters.length === 0) this.#providers.delete(name);
    }
    this.#sweepAt = Math.max(SWEEP_MIN, this.#providers.size * 2);
  }
}

/** Fewer sessions now, else longer not used. */
function isCalmer(door: Door, than: Door): boolean {
  return door.active === than.active ? door.dueAt < than.dueAt : door.active < than.active;
}

function burst(row: ProviderPace): number {
  return Math.max(1, Math.min(row.sessions, Math.floor(row.sessionsPerMinute / 2)));
}

function spacingMs(row: ProviderPace): number {
  const steady = row.sessionsPerMinute - burst(row);
  return steady > 0 ? MINUTE_MS / steady : MINUTE_MS;
}

function readyAt(door: Door, row: ProviderPace): number {
  return Math.max(door.coolUntil, door.dueAt - (burst(row) - 1) * spacingMs(row) - ROUNDING_MS);
}
