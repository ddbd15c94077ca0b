/** Where an address of the bench stands in its list: `u<n>@d<m>.test` is address n of domain m. */
export type Bulk = { readonly addresses: number; readonly domains: number };

/** The same list on every run, one address a line, in no order: as lists come. */
export function bulkLines({ addresses, domains }: Bulk): string[] {
  const lines = Array.from({ length: addresses }, (_, i) => `u${Math.floor(i / domains)}@d${i % domains}.test`);
  let seed = 1;
  for (let i = lines.length - 1; i > 0; i -= 1) {
    // Numerical Recipes' generator: any would do, the list has only to be mixed and the same each time.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const j = seed % (i + 1);
    const [a, b] = [lines[i], lines[j]];
    if (a === undefined || b === undefined) break;
    lines[i] = b;
    lines[j] = a;
  }
  return lines;
}

/** Ticks results off the list: each address has to come once. */
export class Tally {
  readonly #domains: number;
  readonly #seen: Uint8Array;
  /** Results of addresses on the list, and which of them came again. */
  done = 0;
  repeated = 0;
  /** Results of addresses that are not on it. */
  strange = 0;

  constructor({ addresses, domains }: Bulk) {
    this.#domains = domains;
    this.#seen = new Uint8Array(addresses);
  }

  take(email: string): void {
    const [, user, domain] = /^u(\d+)@d(\d+)\.test$/.exec(email) ?? [];
    const at = Number(user) * this.#domains + Number(domain);
    const before = this.#seen[at];
    if (before === undefined) this.strange += 1;
    else if (before > 0) this.repeated += 1;
    else {
      this.#seen[at] = 1;
      this.done += 1;
    }
  }
}
