import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNameServer, type NameServer, type Say } from '../testing/name-server.ts';
import type { MxAnswer, Resolve, Resolved } from '../engine/ports/ports.ts';
import { createResolve } from './resolve.ts';
import type { ResolveOptions } from './scope.ts';

const never = new AbortController().signal;

/** The main server's answers, by the first label of the name; other names do not exist. */
const WORLD: Readonly<Record<string, { readonly [type: string]: Say }>> = {
  plain: {
    MX: {
      mx: [
        [20, 'b.plain.test'],
        [10, 'A.Plain.TEST'],
      ],
    },
  },
  null: { MX: { mx: [[0, '']] } },
  none: { MX: 'nodata', A: 'nodata', AAAA: 'nodata' },
  servfail: { MX: { rcode: 'SERVFAIL' }, A: { rcode: 'SERVFAIL' }, AAAA: { rcode: 'SERVFAIL' } },
  refused: { MX: { rcode: 'REFUSED' } },
  notimp: { MX: { rcode: 'NOTIMP' } },
  formerr: { MX: { rcode: 'FORMERR' } },
  junk: {
    MX: {
      mx: [
        [3, '192.0.2.1'],
        [1, 'bad name.test'],
      ],
    },
  },
  many: { MX: { mx: Array.from({ length: 300 }, (_, i) => [300 - i, `mx${i}.many.test`] as const) } },
  both: { A: { ip: ['192.0.2.1', '192.0.2.2'] }, AAAA: { ip: ['2001:db8::1'] } },
  v4: { A: { ip: ['192.0.2.1'] }, AAAA: 'nodata' },
  halfknown: { A: { ip: ['192.0.2.1'] }, AAAA: { rcode: 'SERVFAIL' } },
  silent: { MX: 'silence', A: 'silence', AAAA: 'silence' },
  crowd: { A: { ip: Array.from({ length: 200 }, (_, i) => `192.0.2.${i}`) }, AAAA: 'nodata' },
};
const aliasTo = (leadsTo: Say): Say => ({ cname: 'b.example', leadsTo });
const movedTo = (leadsTo: Say): Say => ({ dname: ['test', 'example'], leadsTo });

let server: NameServer;
let stub: NameServer;

beforeAll(async () => {
  server = await startNameServer(({ name, type }) => WORLD[name.split('.')[0] ?? '']?.[type] ?? { rcode: 'NXDOMAIN' });
  stub = await startNameServer(({ type }) => (type === 'A' ? { ip: ['127.0.0.9'] } : 'nodata'));
});
afterAll(async () => {
  await server.close();
  await stub.close();
});

const resolverOf = (options: ResolveOptions): Resolve => createResolve(options)(0);
const resolver = (): Resolve => resolverOf({ dns: [server.address], stubs: [] });

