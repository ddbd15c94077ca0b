import { describe, expect, it } from 'vitest';
import { Cancel } from '../../engine/ports/cancel.ts';
import type {
  AddressAnswer,
  Connection,
  DialAnswer,
  DialTarget,
  MxAnswer,
  Ports,
  ReadAnswer,
  Resolve,
} from '../../engine/ports/ports.ts';
import { Gate } from '../../engine/targets/targets.ts';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { BUILT_IN_CANARIES, type Canaries, NO_CANARIES } from '../../base/canaries.ts';
import { areComplete, askCanaries, type Asking, type Check, hasCanaries, type Scope } from './canaries.ts';

const CANARIES: Canaries = {
  name: ['there.example'],
  missing: ['not-there.example'],
  host: ['mx.example'],
  refusing: [],
  mailbox: [],
};
const HOST = {
  gate: new Gate([]),
  egress: [{ ip: null, heloName: 'probe.example' }],
  mailFrom: 'verify@probe.example',
};
const FOUND: MxAnswer = { kind: 'found', records: [{ exchange: 'mx.example', preference: 1 }] };
const utf8 = new TextEncoder();

type FakeServers = {
  readonly name?: MxAnswer;
  readonly missing?: MxAnswer;
  readonly addresses?: AddressAnswer;
  /** What the canary host sends, piece by piece; null: it cannot be dialled. */
  readonly says?: readonly string[] | null;
};

type FakePorts = Pick<Ports, 'dial' | 'clock' | 'random'> & { readonly resolve: Resolve };

function ports(world: FakeServers, dialled: string[] = []): FakePorts {
  return {
    clock: new FakeClock(),
    random: () => 0.5,
    resolve: {
      mx: (domain) =>
        Promise.resolve(
          CANARIES.name.includes(domain) ? (world.name ?? FOUND) : (world.missing ?? { kind: 'nxdomain' }),
        ),
      addresses: () =>
        Promise.resolve(world.addresses ?? { addresses: [{ ip: '8.8.8.1', declared: false }], certain: true }),
    },
    dial({ ip }): Promise<DialAnswer> {
      dialled.push(ip);
      const says = world.says === undefined ? ['220 mx.example ESMTP\r\n'] : world.says;
      return Promise.resolve(says === null ? { kind: 'failed' } : { kind: 'connected', connection: speaker(says) });
    },
  };
}

function speaker(pieces: readonly string[]): Connection {
  const rest = [...pieces];
  return {
    read(done: (answer: ReadAnswer) => void): void {
      const piece = rest.shift();
      done(piece === undefined ? { kind: 'closed' } : { kind: 'bytes', bytes: utf8.encode(piece) });
    },
    write: () => {},
    startTls: () => Promise.resolve('failed'),
    end: () => {},
    destroy: () => {},
  };
}

/** This host, unless told otherwise, asks about these canaries. */
const ask = (asking: Pick<Asking, 'ports' | 'canaries'> & Partial<Asking>, scope: Scope = 'all'): Promise<Check> =>
  askCanaries({ ...HOST, ...asking }, scope, new AbortController().signal);

const failures = async (world: FakeServers, canaries: Canaries = CANARIES): Promise<readonly string[]> =>
  (await ask({ ports: ports(world), canaries })).failures;

