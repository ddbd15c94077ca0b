import type { EngineObserver } from '../ports/observer.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Egress, PaceSettings } from '../ports/settings.ts';
import { providerOf } from '../providers/provider.ts';
import { canonicalIp, type Family } from '../targets/routable.ts';
import type { Grievance } from './cool-down.ts';
import { Crowd, Line } from './connection-queue.ts';
import { type Door, Doors, ownRestOf } from './host-records.ts';
import { Height } from './scope-limit.ts';
import { networkOf } from './network.ts';
import { Provider } from './provider-record.ts';
import type { Row } from './refusal-streak.ts';
import type { Allowance, Entry, Leaving, Visitor } from './connection-request.ts';

type Waiter = { readonly visitor: Visitor; readonly settle: (entry: Entry) => void; line: PaceLine | null };
type PaceLine = Line<Waiter>;
type PaceHeight = Height<PaceLine>;
type PaceDoor = Door<PaceLine>;
type Resting = Parameters<EngineObserver['rested']>[1];

/** All that a visitor passes from one egress address, and what is noted there. */
type Way = {
  readonly from: number;
  readonly heights: readonly PaceHeight[];
  readonly door: PaceDoor;
  readonly provider: Provider<PaceLine> | null;
  readonly network: string;
};

/**
 * How fast this host asks others: connections at once and a minute, and rests, per egress address. What is kept and by
 * which key (SECURITY.md has the bounds): a dialled address; its network; a listed provider; and of an account what its
 * own domains brought about at a dialled address. No name that a customer or a DNS owner can choose is a key.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #settings: PaceSettings;
  readonly #observer: EngineObserver | null;
  readonly #egress: readonly { readonly egress: Egress; readonly family: Family | null }[];
  readonly #all: PaceHeight;
  readonly #networks = new Map<string, PaceHeight>();
  readonly #providers = new Map<string, Provider<PaceLine>>();
  readonly #doors: Doors<PaceLine>;
  /** The way of each line in which somebody waits. */
  readonly #ways = new Map<PaceLine, Way>();
  readonly #crowd: Crowd<Waiter>;

  constructor(clock: Clock, egress: readonly Egress[], settings: PaceSettings, observer: EngineObserver | null = null) {
    this.#clock = clock;
    this.#settings = settings;
    this.#observer = observer;
    this.#egress = egress.map((one) => ({
      egress: one,
      family: one.ip === null ? null : (canonicalIp(one.ip)?.family ?? null),
    }));
    this.#all = new Height(settings.connections.inAll);
    this.#doors = new Doors(settings);
    this.#crowd = new Crowd(
      clock,
      (line, waiter) => this.#letIn(line, waiter),
      (line) => this.#forgetLine(line),
    );
  }

  /** Dialled addresses that rest now, counted at each egress address. */
  cooling(): number {
    return this.#doors.resting(this.#clock.now());
  }

  /** What is remembered: dialled addresses and networks. */
  get size(): { readonly addresses: number; readonly networks: number } {
    return { addresses: this.#doors.size, networks: this.#networks.size };
  }

  /**
   * Asks for one connection, from the egress address that is least used there. Waits if it must and the visitor's
   * deadline allows it, in turn by account.
   */
  enter(visitor: Visitor): Entry | Promise<Entry> {
    if (visitor.signal.aborted) return { kind: 'ended' };
    const choice = this.#choose(visitor);
    if (typeof choice !== 'number') return choice;
    const way = this.#way(choice, visitor);
    const now = this.#clock.now();
    if (way.heights.every((height) => height.opensAt <= now && height.next() === null))
      return this.#pass(way, visitor, now);
    return new Promise((resolve) => {
      const settle = (entry: Entry): void => {
        visitor.signal.removeEventListener('abort', onAbort);
        resolve(entry);
      };
      const waiter: Waiter = { visitor, settle, line: null };
      const onAbort = (): void => {
        this.#stopWaiting(waiter);
        settle({ kind: 'ended' });
      };
      visitor.signal.addEventListener('abort', onAbort, { once: true });
      this.#wait(way, waiter);
    });
  }

  /** The egress address to come from, by its number; or why there is none. */
  #choose({ account, host, ip, family, deadlineMs, restsUntil: leftTo }: Visitor): number | Entry {
    const now = this.#clock.now();
    const row = providerOf(host, this.#settings.providers);
    let best: { readonly number: number; readonly load: readonly number[] } | null = null;
    let restsUntil = Infinity;
    let spentForMs = Infinity;
    let spentAt = 0;
    for (const [number, one] of this.#egress.entries()) {
      if (one.family !== null && one.family !== family) continue;
      const door = this.#doors.peek(number, ip);
      const provider = row === null ? undefined : this.#providers.get(`${number} ${row.provider}`);
      const spentMs = (provider?.invalid ?? door?.invalid)?.waitMs(account, now) ?? 0;
      if (spentMs > 0) {
        if (spentMs < spentForMs) spentAt = number;
        spentForMs = Math.min(spentForMs, spentMs);
        continue;
      }
      const until = Math.max(
        door?.height.coolDown.until ?? 0,
        door?.ownRests.get(account)?.coolDown.until ?? 0,
        provider?.height.coolDown.until ?? 0,
        leftTo?.(one.egress.ip, host) ?? 0,
      );
      restsUntil = Math.min(restsUntil, until);
      const busy = (door?.height.held ?? 0) + (door?.waiting ?? 0);
      const load = [Math.max(now, until), busy, door?.height.spacing?.dueAt ?? 0];
      if (best === null || isLess(load, best.load)) best = { number, load };
    }
    if (best === null && spentForMs < Infinity) {
      this.#observer?.putOff({ provider: row?.provider ?? null, egress: spentAt });
      return { kind: 'cooling', waitS: Math.ceil(spentForMs / 1000) };
    }
    if (best === null) return { kind: 'no_egress' };
    if (restsUntil > deadlineMs && restsUntil > now)
      return { kind: 'cooling', waitS: Math.ceil((restsUntil - now) / 1000) };
    return best.number;
  }

  /** From the widest height to the narrowest. */
  #way(from: number, { account, host, ip, family, isOwn }: Visitor): Way {
    const door = this.#doors.open(from, ip, this.#clock.now(), isOwn === true);
    const provider = this.#provider(from, host);
    const network = `${from} ${networkOf(ip, family)}`;
    const own = door.ownRests.get(account);
    const heights = [
      this.#all,
      ...(provider === null ? [] : [provider.height]),
      this.#network(network),
      door.height,
      ...(own === undefined ? [] : [own]),
    ];
    return { from, heights, door, provider, network };
  }

  #provider(from: number, host: string): Provider<PaceLine> | null {
    const row = providerOf(host, this.#settings.providers);
    if (row === null) return null;
    const key = `${from} ${row.provider}`;
    const provider = this.#providers.get(key) ?? new Provider(row);
    this.#providers.set(key, provider);
    return provider;
  }

  #network(key: string): PaceHeight {
    const height = this.#networks.get(key) ?? new Height(this.#settings.connections.perNetwork);
    this.#networks.set(key, height);
    return height;
  }

  /** Takes a place at every height. */
  #pass(way: Way, visitor: Visitor, now: number): Entry {
    const egress = this.#egress[way.from]?.egress;
    if (egress === undefined) return { kind: 'no_egress' };
    const heights = [...way.heights];
    for (const height of heights) height.take(visitor.account, now);
    let left = false;
    const { refusals, admissions, height: atDoor } = way.door;
    const dialled = admissions.dial(now);
    const since = refusals.row;
    const leave = (how: Leaving): void => {
      if (left) return;
      left = true;
      admissions.end(dialled, this.#clock.now());
      for (const height of heights) height.giveBack(visitor.account);
      this.#note(way, visitor, how, since);
      // Mostly nobody waits.
      if (heights.some(({ lines }) => lines > 0)) this.#crowd.serve(heights);
      this.#forgetNetwork(way.network);
    };
    return {
      kind: 'go',
      egress,
      allowance: this.#allowance(way, visitor.account),
      row: () => refusals.row,
      note: (domain, how, row) => this.#note(way, { ...visitor, domain }, how, row),
      resting: () => this.#rests(way, visitor.account),
      awaited: () => heights.some((height) => height.free(this.#clock.now()) <= 0 && height.next() !== null),
      letIn: () => admissions.letIn(dialled),
      turnedAway: async (meant) => {
        const bears = await admissions.turnAway(dialled, meant, visitor.signal);
        if (bears !== null) atDoor.narrow(bears, this.#clock.now());
        return bears;
      },
      leave,
    };
  }

  #allowance({ from, door, provider }: Way, account: Account): Allowance {
    const invalid = provider?.invalid ?? door.invalid;
    return {
      left: () => invalid.left(account, this.#clock.now()),
      take: () => invalid.name(account, this.#clock.now()),
      giveBack: () => invalid.takeBack(account),
      putOff: () => {
        this.#observer?.putOff({ provider: provider?.name ?? null, egress: from });
        return Math.ceil(invalid.waitMs(account, this.#clock.now()) / 1000);
      },
    };
  }

  #rests({ door, provider }: Way, account: Account): boolean {
    const now = this.#clock.now();
    return [door.height, provider?.height, door.ownRests.get(account)].some(
      (height) => height !== undefined && height.coolDown.until > now,
    );
  }

  #note(way: Way, { account, domain, ip }: Visitor, how: Leaving, since: Row): void {
    if (how === 'neutral') return;
    const { door, provider } = way;
    if (how === 'served') {
      door.refusals.clear();
      for (const height of [door.height, provider?.height, door.ownRests.get(account)]) height?.coolDown.ease();
      return;
    }
    const now = this.#clock.now();
    if (how.when === 'opening') return this.#rest(way, ip, how.why, now);
    const conclusion = door.refusals.note(account, domain, how.why, now, since);
    if (conclusion.for === 'everybody') this.#rest(way, ip, conclusion.why, now);
    if (conclusion.for === 'account') this.#restAlone(way, account, conclusion.why, now);
  }

  /** Whatever account, whatever name: nobody dials the address for a while. */
  #rest(way: Way, ip: string, why: Grievance, now: number): void {
    const { door, provider } = way;
    if (!door.height.coolDown.begin(why, now)) return;
    this.#tell(way, 'address', door.height, why, now);
    this.#reconsider(door.lines.values());
    if (provider?.noteRest(ip, why, now) !== true) return;
    this.#tell(way, 'provider', provider.height, why, now);
    this.#reconsider(provider.lines);
  }

  #restAlone(way: Way, account: Account, why: Grievance, now: number): void {
    const { door } = way;
    const own = ownRestOf(door, account);
    if (!own.coolDown.begin(why, now)) return;
    this.#tell(way, 'account', own, why, now);
    const lines = [...door.lines.values()].filter((line) => line.account === account);
    for (const line of lines) line.mustPass(own);
    this.#reconsider(lines);
  }

  #tell({ from, provider }: Way, who: Resting, { coolDown }: PaceHeight, why: Grievance, now: number): void {
    this.#observer?.rested({ provider: provider?.name ?? null, egress: from }, who, why, coolDown.until - now);
  }

  /** A rest has begun: who cannot wait for its end is told at once, or goes another way if there is one. */
  #reconsider(lines: Iterable<PaceLine>): void {
    for (const line of lines) {
      const from = this.#ways.get(line)?.from;
      for (const waiter of line.visitors) {
        const choice = this.#choose(waiter.visitor);
        if (choice === from) continue;
        this.#stopWaiting(waiter);
        if (typeof choice === 'number') this.#wait(this.#way(choice, waiter.visitor), waiter);
        else waiter.settle(choice);
      }
    }
  }

  #wait(way: Way, waiter: Waiter): void {
    const { account } = waiter.visitor;
    const key = lineKey(account, way.provider);
    let line = way.door.lines.get(key);
    if (line === undefined) {
      line = new Line<Waiter>(account, way.heights);
      way.door.lines.set(key, line);
      way.provider?.lines.add(line);
      this.#ways.set(line, way);
    }
    waiter.line = line;
    way.door.waiting += 1;
    this.#crowd.add(line, waiter);
  }

  #stopWaiting(waiter: Waiter): void {
    const { line } = waiter;
    if (line === null) return;
    this.#waitsNoMore(line, waiter);
    this.#crowd.remove(line, waiter);
  }

  #letIn(line: PaceLine, waiter: Waiter): void {
    const way = this.#ways.get(line);
    if (way === undefined) return;
    this.#waitsNoMore(line, waiter);
    waiter.settle(this.#pass({ ...way, heights: line.heights }, waiter.visitor, this.#clock.now()));
  }

  #waitsNoMore(line: PaceLine, waiter: Waiter): void {
    waiter.line = null;
    const way = this.#ways.get(line);
    if (way !== undefined) way.door.waiting -= 1;
  }

  #forgetLine(line: PaceLine): void {
    const way = this.#ways.get(line);
    if (way === undefined) return;
    this.#ways.delete(line);
    way.door.lines.delete(lineKey(line.account, way.provider));
    way.provider?.lines.delete(line);
    this.#forgetNetwork(way.network);
  }

  #forgetNetwork(key: string): void {
    if (this.#networks.get(key)?.isUnused === true) this.#networks.delete(key);
  }
}

function lineKey(account: Account, provider: Provider<PaceLine> | null): string {
  return `${account} ${provider?.name ?? ''}`;
}

/** Compares number by number. */
function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? 0;
    if (one !== other) return one < other;
  }
  return false;
}
