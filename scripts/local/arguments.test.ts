import { describe, expect, test } from 'vitest';
import { UsageError } from '../base/usage-error.ts';
import { parseArguments } from './arguments.ts';

describe('npm start', () => {
  test('takes each argument, the repeatable ones in order', () => {
    const line =
      '--port 0 --state /tmp/x --hosts 2 --dns 127.0.0.1:53 --dns 127.0.0.2:53 --stub example.test=127.0.0.1:54 ' +
      '--route 127.0.54.0/24=2525 --no-sandbox --var RATE_LIMIT=0 --var KEY_SECRETS=a=b,c --json';
    expect(parseArguments(line.split(' '))).toEqual({
      port: 0,
      state: '/tmp/x',
      hosts: 2,
      dns: ['127.0.0.1:53', '127.0.0.2:53'],
      stub: ['example.test=127.0.0.1:54'],
      route: ['127.0.54.0/24=2525'],
      sandbox: false,
      variables: { RATE_LIMIT: '0', KEY_SECRETS: 'a=b,c' },
      json: true,
    });
  });

  test('explains itself', () => {
    expect(parseArguments(['--help'])).toMatchObject({ help: expect.stringContaining('--no-sandbox') });
  });

  test.each([
    ['--port', 'http'],
    ['--port', '65536'],
    ['--port', '-1'],
    ['--port'],
    ['--hosts', '33'],
    ['--hosts', '1.5'],
    ['--var', 'RATE_LIMIT'],
    ['--var', 'NO_SUCH_VARIABLE=1'],
    ['--state', ''],
    ['--unknown'],
    ['extra'],
  ])('refuses %s %s in one line', (...args: readonly (string | undefined)[]) => {
    const given = args.filter((arg) => arg !== undefined);
    expect(() => parseArguments(given)).toThrow(UsageError);
    expect(() => parseArguments(given)).toThrow(/^[^\n]+$/);
  });
});
