import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Evidence } from '../../schema/evidence.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { MailWorld, SIGNALS } from '../testing/mail-world.ts';
import { close, reset, type Script, silence } from '../testing/script.ts';
import { createEngine } from './batch.ts';
import type { Ports, Resolve } from './ports/ports.ts';
import { DEFAULTS, type EngineSettings } from './ports/settings.ts';
import { runs } from '../../schema/testing/fuzz.ts';

const SETTINGS: EngineSettings = {
  ...DEFAULTS,
  egress: [{ ip: null, heloName: 'probe.example.net' }],
  mailFrom: 'v@probe.example.net',
};

function boxes(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `u${i}@d.test`);
}

test('an existing address is accepted and the made-up mailbox is refused', async () => {
  const world = new MailWorld();
  const server = world.domain('one.test', { mailboxes: ['ann@one.test'] });
  expect(await world.probe(['ann@one.test'])).toEqual([
    {
      mx: ['mx.one.test'],
      mxFound: true,
      signals: SIGNALS,
      outcome: { kind: 'accepted', reply: { code: 250, enhanced: '2.1.5' }, madeUp: { kind: 'refused' } },
    },
  ]);
  expect(server.sessions[0]?.writes).toEqual([
    'EHLO probe.example.net\r\n',
    'MAIL FROM:<verify@probe.example.net>\r\nRCPT TO:<ann@one.test>\r\n',
    expect.stringMatching(/^RCPT TO:<[a-z]{18}@one\.test>\r\n$/),
    'QUIT\r\n',
  ]);
  expect(world.clock.pending).toBe(0);
  expect(world.bugs).toEqual([]);
});

/** A conversation that takes as long as a reply may. */
const SILENT_AT_MAIL: Script = { offers: [], on: (line) => (line.startsWith('MAIL') ? silence : undefined) };

test('as many domains are probed at a time as there are lanes, each by itself', async () => {
  const world = new MailWorld({ lanes: 3 });
  const domains = Array.from({ length: 9 }, (_, i) => `d${i}.test`);
  for (const domain of domains) world.domain(domain, SILENT_AT_MAIL);
  const atMs: number[] = [];
  await world.clock.finish(
    world.engine.probe({
      account: 0,
      recipients: domains.map((domain) => ({ local: 'a', domain })),
      signal: new AbortController().signal,
      deadlineMs: 1e9,
      report: () => atMs.push(world.clock.now()),
    }),
  );
  expect(atMs).toEqual([30_000, 30_000, 30_000, 60_000, 60_000, 60_000, 90_000, 90_000, 90_000]);
});

test('the deadline frees every socket and reports the recipients not reached', async () => {
  const world = new MailWorld({ lanes: 1 });
  const server = world.domain('d.test', SILENT_AT_MAIL);
  world.domain('e.test', {});
  const outcomes = await world.outcomes(['a@d.test', 'b@d.test', 'a@e.test'], 5000);
  expect(outcomes).toEqual([1, 2, 3].map(() => ({ kind: 'unprobed', why: 'deadline', waitS: null })));
  expect(server.sessions[0]?.closed).toBe(true);
  expect(world.clock.now()).toBe(5000);
  expect(world.clock.pending).toBe(0);
});

test('evidence about the domain also counts for recipients cut off by the deadline', async () => {
  const world = new MailWorld();
  world.mx('d.test', ['x.test', 'y.test']).host('x.test', ['11.1.0.1']).host('y.test', ['11.1.0.2']);
  world.serve('11.1.0.1', { greeting: '554 no\r\n' });
  world.serve('11.1.0.2', { greeting: silence });
  expect(await world.outcomes(['a@d.test', 'b@d.test'], 5000)).toEqual(
    [1, 2].map(() => ({ kind: 'no_banner', refused: true })),
  );
});

test('an address whose RCPT was outstanding at the deadline was probed, the next one was not', async () => {
  const world = new MailWorld();
  world.domain('d.test', { offers: [], rcpt: () => silence });
  expect(await world.outcomes(['a@d.test', 'b@d.test'], 5000)).toEqual([
    { kind: 'timeout', greeted: true },
    { kind: 'unprobed', why: 'deadline', waitS: null },
  ]);
});

