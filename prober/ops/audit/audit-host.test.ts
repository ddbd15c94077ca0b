import { Resolver } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Gate } from '../../engine/targets/targets.ts';
import { createNodePorts } from '../../node/ports.ts';
import { startNameServer, type Say } from '../../testing/name-server.ts';
import { startPeer } from '../../testing/peer.ts';
import { auditHost, type Audit } from './audit-host.ts';
import { isClean, type Finding } from './findings.ts';
import { reverseName } from '../../node/reverse-name.ts';

const IP = '127.0.0.1';
const PTR = 'PTR 1.0.0.127.in-addr.arpa';
const { signal } = new AbortController();

const closers: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A host that receivers accept: its DNS records, by type and name. */
const LIKED: Readonly<Record<string, Say>> = {
  'MX d.test': { mx: [[10, 'mx.test']] },
  'A mx.test': { ip: [IP] },
  'A probe.d.test': { ip: [IP] },
  [PTR]: { ptr: ['Probe.d.test'] },
  'TXT d.test': { txt: [['other'], ['v=spf1 ip4:127.0', '.0.1 -all']] },
};

/** A server that greets, and answers EHLO like this. */
const answering =
  (hello: (socket: Socket) => string) =>
  (socket: Socket): void => {
    socket.write('220 mx.test ESMTP\r\n');
    socket.on('data', (bytes) => {
      if (bytes.toString().startsWith('EHLO')) socket.write(hello(socket));
      else socket.end('221 bye\r\n');
    });
    socket.on('end', () => socket.end());
  };
/** Like Exim. */
const greets = answering(() => '250-mx.test Hello probe.d.test [127.0.0.1]\r\n250 HELP\r\n');

type Setting = {
  readonly zone?: Readonly<Record<string, Say>>;
  readonly serve?: (socket: Socket) => void;
  readonly plan?: Partial<Audit>;
};

/** The audit on real DNS and a real server on loopback. */
async function run({ zone = {}, serve = greets, plan = {} }: Setting): Promise<Finding[]> {
  const records = { ...LIKED, ...zone };
  const dns = await startNameServer(({ name, type }) => records[`${type} ${name}`] ?? { rcode: 'NXDOMAIN' });
  const peer = await startPeer(serve);
  closers.push(() => dns.close(), peer.close);
  const ports = createNodePorts({ dns: [dns.address], stubs: [] });
  const spfResolver = new Resolver();
  spfResolver.setServers([dns.address]);
  const gate = new Gate([{ cidr: '127.0.0.0/8', port: peer.port }]);
  const egress = [{ ip: IP, heloName: 'probe.d.test' }];
  const mailFrom = 'probe@d.test';
  return auditHost({ ports, spfResolver, gate, egress, mailFrom, hosts: ['mx.test'], mailboxes: [], ...plan }, signal);
}

const notOk = (findings: readonly Finding[]): string[] =>
  findings.filter(({ state }) => state !== 'ok').map(({ state, check, detail }) => `${state} ${check}: ${detail}`);