describe('askCanaries', () => {
  it.each<[string, FakeServers, readonly string[]]>([
    ['all is well', {}, []],
    ['the name that exists has no MX', { name: { kind: 'none' } }, []],
    ['the name that exists is said not to', { name: { kind: 'nxdomain' } }, ['name']],
    ['the resolver does not answer', { name: { kind: 'failed' }, missing: { kind: 'failed' } }, ['name', 'missing']],
    ['the resolver invents names', { missing: { kind: 'none' } }, ['missing']],
    ['the canary host cannot be reached', { says: null }, ['host']],
    ['the canary host has no address', { addresses: { addresses: [], certain: true } }, ['host']],
    ['the canary host refuses us', { says: ['554 go away\r\n'] }, ['host']],
    ['the canary host closes the connection', { says: [] }, ['host']],
    ['the greeting comes in pieces', { says: ['2', '2', '0 x\r\n'] }, []],
  ])('reports what failed if %s', async (_name, world, expected) => {
    expect(await failures(world)).toEqual(expected);
  });

  it('only asks the configured canaries', async () => {
    const nothing: FakeServers = { name: { kind: 'failed' }, missing: { kind: 'failed' }, says: null };
    expect(await failures(nothing, NO_CANARIES)).toEqual([]);
    expect(await failures(nothing, { ...NO_CANARIES, name: CANARIES.name })).toEqual(['name']);
  });

  it('dials no server if only names are in doubt', async () => {
    const dialled: string[] = [];
    const world = ports({ says: null, missing: { kind: 'none' } }, dialled);
    expect((await ask({ ports: world, canaries: CANARIES }, 'names')).failures).toEqual(['missing']);
    expect(dialled).toEqual([]);
  });

  it('dials one address per family', async () => {
    const addresses = ['10.0.0.1', '2606:4700::1', '8.8.8.2'].map((ip) => ({ ip, declared: false }));
    const dialled: string[] = [];
    await ask({ ports: ports({ addresses: { addresses, certain: true } }, dialled), canaries: CANARIES });
    expect(dialled).toEqual(['8.8.8.2', '2606:4700::1']);
  });
});

/** Names that exist, do not exist, or get no answer; hosts that greet or cannot be dialled: by their names. */
function manyPorts(): FakePorts & { readonly asked: string[] } {
  const asked: string[] = [];
  const byName = (name: string): MxAnswer => {
    asked.push(name);
    if (name.startsWith('there')) return FOUND;
    return { kind: name.startsWith('silent') ? 'failed' : 'nxdomain' };
  };
  return {
    ...ports({}),
    asked,
    resolve: {
      mx: (name, signal) =>
        name.startsWith('hangs')
          ? new Promise((done) => signal.addEventListener('abort', () => done({ kind: 'failed' })))
          : Promise.resolve(byName(name)),
      addresses: async (host) => ({
        addresses: host.startsWith('up') ? [{ ip: '8.8.8.1', declared: false }] : [],
        certain: true,
      }),
    },
  };
}

const check = (canaries: Partial<Canaries>): Promise<Check> =>
  ask({ ports: manyPorts(), canaries: { ...NO_CANARIES, ...canaries } });

/** Mail servers that answer RCPT as configured by name, reachable only from some addresses. */
function mailboxes(replies: Readonly<Record<string, string>>, getsThrough: (from: string | null) => boolean) {
  const said: string[] = [];
  const write = (text: string): void => void said.push(text);
  const world = ports({});
  const names = Object.keys(replies);
  const asking = {
    canaries: { ...NO_CANARIES, refusing: names },
    ports: {
      ...world,
      resolve: {
        mx: async (domain: string): Promise<MxAnswer> => ({
          kind: 'found',
          records: [{ exchange: `mx.${domain}`, preference: 1 }],
        }),
        addresses: async (host: string): Promise<AddressAnswer> => ({
          addresses: [{ ip: `8.8.8.${1 + names.indexOf(host.slice(3))}`, declared: false }],
          certain: true,
        }),
      },
      dial: async ({ ip, from }: DialTarget): Promise<DialAnswer> => {
        if (!getsThrough(from)) return { kind: 'failed' };
        const reply = replies[names[Number(ip.split('.')[3]) - 1] ?? ''] ?? '';
        const told = reply.split('|').map((line) => `${line}\r\n`);
        const talks = speaker(['220 mx\r\n', '250 mx\r\n', '250 ok\r\n', ...told]);
        return { kind: 'connected', connection: { ...talks, write } };
      },
    },
  };
  return { asking, said };
}
const ALL_ADDRESSES = (): boolean => true;

