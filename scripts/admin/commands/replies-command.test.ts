import { expect, test } from 'vitest';
import { REPLIES_PATH } from '../../../prober/ops/metrics/replies.ts';
import { serveMetrics } from '../../../prober/ops/metrics/serve-metrics.ts';
import { runAdmin } from '../program.ts';
import { merge } from './replies-command.ts';

async function admin(...args: readonly string[]) {
  let out = '';
  let err = '';
  const code = await runAdmin(args, {}, { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

const replies = (...counts: readonly (readonly [template: string, count: number])[]) => ({
  replies: counts.map(([template, count]) => ({ template, count, networks: 3 })),
});

test('like replies of several hosts are one, the commonest first; who did not answer is named', () => {
  const merged = merge([
    { host: 'fra-1', answer: replies(['550 - odd', 5], ['550 - strange', 3]) },
    { host: 'fra-2', answer: replies(['550 - strange', 4]) },
    { host: 'fra-3', answer: 'no route to host' },
  ]);
  expect(merged).toEqual({
    replies: [
      { template: '550 - strange', count: 7, hosts: ['fra-1', 'fra-2'] },
      { template: '550 - odd', count: 5, hosts: ['fra-1'] },
    ],
    unanswered: [{ host: 'fra-3', why: 'no route to host' }],
  });
});

test('the host of this machine is asked by its port', async () => {
  const known = JSON.stringify(replies(['550 - <address> at odds', 12]));
  const page = { contentType: 'application/json', text: async () => known };
  const served = await serveMetrics(0, { [REPLIES_PATH]: page });
  if ('failed' in served) throw new Error(served.failed);
  expect(await admin('replies', 'unknown', '--port', String(served.port))).toEqual({
    code: 0,
    err: '',
    out: 'count  hosts         reply\n12     this machine  550 - <address> at odds\n',
  });
});

test('that nobody answers is said, with what to do', async () => {
  expect(await admin('replies', 'unknown', '--port', '1')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('no host answers on METRICS_PORT 1: is it running'),
  });
});

test.each([
  [[], /name the hosts with --ssh, or the host on this machine with --port/],
  [['--port', '0'], /must be a port, 1 to 65535/],
  [['--port', 'x'], /must be a port/],
  [['--port', '9464', '--ssh', 'root@{host}'], /name the hosts with --ssh, or/],
  [['--ssh', 'root@fra-1'], /--ssh must contain \{host\}/],
])('%j is refused in one line', async (args, line) => {
  expect(await admin('replies', 'unknown', ...args)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(line),
  });
});
