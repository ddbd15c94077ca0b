// What is wrong with the fleet, one line for each cause: forty lost hosts are one line. For `admin status` and the
// operators' page.

/** What is read of a host as the operator's API lists it. */
export type ListedHost = {
  readonly id: string;
  readonly state: string;
  /** Processes connected; null: the fleet cannot be asked. */
  readonly instances: number | null;
  readonly healthy: boolean | null;
  /** What is known against it, healthy or not. */
  readonly why: string | null;
  readonly lastSeen: string | null;
  readonly lastRefusal: { readonly at: string; readonly why: string } | null;
  readonly starts: readonly string[];
  /** The newest first. */
  readonly processes: ReadonlyArray<{
    readonly version: string;
    readonly refusals: ReadonlyArray<{ readonly provider: string }>;
    readonly egressTroubles?: readonly HeldAgainst[] | undefined;
  }>;
};
/** What receivers hold against an address of a host, beside refusals. */
export const HELD_AGAINST = ['listed', 'reverse_name', 'mailbox_unclear'] as const;
/** `list`: a block list's name; null: it is not about a list. */
export type HeldAgainst = { readonly what: (typeof HELD_AGAINST)[number]; readonly list: string | null };
export type FleetTrouble = { readonly text: string; readonly runbook: string };

/** What is known against a host that is silent about what its peers answer. */
export const SILENT = 'reports nothing of addresses that other hosts answer';
/** Why a host that differs from its peers too often is out. */
export const DIFFERS = 'says of mailboxes and domains what no other host says';
/** What is known against each of two that differ. */
export const APART = 'another host says otherwise of mailboxes and domains, and no third one decides';

/** Why a host in a crash loop is named. */
export const CRASHES = 'it started five times in ten minutes';

const RUNBOOKS: Readonly<Record<string, string>> = {
  [DIFFERS]: 'host-differs',
  [APART]: 'host-differs',
  [SILENT]: 'host-silent',
};

const NAMED_MAX = 3;
const LOOP_STARTS = 5;
const LOOP_MS = 600_000;

/** Whether a host counts: it is connected, or should be. A drained host that has left is not missed. */
export function isExpected({ state, instances }: ListedHost): boolean {
  return state !== 'removed' && (state === 'active' || instances !== 0);
}

/** All that is wrong, one line for each cause. Pure. */
export function fleetTroubles(all: readonly ListedHost[], nowMs: number): readonly FleetTrouble[] {
  const hosts = all.filter(isExpected);
  const present = hosts.filter(({ instances }) => instances !== 0);
  const line = (runbook: string, some: readonly ListedHost[], text: (named: string) => string): FleetTrouble[] =>
    some.length === 0 ? [] : [{ text: text(named(some)), runbook: `prober/runbooks/${runbook}.md` }];
  const lost = hosts.filter(({ instances }) => instances === 0);
  const crashing = hosts.filter(({ starts }) => isLoop(starts.map(Date.parse), nowMs));
  return [
    ...[...groupBy(lost, (host) => [lossOf(host)])].flatMap(([, some]) =>
      line('host-away', some, (list) => `${wayOf(some[0])}: ${list}${refusalOf(some[0])}`),
    ),
    ...line('crash-loop', crashing, (some) => `started five times or more in ten minutes: ${some}`),
    ...[
      ...groupBy(
        present.filter(({ healthy, why }) => healthy === false || why !== null),
        ({ why }) => [why ?? 'unknown'],
      ),
    ].flatMap(([why, some]) =>
      line(
        RUNBOOKS[why] ?? 'host-sick',
        some,
        (list) => `${isSuspect(some) ? 'suspect' : 'not healthy'}: ${list}: ${why}`,
      ),
    ),
    ...[...groupBy(present, providersOf)].flatMap(([provider, some]) =>
      line(some.length > 1 ? 'provider-blocks-us' : 'host-sick', some, (list) => `refused by ${provider}: ${list}`),
    ),
    ...[...groupBy(present, egressWordsOf)].flatMap(([words, some]) =>
      line('host-sick', some, (list) => `an address of ${list} ${words}`),
    ),
    ...skewOf(present),
  ];
}

/** They serve, and fewer accounts have met their trouble than put a host out. */
function isSuspect(hosts: readonly ListedHost[]): boolean {
  return hosts.every(({ healthy }) => healthy === true);
}

function wayOf(host: ListedHost | undefined): string {
  return host?.lastSeen === null ? 'never connected' : 'not connected';
}

/** Why the edge does not let it in, if it has tried since it was there. */
function refusalOf(host: ListedHost | undefined): string {
  const { lastRefusal = null, lastSeen = null } = host ?? {};
  return lastRefusal === null || lastRefusal.at < (lastSeen ?? '') ? '' : `: refused: ${lastRefusal.why}`;
}

/** The same text for hosts lost for the same reason, without its figures. */
function lossOf(host: ListedHost): string {
  return wayOf(host) + refusalOf(host).replaceAll(/\d+/g, '#');
}

/** The versions that the hosts run, each by its newest process, if there is more than one. */
function skewOf(hosts: readonly ListedHost[]): readonly FleetTrouble[] {
  const versions = groupBy(hosts, ({ processes: [newest] }) => (newest === undefined ? [] : [newest.version]));
  if (versions.size < 2) return [];
  const words = [...versions].map(([version, some]) => `${version} at ${named(some)}`);
  return [{ text: `hosts run ${versions.size} versions: ${words.join('; ')}`, runbook: 'prober/runbooks/roll.md' }];
}

function providersOf({ processes }: ListedHost): readonly string[] {
  return [...new Set(processes.flatMap(({ refusals }) => refusals.map(({ provider }) => provider)))];
}

function egressWordsOf({ processes }: ListedHost): readonly string[] {
  return [...new Set(processes.flatMap(({ egressTroubles = [] }) => egressTroubles.map(egressWords)))];
}

/** Of an address: what receivers hold against it. */
export function egressWords({ what, list }: HeldAgainst): string {
  switch (what) {
    case 'listed':
      return `is on the block list ${list ?? 'unknown'}`;
    case 'reverse_name':
      return 'has no reverse name that is its EHLO name';
    case 'mailbox_unclear':
      return 'has a mailbox that must exist (CANARY_MAILBOX) of which no answer proves anything';
  }
}

/** Whether a host that started at these times is in a crash loop: a rollout is one start, and a rollback two. */
export function isLoop(startsMs: readonly number[], nowMs: number): boolean {
  return startsMs.filter((atMs) => nowMs - atMs <= LOOP_MS).length >= LOOP_STARTS;
}

function groupBy(
  hosts: readonly ListedHost[],
  keysOf: (host: ListedHost) => readonly string[],
): ReadonlyMap<string, readonly ListedHost[]> {
  const groups = new Map<string, ListedHost[]>();
  for (const host of hosts) for (const key of keysOf(host)) groups.set(key, [...(groups.get(key) ?? []), host]);
  return groups;
}

/** `fra-1`, `fra-1 and fra-2`, or `40 hosts (fra-1, fra-2, fra-3 and 37 more)`. */
function named(hosts: readonly ListedHost[]): string {
  const ids = hosts.map(({ id }) => id);
  if (ids.length <= NAMED_MAX) return ids.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${ids.length} hosts (${ids.slice(0, NAMED_MAX).join(', ')} and ${ids.length - NAMED_MAX} more)`;
}
