// What is wrong with the fleet. For `admin status` and the operators' page.

/** What is read of a host as the operator's API lists it. */
export type ListedHost = {
  readonly id: string;
  readonly state: string;
  /** Processes connected; null: the fleet cannot be asked. */
  readonly instances: number | null;
  readonly healthy: boolean | null;
  readonly why: string | null;
  readonly lastSeen: string | null;
  readonly lastRefusal: { readonly at: string; readonly why: string } | null;
  readonly starts: readonly string[];
  readonly processes: ReadonlyArray<{ readonly refusals: ReadonlyArray<{ readonly provider: string }> }>;
};
export type FleetTrouble = { readonly text: string; readonly runbook: string };

/** Why a host that differs from its peers too often is out. */
export const DIFFERS = 'says of mailboxes and domains what no other host says';

const LOOP_STARTS = 5;
const LOOP_MS = 600_000;

/** Whether a host counts: it is connected, or should be. A drained host that has left is not missed. */
export function isExpected({ state, instances }: ListedHost): boolean {
  return state !== 'removed' && (state === 'active' || instances !== 0);
}

/** All that is wrong, a line for each host and for each provider. Pure. */
export function fleetTroubles(all: readonly ListedHost[], nowMs: number): readonly FleetTrouble[] {
  const hosts = all.filter(isExpected);
  const present = hosts.filter(({ instances }) => instances !== 0);
  const providers = new Set(present.flatMap(providersOf));
  const lost = hosts.filter(({ instances }) => instances === 0);
  return [
    ...lost.map((host) => trouble('host-away', `${wayOf(host)}: ${host.id}${refusalOf(host)}`)),
    ...hosts
      .filter(({ starts }) => starts.filter((at) => nowMs - Date.parse(at) <= LOOP_MS).length >= LOOP_STARTS)
      .map(({ id }) => trouble('crash-loop', `started five times or more in ten minutes: ${id}`)),
    ...present
      .filter(({ healthy }) => healthy === false)
      .map(({ id, why }) => trouble(why === DIFFERS ? 'host-differs' : 'host-sick', `not healthy: ${id}: ${why}`)),
    ...[...providers].map((provider) => {
      const ids = present.filter((host) => providersOf(host).includes(provider)).map(({ id }) => id);
      return trouble(ids.length > 1 ? 'provider-blocks-us' : 'host-sick', `refused by ${provider}: ${ids.join(', ')}`);
    }),
  ];
}

function providersOf({ processes }: ListedHost): readonly string[] {
  return processes.flatMap(({ refusals }) => refusals.map(({ provider }) => provider));
}

function trouble(runbook: string, text: string): FleetTrouble {
  return { text, runbook: `prober/runbooks/${runbook}.md` };
}

function wayOf({ lastSeen }: ListedHost): string {
  return lastSeen === null ? 'never connected' : 'not connected';
}

/** Why the edge does not let it in, if it has tried since it was there. */
function refusalOf({ lastRefusal, lastSeen }: ListedHost): string {
  return lastRefusal === null || lastRefusal.at < (lastSeen ?? '') ? '' : `: refused: ${lastRefusal.why}`;
}
