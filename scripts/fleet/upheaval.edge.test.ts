import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScriptedEngine } from '../../prober/testing/scripted-engine.ts';
import { ACCEPTED, NO_BANNER, TIMEOUT, UNPROBED_HOST } from '../../schema/testing/evidence.ts';
import { FleetHarness, type TestHost } from './testing/fleet-harness.ts';

const LASTS_MS = 3_000;
const CALLERS = 6;

let fleet: FleetHarness;
const hosts: TestHost[] = [];
beforeAll(async () => {
  fleet = await FleetHarness.start();
  for (let n = 0; n < 4; n += 1) await join();
});
afterAll(() => fleet.stop());

let joined = 0;
async function join(): Promise<void> {
  joined += 1;
  const engine = new ScriptedEngine();
  engine.probe = async ({ recipients, report, signal }) => {
    for (const index of recipients.keys()) {
      await sleep(Math.random() * 40);
      if (signal.aborted) return;
      report(index, oneOf([ACCEPTED, ACCEPTED, NO_BANNER, TIMEOUT, UNPROBED_HOST]) ?? ACCEPTED);
    }
  };
  hosts.push(fleet.dialIn(await fleet.enrol(`host-${joined}`), engine, { egress: [`192.0.2.${joined}`] }));
}
function oneOf<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

/** Asks for batch after batch, again if the answer broke off, and looks at every line. Returns how many ended. */
async function call(until: number): Promise<number> {
  let ended = 0;
  while (performance.now() < until) {
    const addresses = Array.from({ length: 1 + (ended % 9) }, (_, n) => ['x', `d${n >> 1}.test`] as const);
    for (;;) {
      const asked = fleet.ask(addresses);
      const isWhole = await asked.ended.then(
        () => true,
        () => false,
      );
      const written = asked.lines.flatMap((line) => (line.type === 'evidence' ? [line.i] : []));
      expect(new Set(written).size).toBe(written.length);
      expect(written.every((i) => i < addresses.length)).toBe(true);
      if (isWhole) {
        const last = asked.lines.at(-1);
        expect(last?.type).toBe('end');
        if (last?.type === 'end' && last.cause === 'done') expect(written).toHaveLength(addresses.length);
        ended += 1;
        break;
      }
      await sleep(20);
    }
  }
  return ended;
}

async function upset(): Promise<void> {
  const host = oneOf(hosts);
  const lot = Math.random();
  if (lot < 0.5) return host?.cut();
  if (lot < 0.65) return fleet.reset();
  hosts.splice(host === undefined ? 0 : hosts.indexOf(host), 1);
  await join();
  if (lot < 0.8) host?.kill();
  else if (lot < 0.9) host?.deafen();
  else void host?.host.drain();
}

it('writes each address of a batch once and ends every batch, through any failure', async () => {
  const until = performance.now() + LASTS_MS;
  const callers = Array.from({ length: CALLERS }, () => call(until));
  while (performance.now() < until) {
    await sleep(100);
    await upset();
  }
  const ended = await Promise.all(callers);
  expect(Math.min(...ended)).toBeGreaterThan(0);
});
