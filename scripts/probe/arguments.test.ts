import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';
import { defaultOptions } from './options.ts';

const parse = (...args: string[]) => parseArguments(args, 'Host.Example.com');

describe('parseArguments', () => {
  it('takes every option, repeatedly if there may be several', () => {
    const args =
      '--dns 192.0.2.1 --dns [::1]:5300 --stub test=127.0.0.1:5300 --stub inner.test=127.0.0.2 --route 127.0.0.0/8=2525 --egress 192.0.2.7=p7.example.com --egress 2001:db8::7=p7.example.com --mail-from Check@Example.com --concurrency 200 --deadline 30 --seed s1 --state .local --trace a@x.test b@y.test';
    expect(parse(...args.split(' '))).toEqual({
      kind: 'run',
      options: {
        dns: ['192.0.2.1:53', '[::1]:5300'],
        stubs: [
          { zone: 'test', server: '127.0.0.1:5300' },
          { zone: 'inner.test', server: '127.0.0.2:53' },
        ],
        routes: [{ cidr: '127.0.0.0/8', port: 2525 }],
        egress: [
          { ip: '192.0.2.7', heloName: 'p7.example.com' },
          { ip: '2001:db8::7', heloName: 'p7.example.com' },
        ],
        mailFrom: 'check@example.com',
        concurrency: 200,
        deadlineMs: 30_000,
        seed: 's1',
        state: '.local',
        trace: true,
        addresses: ['a@x.test', 'b@y.test'],
      },
    });
  });

  it.each([[[]], [['a@x.test', 'b@y.test']], [['', 'no address', 'ä@x.test']]])(
    'makes of %j what is done without its grammar',
    (words) => {
      const options = defaultOptions(words, 'Host.Example.com');
      expect(parse(...words)).toEqual({ kind: 'run', options });
    },
  );

  it('sends from the first EHLO name by default', () => {
    expect(parse('--egress', 'default=p1.example.com')).toMatchObject({
      options: { mailFrom: 'probe@p1.example.com' },
    });
  });

  it.each([
    [['--concurrency', '0'], '1 to 5000'],
    [['--concurrency', 'many'], '1 to 5000'],
    [['--deadline', '1.5'], '1 to 3600'],
    [['--deadline'], 'argument missing'],
    [['--unknown'], "unknown option '--unknown'"],
    [['--', '--mail-from'], null],
  ])('%j is met with one line that says what to do', (args, part) => {
    const parsed = parse(...args);
    if (part === null) expect(parsed.kind).toBe('run');
    else {
      expect(parsed).toEqual({ kind: 'refused', message: expect.stringContaining(part) });
      expect(parsed.kind === 'refused' && parsed.message).not.toContain('\n');
    }
  });

  it('says an address literal in EHLO if this machine has no full name', () => {
    const parsed = parseArguments([], 'my_laptop');
    expect(parsed).toMatchObject({ kind: 'run', options: { mailFrom: 'probe@localhost' } });
    expect(parsed).toMatchObject({ options: { egress: [{ ip: null, heloName: expect.stringMatching(/^\[.+\]$/) }] } });
  });

  it('prints its help', () => {
    expect(parse('--help')).toEqual({ kind: 'help', text: expect.stringContaining('--mail-from <address>') });
  });
});
