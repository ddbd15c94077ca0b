import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, readConfig } from './config.ts';
import { BUILT_IN_CANARIES, NO_CANARIES } from './canaries.ts';
import { ownHelo } from './own-helo.ts';
import { DEFAULTS } from '../engine/ports/settings.ts';
import { makeEnrolment } from '../testing/make-enrolment.ts';

let folder: string;
let file: string;
const enrolment = makeEnrolment('probe-1', 'https://rcpt.example');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rcpt-config-'));
  file = write('enrolment.json', JSON.stringify(enrolment));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}
const read = (env: Readonly<Record<string, string>> = {}): Config => readConfig({ ENROLMENT: file, ...env });

describe('readConfig', () => {
  it('needs nothing but an enrolment', () => {
    const config = read();
    expect(config.enrolment).toEqual(enrolment);
    expect(config).toMatchObject({
      dns: [],
      stubs: [],
      canaries: { ...BUILT_IN_CANARIES, mailbox: [`postmaster@${ownHelo().mailDomain}`] },
    });
    expect(config.settings).toMatchObject({ ...DEFAULTS, egress: [{ ip: null }] });
    expect(config.settings.egress[0].heloName).toBe(ownHelo().heloName);
    expect(config.settings.mailFrom).toBe(`verify@${ownHelo().mailDomain}`);
  });

  it('reads every variable', () => {
    const config = read({
      EGRESS: '192.0.2.1=Mx1.Probe.Example, 2001:DB8::1=mx2.probe.example.',
      MAIL_FROM: 'Verify@Probe.Example',
      DNS: '192.0.2.53, 192.0.2.54:5353, [2001:db8::53]:5353, 2001:db8::54',
      STUB: 'test=127.0.1.1:5300,Corp.Example=10.0.0.53',
      SANDBOX: '1',
      ROUTE: '127.0.0.0/8=2525,10.1.0.0/16=25',
      STARTTLS: 'always',
      CANARY_NAME: 'there.example, There-Too.example.',
      CANARY_MISSING: 'missing.example',
      CANARY_HOST: 'mx.example',
      CANARY_MAILBOX: 'Postmaster@domain.example, exists@Other.example',
    });
    expect(config.settings).toMatchObject({
      egress: [
        { ip: '192.0.2.1', heloName: 'mx1.probe.example' },
        { ip: '2001:db8::1', heloName: 'mx2.probe.example' },
      ],
      mailFrom: 'verify@probe.example',
      routes: [
        { cidr: '127.0.0.0/8', port: 2525 },
        { cidr: '10.1.0.0/16', port: 25 },
      ],
      startTls: 'always',
    });
    expect(config.dns).toEqual(['192.0.2.53:53', '192.0.2.54:5353', '[2001:db8::53]:5353', '[2001:db8::54]:53']);
    expect(config.stubs).toEqual([
      { zone: 'test', server: '127.0.1.1:5300' },
      { zone: 'corp.example', server: '10.0.0.53:53' },
    ]);
    expect(config.canaries).toEqual({
      name: ['there.example', 'there-too.example'],
      missing: ['missing.example'],
      host: ['mx.example'],
      refusing: [],
      mailbox: ['postmaster@domain.example', 'exists@other.example'],
    });
  });

  it('treats an empty variable as missing', () => {
    expect(read({ EGRESS: '', DNS: '', ROUTE: '', STARTTLS: '', CANARY_NAME: '' })).toEqual(read());
  });

  it('uses no built-in canaries in a sandbox, and replaces them list by list elsewhere', () => {
    expect(read({ SANDBOX: '1' }).canaries).toEqual(NO_CANARIES);
    expect(read({ SANDBOX: '1', CANARY_NAME: 'there.test' }).canaries).toEqual({
      ...NO_CANARIES,
      name: ['there.test'],
    });
    const own = { ...BUILT_IN_CANARIES, mailbox: ['postmaster@probe.example'] };
    const sender = { MAIL_FROM: 'verify@probe.example' };
    expect(read(sender).canaries).toEqual(own);
    expect(read({ ...sender, CANARY_HOST: 'mx.example' }).canaries).toEqual({ ...own, host: ['mx.example'] });
    expect(read({ ...sender, CANARY_MAILBOX: 'a@b.example' }).canaries).toEqual({ ...own, mailbox: ['a@b.example'] });
  });

  it.each([
    ['EGRESS', '192.0.2.1=mx.example,nowhere=mx.example', '"nowhere=mx.example": expected IP=HELO'],
    ['MAIL_FROM', 'a@b.example>\r\nDATA', 'expected an address'],
    ['DNS', '192.0.2.1,', '"": expected IP or IP:PORT'],
    ['STUB', 'test', 'expected ZONE=IP:PORT'],
    ['ROUTE', '8.8.8.0/24=25', 'loopback or RFC 1918'],
    ['SANDBOX', 'yes', 'must be 1 or 0'],
    ['STARTTLS', 'never', 'when_demanded or always'],
    ['CANARY_HOST', '-', 'expected a host name'],
    ['CANARY_MAILBOX', 'domain.example', 'expected an address'],
    ['METRICS_PORT', '65536', '1 to 65535'],
    ['METRICS_PORT', '9.5', '1 to 65535'],
  ])('explains what is wrong with %s=%j', (name, value, words) => {
    expect(() => read({ SANDBOX: '1', [name]: value })).toThrow(new RegExp(`^${name}: `));
    expect(() => read({ SANDBOX: '1', [name]: value })).toThrow(words);
  });

  it('reports everything that is wrong at once', () => {
    expect(() => read({ DNS: 'x', STARTTLS: 'y' })).toThrow(/DNS: .*; STARTTLS: /);
  });

  it.each(['', '0'])('rejects private routes if SANDBOX is %j', (sandbox) => {
    expect(() => read({ SANDBOX: sandbox, ROUTE: '127.0.0.0/8=2525' })).toThrow(/^ROUTE: .*SANDBOX=1/);
  });

  it('asks for the enrolment if none is given', () => {
    expect(() => readConfig({})).toThrow(/^ENROLMENT: is missing.*admin host add/);
  });

  it.each([
    ['has another version', JSON.stringify({ ...enrolment, v: 2 })],
    ['has no private key', JSON.stringify({ ...enrolment, privateKey: enrolment.edgeKeys[0] })],
    ['trusts no edge', JSON.stringify({ ...enrolment, edgeKeys: [] })],
    ['names no origin', JSON.stringify({ ...enrolment, origin: 'rcpt.example/path' })],
  ])('rejects an enrolment that %s, and says what to do', (_name, text) => {
    expect(() => read({ ENROLMENT: write('bad.json', text) })).toThrow(/^ENROLMENT: .*admin host add/);
  });

  it('never quotes the enrolment', () => {
    const path = write('bad.json', JSON.stringify({ ...enrolment, host: 'NOT A NAME' }));
    expect(() => read({ ENROLMENT: path })).toThrow(expect.objectContaining({ name: 'ConfigError' }));
    expect(() => read({ ENROLMENT: path })).not.toThrow(enrolment.privateKey.d);
  });
});
