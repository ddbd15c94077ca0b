import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What this machine refuses ends a command with one line that says so.

const ROOT = join(import.meta.dirname, '..');

test.each([
  ['scripts/admin.ts', '--help'],
  ['scripts/start.ts', '--help'],
  ['scripts/probe.ts', '--help'],
  ['scripts/check-environments.ts'],
  ['prober/main.ts', '--help'],
])('%s says in one line that its output cannot be written', (...command) => {
  const full = openSync('/dev/full', 'w');
  const ended = spawnSync(process.execPath, command, { cwd: ROOT, stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
  closeSync(full);
  expect([ended.status, ended.stderr]).toEqual([1, 'The output cannot be written: ENOSPC\n']);
});

const START = ['scripts/start.ts', '--port', '0', '--state'] as const;
test.each([
  [[...START, '/proc/x'], '/proc/x'],
  [[...START, '/proc/self/fd/x/y'], '/proc/self/fd/x/y'],
  [[...START, '/dev/null'], '/dev/null'],
  [['scripts/admin.ts', 'edge-key', '--out', '/proc/x/edge.json'], '/proc/x'],
  [
    ['prober/main.ts', 'join', 'https://rcpt.example', `rcpt-join-${'a'.repeat(43)}`, '--out', '/proc/x/e.json'],
    '/proc/x',
  ],
])('%j says in one line that no folder can be made there', (command, folder) => {
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', timeout: 20_000 });
  expect({ status, stderr }).toEqual({
    status: expect.toBeOneOf([1, 2]),
    stderr: expect.stringMatching(/^[^\n]+cannot be (?:created|written)[^\n]+--(?:state|out)\.?\n$/),
  });
  expect(stderr).toContain(folder);
});

test.each([192, 64])('npm start says in one line that %i open files are too few for it', (allowed) => {
  const start = ['scripts/start.ts', '--port', '0', '--state', '/proc/x'];
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -n ${allowed} && exec "$@"`, 'sh', process.execPath, ...start],
    { cwd: ROOT, encoding: 'utf8', timeout: 20_000 },
  );
  const words = `The service needs 256 open files, and ${allowed} are allowed here: ulimit -n 256.\n`;
  expect([status, stderr]).toEqual([1, words]);
});
