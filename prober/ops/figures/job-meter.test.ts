import { expect, it } from 'vitest';
import type { Connection, Ports } from '../../engine/ports/ports.ts';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { JOB_METER, observerByJob, portsByJob } from './job-meter.ts';

const SIGNAL = new AbortController().signal;

function play(dialled: 'failed' | 'connected' = 'failed') {
  const clock = new FakeClock();
  const wait = (ms: number): Promise<void> => new Promise((done) => clock.after(ms, done));
  const silent: Connection = {
    read: async () => wait(5_000).then(() => ({ kind: 'aborted' })),
    write: () => {},
    startTls: async () => 'aborted',
    end: () => {},
    destroy: () => {},
  };
  const ports: Ports = {
    clock,
    random: () => 0,
    resolveFor: () => ({
      mx: async () => wait(30).then(() => ({ kind: 'none' })),
      addresses: async () => ({ addresses: [], certain: false }),
    }),
    dial: async () =>
      wait(200).then(() => (dialled === 'failed' ? { kind: 'failed' } : { kind: 'connected', connection: silent })),
  };
  return { clock, ports: portsByJob(ports), observer: observerByJob(null) };
}

it('counts what a server that says nothing costs', async () => {
  const { clock, ports } = play('connected');
  const measured = JOB_METER.begin();
  const ended = measured.run(async () => {
    const dialled = await ports.dial({ ip: '192.0.2.1', port: 25, from: null }, SIGNAL);
    if (dialled.kind === 'connected') await dialled.connection.read(SIGNAL);
  });
  await clock.advance(6_000);
  await ended;
  expect(measured.work['no_reply_aborted']).toEqual({ n: 1, ms: 5_000, mostMs: 5_000 });
});

it('counts for each job what was done for it, however they take turns, and nothing that was done for none', async () => {
  const { clock, ports, observer } = play();
  const resolve = ports.resolveFor(1);
  const work = async (lookUps: number): Promise<void> => {
    for (let n = 0; n < lookUps; n += 1) await resolve.mx('a.test', SIGNAL);
    await ports.dial({ ip: '192.0.2.1', port: 25, from: null }, SIGNAL);
    observer.replied('rcpt', 10 * lookUps);
    observer.waitedForLimits(null, 0.4);
  };
  const jobs = [1, 3].map((lookUps) => {
    const measured = JOB_METER.begin();
    return { measured, ended: measured.run(() => work(lookUps)) };
  });
  const own = work(2);
  await clock.advance(1_000);
  await Promise.all([...jobs.map(({ ended }) => ended), own]);
  const dialled = { connect_failed: { n: 1, ms: 200, mostMs: 200 }, limits: { n: 1, ms: 0, mostMs: 0 } };
  expect(jobs.map(({ measured }) => measured.work)).toEqual([
    { lookup_mx_none: { n: 1, ms: 30, mostMs: 30 }, ...dialled, reply_rcpt: { n: 1, ms: 10, mostMs: 10 } },
    { lookup_mx_none: { n: 3, ms: 90, mostMs: 30 }, ...dialled, reply_rcpt: { n: 1, ms: 30, mostMs: 30 } },
  ]);
});
