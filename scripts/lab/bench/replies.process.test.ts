import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HELD_OUT } from '../../../prober/testing/replies/held-out.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

// Each run is a process of its own, which loads every bench.
vi.setConfig({ testTimeout: 30_000 });

type Run = { readonly code: number; readonly stdout: string; readonly stderr: string };

const MAIN = join(import.meta.dirname, 'main.ts');

function bench(...args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const label = (raw: string, expected: string, more: object = {}): string =>
  JSON.stringify({ id: raw, raw, stage: 'unknown', expected, also: [], ...more });

describe('bench replies', () => {
  let folder = '';
  const file = async (name: string, ...lines: string[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('prints the share that is right and the worst mistake first', async () => {
    const path = await file(
      'good',
      label('550 5.1.1 User unknown', 'no_such_mailbox'),
      label('550-5.1.1 User\n550 5.1.1 unknown', 'policy_rejected'),
      label('550 5.1.1 User unknown', 'policy_rejected', { stage: 'mail' }),
      label('452 4.2.2 Mailbox full', 'deferred'),
      label('450 4.2.0 Greylisted', 'greylisting'),
      label('550 Relaying denied', 'no_such_mailbox'),
    );
    const { code, stdout } = await bench('replies', path);
    expect(code).toBe(0);
    expect(stdout).toContain('6 replies by their words: strict 66.7 %, lenient 66.7 %');
    expect(stdout).toContain('wrongly dead 1, wrongly living 1\nthe same with controls');
    expect(stdout.indexOf('FALSE DEAD: no_such_mailbox (mailbox/gone)')).toBeLessThan(
      stdout.indexOf('wrong: mailbox_full'),
    );
  });

  test('prints the same as JSON', async () => {
    const path = await file('json', label('550 5.1.1 User unknown', 'accepted'));
    const { stdout } = await bench('replies', path, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      total: 1,
      strict: 0,
      falseDead: 1,
      mistakes: [{ got: 'no_such_mailbox' }],
    });
  });

  test('judges the held-out set of this repository without a file', async () => {
    const { code, stdout } = await bench('replies');
    expect(code).toBe(0);
    expect(stdout).toContain(`${HELD_OUT.length} replies by their words: strict`);
    expect(stdout.match(/wrongly dead 0, wrongly living 0/g)).toHaveLength(2);
  });

  test.each([
    ['no JSON', 'not json', /:1: not JSON/],
    ['an outcome it does not know', label('550 x', 'fine'), /:1: .*expected/s],
    ['a reply without a code', label('hello', 'accepted'), /:1: .*raw/s],
    ['nothing', '', /holds no replies/],
  ])('ends with 2 and says why on %s', async (name, line, message) => {
    const { code, stderr } = await bench('replies', await file(name.replaceAll(' ', '-'), line));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('ends with 2 on a file that cannot be read', async () => {
    const { code, stderr } = await bench('replies', join(folder, 'missing'));
    expect(code).toBe(2);
    expect(stderr).toContain('ENOENT');
  });

  test('ends with an error on an unknown subcommand or a bad count', async () => {
    expect((await bench('nonsense')).code).not.toBe(0);
    const { code, stderr } = await bench(
      'replies',
      await file('count', label('550 x', 'unexpected')),
      '--worst',
      'many',
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('--worst');
  });
});
