import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
