import type { Account } from '../ports/ports.ts';
import type { PaceSettings } from '../ports/settings.ts';
import { Admissions } from './own-connections.ts';
import { Height } from './scope-limit.ts';
import { InvalidRecipients } from './invalid-recipients.ts';
import { Refusals } from './refusal-streak.ts';
import { Spacing } from './rate-limit.ts';

/** Dialled addresses remembered, for all egress addresses together. */
export const DOORS_MAX = 20_000;
/** Accounts that let one address rest alone. */
export const OWN_RESTS_MAX = 32;
/** What is idle is forgotten when there are twice as many as were left the last time, or a minute later. */
const SWEEP_MIN = 1_024;
const SWEEP_MS = 60_000;

/** One dialled address as one egress address sees it. */
export type Door<Line> = {
  readonly height: Height<Line>;
  /** Whom of ours the server has let in. */
  readonly admissions: Admissions;
  readonly refusals: Refusals<Account>;
  /** For everybody but a listed provider's own hosts. */
  readonly invalid: InvalidRecipients;
  /** The rests of single accounts: nobody else waits for them. */
  readonly ownRests: Map<Account, Height<Line>>;
  /** Those who wait, by account and provider. */
  readonly lines: Map<string, Line>;
  /** How many wait. */
  waiting: number;
};

/** What is remembered of dialled addresses. */
export class Doors<Line> {
  readonly #doors = new Map<string, Door<Line>>();
  readonly #perAddress: number;
  readonly #perMinute: number;
  readonly #invalidPerHour: number;
  #sweepSize = SWEEP_MIN;
  #sweepAt = 0;

  constructor({ connections, connectionsPerMinute, invalidPerHour }: PaceSettings) {
    this.#perAddress = connections.perAddress;
    this.#perMinute = connectionsPerMinute;
    this.#invalidPerHour = invalidPerHour;
  }

  get size(): number {
    return this.#doors.size;
  }

  /** What is known of an address; undefined: nothing, so it is open. */
  peek(egress: number, ip: string): Door<Line> | undefined {
    return this.#doors.get(keyOf(egress, ip));
  }

  /**
   * The door of an address, made if there is none. It is not forgotten while it is used.
   * @param isOwn the address is the operator's own, and may be asked about any number of recipients that it does not know
   */
  open(egress: number, ip: string, now: number, isOwn = false): Door<Line> {
    const key = keyOf(egress, ip);
    const known = this.#doors.get(key);
    if (known !== undefined) return known;
    if (this.#doors.size >= this.#sweepSize || now >= this.#sweepAt) this.#sweep(now);
    const door = this.#make(isOwn);
    this.#doors.set(key, door);
    return door;
  }

  /** The doors that rest for everybody. */
  resting(now: number): number {
    let count = 0;
    for (const { height } of this.#doors.values()) if (height.coolDown.until > now) count += 1;
    return count;
  }

  #make(isOwn: boolean): Door<Line> {
    return {
      height: new Height(this.#perAddress, new Spacing(this.#perMinute)),
      admissions: new Admissions(),
      refusals: new Refusals(),
      invalid: new InvalidRecipients(isOwn ? Infinity : this.#invalidPerHour),
      ownRests: new Map(),
      lines: new Map(),
      waiting: 0,
    };
  }

  /**
   * Forgets what is idle; where too much is left, the oldest half of what is not in use. What is in use is no more than
   * there are connections and visitors.
   */
  #sweep(now: number): void {
    for (const [key, door] of this.#doors) if (isForgettable(door, now)) this.#doors.delete(key);
    let tooMany = this.#doors.size < DOORS_MAX ? 0 : this.#doors.size - DOORS_MAX / 2;
    for (const [key, door] of this.#doors) {
      if (tooMany <= 0) break;
      if (!isUnused(door)) continue;
      this.#doors.delete(key);
      tooMany -= 1;
    }
    this.#sweepSize = Math.min(DOORS_MAX, Math.max(SWEEP_MIN, this.#doors.size * 2));
    this.#sweepAt = now + SWEEP_MS;
  }
}

/** The rest of one account at a door, made if there is none; of too many the oldest that nobody waits for goes. */
export function ownRestOf<Line>({ ownRests }: Door<Line>, account: Account): Height<Line> {
  const known = ownRests.get(account);
  if (known !== undefined) return known;
  if (ownRests.size >= OWN_RESTS_MAX) {
    const [oldest] = [...ownRests].find(([, height]) => height.isUnused) ?? [];
    if (oldest !== undefined) ownRests.delete(oldest);
  }
  const rest = new Height<Line>(Infinity);
  ownRests.set(account, rest);
  return rest;
}

function isUnused<Line>({ height, ownRests }: Door<Line>): boolean {
  return height.isUnused && [...ownRests.values()].every((rest) => rest.isUnused);
}

function isForgettable<Line>({ height, refusals, invalid, ownRests }: Door<Line>, now: number): boolean {
  return (
    height.isForgettable(now) &&
    refusals.isForgettable(now) &&
    invalid.isForgettable(now) &&
    [...ownRests.values()].every((rest) => rest.isForgettable(now))
  );
}

function keyOf(egress: number, ip: string): string {
  return `${egress} ${ip}`;
}
