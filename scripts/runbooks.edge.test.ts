import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { type AdminEdge, startAdminEdge } from '../edge/testing/admin.ts';
import { publicHalf } from '../schema/jwk.ts';
import { makeKey } from '../schema/testing/make-key.ts';
import { USAGE } from '../prober/usage.ts';
import { runAdmin } from './admin/program.ts';
import { parseArguments } from './probe/arguments.ts';

// Every command of every runbook is one that exists and takes what it is given: commands of the operator run against the
// Worker, queries against its database, the platform's own are looked up in its help.

const ROOT = join(import.meta.dirname, '..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
/** Of the system, or of the platform's status: not ours to try. */
const OTHERS = ['curl', 'journalctl', 'systemctl', 'tar', 'set'];

type Line = readonly [file: string, command: string];
const lines: readonly Line[] = ['edge/runbooks', 'prober/runbooks'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).flatMap((file) => {
    const text = readFileSync(join(ROOT, folder, file), 'utf8');
    return [...text.matchAll(/^ {4}(\S.*)$/gm)].map(([, command = '']): Line => [`${folder}/${file}`, command]);
  }),
);

/** The words of a command as a shell divides them: quotes keep some together, a comment ends it. */
function wordsOf(command: string): readonly string[] {
  const [before = ''] = command.split(/\s#\s/);
  return [...before.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
const starting = (...first: readonly string[]): readonly Line[] =>
  lines.filter(([, command]) => first.every((word, at) => wordsOf(command)[at] === word));
/** What follows `npm run -s NAME --`. */
const given = (command: string): readonly string[] => wordsOf(command).slice(5);

/** Which command of wrangler's this is, without what it is given. */
const nameOf = (words: readonly string[]): string =>
  words
    .slice(
      0,
      ['time-travel', 'migrations'].includes(words[1] ?? '')
        ? 3
        : ['tail', 'rollback'].includes(words[0] ?? '')
          ? 1
          : 2,
    )
    .join(' ');

let edge: AdminEdge;
let folder: string;
let keyFile: string;
beforeAll(async () => {
  edge = await startAdminEdge();
  folder = await mkdtemp(join(tmpdir(), 'rcpt-runbooks-'));
  keyFile = join(folder, 'ann.json');
  await writeFile(keyFile, JSON.stringify(edge.operator), { mode: 0o600 });
  const migrations = join(ROOT, 'schema/migrations');
  const files = readdirSync(migrations).filter((file) => file.endsWith('.sql'));
  const tables = files.toSorted().map((file) => readFileSync(join(migrations, file), 'utf8'));
  for (const name of ['before.sql', 'after.sql']) await writeFile(join(folder, name), tables.join('\n'));
  await edge.call('PUT', '/admin/v1/accounts/acme', { name: 'Acme' });
  await edge.call('PUT', '/admin/v1/accounts/acme/grants/first', { credits: 10_000 });
  for (const host of ['fra-1', 'fra-9'])
    await edge.call('PUT', `/admin/v1/hosts/${host}`, { publicKey: publicHalf(makeKey()) });
});
afterAll(async () => {
  await edge.stop();
  await rm(folder, { recursive: true });
});

test('there are runbooks, and none has a command of an unknown kind', () => {
  expect(new Set(lines.map(([file]) => file)).size).toBeGreaterThan(8);
  const known = [...OTHERS, 'npm', 'npx', 'rcpt-prober', 'rcpt-roll'];
  expect(lines.filter(([, command]) => !known.includes(wordsOf(command)[0] ?? ''))).toEqual([]);
  const scripts = lines
    .filter(([, command]) => command.startsWith('npm '))
    .map(([, command]) => wordsOf(command)[3] ?? '');
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

test('each says what one sees, what to check and what that prints, and what to do', () => {
  const books = [...new Set(lines.map(([file]) => file))].filter((file) => !file.endsWith('/events.md'));
  for (const file of books) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const part of ['**Symptom.**', '**Check.**', '```text'])
      expect({ file, text }).toMatchObject({ text: expect.stringContaining(part) });
    expect({ file, does: /\*\*do[*.,]/i.test(text) }).toEqual({ file, does: true });
  }
});

describe('a command of the operator', () => {
  test.each(starting('npm', 'run', '-s', 'admin'))('%s: %s', async (_file, command) => {
    // Rolled for real in scripts/deploy; a key is made where the test may write.
    const rolls = given(command)[0] === 'fleet';
    const args = rolls
      ? ['fleet', 'roll', '--help']
      : given(command).map((word) => (/\.(?:json|sql)$/.test(word) ? join(folder, word) : word));
    let [out, err] = ['', ''];
    const code = await runAdmin(
      args,
      { RCPT_URL: edge.origin, RCPT_OPERATOR_KEY: keyFile },
      { out: (text) => (out += text), err: (text) => (err += text) },
    );
    // Refused is an answer (the key that a runbook deletes is only an example); bad input is not.
    expect({ code: Math.min(code, 2), err: code === 2 ? err : '' }).toEqual({ code: code === 1 ? 1 : 0, err: '' });
    if (rolls)
      for (const option of given(command).filter((word) => word.startsWith('--'))) expect(out).toContain(option);
  });
});

test.each(lines.filter(([, command]) => command.includes('--command')))('a query: %s: %s', async (_file, command) => {
  const sql = wordsOf(command)[wordsOf(command).indexOf('--command') + 1] ?? '';
  expect(sql).toMatch(/^SELECT /);
  expect(await edge.rows(sql)).toBeInstanceOf(Array);
});

test.each(starting('npm', 'run', '-s', 'probe'))('the engine’s command: %s: %s', (_file, command) => {
  expect(parseArguments(given(command)).kind).toMatch(/^(?:run|explain)$/);
});

test.each(starting('rcpt-prober'))('a host’s command: %s: %s', (_file, command) => {
  const words = wordsOf(command).slice(1);
  // Its address and invitation are examples.
  for (const word of words.filter((one) => !/^(?:https:|rcpt-join-)/.test(one))) expect(USAGE).toContain(word);
});

test('the platform’s commands and their options are in its help', async () => {
  const commands = lines
    .filter(([, command]) => command.startsWith('npx wrangler'))
    .map(([, command]) => wordsOf(command).slice(2));
  const helps = new Map(
    await Promise.all(
      [...new Set(commands.map(nameOf))].map(async (name) => {
        const { stdout } = await promisify(execFile)(process.execPath, [WRANGLER, ...name.split(' '), '--help'], {
          cwd: ROOT,
        });
        return [name, stdout] as const;
      }),
    ),
  );
  for (const words of commands)
    for (const option of words.filter((word) => word.startsWith('--')))
      expect(helps.get(nameOf(words))).toContain(option);
}, 300_000);
