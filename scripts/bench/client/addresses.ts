// The list of the bench: addresses of the sandbox world. Most are known by their names alone, so that edge and client
// have the most to do; some need a conversation, whose servers bear only so many sessions a minute.

const QUICK = ['nxdomain', 'null-mx', 'mx-missing', 'private-mx', 'blocks-probe', 'no-records'];
/** By their place among fifty. */
const OTHERS: Readonly<Record<number, string>> = { 7: 'catchall', 23: 'relay-denied', 33: 'servfail', 41: 'refused' };
const TURN = 50;
const EMAIL = /^user(\d+)@/;

/** The address at a place of the list, from 0; it costs one credit. */
export function addressAt(place: number): string {
  const domain = OTHERS[place % TURN] ?? QUICK[place % QUICK.length];
  return `user${place}@${domain}.test`;
}

export function* addresses(count: number): Generator<string, void, undefined> {
  for (let place = 0; place < count; place += 1) yield addressAt(place);
}

/** The same, domain by domain. */
export function byDomain(count: number): readonly string[] {
  return Array.from(Map.groupBy(addresses(count), (email) => email.slice(email.indexOf('@'))).values()).flat();
}

/** Ticks results off a list of so many: each has to come once. */
export class Ticks {
  readonly #seen: Uint8Array;
  once = 0;
  repeated = 0;
  /** Results of addresses that are not on the list. */
  strange = 0;

  constructor(count: number) {
    this.#seen = new Uint8Array(count);
  }

  /** Results that came. */
  get done(): number {
    return this.once + this.repeated + this.strange;
  }

  take(email: string): void {
    const place = Number(EMAIL.exec(email)?.[1] ?? Number.NaN);
    const before = addressAt(place) === email ? this.#seen[place] : undefined;
    if (before === undefined) this.strange += 1;
    else if (before > 0) this.repeated += 1;
    else {
      this.#seen[place] = 1;
      this.once += 1;
    }
  }
}
