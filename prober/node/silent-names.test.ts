import { expect, it } from 'vitest';
import type { Outcome } from '../../schema/evidence.ts';
import { createEngine } from '../engine/batch.ts';
import { DEFAULTS } from '../engine/ports/settings.ts';
import { signalsOf } from '../signals/signals.ts';
import { type Say, startNameServer } from '../testing/name-server.ts';
import { createNodePorts } from './ports.ts';

const domains = (label: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${label}${i}.test`);

it('ten accounts whose 200 domains each are silent change no outcome of another, and what was never asked is unprobed', async () => {
  const gone: Say = { rcode: 'NXDOMAIN' };
  const server = await startNameServer(({ name }) => {
    if (name.startsWith('silent')) return 'silence';
    return name.startsWith('slow') ? new Promise((resolve) => setTimeout(resolve, 600, gone)) : gone;
  });
  const ports = createNodePorts({ dns: [server.address], stubs: [] });
  const settings = {
    ...DEFAULTS,
    egress: [{ ip: null, heloName: 'probe.test' }],
    mailFrom: 'verify@probe.test',
  } as const;
  const engine = createEngine(ports, settings, signalsOf);
  const batch = async (account: number, names: readonly string[], signal: AbortSignal): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    const recipients = names.map((domain) => ({ local: 'x', domain }));
    const report = (index: number, { outcome }: { outcome: Outcome }): void => void (outcomes[index] = outcome);
    await engine.probe({ account, recipients, signal, deadlineMs: ports.clock.now() + 88_000, report });
    return outcomes;
  };
  const deadline = new AbortController();
  const flood = Array.from({ length: 10 }, (_, n) => batch(n, domains(`silent${n}-`, 200), deadline.signal));
  const mine = await batch(10, [...domains('slow', 3), ...domains('gone', 100)], new AbortController().signal);
  expect(mine).toEqual(mine.map(() => ({ kind: 'no_mail_domain', why: 'nxdomain' })));
  deadline.abort();
  const others = (await Promise.all(flood)).flatMap((of, n) =>
    of.map((outcome, i) => [`silent${n}-${i}.test`, outcome] as const),
  );
  const asked = new Set(server.asked.map(({ name }) => name));
  const unasked = others.filter(([name]) => !asked.has(name));
  expect(unasked.length).toBeGreaterThan(1_000);
  expect(unasked.map(([, outcome]) => outcome)).toEqual(
    unasked.map(() => ({ kind: 'unprobed', why: 'deadline', waitS: null })),
  );
  await server.close();
});