test('an address accepted before the deadline is reported as accepted, its catch-all check as unfinished', async () => {
  const world = new MailWorld();
  world.domain('d.test', { rcpt: (mailbox) => (mailbox === 'a@d.test' ? '250 ok\r\n' : silence) });
  expect(await world.outcome('a@d.test', 5000)).toMatchObject({
    kind: 'accepted',
    madeUp: { kind: 'not_learnt', why: 'timeout' },
  });
});

test('a disconnected caller ends all work at once', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', { rcpt: () => silence });
  const gone = new AbortController();
  const reports: Evidence[] = [];
  const work = world.engine.probe({
    account: 0,
    recipients: [{ local: 'a', domain: 'd.test' }],
    signal: gone.signal,
    deadlineMs: 90_000,
    report: (_index, evidence) => reports.push(evidence),
  });
  await world.clock.settle();
  gone.abort();
  await work;
  expect(reports).toHaveLength(1);
  expect(server.sessions[0]?.closed).toBe(true);
  expect(world.clock.pending).toBe(0);
});

test('a batch that is over before it begins sends nothing', async () => {
  const world = new MailWorld();
  world.domain('d.test', {});
  expect(await world.outcomes(['a@d.test'], 0)).toEqual([{ kind: 'unprobed', why: 'deadline', waitS: null }]);
  expect(world.dialled).toEqual([]);
});

test('no bytes of an address reach the wire unless the parser accepts it', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {});
  for (const local of ['a\r\nDATA', 'a> SIZE=1', 'a b', '', 'a\0', '"a', 'x'.repeat(65)])
    expect(await world.outcome(`${local}@d.test`)).toEqual({ kind: 'unprobed', why: 'host', waitS: null });
  expect(await world.outcome('a@d.test\r\nDATA')).toMatchObject({ kind: 'unprobed' });
  expect(server.sessions).toEqual([]);
  expect(world.lookedUp).toEqual([]);
});

test('address domains are never resolved', async () => {
  const world = new MailWorld();
  const outcomes = await world.outcomes(['a@[127.0.0.1]', 'a@[ipv6:::1]', 'a@127.0.0.1', 'a@x.1', 'a@0x7f.1']);
  expect(outcomes).toEqual(outcomes.map(() => ({ kind: 'no_mail_domain', why: 'address_literal' })));
  expect(world.lookedUp).toEqual([]);
});

// A bug anywhere leads to a report for everyone, and costs only its own lane.

function breaking(where: 'mx' | 'addresses' | 'dial' | 'read' | 'random'): Ports {
  const world = new MailWorld();
  const fail = (): never => {
    throw new Error(`broken ${where}`);
  };
  return {
    clock: new FakeClock(),
    random: where === 'random' ? fail : () => 0,
    resolveFor: () => ({
      mx: async (domain) => {
        if (where === 'mx' && domain === 'bad.test') fail();
        const records = [10, 10].map((preference, i) => ({ exchange: `mx${i}.${domain}`, preference }));
        return domain === 'bad.test' ? { kind: 'found', records } : { kind: 'nxdomain' };
      },
      addresses: async () => {
        if (where === 'addresses') fail();
        return { addresses: [{ ip: '11.1.1.1', declared: false }], certain: true };
      },
    }),
    dial: async () => {
      if (where === 'dial') fail();
      const connection = world.serve('11.1.1.1', {}).connect(null);
      return {
        kind: 'connected',
        connection: {
          read: () => fail(),
          write: () => fail(),
          startTls: async () => fail(),
          end: () => connection.end(),
          destroy: () => connection.destroy(),
        },
      };
    },
  };
}

test.each(['mx', 'addresses', 'dial', 'read', 'random'] as const)('a bug in %s loses no report', async (where) => {
  const bugs: unknown[] = [];
  const engine = createEngine(breaking(where), { ...SETTINGS, onBug: (error) => bugs.push(error) }, () => SIGNALS);
  const reports = new Map<number, Evidence>();
  await engine.probe({
    account: 0,
    recipients: ['bad.test', 'bad.test', 'other.test'].map((domain, i) => ({ local: `a${i}`, domain })),
    signal: new AbortController().signal,
    deadlineMs: 90_000,
    report: (index, evidence) => reports.set(index, evidence),
  });
  expect([0, 1].map((i) => reports.get(i)?.outcome)).toEqual(
    [0, 1].map(() => ({ kind: 'unprobed', why: 'host', waitS: null })),
  );
  expect(reports.get(2)?.outcome).toEqual({ kind: 'no_mail_domain', why: 'nxdomain' });
  expect(bugs).toHaveLength(1);
});

