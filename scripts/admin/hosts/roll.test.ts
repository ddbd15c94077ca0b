import { describe, expect, it } from 'vitest';
import { AdminError } from '../connection/client.ts';
import type { HostEntry } from '../../../schema/admin.ts';
import { hostOf, processOf } from '../testing/host-entry.ts';
import { rollHost, type RollPlan } from './roll.ts';
import type { Ran } from './ssh.ts';
import { readDestination } from './ssh.ts';

const PROCESS = processOf();
const NEW = processOf({
  version: '2.0.0',
  startedAt: '2026-11-21T12:00:00.000Z',
  reachedAt: '2026-11-21T12:00:00.000Z',
});
const HOST = hostOf();
const ABORTED = 'it was stopped, and the old version still serves';
const PLAN: RollPlan = {
  version: '2.0.0',
  artefact: null,
  machineOf: (host) => `root@${host}`,
  watchMs: 2_000,
};

/** Rolls a host whose machine and edge say this; the edge's last word holds. */
async function roll(
  views: readonly (Partial<HostEntry> | AdminError)[],
  answers: Readonly<Record<string, Ran>> = {},
  host = HOST,
) {
  const commands: string[] = [];
  let looks = 0;
  let passedMs = 0;
  const rolled = await rollHost(
    {
      onMachine: async (machine, command) => {
        commands.push(`${machine} ${command}`);
        const said = command.startsWith('rcpt-roll abort') ? ABORTED : '';
        return answers[command] ?? { ok: true, said };
      },
      listHosts: async () => {
        const view = views[Math.min(looks++, views.length - 1)];
        if (view instanceof AdminError) throw view;
        return [{ ...HOST, ...view }];
      },
      say: () => undefined,
      now: () => passedMs,
      sleep: async (ms) => void (passedMs += ms),
    },
    PLAN,
    host,
  );
  return { rolled, commands, looked: looks };
}

