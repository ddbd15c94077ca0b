import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { artefactName } from './build-prober.ts';
import { readmeCommands } from './readme-commands.ts';

const README = readFileSync(new URL('../../prober/deploy/README.md', import.meta.url), 'utf8');

test('the README makes a host by three commands, of the version that is built', () => {
  const name = artefactName();
  expect(readmeCommands(README, 'http://127.0.0.1:8787', 'rcpt-join-abc')).toEqual([
    `tar -xzf ${name}.tar.gz && sh ${name}/install.sh`,
    'rcpt-prober join http://127.0.0.1:8787 rcpt-join-abc',
    `rcpt-roll ${name.replace('rcpt-prober-', '')}`,
  ]);
});

test('that the commands have moved is said', () => {
  expect(() => readmeCommands('# Nothing here\n', '', '')).toThrow('no commands follow');
});