test('failing signals leave the evidence complete, and a failing report leaves the others', async () => {
  const bugs: unknown[] = [];
  const engine = createEngine(breaking('mx'), { ...SETTINGS, onBug: (error) => bugs.push(error) }, () => {
    throw new Error('broken signals');
  });
  const seen: number[] = [];
  const signals: Evidence['signals'][] = [];
  await engine.probe({
    account: 0,
    recipients: ['x.test', 'y.test', 'z.test'].map((domain) => ({ local: 'a', domain })),
    signal: new AbortController().signal,
    deadlineMs: 90_000,
    report: (index, evidence) => {
      seen.push(index);
      signals.push(evidence.signals);
      if (index === 1) throw new Error('broken report');
    },
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  expect(signals).toEqual(seen.map(() => ({ disposable: false, free: false, role: false, typoOf: null })));
  expect(bugs).toHaveLength(4);
});

const WILD_REPLIES = [
  '250 ok\r\n',
  '250 2.1.5 ok\r\n',
  '550 5.1.1 no such\r\n',
  '450 later\r\n',
  '421 bye\r\n',
  '452 4.5.3 too many\r\n',
  '550 5.7.1 no\r\n',
  '550 relay\r\n',
  '530 5.7.0 STARTTLS\r\n',
  'x\r\n',
  '250 a\r\n250 b\r\n',
  '354 go\r\n',
  '25',
] as const;

test('reports every address once and in time for any servers, and leaves no socket or timer', async () => {
  const act = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...WILD_REPLIES) },
    fc.constantFrom(silence, [close], [reset]),
  );
  const wild = fc.record({
    greeting: fc.option(act, { nil: undefined }),
    replies: fc.array(act, { minLength: 1, maxLength: 12 }),
    pipelining: fc.boolean(),
    /** How often a command gets a wild reply instead of an honest one. */
    rate: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const hosts = fc.array(wild, { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(hosts, fc.integer({ min: 1, max: 12 }), fc.boolean(), async (scripts, count, tls) => {
      const world = new MailWorld({ startTls: tls ? 'always' : 'when_demanded' });
      world.mx(
        'd.test',
        scripts.map((_, i) => `mx.h${i}.test`),
      );
      const servers = scripts.map(({ greeting, replies, pipelining, rate }, i) => {
        let n = 0;
        const script: Script = {
          offers: pipelining ? ['PIPELINING', 'STARTTLS'] : ['STARTTLS'],
          mailboxes: boxes(6),
          on: () => {
            n += 1;
            return (n * 7919) % 100 < rate * 100 ? replies[n % replies.length] : undefined;
          },
          ...(greeting === undefined ? {} : { greeting }),
        };
        world.host(`mx.h${i}.test`, [`11.200.0.${i}`]);
        return world.serve(`11.200.0.${i}`, script);
      });
      await world.probe(boxes(count), 90_000);
      expect(world.clock.now()).toBeLessThanOrEqual(90_000);
      expect(world.clock.pending).toBe(0);
      expect(world.bugs).toEqual([]);
      for (const { sessions } of servers) {
        expect(sessions.every(({ closed }) => closed)).toBe(true);
        expect(sessions.length).toBeLessThanOrEqual(2 * count + 8);
      }
    }),
    { numRuns: runs(100) },
  );
});

test.each([
  [{ kind: 'failed' }, { kind: 'unprobed', why: 'deadline', waitS: null }],
  [{ kind: 'nxdomain' }, { kind: 'no_mail_domain', why: 'nxdomain' }],
] as const)('partial results of a lookup cut off by the deadline count: %j', async (answer, outcome) => {
  const clock = new FakeClock();
  const { dial, random } = breaking('dial');
  const resolve: Resolve = {
    mx: (_domain, signal) =>
      new Promise((done) => {
        signal.addEventListener('abort', () => done(answer));
      }),
    addresses: async () => ({ addresses: [], certain: true }),
  };
  const reports: Evidence[] = [];
  await clock.finish(
    createEngine({ clock, dial, random, resolveFor: () => resolve }, SETTINGS, () => SIGNALS).probe({
      account: 0,
      recipients: [{ local: 'a', domain: 'd.test' }],
      signal: new AbortController().signal,
      deadlineMs: 5000,
      report: (_index, evidence) => reports.push(evidence),
    }),
  );
  expect(reports.map((evidence) => evidence.outcome)).toEqual([outcome]);
});
