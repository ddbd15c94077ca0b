import { describe, expect, it } from 'vitest';
import type { HostEntry } from '../../../schema/admin.ts';
import { hostOf, processOf } from '../testing/host-entry.ts';
import { rollFleet } from './roll-fleet.ts';

const NEW = '2.0.0';
const OLD = '1.0.0';
type Process = HostEntry['processes'][number];

/** Machines with a systemd each, and an edge that sees what runs there. */
class Machines {
  readonly running = new Map<string, Process[]>();
  readonly commands: string[] = [];
  readonly said: string[] = [];
  /** When the new version ends by itself on a machine, this long after its start. */
  readonly fallsAfterMs = new Map<string, number>();
  readonly away = new Set<string>();
  nowMs = 1_000_000;

  constructor(...ids: readonly string[]) {
    for (const id of ids) this.running.set(id, [this.process(OLD)]);
  }

  process(version: string): Process {
    const at = new Date(this.nowMs).toISOString();
    return processOf({ version, startedAt: at, reachedAt: at });
  }

  hosts(): HostEntry[] {
    return [...this.running].map(([id, all]) => {
      const processes = all.filter(
        ({ version, startedAt }) =>
          version !== NEW || this.nowMs - Date.parse(startedAt) < (this.fallsAfterMs.get(id) ?? Infinity),
      );
      return hostOf({ id, instances: processes.length, processes });
    });
  }

  versions(): readonly (readonly (string | null)[])[] {
    return this.hosts().map(({ processes }) => processes.map(({ version }) => version));
  }

  readonly onMachine = async (machine: string, command: string) => {
    this.commands.push(`${machine} ${command}`);
    if (this.away.has(machine)) return { ok: false, said: 'No route to host' };
    const all = this.running.get(machine) ?? [];
    const [, verb = '', version = verb] = command.split(' ');
    if (verb === 'start') this.running.set(machine, [this.process(version), ...all]);
    if (verb === 'abort')
      this.running.set(
        machine,
        all.filter((one) => one.version !== version),
      );
    if (verb === 'finish')
      this.running.set(
        machine,
        all.filter((one) => one.version === version),
      );
    if (verb === version) this.running.set(machine, [this.process(version)]);
    const said = { last: 'its last words', abort: 'it was stopped, and the old version still serves' };
    return { ok: true, said: verb === 'last' || verb === 'abort' ? said[verb] : '' };
  };

  roll() {
    const world = {
      onMachine: this.onMachine,
      listHosts: async () => this.hosts(),
      say: (line: string) => void this.said.push(line),
      now: () => this.nowMs,
      sleep: async (ms: number) => void (this.nowMs += ms),
    };
    const plan = { version: NEW, artefact: null, machineOf: (id: string) => id, watchMs: 30_000 };
    return rollFleet(world, plan, this.hosts());
  }
}

describe('rolling a fleet', () => {
  it('takes back every host that got the version once it stops on one that was rolled before', async () => {
    const machines = new Machines('a', 'b', 'c');
    machines.fallsAfterMs.set('a', 50_000);
    expect(await machines.roll()).toEqual({
      kind: 'halted',
      why: 'a: 2.0.0 is gone again (its last line: its last words); it is back at 1.0.0; b: it is back at 1.0.0',
    });
    expect(machines.versions()).toEqual([[OLD], [OLD], [OLD]]);
  });

  it('leaves earlier hosts as they are if a machine cannot be reached: that says nothing about the version', async () => {
    const machines = new Machines('a', 'b', 'c');
    machines.away.add('b');
    expect(await machines.roll()).toEqual({
      kind: 'halted',
      why: 'b: the new unit did not start: No route to host',
    });
    expect(machines.versions()).toEqual([[NEW], [OLD], [OLD]]);
  });
});
