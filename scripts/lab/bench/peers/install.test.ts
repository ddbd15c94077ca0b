import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, isAtLeast } from './install.ts';

test.each([
  ['go1.26.8', '1.22', true],
  ['go1.22', '1.22', true],
  ['go version go1.19.8 linux/amd64', '1.22', false],
  ['cargo 1.95.0 (f2d3ce0bd 2026-03-21)', '1.100', false],
  ['cargo 2.0.0', '1.85', true],
  ['cargo 0.99.0', '1.85', false],
  ['no number', '1.22', false],
])('%s beside %s', (told, wanted, enough) => {
  expect(isAtLeast(told, wanted)).toBe(enough);
});

test('a tool that is not here, or too old, is what a peer needs', async () => {
  const recipe = { name: 'x', folder: 'x', files: [], build: ['false'], program: 'x', env: {} };
  const needing = (name: string, atLeast: string) =>
    install({ ...recipe, tool: { name, versionArgs: ['--version'], atLeast } });
  expect(await needing('no-such-tool', '1.0')).toEqual({ kind: 'missing', why: 'needs no-such-tool 1.0 or newer' });
  expect(await needing(process.execPath, '900.0')).toMatchObject({
    kind: 'missing',
    why: expect.stringContaining('900.0'),
  });
});

test('a build that fails is told, and ends nothing', async ({ onTestFinished }) => {
  const place = mkdtempSync(join(tmpdir(), 'rcpt-install-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const tool = { name: process.execPath, versionArgs: ['--version'], atLeast: '1.0' };
  const recipe = { name: 'x', folder: 'x', files: [], build: ['false'], program: 'x', env: {}, tool };
  expect(await install(recipe, place)).toMatchObject({
    kind: 'missing',
    why: expect.stringContaining('`false` failed'),
  });
});
