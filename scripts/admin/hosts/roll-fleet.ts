import type { HostEntry } from '../../../schema/admin.ts';
import { lastWords, listPatiently, rollHost, type RollPlan, type RollWorld, type Running, troubleOf } from './roll.ts';

type FleetRolled =
  | { readonly kind: 'done'; readonly hosts: Readonly<Record<string, 'rolled' | 'passed_over'>> }
  | { readonly kind: 'halted'; readonly why: string };

/**
 * Rolls hosts one after the other, and looks back after each at those rolled before. If the version does not stay up anywhere, every host that got it goes back to what ran there before; a machine
 * that cannot be reached, or has no room, says nothing of the version, and only halts the roll.
 */
export async function rollFleet(world: RollWorld, plan: RollPlan, hosts: readonly HostEntry[]): Promise<FleetRolled> {
  const { say } = world;
  const running: Running[] = [];
  const done: Record<string, 'rolled' | 'passed_over'> = {};
  for (const host of hosts) {
    const end = await rollHost(world, plan, host);
    if (end.kind === 'rolled') running.push(end.running);
    const fallen = await lookBack(world, plan, running);
    if (end.kind === 'halted' || fallen.size > 0) {
      const halt = end.kind === 'halted' ? end : null;
      const getsBack = fallen.size > 0 || halt?.failed === true ? running : [];
      const back = await Promise.all(getsBack.map((one) => goBack(world, plan, one, fallen.get(one.id))));
      return { kind: 'halted', why: [...(halt === null ? [] : [`${host.id}: ${halt.why}`]), ...back].join('; ') };
    }
    done[host.id] = end.kind;
    say(
      end.kind === 'rolled'
        ? `${host.id}: ${plan.version} has served for ${Math.round(plan.watchMs / 1000)} s, the old version drains`
        : `${host.id}: already runs ${plan.version}`,
    );
  }
  return { kind: 'done', hosts: done };
}

/** @returns what is wrong with hosts rolled before, by host */
async function lookBack(
  world: RollWorld,
  { version }: RollPlan,
  running: readonly Running[],
): Promise<ReadonlyMap<string, string>> {
  const fallen = new Map<string, string>();
  for (const host of running.length === 0 ? [] : await listPatiently(world)) {
    const own = running.find(({ id }) => id === host.id);
    const trouble = own === undefined ? null : troubleOf(host, version, own.startedAt);
    if (trouble !== null) fallen.set(host.id, trouble);
  }
  return fallen;
}

/** @returns what was wrong there, and where the host is now */
async function goBack(
  { onMachine }: RollWorld,
  { version, machineOf }: RollPlan,
  { id, versionBefore }: Running,
  trouble: string | undefined,
): Promise<string> {
  const machine = machineOf(id);
  const cause = trouble === undefined ? '' : `${trouble}${await lastWords(onMachine, machine, version)}; `;
  if (versionBefore === null) return `${id}: ${cause}nothing ran there before ${version}`;
  const back = await onMachine(machine, `rcpt-roll ${versionBefore}`);
  return back.ok
    ? `${id}: ${cause}it is back at ${versionBefore}`
    : `${id}: ${cause}it could not go back to ${versionBefore}: ${back.said.replaceAll(/\s+/g, ' ')}`;
}
