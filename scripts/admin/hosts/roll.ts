import type { HostEntry } from '../../../schema/admin.ts';
import { AdminError } from '../connection/client.ts';
import type { OnMachine } from './ssh.ts';

/** Everything a roll asks for. */
export type RollWorld = {
  readonly onMachine: OnMachine;
  /** What the edge sees. */
  readonly listHosts: () => Promise<readonly HostEntry[]>;
  readonly say: (line: string) => void;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
};

export type RollPlan = {
  readonly version: string;
  /** The archive that `npm run -s build:prober` made; null: the version is installed already. */
  readonly artefact: string | null;
  readonly machineOf: (host: string) => string;
  /** How long it must then stay up before the old one is stopped; twice as long if no call comes to it meanwhile. */
  readonly watchMs: number;
};

type Rolled =
  | { readonly kind: 'passed_over' }
  | { readonly kind: 'rolled'; readonly running: Running }
  /** `failed`: the version itself did not come up, or not stay up. */
  | { readonly kind: 'halted'; readonly failed: boolean; readonly why: string };

/** The process that a roll has put in its place: that very one is to be there later, too. */
export type Running = {
  readonly id: string;
  readonly startedAt: string;
  /** What ran before; null: nothing did. */
  readonly versionBefore: string | null;
};

/** What a new process may take until the edge finds it healthy. */
const HEALTHY_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 500;
/** If the edge does not answer: half a minute, besides what each call takes. */
const LOOKS_MAX = 10;
const LOOK_AGAIN_MS = 3_000;
const LAST_LINE_CHARS_MAX = 300;
/** A host with as much as it can run is no worse for that. */
const BUSY = ': busy';

/** The hosts that are to be rolled, in this order: those in service. */
export function inService(hosts: readonly HostEntry[]): readonly HostEntry[] {
  return hosts.filter(({ state }) => state !== 'removed');
}

/**
 * Rolls one host: the new version runs beside the old one, and gets the new jobs, until the edge has found it healthy for
 * the time that it is watched; only then the old one drains. If the new version does not come up, does not stay up or
 * refuses jobs, it is stopped and the old one keeps serving.
 */
export async function rollHost(world: RollWorld, plan: RollPlan, host: HostEntry): Promise<Rolled> {
  const { onMachine, say } = world;
  const { version, artefact } = plan;
  const machine = plan.machineOf(host.id);
  if (host.processes.length > 0 && host.processes.every((process) => process.version === version))
    return { kind: 'passed_over' };
  const installed = artefact === null ? null : await install(onMachine, machine, version, artefact);
  if (installed !== null && !installed.ok) return halted('the version could not be installed', installed.said);
  const before = newestStart(host, version);
  const started = await onMachine(machine, `rcpt-roll start ${version}`);
  if (!started.ok) return halted('the new unit did not start', started.said);
  say(`${host.id}: ${version} has started next to the old version`);
  let fresh: Awaited<ReturnType<typeof waitHealthy>>;
  let trouble: string | null;
  try {
    fresh = await waitHealthy(world, plan, host.id, before);
    trouble =
      typeof fresh === 'string'
        ? fresh
        : ((await watchOver(world, plan, host, fresh)) ?? (await unsound(onMachine, machine, version)));
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    return halted('both versions are running; repeat the command once the edge answers', error.message);
  }
  if (typeof fresh === 'string' || trouble !== null) {
    const words = await lastWords(onMachine, machine, version);
    const aborted = await onMachine(machine, `rcpt-roll abort ${version}`);
    const left = aborted.ok ? aborted.said || 'it was stopped' : `it could not be stopped: ${aborted.said}`;
    return { kind: 'halted', failed: true, why: `${trouble ?? ''}${words}; ${left.replaceAll(/\s+/g, ' ')}` };
  }
  const finished = await onMachine(machine, `rcpt-roll finish ${version}`);
  return finished.ok
    ? {
        kind: 'rolled',
        running: { id: host.id, startedAt: fresh.startedAt, versionBefore: versionBefore(host, version) },
      }
    : halted('the roll was not finished, and both versions may be running', finished.said);
}

function halted(why: string, said: string): Rolled {
  return { kind: 'halted', failed: false, why: said === '' ? why : `${why}: ${said.replaceAll(/\s+/g, ' ')}` };
}

/** Copies and unpacks the artefact on the machine, unless the version is there. */
async function install(onMachine: OnMachine, machine: string, version: string, artefact: string) {
  const present = await onMachine(machine, `test -x "\${RCPT_ROOT:-}/opt/rcpt-prober/${version}/rcpt-prober"`);
  if (present.ok) return present;
  const steps = [
    'set -e',
    'folder=$(mktemp -d)',
    // However it ends: each try on a full disk would leave another.
    `trap 'rm -rf "$folder"' EXIT`,
    'tar --extract --gzip --file - --directory "$folder"',
    `[ -d "$folder/rcpt-prober-${version}" ] || { echo "the archive holds $(ls "$folder"), not rcpt-prober-${version}"; exit 1; }`,
    `sh "$folder/rcpt-prober-${version}/install.sh"`,
  ];
  return onMachine(machine, steps.join('; '), artefact);
}

