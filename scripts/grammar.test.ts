import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../prober/base/config.ts';
import { ConfigError } from '../prober/base/config-error.ts';
import { makeEnrolment } from '../prober/testing/make-enrolment.ts';
import { UsageError } from './base/usage-error.ts';
import { parseArguments as parseStart } from './local/arguments.ts';
import { parseArguments as parseProbe } from './probe/arguments.ts';

// What an operator writes means the same wherever it stands: in a host's environment, after `npm start`, which hands it
// to its hosts, and after `probe`. Each line of these tables goes through all of them.

let folder: string;
let enrolment: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rcpt-grammar-'));
  enrolment = join(folder, 'enrolment.json');
  writeFileSync(enrolment, JSON.stringify(makeEnrolment('probe-1', 'https://rcpt.example')), { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Kind = 'dns' | 'stub' | 'route' | 'egress' | 'mail-from';
type Read = { readonly value: unknown } | { readonly refused: string };

const VARIABLE = { dns: 'DNS', stub: 'STUB', route: 'ROUTE', egress: 'EGRESS', 'mail-from': 'MAIL_FROM' } as const;

function inEnvironment(kind: Kind, text: string): Read {
  try {
    const { dns, stubs, settings } = readConfig({ ENROLMENT: enrolment, SANDBOX: '1', [VARIABLE[kind]]: text });
    const { routes, egress, mailFrom } = settings;
    return { value: { dns, stub: stubs, route: routes, egress, 'mail-from': mailFrom }[kind] };
  } catch (error) {
    if (error instanceof ConfigError) return { refused: error.message };
    throw error;
  }
}

/** What the hosts make of what `npm start` hands them. It has no options for egress and sender: hosts inherit its environment. */
function afterStart(kind: 'dns' | 'stub' | 'route', text: string): Read {
  try {
    const options = parseStart([`--${kind}`, text]);
    return 'help' in options ? { refused: 'help' } : inEnvironment(kind, options[kind].join(','));
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}

function afterProbe(kind: Kind, text: string): Read {
  const read = parseProbe([`--${kind}`, text], 'host.example.com');
  if (read.kind !== 'run') return { refused: read.kind === 'refused' ? read.message : read.kind };
  const { dns, stubs, routes, egress, mailFrom } = read.options;
  return { value: { dns, stub: stubs, route: routes, egress, 'mail-from': mailFrom }[kind] };
}

function everywhere(kind: Kind, text: string): Read[] {
  const reads = [inEnvironment(kind, text), afterProbe(kind, text)];
  return kind === 'egress' || kind === 'mail-from' ? reads : [...reads, afterStart(kind, text)];
}

describe('is read alike everywhere', () => {
  it.each<readonly [Kind, string, unknown]>([
    ['dns', '127.0.0.1', ['127.0.0.1:53']],
    ['dns', ' 127.0.0.1:5300 ', ['127.0.0.1:5300']],
    ['dns', '127.0.0.1, 127.0.0.2:54', ['127.0.0.1:53', '127.0.0.2:54']],
    ['dns', '::1', ['[::1]:53']],
    ['dns', '[2001:DB8:0::1]:54', ['[2001:db8::1]:54']],
    ['stub', 'test=127.0.0.1:5300', [{ zone: 'test', server: '127.0.0.1:5300' }]],
    ['stub', 'Corp.Example.=[::1]', [{ zone: 'corp.example', server: '[::1]:53' }]],
    ['stub', 'bücher.test=127.0.0.1', [{ zone: 'xn--bcher-kva.test', server: '127.0.0.1:53' }]],
    ['route', '127.0.0.0/8=2525', [{ cidr: '127.0.0.0/8', port: 2525 }]],
    ['route', '127.0.0.1=2525', [{ cidr: '127.0.0.1/32', port: 2525 }]],
    [
      'route',
      '10.0.0.0/8=25,172.16.0.0/12=1',
      ['10.0.0.0/8', '172.16.0.0/12'].map((cidr, i) => ({ cidr, port: i === 0 ? 25 : 1 })),
    ],
    ['route', '0:0:0:0:0:0:0:1=65535', [{ cidr: '::1/128', port: 65_535 }]],
    ['egress', '192.0.2.1=Mx1.Probe.Example.', [{ ip: '192.0.2.1', heloName: 'mx1.probe.example' }]],
    ['egress', '2001:DB8:0::1=mx1.probe.example', [{ ip: '2001:db8::1', heloName: 'mx1.probe.example' }]],
    ['egress', 'default=bücher.example', [{ ip: null, heloName: 'xn--bcher-kva.example' }]],
    ['mail-from', ' Verify@Probe.Example ', 'verify@probe.example'],
    ['mail-from', 'verify@bücher.example', 'verify@xn--bcher-kva.example'],
    ['mail-from', "o'neil+x@probe.example", "o'neil+x@probe.example"],
  ])('%s %j', (kind, text, value) => {
    for (const read of everywhere(kind, text)) expect(read).toEqual({ value });
  });
});

const SERVER = 'expected IP or IP:PORT, such as 127.0.0.1:53 or [::1]:53';
const STUB = 'expected ZONE=IP:PORT, such as test=127.0.0.1:5300';
const ROUTE = 'expected CIDR=[IP:]PORT, such as 127.0.0.0/8=2525';
const ROUTABLE = 'a route must lie within loopback or RFC 1918';
const EGRESS = 'expected IP=HELO, such as 192.0.2.1=probe1.example.com, or default=HELO';
const SENDER = 'expected an address in ASCII at a domain name, such as probe@example.com';

describe('is refused alike everywhere, in one line that says what to do', () => {
  it.each<readonly [Kind, string, string]>([
    ['dns', '127.0.0.1,,127.0.0.2', SERVER],
    ['dns', 'resolver.example', SERVER],
    ['dns', '127.1', SERVER],
    ['dns', '127.0.0.1:0', SERVER],
    ['dns', '127.0.0.1:65536', SERVER],
    ['dns', '127.0.0.1:５３', SERVER],
    ['dns', '[fe80::1%eth0]:53', SERVER],
    ['dns', '::ffff:127.0.0.1', SERVER],
    ['dns', '127.0.0.1\n127.0.0.2', SERVER],
    ['dns', '127.0.0.1,127.0.0.1:53', '127.0.0.1:53 is given twice'],
    ['stub', 'test', STUB],
    ['stub', '.=127.0.0.1', STUB],
    ['stub', '*.test=127.0.0.1', STUB],
    ['stub', 'a..test=127.0.0.1', STUB],
    ['stub', 'test=', SERVER],
    ['stub', 'test=localhost', SERVER],
    ['stub', 'Test=127.0.0.1,test.=127.0.0.2', 'test is given twice'],
    ['route', '127.0.0.0/8', ROUTE],
    ['route', '127.0.0.0/8=http', ROUTE],
    ['route', '127.0.0.0/8=65536', ROUTE],
    ['route', '127.0.0.0/33=25', ROUTE],
    ['route', '[::1]=25', ROUTE],
    ['route', '::ffff:127.0.0.1=25', ROUTABLE],
    ['route', '8.8.8.0/24=25', ROUTABLE],
    ['route', '0.0.0.0/0=25', ROUTABLE],
    ['route', 'fd00::/8=25', ROUTABLE],
    ['route', '127.0.0.1/8=25', 'write 127.0.0.0/8 for the whole range, or 127.0.0.1 for the one address'],
    ['route', '127.0.0.1=25,127.0.0.1/32=26', '127.0.0.1/32 is given twice'],
    ['egress', '192.0.2.1', EGRESS],
    ['egress', '[2001:db8::1]=mx.example', EGRESS],
    ['egress', '::ffff:192.0.2.1=mx.example', EGRESS],
    ['egress', '192.0.2.1=bad_name!.example', EGRESS],
    ['egress', '192.0.2.1=localhost', 'HELO must be a full domain name'],
    ['egress', '192.0.2.1=a.example,192.0.2.1=b.example', '192.0.2.1 is given twice'],
    ['egress', 'default=a.example,default=b.example', 'default is given twice'],
    ['mail-from', 'nobody', SENDER],
    ['mail-from', 'verify@[192.0.2.1]', SENDER],
    ['mail-from', 'a@b.example>\r\nDATA', SENDER],
  ])('%s %j', (kind, text, problem) => {
    for (const read of everywhere(kind, text)) {
      expect(read).toEqual({ refused: expect.stringContaining(problem) });
      expect(read).toEqual({ refused: expect.not.stringMatching(/\p{Cc}/u) });
    }
  });

  it.each<readonly [Kind, readonly string[], string]>([
    ['dns', ['::1', '[::1]:53'], '[::1]:53 is given twice'],
    ['stub', ['test=127.0.0.1', 'TEST=127.0.0.2'], 'test is given twice'],
  ])('%s %j, given repeatedly', (kind, texts, problem) => {
    const args = texts.flatMap((text) => [`--${kind}`, text]);
    expect(inEnvironment(kind, texts.join(','))).toEqual({ refused: expect.stringContaining(problem) });
    expect(parseProbe(args)).toEqual({ kind: 'refused', message: expect.stringContaining(problem) });
    expect(() => parseStart(args)).toThrow(problem);
  });
});