describe('a mailbox that cannot exist', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['refused by most', { a: '550 5.1.1 no such user', b: '550 unknown', c: '250 ok' }, []],
    ['accepted by most', { a: '550 5.1.1 no such user', b: '250 ok', c: '250 ok' }, ['mailbox']],
    ['deferred by most', { a: '550 5.1.1 no such user', b: '451 4.7.1 later', c: '450 later' }, ['mailbox']],
  ])('%s', async (_what, replies, expected) => {
    const { asking, said } = mailboxes(replies, ALL_ADDRESSES);
    expect((await ask(asking)).failures).toEqual(expected);
    expect(said.filter((line) => line.startsWith('RCPT')).length).toBeGreaterThan(1);
    for (const line of said) expect(line).not.toMatch(/^DATA/i);
    expect(said).toContainEqual(expect.stringMatching(/^RCPT TO:<[a-z]{18}@[abc]>\r\n$/));
    expect(said).toContain('EHLO probe.example\r\n');
  });

  it('is only asked about in full checks, and not whenever something is in doubt', async () => {
    const { asking, said } = mailboxes({ a: '250 ok' }, ALL_ADDRESSES);
    expect((await ask(asking, 'reach')).failures).toEqual([]);
    expect(said).toEqual([]);
  });
});

/** The servers of one or more mailboxes that must exist, each with its reply to that and to a made-up one. */
async function checked(pairs: readonly string[], getsThrough = ALL_ADDRESSES): Promise<Check> {
  const { asking } = mailboxes(Object.fromEntries(pairs.map((pair, n) => [`d${n}`, pair])), getsThrough);
  const canaries = { ...NO_CANARIES, mailbox: pairs.map((_, n) => `postmaster@d${n}`) };
  return ask({ ...asking, canaries });
}

type Result = 'well' | 'sick' | 'unclear';
function resultOf(found: Check): Result {
  if (found.failures.length > 0) return 'sick';
  return found.unclear.length > 0 ? 'unclear' : 'well';
}

describe('a mailbox that must exist', () => {
  const UNKNOWN = '550 5.1.1 no such user';
  const POLICY = '550 5.7.1 client host blocked using a block list';
  const RELAY = '554 5.7.1 <x@y>: Relay access denied';
  const FULL = '452 4.2.2 mailbox full';

  it.each<[string, readonly string[], Result]>([
    ['is told from one that cannot', [`250 ok|${UNKNOWN}`], 'well'],
    ['and the other are refused', [`${UNKNOWN}|${UNKNOWN}`], 'sick'],
    ['and the other are refused by different words', ['550 mailbox unavailable|553 no such recipient here'], 'sick'],
    ['and the other are denied relaying', [`${RELAY}|${RELAY}`], 'sick'],
    ['and the other are accepted', ['250 ok|250 ok'], 'unclear'],
    ['and the other are refused because of us', [`${POLICY}|${POLICY}`], 'unclear'],
    ['is refused because of us, the other as a mailbox', [`${POLICY}|${UNKNOWN}`], 'unclear'],
    ['is refused, the other because of us', [`${UNKNOWN}|${POLICY}`], 'unclear'],
    ['is deferred', [`451 4.7.1 greylisted|${UNKNOWN}`], 'unclear'],
    ['is full', [`${FULL}|${UNKNOWN}`], 'unclear'],
    ['and the other are deferred', ['450 later|450 later'], 'unclear'],
    ['is refused, the other accepted', [`${UNKNOWN}|250 ok`], 'unclear'],
    ['is refused, and the session is lost', [UNKNOWN], 'unclear'],
    ['and the other meet words that nobody knows', ['550 zzz|550 zzz'], 'unclear'],
    ['is one of two, and the other is gone', [`250 ok|${UNKNOWN}`, `${UNKNOWN}|${UNKNOWN}`], 'well'],
    ['is gone, and the other is not reached', [`${UNKNOWN}|${UNKNOWN}`, '421 busy'], 'sick'],
    ['is told from one that cannot, beside one that is unclear', ['250 ok|250 ok', `250 ok|${UNKNOWN}`], 'well'],
    ['is gone, as all but one', [`${UNKNOWN}|${UNKNOWN}`, `${UNKNOWN}|${UNKNOWN}`, `250 ok|${UNKNOWN}`], 'sick'],
  ])('%s', async (_what, pairs, result) => {
    expect(resultOf(await checked(pairs))).toBe(result);
  });

  it('is not reached', async () => {
    expect(await checked(['250 ok|250 ok'], () => false)).toEqual({ failures: [], egress: [], unclear: [0] });
  });

  it('is asked about from each address, with the made-up one in the same transaction, and only in full checks', async () => {
    const { asking, said } = mailboxes({ d0: `250 ok|${UNKNOWN}` }, (from) => from !== '192.0.2.2');
    const egress = ['192.0.2.1', '192.0.2.2'].map((ip) => ({ ip, heloName: 'probe.example' }));
    const one = { ...asking, egress, canaries: { ...NO_CANARIES, mailbox: ['postmaster@d0'] } };
    await ask(one, 'reach');
    expect(said).toEqual([]);
    expect(await ask(one)).toMatchObject({ failures: [], unclear: [1] });
    expect(said).toEqual([
      'EHLO probe.example\r\n',
      'MAIL FROM:<verify@probe.example>\r\n',
      'RCPT TO:<postmaster@d0>\r\n',
      expect.stringMatching(/^RCPT TO:<[a-z]{18}@d0>\r\n$/),
      'QUIT\r\n',
    ]);
  });
});