/**
 * When the newest process of this version began that is on its way out: one of an earlier try is not the new one. One that a
 * roll which was broken off has left running is.
 */
function newestStart(host: HostEntry | undefined, version: string): number {
  const own = host?.processes.filter((process) => process.version === version && process.draining) ?? [];
  return Math.max(0, ...own.map(({ startedAt }) => Date.parse(startedAt)));
}

function versionBefore({ processes }: HostEntry, version: string): string | null {
  return processes.find((process) => process.version !== version)?.version ?? null;
}

/** A version may stay up and have no job succeed, which the edge gives to others. @returns what its log says; null: nothing */
async function unsound(onMachine: OnMachine, machine: string, version: string): Promise<string | null> {
  const { ok, said } = await onMachine(machine, `rcpt-roll sound ${version}`);
  return ok ? null : said;
}

/** The last line of the unit's log: the first hint why it does not stay up. */
export async function lastWords(onMachine: OnMachine, machine: string, version: string): Promise<string> {
  const { ok, said } = await onMachine(machine, `rcpt-roll last ${version}`);
  return ok && said !== '' ? ` (its last line: ${said.replaceAll(/\s+/g, ' ').slice(0, LAST_LINE_CHARS_MAX)})` : '';
}

/** Whether the process that was rolled is still the one that runs, and healthy. @returns what is wrong, null if nothing is */
export function troubleOf(host: HostEntry | undefined, version: string, startedAt: string): string | null {
  const own = host?.processes.filter((process) => process.version === version) ?? [];
  const same = own.find((process) => process.startedAt === startedAt);
  if (same === undefined)
    return own.length === 0 ? `${version} is gone again` : `${version} ended and was started again`;
  return same.healthy ? null : `${version} is not healthy any more: ${host?.why ?? 'its self-check fails'}`;
}

/**
 * Watches a process for its time, and until a mail server has talked to it for a job; if no call comes, for twice its time.
 * @returns why it is not to be relied on, null if nothing is wrong with it
 */
async function watchOver(
  world: RollWorld,
  { version, watchMs }: RollPlan,
  { id, lastRefusal }: HostEntry,
  { startedAt }: HostEntry['processes'][number],
): Promise<string | null> {
  const { now, say, sleep } = world;
  const until = now() + watchMs;
  for (;;) {
    const host = (await listPatiently(world)).find((other) => other.id === id);
    const trouble = troubleOf(host, version, startedAt);
    if (trouble !== null) return trouble;
    const refusal = host?.lastRefusal ?? null;
    if (refusal !== null && refusal.at !== lastRefusal?.at && !refusal.why.endsWith(BUSY))
      return `${version} does not serve: it was refused or refuses: ${refusal.why}`;
    const process = host?.processes.find((one) => one.startedAt === startedAt);
    const isIdle = process?.reachedAt === null;
    if (now() >= until + (isIdle ? watchMs : 0)) {
      if (isIdle)
        say(`${id}: ${version} reached no mail server for a call while it was watched; it has only stayed up`);
      return null;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** What the edge sees: one lost answer of hundreds ends no roll. @throws AdminError if it does not answer for some time */
export async function listPatiently({ listHosts, sleep }: RollWorld): Promise<readonly HostEntry[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listHosts();
    } catch (error) {
      if (!(error instanceof AdminError) || tries >= LOOKS_MAX) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

/** @returns the new process once it can take over, or why it cannot */
async function waitHealthy(
  world: RollWorld,
  { version }: RollPlan,
  id: string,
  before: number,
): Promise<HostEntry['processes'][number] | string> {
  const { now, sleep } = world;
  const giveUpAt = now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const host = (await listPatiently(world)).find((other) => other.id === id);
    const fresh = host?.processes.find(
      (process) => process.version === version && Date.parse(process.startedAt) > before,
    );
    if (fresh?.healthy === true) return fresh;
    if (now() > giveUpAt) {
      const s = HEALTHY_WITHIN_MS / 1_000;
      if (fresh === undefined) return `the edge saw no process of ${version} in ${s} s${refusalOf(host)}`;
      return `${version} is connected but not healthy after ${s} s: ${host?.why ?? 'its self-check fails'}`;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function refusalOf(host: HostEntry | undefined): string {
  return host?.lastRefusal === null || host === undefined ? '' : ` (last refused: ${host.lastRefusal.why})`;
}
