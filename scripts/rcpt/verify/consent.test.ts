import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { type Around, newFolder, rcpt } from '../testing/command.ts';

// Who sits at a terminal is asked before anything is charged.

let folder: string;
let service: ScriptedService;
beforeEach(async () => {
  folder = await newFolder();
  service = new ScriptedService();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const AT_A_TERMINAL = ['input', 'messages'] as const;
async function verify(list: string, around: Around, more: readonly string[] = []) {
  await writeFile(join(folder, 'list.csv'), list);
  const args = ['verify', join(folder, 'list.csv'), '-o', join(folder, 'out.csv'), ...more];
  const { code, err } = await rcpt(service, folder, args, { isUnconfirmed: true, ...around });
  return { code, err, asked: err.includes('Continue? [y/N]'), charged: service.charged };
}

test.each([
  ['y\n', 0, 1],
  ['YES\n', 0, 1],
  ['n\n', 2, 0],
  ['\n', 2, 0],
  ['yesterday\n', 2, 0],
  ['', 2, 0],
])('%j typed at a terminal ends with %i, and %i credit is charged', async (stdin, code, charged) => {
  const ended = await verify('email\na@x.test\n', { stdin, terminals: AT_A_TERMINAL });
  expect(ended).toMatchObject({ code, asked: true, charged });
  if (code !== 0) expect(ended.err).toContain('Nothing was verified and nothing was charged.');
});

test.each<[string, string, Around, readonly string[]]>([
  ['has agreed before', 'email\na@x.test\n', { terminals: AT_A_TERMINAL }, ['--yes']],
  ['pays nothing', 'email\n', { terminals: AT_A_TERMINAL }, []],
])('a user who %s is not asked', async (_name, list, around, more) => {
  expect(await verify(list, around, more)).toMatchObject({ code: 0, asked: false });
});

test.each<[string, Around]>([
  ['cannot type an answer', { terminals: ['messages'] }],
  ['cannot read the question', { terminals: ['input'] }],
  ['is a program', {}],
])('a user who %s must say --yes before anything is charged', async (_name, around) => {
  const ended = await verify('email\na@x.test\n', around);
  expect(ended).toMatchObject({ code: 2, charged: 0, err: expect.stringContaining('add --yes') });
});
