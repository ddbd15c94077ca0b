import { describe, expect, it } from 'vitest';
import type {
  AddressAnswer,
  Connection,
  DialAnswer,
  MxAnswer,
  Ports,
  ReadAnswer,
  Resolve,
} from '../engine/ports/ports.ts';
import { FakeClock } from '../../schema/testing/fake-clock.ts';
import { askCanaries, type Canaries, hasCanaries } from './canaries.ts';

const CANARIES: Canaries = { name: 'there.example', missing: 'not-there.example', host: 'mx.example' };
const FOUND: MxAnswer = { kind: 'found', records: [{ exchange: 'mx.example', preference: 1 }] };
const utf8 = new TextEncoder();

type World = {
  readonly name?: MxAnswer;
  readonly missing?: MxAnswer;
  readonly addresses?: AddressAnswer;
  /** What the canary host says, piece by piece; null: it cannot be dialled. */
  readonly says?: readonly string[] | null;
};

function ports(world: World, dialled: string[] = []): Pick<Ports, 'dial' | 'clock'> & { readonly resolve: Resolve } {
  return {
    clock: new FakeClock(),
    resolve: {
      mx: (domain) =>
        Promise.resolve(domain === CANARIES.name ? (world.name ?? FOUND) : (world.missing ?? { kind: 'nxdomain' })),
      addresses: () =>
        Promise.resolve(world.addresses ?? { addresses: [{ ip: '192.0.2.1', declared: false }], certain: true }),
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
    read(): Promise<ReadAnswer> {
      const piece = rest.shift();
      return Promise.resolve(piece === undefined ? { kind: 'closed' } : { kind: 'bytes', bytes: utf8.encode(piece) });
    },
    write: () => {},
    startTls: () => Promise.resolve('failed'),
    end: () => {},
    destroy: () => {},
  };
}

async function failures(world: World, canaries: Canaries = CANARIES): Promise<readonly string[]> {
  const { signal } = new AbortController();
  return (await askCanaries(ports(world), canaries, () => true, signal)).failures;
}

describe('askCanaries', () => {
  it.each<[string, World, readonly string[]]>([
    ['all is well', {}, []],
    ['the name that exists has no MX', { name: { kind: 'none' } }, []],
    ['the name that exists is said not to', { name: { kind: 'nxdomain' } }, ['name']],
    ['the resolver does not answer', { name: { kind: 'failed' }, missing: { kind: 'failed' } }, ['name', 'missing']],
    ['the resolver invents names', { missing: { kind: 'none' } }, ['missing']],
    ['the canary host cannot be reached', { says: null }, ['host']],
    ['the canary host has no address', { addresses: { addresses: [], certain: true } }, ['host']],
    ['the canary host refuses us', { says: ['554 go away\r\n'] }, ['host']],
    ['the canary host hangs up', { says: [] }, ['host']],
    ['the greeting comes in pieces', { says: ['2', '2', '0 x\r\n'] }, []],
  ])('says what failed if %s', async (_name, world, expected) => {
    expect(await failures(world)).toEqual(expected);
  });

  it('asks only for the canaries that are configured', async () => {
    const nothing: World = { name: { kind: 'failed' }, missing: { kind: 'failed' }, says: null };
    expect(await failures(nothing, { name: null, missing: null, host: null })).toEqual([]);
    expect(await failures(nothing, { ...CANARIES, missing: null, host: null })).toEqual(['name']);
  });

  it('notes the address families in which the canary host greets', async () => {
    const addresses = ['192.0.2.1', '2001:db8::1', '192.0.2.2'].map((ip) => ({ ip, declared: false }));
    const dialled: string[] = [];
    const world = ports({ addresses: { addresses, certain: true } }, dialled);
    const { families } = await askCanaries(world, CANARIES, (ip) => ip !== '192.0.2.1', new AbortController().signal);
    expect(families).toEqual(['ipv4', 'ipv6']);
    expect(dialled).toEqual(['192.0.2.2', '2001:db8::1']);
  });
});

it.each<[Partial<Canaries>, boolean]>([
  [{}, false],
  [{ name: 'there.example' }, true],
  [{ missing: 'not-there.example' }, true],
  [{ host: 'mx.example' }, true],
  [CANARIES, true],
])('a host with %j checks itself: %s', (given, expected) => {
  expect(hasCanaries({ name: null, missing: null, host: null, ...given })).toBe(expected);
});
