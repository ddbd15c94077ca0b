import type { HostEntry } from '../../../schema/admin.ts';
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
  /** How long a new process may take until the edge finds it healthy. */
  readonly patienceMs: number;
};

export type Rolled = { readonly kind: 'rolled' | 'passed_over' } | { readonly kind: 'halted'; readonly why: string };

const LOOK_EVERY_MS = 500;

/** The hosts that are to be rolled, in this order: those in service. */
export function inService(hosts: readonly HostEntry[]): readonly HostEntry[] {
  return hosts.filter(({ state }) => state !== 'removed');
}

/**
 * Rolls one host: the new version runs beside the old one until the edge finds it healthy; only then the old one
 * drains. If the new version does not come up, it is stopped and the old one keeps serving.
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
  const trouble = await waitHealthy(world, plan, host.id, before);
  if (trouble !== null) {
    await onMachine(machine, `rcpt-roll abort ${version}`);
    return halted(`${trouble}; it was stopped, and the old version still serves`, '');
  }
  const finished = await onMachine(machine, `rcpt-roll finish ${version}`);
  return finished.ok
    ? { kind: 'rolled' }
    : halted('both versions are running: the old one was not stopped', finished.said);
}

function halted(why: string, said: string): Rolled {
  return { kind: 'halted', why: said === '' ? why : `${why}: ${said.replaceAll(/\s+/g, ' ')}` };
}

/** Copies and unpacks the artefact on the machine, unless the version is there. */
async function install(onMachine: OnMachine, machine: string, version: string, artefact: string) {
  const present = await onMachine(machine, `test -x "\${RCPT_ROOT:-}/opt/rcpt-prober/${version}/rcpt-prober"`);
  if (present.ok) return present;
  const steps = [
    'set -e',
    'folder=$(mktemp -d)',
    'tar --extract --gzip --file - --directory "$folder"',
    `sh "$folder/rcpt-prober-${version}/install.sh"`,
    'rm -rf "$folder"',
  ];
  return onMachine(machine, steps.join('; '), artefact);
}

/** When the newest process of this version began; a process of an earlier try is not the new one. */
function newestStart(host: HostEntry | undefined, version: string): number {
  const own = host?.processes.filter((process) => process.version === version) ?? [];
  return Math.max(0, ...own.map(({ startedAt }) => Date.parse(startedAt)));
}

/** @returns why the new process cannot take over, null once it can */
async function waitHealthy(
  { listHosts, now, sleep }: RollWorld,
  { version, patienceMs }: RollPlan,
  id: string,
  before: number,
): Promise<string | null> {
  const giveUpAt = now() + patienceMs;
  for (;;) {
    const host = (await listHosts()).find((other) => other.id === id);
    const fresh = host?.processes.find(
      (process) => process.version === version && Date.parse(process.startedAt) > before,
    );
    if (fresh?.healthy === true) return null;
    if (now() > giveUpAt) {
      const s = Math.round(patienceMs / 1000);
      if (fresh === undefined) return `the edge saw no process of ${version} in ${s} s${refusalOf(host)}`;
      return `${version} is connected but not healthy after ${s} s: ${host?.why ?? 'its self-check fails'}`;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function refusalOf(host: HostEntry | undefined): string {
  return host?.lastRefusal === null || host === undefined ? '' : ` (last refused: ${host.lastRefusal.why})`;
}
