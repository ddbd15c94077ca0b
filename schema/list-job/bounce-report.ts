import { identityOf } from '../client/list/entry.ts';
import { STATUSES } from '../words/verdicts.ts';
import type { Bounce } from './bounce-export.ts';
import type { BounceKind } from './bounce-kind.ts';
import { unshared } from './unshared.ts';

// How right were the verdicts? What bounced of each, by the customer's own mailing. Nothing is asked for it.

/** A part of a group, and where the true share lies with 95 % confidence (Wilson's interval); null of an empty group. */
export type Part = {
  readonly count: number;
  readonly share: number | null;
  readonly low: number | null;
  readonly high: number | null;
};
export type Parts = { readonly addresses: number; readonly bounced: Part } & Readonly<Record<BounceKind, Part>>;

export type Report = {
  readonly verified: {
    readonly rows: number;
    /** Different ones with a verdict. */
    readonly addresses: number;
    readonly duplicates: number;
    readonly withoutVerdict: number;
  };
  readonly bounces: {
    readonly entries: number;
    /** Different ones that bounced and have a verdict. */
    readonly addresses: number;
    readonly duplicates: number;
    readonly withoutAddress: number;
    /** Deliveries, openings, complaints. */
    readonly noBounces: number;
    /** Different ones that bounced and have no verdict: of another list. */
    readonly notInList: Readonly<Record<BounceKind, number>>;
  };
  readonly all: Parts;
  readonly statuses: ReadonlyArray<
    Parts & {
      readonly status: string;
      /** `reason` null: none was given. */
      readonly reasons: ReadonlyArray<Parts & { readonly reason: string | null }>;
    }
  >;
};

/** From the mildest to the one that counts if an address bounced several times. */
const KINDS = ['unspecified', 'soft', 'hard'] as const satisfies readonly BounceKind[];
/** A word of the contract, or of a newer service; more of them than this are none of ours. */
const WORD = /^[a-z][a-z0-9_-]{0,39}$/;
const GROUPS_MAX = 200;

/** Addresses with one verdict; `by` counts those that bounced. */
type Group = {
  readonly status: string;
  readonly reason: string | null;
  addresses: number;
  readonly by: Record<BounceKind, number>;
};

/** An address and its kind of bounce, as an index into KINDS; -1: none. */
type Known = { readonly group: Group | null; bounced: number };

/** Takes first the rows of an earlier output, then the entries of an export. */
export class BounceReport {
  readonly #groups = new Map<string, Group>();
  /** By identity: those of the list, and those that only bounced. */
  readonly #known = new Map<string, Known>();
  readonly #verified = { rows: 0, addresses: 0, duplicates: 0, withoutVerdict: 0 };
  readonly #bounces = { entries: 0, addresses: 0, duplicates: 0, withoutAddress: 0, noBounces: 0 };
  readonly #strangers = { hard: 0, soft: 0, unspecified: 0 };

  /** @param email null: the row has no address */
  addVerified(email: string | null, status: string, reason: string): void {
    this.#verified.rows += 1;
    const group = email === null ? null : this.#groupOf(status, WORD.test(reason) ? reason : null);
    if (email === null || group === null) {
      this.#verified.withoutVerdict += 1;
      return;
    }
    const identity = unshared(identityOf(email));
    if (this.#known.has(identity)) this.#verified.duplicates += 1;
    else {
      this.#known.set(identity, { group, bounced: -1 });
      this.#verified.addresses += 1;
      group.addresses += 1;
    }
  }

  /** Whether an address has a verdict. */
  has(email: string): boolean {
    return this.#known.has(identityOf(email));
  }

  addBounce({ email, kind }: Bounce): void {
    this.#bounces.entries += 1;
    if (kind === 'no bounce') this.#bounces.noBounces += 1;
    else if (email === null) this.#bounces.withoutAddress += 1;
    else this.#note(unshared(identityOf(email)), KINDS.indexOf(kind));
  }

  #note(identity: string, kind: number): void {
    const known = this.#known.get(identity) ?? { group: null, bounced: -1 };
    const { group, bounced } = known;
    const counts = group?.by ?? this.#strangers;
    const before = KINDS[bounced];
    if (before !== undefined) this.#bounces.duplicates += 1;
    else if (group !== null) this.#bounces.addresses += 1;
    known.bounced = Math.max(bounced, kind);
    this.#known.set(identity, known);
    if (before !== undefined) counts[before] -= 1;
    const now = KINDS[known.bounced];
    if (now !== undefined) counts[now] += 1;
  }

  #groupOf(status: string, reason: string | null): Group | null {
    const key = `${status} ${reason ?? ''}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    if (!WORD.test(status) || this.#groups.size >= GROUPS_MAX) return null;
    const group = { status, reason, addresses: 0, by: { hard: 0, soft: 0, unspecified: 0 } };
    this.#groups.set(key, group);
    return group;
  }

  get report(): Report {
    const groups = [...this.#groups.values()].filter(({ addresses }) => addresses > 0);
    const statuses = new Set([...STATUSES, ...groups.map(({ status }) => status)]);
    return {
      verified: { ...this.#verified },
      bounces: { ...this.#bounces, notInList: { ...this.#strangers } },
      all: partsOf(groups),
      statuses: Array.from(statuses, (status) => {
        const own = groups.filter((group) => group.status === status);
        const inOrder = own.toSorted((one, other) => other.addresses - one.addresses);
        return {
          status,
          ...partsOf(own),
          reasons: inOrder.map((group) => ({ reason: group.reason, ...partsOf([group]) })),
        };
      }),
    };
  }
}

function partsOf(groups: readonly Group[]): Parts {
  const sum = (count: (group: Group) => number): number => groups.reduce((all, group) => all + count(group), 0);
  const addresses = sum((group) => group.addresses);
  const [unspecified, soft, hard] = KINDS.map((kind) => sum(({ by }) => by[kind]));
  const part = (count = 0): Part => ({ count, ...shareOf(count, addresses) });
  const bounced = part((hard ?? 0) + (soft ?? 0) + (unspecified ?? 0));
  return { addresses, bounced, hard: part(hard), soft: part(soft), unspecified: part(unspecified) };
}

/** The standard normal quantile of 97.5 %. */
const Z = 1.959_964;

/** A share with its 95 % interval by Wilson: right for small counts and none too. Pure. */
export function shareOf(count: number, all: number): Omit<Part, 'count'> {
  if (all === 0) return { share: null, low: null, high: null };
  const share = count / all;
  const spread = Z * Math.sqrt((share * (1 - share)) / all + (Z * Z) / (4 * all * all));
  const [middle, scale] = [share + (Z * Z) / (2 * all), 1 + (Z * Z) / all];
  const bound = (value: number): number => Math.min(1, Math.max(0, value / scale));
  return {
    share,
    low: count === 0 ? 0 : bound(middle - spread),
    high: count === all ? 1 : bound(middle + spread),
  };
}
