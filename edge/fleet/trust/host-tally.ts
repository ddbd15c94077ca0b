import * as z from 'zod';
import type { Difference } from '../../base/fleet-protocol.ts';

// How often a host stood alone when others were asked about the same address, and what follows from it: pure. What two
// hosts say of one address may differ by chance (a mailbox that was just made, a server that accepts at random), so a host
// is named by how much more often than its peers it stands alone, and not by one difference.

/** What a host said of a receiver is counted by the receiver's listed provider; all others are one group. */
export const OTHERS = 'others';

/** What a host found out of an address, as far as other hosts must find the same. */
export type Firm = 'accepts' | 'refuses' | 'no_mail';
const NOTHING_SAID = { accepts: 0, refuses: 0, no_mail: 0 };

const tallySchema = z.object({
  /** Addresses about which it and another host said something firm. */
  of: z.number(),
  /** It stood alone against two others. */
  alone: z.number(),
  /** It and one other differed, and there was no third to decide. */
  split: z.number(),
  /** Whose addresses it stood alone or split on: numbers made of account ids, each as often as it counts. */
  accounts: z.array(z.number()),
  /** How often it said what: who says one thing of everybody is no witness, though others say it too. */
  said: z.object({ accepts: z.number(), refuses: z.number(), no_mail: z.number() }).default(NOTHING_SAID),
});
type Tally = Readonly<z.infer<typeof tallySchema>>;
/** By group. */
const windowSchema = z.record(z.string(), tallySchema);
export const hostTallySchema = z.object({
  sinceMs: z.number(),
  current: windowSchema,
  before: windowSchema,
  /** Groups in which it differs from its peers. */
  named: z.array(z.string()),
});
export type HostTally = Readonly<z.infer<typeof hostTallySchema>>;

/** What came of one address that several hosts were asked about. */
export type Agreement = 'agreed' | 'alone' | 'split';
/** What one of them said, and how that stands to the others. */
export type Compared = { readonly agreement: Agreement; readonly firm: Firm };

const WINDOW_MS = 12 * 3_600_000;
/** A customer may own the servers that answer each host differently: an account counts at most this often in a group and window. */
const PER_ACCOUNT_MAX = 2;
/** Times it stood alone before it is named: of at least three accounts. */
const ALONE_MIN = 5;
/** The same if nobody could decide. */
const SPLIT_MIN = 10;
const SHARE_MIN = 0.05;
/** A multiple of its peers' share. */
const OVER_PEERS = 3;

const NOTHING: Tally = { of: 0, alone: 0, split: 0, accounts: [], said: NOTHING_SAID };

export function newTally(nowMs: number): HostTally {
  return { sinceMs: nowMs, current: {}, before: {}, named: [] };
}

/** One more address. @param account a number made of the account's id */
export function afterComparison(
  tally: HostTally,
  group: string,
  { agreement, firm }: Compared,
  account: number,
  nowMs: number,
): HostTally {
  const turned = turn(tally, nowMs);
  const known = turned.current[group] ?? NOTHING;
  const heard = known.accounts.filter((one) => one === account).length;
  const counts = agreement !== 'agreed' && heard < PER_ACCOUNT_MAX;
  const next: Tally = {
    of: known.of + 1,
    alone: known.alone + Number(counts && agreement === 'alone'),
    split: known.split + Number(counts && agreement === 'split'),
    accounts: counts ? [...known.accounts, account].slice(-64) : known.accounts,
    said: { ...known.said, [firm]: known.said[firm] + 1 },
  };
  return { ...turned, current: { ...turned.current, [group]: next } };
}

/** The groups in which a host differs from its peers. */
export function differencesOf(
  tally: HostTally,
  peers: readonly HostTally[],
  nowMs: number,
): readonly Omit<Difference, 'said'>[] {
  const own = turn(tally, nowMs);
  const others = peers.map((peer) => turn(peer, nowMs));
  const groups = new Set([...Object.keys(own.current), ...Object.keys(own.before)]);
  return [...groups].flatMap((provider) => {
    const { of, alone, split } = sumOf(own, provider);
    const theirs = others.map((other) => sumOf(other, provider));
    const peersAlone = theirs.reduce((sum, one) => sum + one.alone, 0);
    const peersOf = theirs.reduce((sum, one) => sum + one.of, 0);
    const stands = alone >= ALONE_MIN && alone >= SHARE_MIN * of && alone * peersOf >= OVER_PEERS * peersAlone * of;
    const isSplit = split >= SPLIT_MIN && split >= SHARE_MIN * of;
    return stands || isSplit ? [{ provider, alone, split, of }] : [];
  });
}

/** How often a host said what in a group. */
export function saidOf(tally: HostTally, group: string, nowMs: number): Tally['said'] {
  return sumOf(turn(tally, nowMs), group).said;
}

/** The same tally at a later time: what is older than two windows is gone. */
function turn(tally: HostTally, nowMs: number): HostTally {
  const age = nowMs - tally.sinceMs;
  if (age < WINDOW_MS) return tally;
  return { ...tally, sinceMs: nowMs, current: {}, before: age < 2 * WINDOW_MS ? tally.current : {} };
}

function sumOf({ current, before }: HostTally, group: string): Tally {
  const [a, b] = [current[group] ?? NOTHING, before[group] ?? NOTHING];
  const said = {
    accepts: a.said.accepts + b.said.accepts,
    refuses: a.said.refuses + b.said.refuses,
    no_mail: a.said.no_mail + b.said.no_mail,
  };
  return { of: a.of + b.of, alone: a.alone + b.alone, split: a.split + b.split, accounts: [], said };
}
