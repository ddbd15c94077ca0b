import { expect, it } from 'vitest';
import { restartUnit } from './restart-unit.ts';

it.each<[string, readonly string[], string, readonly string[]]>([
  ['restarts a host that was in service', [], 'was started again', ['is-enabled', 'reset-failed', 'restart']],
  ['says how to start one that was not', ['is-enabled'], 'rcpt-roll 1.2.3', ['is-enabled']],
  ['says where to look', ['restart'], 'systemctl status rcpt-prober@1.2.3', ['is-enabled', 'reset-failed', 'restart']],
])('%s', (_what, failing, words, verbs) => {
  const ran: string[] = [];
  const said = restartUnit('1.2.3', (_program, [verb = '']) => {
    ran.push(verb);
    return !failing.includes(verb);
  });
  expect({ said, ran }).toEqual({ said: expect.stringContaining(words), ran: verbs });
});
