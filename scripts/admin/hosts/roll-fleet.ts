import type { HostEntry } from '../../../schema/admin.ts';
import { lastWords, listPatiently, rollHost, type RollPlan, type RollWorld, type Running, troubleOf } from './roll.ts';

/** With so many hosts the first is a canary, */
const CANARY_HOSTS = 3;
/** watched so many times as long as the others. */
const CANARY_TIMES = 4;

export type FleetRolled =
  | { readonly kind: 'done'; readonly hosts: Readonly<Record<string, 'rolled' | 'passed_over'>> }
  | { readonly kind: 'halted'; readonly why: string };

/**
 * Rolls hosts one after the other, the first of three or more as a canary. After each it looks back at those rolled
 * before. What it halts at goes back to the version that ran there; what stayed up keeps the new one.
 */
export async function rollFleet(world: RollWorld, plan: RollPlan, hosts: readonly HostEntry[]): Promise<FleetRolled> {
  const { say } = world;
  const running: Running[] = [];
  const done: Record<string, 'rolled' | 'passed_over'> = {};
  for (const host of hosts) {
    const isCanary = running.length === 0 && hosts.length >= CANARY_HOSTS;
    const watchMs = plan.watchMs * (isCanary ? CANARY_TIMES : 1);
    const end = await rollHost(world, { ...plan, watchMs }, host);
    const fallen = await lookBack(world, plan, running);
    if (end.kind === 'halted' || fallen !== null) {
      const why = [end.kind === 'halted' ? `${host.id}: ${end.why}` : null, fallen].filter((part) => part !== null);
      return { kind: 'halted', why: why.join('; ') };
    }
    done[host.id] = end.kind;
    if (end.kind === 'rolled') running.push(end.running);
    say(
      end.kind === 'rolled'
        ? `${host.id}: ${plan.version} has served for ${Math.round(watchMs / 1000)} s, the old version drains`
        : `${host.id}: already runs ${plan.version}`,
    );
  }
  return { kind: 'done', hosts: done };
}

/** @returns what fell among the hosts rolled before, and what became of it; null if nothing did */
async function lookBack(world: RollWorld, plan: RollPlan, running: readonly Running[]): Promise<string | null> {
  const hosts = running.length === 0 ? [] : await listPatiently(world);
  const fallen: string[] = [];
  for (const { id, startedAt, versionBefore } of running) {
    const trouble = troubleOf(
      hosts.find((host) => host.id === id),
      plan.version,
      startedAt,
    );
    if (trouble !== null) fallen.push(`${id}: ${trouble}${await goBack(world, plan, id, versionBefore)}`);
  }
  return fallen.length === 0 ? null : fallen.join('; ');
}

async function goBack(
  { onMachine }: RollWorld,
  { version, machineOf }: RollPlan,
  id: string,
  versionBefore: string | null,
): Promise<string> {
  const machine = machineOf(id);
  const words = await lastWords(onMachine, machine, version);
  if (versionBefore === null) return words;
  const back = await onMachine(machine, `rcpt-roll ${versionBefore}`);
  return `${words}; ${back.ok ? `it is back at ${versionBefore}` : `it could not go back to ${versionBefore}: ${back.said.replaceAll(/\s+/g, ' ')}`}`;
}