describe('rolling a host', () => {
  it('stops the old one only once the edge finds the new one healthy', async () => {
    const { rolled, commands } = await roll([{}, { instances: 2, processes: [NEW, PROCESS] }]);
    expect(rolled).toEqual({
      kind: 'rolled',
      running: { id: 'fra-1', startedAt: NEW.startedAt, versionBefore: '1.0.0' },
    });
    expect(commands).toEqual(['start', 'sound', 'finish'].map((step) => `root@fra-1 rcpt-roll ${step} 2.0.0`));
  });

  it.each([
    ['as long as it is watched, if a mail server has talked to it for a job', '2026-11-21T12:00:01.000Z', 5],
    ['for twice as long, if no call has come to it', null, 9],
  ])('waits %s', async (_how, reachedAt, looks) => {
    const processes = [{ ...NEW, reachedAt }, PROCESS];
    const { rolled, looked } = await roll([{ instances: 2, processes }]);
    expect(rolled.kind).toBe('rolled');
    expect(looked).toBe(1 + looks);
  });

  it('goes on with what a roll that was broken off has left running', async () => {
    const host = { ...HOST, instances: 2, processes: [NEW, PROCESS] };
    const { rolled, commands } = await roll([host], {}, host);
    expect(rolled).toMatchObject({ kind: 'rolled', running: { startedAt: NEW.startedAt, versionBefore: '1.0.0' } });
    expect(commands.at(-1)).toBe('root@fra-1 rcpt-roll finish 2.0.0');
  });

  it.each<[string, Partial<HostEntry>, RegExp]>([
    ['is never seen', {}, /saw no process of 2\.0\.0 in 90 s/],
    ['is refused', { lastRefusal: { at: NEW.startedAt, why: 'its clock is 90 s ahead' } }, /last refused: its clock/],
    [
      'is sick',
      { why: 'its self-check fails: host', processes: [{ ...NEW, healthy: false }, PROCESS] },
      /not healthy after 90 s: its self-check fails: host/,
    ],
    [
      'is an earlier try',
      { processes: [{ ...NEW, startedAt: '2026-11-21T09:00:00.000Z', healthy: false }] },
      /not healthy/,
    ],
  ])('halts, and stops the new one alone, if it %s', async (_what, view, why) => {
    const { rolled, commands } = await roll([view]);
    expect(rolled).toEqual({ kind: 'halted', failed: true, why: expect.stringMatching(why) });
    expect(rolled).toMatchObject({ why: expect.stringContaining('the old version still serves') });
    expect(commands).toEqual([
      'root@fra-1 rcpt-roll start 2.0.0',
      'root@fra-1 rcpt-roll last 2.0.0',
      'root@fra-1 rcpt-roll abort 2.0.0',
    ]);
  });

  const up = { instances: 2, processes: [NEW, PROCESS] };
  it.each<[string, Partial<HostEntry>, RegExp]>([
    ['ends', { processes: [PROCESS] }, /2\.0\.0 is gone again/],
    [
      'crashes, and is started again',
      { processes: [{ ...NEW, startedAt: '2026-11-21T12:00:04.000Z' }, PROCESS] },
      /2\.0\.0 ended and was started again/,
    ],
    [
      'falls sick',
      { processes: [{ ...NEW, healthy: false }, PROCESS], why: 'no resolver' },
      /not healthy any more: no res/,
    ],
    [
      'refuses its first job',
      { ...up, lastRefusal: { at: NEW.startedAt, why: 'refused a job: token' } },
      /does not serve: .*refused a job: token/,
    ],
  ])('goes back if the new one %s while it is watched, with its last line', async (_what, view, why) => {
    const answers = { 'rcpt-roll last 2.0.0': { ok: true, said: 'prober: out of memory' } };
    const { rolled, commands } = await roll([up, up, up, view], answers);
    expect(rolled).toEqual({ kind: 'halted', failed: true, why: expect.stringMatching(why) });
    expect(rolled).toMatchObject({ why: expect.stringContaining('its last line: prober: out of memory') });
    expect(commands.at(-1)).toBe('root@fra-1 rcpt-roll abort 2.0.0');
    expect(commands).not.toContain('root@fra-1 rcpt-roll finish 2.0.0');
  });

  it('goes back if the new one stays up and fails its jobs, as its log says', async () => {
    const answers = { 'rcpt-roll sound 2.0.0': { ok: false, said: '2.0.0 fails jobs: engine_bug' } };
    const { rolled, commands } = await roll([up], answers);
    expect(rolled).toEqual({ kind: 'halted', failed: true, why: `2.0.0 fails jobs: engine_bug; ${ABORTED}` });
    expect(commands.at(-1)).toBe('root@fra-1 rcpt-roll abort 2.0.0');
  });

  it('goes on after an answer of the edge that is lost, and leaves both versions running if none comes', async () => {
    const lost = new AdminError('No answer from the edge', null);
    expect((await roll([up, lost, lost, up])).rolled.kind).toBe('rolled');
    const { rolled, commands } = await roll([up, up, lost]);
    expect(rolled).toEqual({
      kind: 'halted',
      failed: false,
      why: 'both versions are running; repeat the command once the edge answers: No answer from the edge',
    });
    expect(commands).toEqual(['root@fra-1 rcpt-roll start 2.0.0']);
  });

  it('halts with what the machine said if it cannot be reached', async () => {
    const answers = { 'rcpt-roll start 2.0.0': { ok: false, said: 'ssh: connect to host fra-1 port 22:\nrefused' } };
    const { rolled, commands } = await roll([], answers);
    expect(rolled).toEqual({
      kind: 'halted',
      failed: false,
      why: 'the new unit did not start: ssh: connect to host fra-1 port 22: refused',
    });
    expect(commands).toHaveLength(1);
  });
});

describe('--ssh', () => {
  it('puts the host in its place', () => {
    expect(readDestination('root@{host}.example.com')('fra-1')).toBe('root@fra-1.example.com');
  });

  it.each(['root@example.com', '-oProxyCommand={host}', '{host}; rm -rf /', 'a b {host}'])('%s is refused', (text) => {
    expect(() => readDestination(text)).toThrow('--ssh must contain {host}');
  });
});