describe('mx', () => {
  it.each([
    ['nothing.test', { kind: 'nxdomain' }],
    ['none.test', { kind: 'none' }],
    ['servfail.test', { kind: 'failed' }],
    ['refused.test', { kind: 'failed' }],
    ['notimp.test', { kind: 'failed' }],
    ['formerr.test', { kind: 'failed' }],
    ['null.test', { kind: 'found', records: [{ exchange: '', preference: 0 }] }],
  ])('answers %s with %j', async (domain, answer) => {
    expect(await resolver().mx(domain, never)).toEqual(answer);
  });

  it('returns the hosts in lower case and in order of preference', async () => {
    expect(await resolver().mx('plain.test', never)).toEqual({
      kind: 'found',
      records: [
        { exchange: 'a.plain.test', preference: 10 },
        { exchange: 'b.plain.test', preference: 20 },
      ],
    });
  });

  it('passes on exchanges that are not host names, so that they do not look like a null MX', async () => {
    expect(await resolver().mx('junk.test', never)).toEqual({
      kind: 'found',
      records: [
        { exchange: 'bad name.test', preference: 1 },
        { exchange: '192.0.2.1', preference: 3 },
      ],
    });
    expect(await resolver().addresses('bad name.test', never)).toEqual({ addresses: [], certain: true });
  });

  it('keeps the 100 most preferred of 300 records', async () => {
    const answer = await resolver().mx('many.test', never);
    const records = answer.kind === 'found' ? answer.records : [];
    expect(records.map((record) => record.preference)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it.each<[string, Say, MxAnswer['kind']]>([
    ['an alias', aliasTo({ mx: [[5, 'mx.test']] }), 'found'],
    ['a chain of aliases', aliasTo(aliasTo(aliasTo({ mx: [[5, 'mx.test']] }))), 'found'],
    ['an alias of a name without MX', aliasTo('nodata'), 'none'],
    ['a chain of aliases to one', aliasTo(aliasTo('nodata')), 'none'],
    ['an alias of a name that does not exist', aliasTo({ rcode: 'NXDOMAIN' }), 'nxdomain'],
    ['an alias of a name that nobody answers for', aliasTo({ rcode: 'SERVFAIL' }), 'failed'],
    ['an alias of a whole zone', movedTo({ mx: [[5, 'mx.test']] }), 'found'],
    ['an alias of a whole zone, to a name without MX', movedTo('nodata'), 'none'],
    ['the same, and further', movedTo(aliasTo('nodata')), 'none'],
    ['an alias of a whole zone, to a name that does not exist', movedTo({ rcode: 'NXDOMAIN' }), 'nxdomain'],
  ])('follows %s', async (_what, said, kind) => {
    const own = await startNameServer(() => said);
    const port = resolverOf({ dns: [own.address], stubs: [] });
    expect((await port.mx('a.test', never)).kind).toBe(kind);
    const addresses: Resolved[] = [];
    expect(await port.addresses('a.test', never)).toEqual({ addresses, certain: kind !== 'failed' });
    await own.close();
  });

  it('asks again each time, without a cache', async () => {
    const before = server.asked.length;
    const port = resolver();
    for (const name of ['plain.test', 'plain.test', 'nothing.test', 'nothing.test']) await port.mx(name, never);
    await Promise.all([port.mx('plain.test', never), port.mx('plain.test', never)]);
    expect(server.asked.length - before).toBe(6);
  });

  it.each(['xn--a.test', 'mx.xn--a-ecp.test', 'xn--mnchen-3ya.test', 'a_b.test', '_x.test', 'a--b.test', 'a-.test'])(
    'asks for %s as it is, whatever IDNA says of it',
    async (name) => {
      expect(await resolver().mx(name, never)).toEqual({ kind: 'nxdomain' });
      expect(server.asked.at(-1)).toMatchObject({ name, type: 'MX' });
    },
  );

  it('looks up a name of one label as it is, without a search list', async () => {
    expect(await resolver().mx('plain', never)).toMatchObject({ kind: 'found' });
    expect(server.asked.at(-1)).toMatchObject({ name: 'plain', type: 'MX' });
  });

  it.each([
    'localhost',
    'a.localhost',
    '192.0.2.1',
    '',
    'a b.test',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(127)}test`,
  ])('never asks about %j, which has no MX', async (name) => {
    const before = server.asked.length;
    expect(await resolver().mx(name, never)).toEqual({ kind: 'nxdomain' });
    expect(server.asked.length).toBe(before);
  });

  it('ends a lookup as soon as the signal fires, and keeps no listener', async () => {
    const abort = new AbortController();
    const answer = resolver().mx('silent.test', abort.signal);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    expect(await answer).toEqual({ kind: 'failed' });
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
    expect(await resolver().mx('plain.test', abort.signal)).toEqual({ kind: 'failed' });
  });
});

describe('addresses', () => {
  const declared = true;

  it.each([
    ['nothing.test', [], true],
    ['none.test', [], true],
    ['v4.test', ['192.0.2.1'], true],
    ['both.test', ['192.0.2.1', '192.0.2.2', '2001:db8::1'], true],
    ['halfknown.test', ['192.0.2.1'], false],
    ['servfail.test', [], false],
    ['192.0.2.1', [], true],
    ['localhost', [], true],
    ['', [], true],
  ])('of %s are %j, certain: %s', async (host, ips, certain) => {
    const addresses = ips.map((ip) => ({ ip, declared }));
    expect(await resolver().addresses(host, never)).toEqual({ addresses, certain });
  });

  it('are at most 32 per family', async () => {
    expect((await resolver().addresses('crowd.test', never)).addresses).toHaveLength(32);
  });
});

describe('accounts that share a server', () => {
  it("do not wait for each other's unanswered lookups", async () => {
    const resolveFor = createResolve({ dns: [server.address], stubs: [] });
    const abort = new AbortController();
    const stuck = Array.from({ length: 1_000 }, () => resolveFor(1).mx('silent.test', abort.signal));
    expect(await resolveFor(2).mx('plain.test', never)).toMatchObject({ kind: 'found' });
    expect(await resolveFor('host').addresses('v4.test', never)).toMatchObject({ certain: true });
    abort.abort();
    expect(await Promise.all(stuck)).toEqual(stuck.map(() => ({ kind: 'failed' })));
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });
});

describe('the choice of a server', () => {
  it('sends a stub zone to its own server, the longest zone first, and nothing else', async () => {
    const zones = [
      { zone: 'test', server: server.address },
      { zone: 'inner.test', server: stub.address },
    ];
    const port = resolverOf({ dns: ['127.0.0.1:1'], stubs: zones });
    expect((await port.addresses('inner.test', never)).addresses).toEqual([{ ip: '127.0.0.9', declared: true }]);
    expect((await port.addresses('v4.inner.test', never)).addresses).toEqual([{ ip: '127.0.0.9', declared: true }]);
    expect((await port.addresses('v4.test', never)).addresses).toEqual([{ ip: '192.0.2.1', declared: true }]);
    expect(await port.addresses('v4.notinner.example', never)).toEqual({ addresses: [], certain: false });
  });
});
