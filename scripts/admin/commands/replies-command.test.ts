import { expect, test } from 'vitest';
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

test.each([
  [[], /required option '--ssh <destination>' not specified/],
  [['--ssh', 'root@fra-1'], /--ssh must contain \{host\}/],
])('%j is refused in one line', async (args, line) => {
  expect(await admin('replies', 'unknown', ...args)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(line),
  });
});