describe('auditHost', () => {
  it('finds nothing to fix on a host that receivers accept', async () => {
    const findings = await run({});
    expect(notOk(findings)).toEqual([]);
    expect(isClean(findings)).toBe(true);
    const checks = ['mx', 'port_25', 'address', 'ptr', 'forward', 'spf', 'listed'];
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(checks);
  });

  const cases: ReadonlyArray<readonly [string, Setting, readonly string[]]> = [
    [
      'no name of the address',
      { zone: { [PTR]: 'nodata' } },
      ['mend ptr: has no PTR record; ask your hosting provider to set it to probe.d.test'],
    ],
    ['another name of the address', { zone: { [PTR]: { ptr: ['x.isp.test'] } } }, ['mend ptr: its PTR is x.isp.test']],
    ['no answer about the address', { zone: { [PTR]: { rcode: 'SERVFAIL' } } }, ['unknown ptr: the resolver']],
    ['an EHLO name that leads nowhere', { zone: { 'A probe.d.test': 'nodata' } }, ['mend forward: has no address']],
    [
      'an EHLO name that leads elsewhere',
      { zone: { 'A probe.d.test': { ip: ['127.0.0.2'] } } },
      ['mend forward: resolves to 127.0.0.2, not to 127.0.0.1; add the A record 127.0.0.1'],
    ],
    [
      'no answer about the EHLO name',
      { zone: { 'A probe.d.test': { rcode: 'REFUSED' } } },
      ['unknown forward: the resolver'],
    ],
    [
      'no SPF record',
      { zone: { 'TXT d.test': { txt: [['hello']] } } },
      ['mend spf: has no SPF record; add the TXT record "v=spf1 ip4:127.0.0.1 -all"'],
    ],
    [
      'an SPF record without the address',
      { zone: { 'TXT d.test': { txt: [['v=spf1 ip4:192.0.2.1 ~all']] } } },
      ['mend spf: does not let 127.0.0.1 send (v=spf1 ip4:192.0.2.1 ~all); add ip4:127.0.0.1'],
    ],
    [
      'an SPF record that lets everybody send',
      { zone: { 'TXT d.test': { txt: [['v=spf1 +all']] } } },
      ['mend spf: lets everybody send'],
    ],
    [
      'an SPF record with an error',
      { zone: { 'TXT d.test': { txt: [['v=spf1 ip4:x']] } } },
      ['mend spf: has an SPF record that receivers cannot use: Invalid "ip4" term'],
    ],
    ['no answer about SPF', { zone: { 'TXT d.test': { rcode: 'SERVFAIL' } } }, ['unknown spf: the resolver']],
    [
      'an SPF record that lets this host and everybody else send',
      { zone: { 'TXT d.test': { txt: [['v=spf1 ip4:127.0.0.1 all']] } } },
      ['mend spf: lets everybody send; replace all with ip4:127.0.0.1 -all'],
    ],
    ['no MX', { zone: { 'MX d.test': 'nodata' } }, ['mend mx: has no MX record']],
    ['a null MX', { zone: { 'MX d.test': { mx: [[0, '']] } } }, ['mend mx: accepts no mail (null MX)']],
    [
      'an MX without an address',
      { zone: { 'A mx.test': 'nodata', 'A canary.test': { ip: [IP] } }, plan: { hosts: ['canary.test'] } },
      ['mend mx: its MX host mx.test has no address'],
    ],
    ['no answer about the MX', { zone: { 'MX d.test': { rcode: 'SERVFAIL' } } }, ['unknown mx: the resolver']],
    [
      'no server to try',
      { zone: { 'A mx.test': 'nodata' } },
      ['mend mx:', 'unknown port_25: no mail server with IPv4'],
    ],
    [
      'a closed port',
      { plan: { gate: new Gate([{ cidr: '127.0.0.0/8', port: 1 }]) } },
      ['mend port_25: mx.test [127.0.0.1]:1 cannot be reached'],
    ],
    [
      'a server that refuses this host',
      { serve: (socket) => socket.end('554 5.7.1 \u001bBlocked\r\n') },
      ['mend port_25: mx.test'],
    ],
    ['a server that ends before it greets', { serve: (socket) => socket.end() }, ['mend port_25: mx.test']],
    [
      'an address that this machine lacks',
      { plan: { egress: [{ ip: '192.0.2.1', heloName: 'probe.d.test' }] } },
      ['mend route: no route; check that this machine has the address'],
    ],
  ];
  it.each(cases)('%s: says what to change', async (_name, setting, expected) => {
    const found = notOk(await run(setting));
    expect(found).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(found.join('')).not.toMatch(/[\p{Cc}]/u);
  });

  it.each<[string, readonly [real: string, madeUp: string], string, string]>([
    ['accepts it alone', ['250 ok', '550 5.1.1 no such user'], 'ok', 'refuses a made-up one'],
    ['refuses everybody', ['550 5.1.1 no such user', '550 5.1.1 no such user'], 'mend', 'create it'],
    ['accepts everybody', ['250 ok', '250 ok'], 'mend', 'let it refuse unknown mailboxes'],
    ['defers', ['451 4.7.1 greylisted', '451 4.7.1 greylisted'], 'mend', 'let it answer this host'],
    ['refuses us', ['550 5.7.1 client host blocked', '550 5.7.1 client host blocked'], 'mend', 'CANARY_MAILBOX'],
  ])('asks about the mailbox that must exist, and its server %s', async (_what, [real, madeUp], state, words) => {
    const serve = (socket: Socket): void => {
      socket.write('220 mx.test ESMTP\r\n');
      socket.on('data', (bytes) => {
        const [line] = bytes.toString().split('\r\n');
        if (line?.startsWith('QUIT')) socket.end('221 bye\r\n');
        else if (line === 'RCPT TO:<postmaster@d.test>') socket.write(`${real}\r\n`);
        else socket.write(line?.startsWith('RCPT') ? `${madeUp}\r\n` : '250 mx.test hello [127.0.0.1]\r\n');
      });
      socket.on('end', () => socket.end());
    };
    const findings = await run({ serve, plan: { mailboxes: ['postmaster@d.test'] } });
    expect(findings.filter(({ check }) => check === 'mailbox')).toEqual([
      { check: 'mailbox', subject: 'postmaster@d.test', state, detail: expect.stringContaining(words) },
    ]);
  });

  it('learns from a server which address receivers see', async () => {
    const serve = answering(() => '250 mx.test at your service, [11.0.0.7]\r\n');
    const findings = await run({
      serve,
      zone: { 'A probe.d.test': { ip: ['11.0.0.7'] }, 'PTR 7.0.0.11.in-addr.arpa': { ptr: ['probe.d.test'] } },
    });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'address', state: 'ok', detail: 'receivers see 11.0.0.7' }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: 'ptr', subject: '11.0.0.7', state: 'ok' }));
    expect(notOk(findings)).toEqual([expect.stringContaining('mend spf: does not let 11.0.0.7 send')]);
  });

  it('skips the names of an address that no one outside can see, and says how to find it out', async () => {
    const serve = answering(() => '250 mx.test\r\n');
    const plan = { egress: [{ ip: null, heloName: 'probe.d.test' }] };
    expect(notOk(await run({ serve, plan }))).toEqual([
      expect.stringContaining('unknown address: no server reported the public address'),
    ]);
  });

  it('checks both families if the system chooses the address, and can do without IPv6', async () => {
    const egress = [{ ip: null, heloName: 'probe.d.test' }];
    const findings = await run({ plan: { egress } });
    expect(notOk(findings)).toEqual([]);
    expect(findings).toContainEqual({
      check: 'route',
      subject: 'default (IPv6)',
      state: 'ok',
      detail: expect.stringContaining('without IPv4'),
    });
  });

  it('checks every egress address', async () => {
    const egress = [
      { ip: IP, heloName: 'probe.d.test' },
      { ip: '127.0.0.2', heloName: 'probe2.d.test' },
    ];
    const serve = answering((socket) => `250 hello [${socket.remoteAddress}]\r\n`);
    const findings = await run({ serve, plan: { egress } });
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check, subject }) => `${check} ${subject}`)).toEqual([
      'ptr 127.0.0.2',
      'forward probe2.d.test',
      'spf d.test',
    ]);
  });
});

it('reverse names are spelled as in DNS', () => {
  expect(reverseName('192.0.2.7')).toBe('7.2.0.192.in-addr.arpa');
  expect(reverseName('2001:db8::7')).toBe(`7.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`);
});