describe('a host with several addresses', () => {
  const egress = ['192.0.2.1', '192.0.2.2', '2001:db8::1'].map((ip) => ({ ip, heloName: 'probe.example' }));

  it('checks each of them, and reports those that do not work', async () => {
    const { asking } = mailboxes({ a: '550 no', b: '550 no' }, (from) => from !== '192.0.2.2');
    const found = await ask({ ...asking, egress });
    expect([found.failures, found.egress]).toEqual([['mailbox'], [1]]);
  });

  it('is greeted at each, with IPv6 only by servers that have it', async () => {
    const dialled: (string | null)[] = [];
    const world = ports({});
    const dial = (target: DialTarget): Promise<DialAnswer> => {
      dialled.push(target.from);
      return target.from === '192.0.2.1' ? Promise.resolve({ kind: 'failed' }) : world.dial(target, new Cancel());
    };
    const found = await ask({ egress, canaries: CANARIES, ports: { ...world, dial } }, 'reach');
    expect([found.failures, found.egress, dialled]).toEqual([['host'], [0], ['192.0.2.1', '192.0.2.2']]);
  });
});

describe('a list of canaries', () => {
  it.each<[string, Partial<Canaries>, boolean]>([
    ['one of three names is dead', { name: ['there1', 'silent', 'there2'] }, true],
    ['one of two names is dead', { name: ['silent', 'there'] }, true],
    ['two of three names are dead', { name: ['silent', 'there', 'gone'] }, false],
    ['one of three missing names exists by now', { missing: ['there', 'gone1', 'gone2'] }, true],
    ['the resolver invents most names', { missing: ['there1', 'there2', 'gone'] }, false],
    ['two of five hosts are down', { host: ['up1', 'down1', 'up2', 'down2', 'up3'] }, true],
    ['three of five hosts are down', { host: ['up1', 'down1', 'up2', 'down2', 'down3'] }, false],
    ['one of three hangs, which is not waited for', { name: ['hangs', 'there1', 'there2'] }, true],
    ['one of three hangs, and the others are dead', { name: ['hangs', 'gone1', 'gone2'] }, false],
  ])('passes if half of it does: %s', async (_name, canaries, passes) => {
    expect((await check(canaries)).failures).toEqual(passes ? [] : Object.keys(canaries));
  });

  it('uses a made-up name in a zone, so that no one can own it', async () => {
    const world = manyPorts();
    await ask({ ports: world, canaries: { ...NO_CANARIES, missing: ['.invalid'] } });
    expect(world.asked).toEqual([expect.stringMatching(/^[a-z]{18}\.invalid$/)]);
  });
});

it('the built-in canaries cover all that a host needs, with several owners each', () => {
  expect(areComplete({ ...NO_CANARIES, ...BUILT_IN_CANARIES })).toBe(true);
  expect(BUILT_IN_CANARIES.name.length).toBeGreaterThanOrEqual(5);
  expect(BUILT_IN_CANARIES.host.length).toBeGreaterThanOrEqual(5);
});

it.each<[Partial<Canaries>, boolean, boolean]>([
  [{}, false, false],
  [{ name: ['there.example'] }, true, false],
  [{ missing: ['not-there.example'] }, true, false],
  [{ host: ['mx.example'] }, true, false],
  [CANARIES, true, true],
])('a host with %j checks itself: %s, and completely: %s', (given, expected, complete) => {
  const canaries = { ...NO_CANARIES, ...given };
  expect(hasCanaries(canaries)).toBe(expected);
  expect(areComplete(canaries)).toBe(complete);
});
