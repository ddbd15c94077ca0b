import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { Cancel } from '../engine/ports/cancel.ts';
import { startNameServer, type NameServer, type Question, type Say } from '../testing/name-server.ts';
import { lookUp, type LookUpResult } from './look-up.ts';
import { type Asker, DnsServer } from './dns-server.ts';

const never = new AbortController().signal;
const FOUND = { kind: 'found', records: ['192.0.2.1'] };
const RIGHT: Say = { ip: ['192.0.2.1'] };
const silent = (): Say => 'silence';
const right = (): Say => RIGHT;
/** Names that begin so get no answer. */
const someSilent = ({ name }: Question): Say => (name.startsWith('silent') ? 'silence' : RIGHT);

const servers: NameServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(answer: (question: Question) => Say | Promise<Say>, timings?: { newMs: number; endMs: number }) {
  const server = await startNameServer(answer);
  servers.push(server);
  return { server, dns: new DnsServer(server.address, undefined, timings) };
}
/** c-ares gives up long after this. */
const SOON = { newMs: 1, endMs: 200 };
/** However slow this machine is. */
const PATIENT = { newMs: 1_000, endMs: 100_000 };

const ask = (
  dns: DnsServer | readonly DnsServer[],
  name = 'd.test',
  asker: Asker = 1,
  signal: AbortSignal = never,
): Promise<LookUpResult> =>
  new Promise((resolve) =>
    lookUp(dns instanceof DnsServer ? [dns] : dns, { name, type: 'A' }, asker, signal, resolve, 20),
  );
const namesOf = ({ asked }: NameServer): Set<string> => new Set(asked.map(({ name }) => name));

describe('a server', () => {
  it('answers a thousand lookups at once, at most a hundred of them under way', async () => {
    let [open, most] = [0, 0];
    const { dns, server } = await start(async ({ name }) => {
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { ip: [`10.0.${Math.floor(Number(name.slice(1, -5)) / 250)}.${Number(name.slice(1, -5)) % 250}`] };
    }, PATIENT);
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => ask(dns, `d${i}.test`, i % 20)));
    expect(answers).toEqual(
      answers.map((_, i) => ({ kind: 'found', records: [`10.0.${Math.floor(i / 250)}.${i % 250}`] })),
    );
    expect(namesOf(server).size).toBe(1_000);
    expect(most).toBeLessThanOrEqual(100);
  });

  it('that is silent ends the lookup, and lookups of slow names make no other wait for longer', async () => {
    const { dns } = await start(
      ({ name }) => (name.startsWith('silent') ? 'silence' : new Promise((resolve) => setTimeout(resolve, 100, RIGHT))),
      { newMs: 1, endMs: 1_500 },
    );
    for (let n = 0; n < 4; n += 1) expect(await ask(dns, `slow${n}.test`)).toEqual(FOUND);
    expect(await ask(dns, 'silent.test')).toEqual({ kind: 'failed' });
  });

  it('ends a lookup at the signal, and leaves no listener', async () => {
    const { dns } = await start(silent);
    const abort = new AbortController();
    const waiting = ask(dns, 'd.test', 1, abort.signal);
    abort.abort();
    expect(await waiting).toEqual({ kind: 'failed' });
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    expect(await ask(dns, 'd.test', 1, abort.signal)).toEqual({ kind: 'failed' });
  });

  it.each<[string, (message: Buffer) => Buffer]>([
    ['garbage under the right id', (message) => message.subarray(0, -3)],
    ['another question', (message) => Buffer.from(message.toString('latin1').replace('\x01d', '\x01e'), 'latin1')],
    ['another id', (message) => Buffer.concat([Buffer.from([~(message[0] ?? 0)]), message.subarray(1)])],
    ['nothing but a header', (message) => message.subarray(0, 12)],
  ])('that answers with %s teaches nothing, and the next one is asked', async (_what, changed) => {
    const [liar, good] = [await start(() => ({ bytesOf: RIGHT, changed }), SOON), await start(right)];
    expect(await ask(liar.dns)).toEqual({ kind: 'failed' });
    expect(await ask([liar.dns, good.dns])).toEqual(FOUND);
  });
});

describe('accounts', () => {
  it('whose names are silent cost another nothing but its turn: ten with 200 names each', async () => {
    const { dns } = await start(someSilent, { newMs: 1_000, endMs: 60_000 });
    const abort = new AbortController();
    let ended = 0;
    const flood = Array.from({ length: 2_000 }, (_, i) =>
      ask(dns, `silent${i}.test`, i % 10, abort.signal).then(() => (ended += 1)),
    );
    expect(await Promise.all(Array.from({ length: 50 }, (_, i) => ask(dns, `d${i}.test`, 10)))).toEqual(
      Array.from({ length: 50 }, () => FOUND),
    );
    expect(ended).toBe(0);
    abort.abort();
    await Promise.all(flood);
  });

  it('that are alone leave a fifth of the places free', async () => {
    const { dns, server } = await start(someSilent);
    const abort = new AbortController();
    const crowd = Array.from({ length: 200 }, (_, i) => ask(dns, `silent${i}.test`, 1, abort.signal));
    // The host's own question never waits; what came before it has been heard by then.
    expect(await ask(dns, 'own.test', 'host')).toEqual(FOUND);
    expect([...namesOf(server)].filter((name) => name.startsWith('silent')).length).toBeLessThanOrEqual(80);
    expect(await ask(dns, 'd.test', 2)).toEqual(FOUND);
    abort.abort();
    await Promise.all(crowd);
  });

  it('hold their places until c-ares has ended, even if nobody waits any longer', async () => {
    const { dns, server } = await start(someSilent, { newMs: 1, endMs: 2_000 });
    const abort = new AbortController();
    const gone = Array.from({ length: 100 }, (_, i) => ask(dns, `silent${i}.test`, i, abort.signal));
    abort.abort();
    await Promise.all(gone);
    const later = ask(dns, 'later.test', 100);
    expect(await ask(dns, 'own.test', 'host')).toEqual(FOUND);
    expect(namesOf(server)).not.toContain('later.test');
    expect(await later).toEqual(FOUND);
  });

  it('that gave up before their turn ask nothing, and free what they waited for', async () => {
    const { dns, server } = await start(someSilent, { newMs: 1, endMs: 500 });
    const [held, waiting] = [new AbortController(), new AbortController()];
    const crowd = Array.from({ length: 100 }, (_, i) => ask(dns, `silent${i}.test`, i, held.signal));
    const unasked = Array.from({ length: 50 }, (_, i) => ask(dns, `unasked${i}.test`, i, waiting.signal));
    waiting.abort();
    expect(await Promise.all(unasked)).toEqual(unasked.map(() => ({ kind: 'failed' })));
    await Promise.all(crowd);
    expect(await ask(dns, 'd.test', 1)).toEqual(FOUND);
    expect([...namesOf(server)].filter((name) => name.startsWith('unasked'))).toEqual([]);
  });
});

describe('several servers', () => {
  it("are asked one after another if one is silent, and the first one's answer still counts", async () => {
    const [quiet, good] = [await start(silent), await start(right)];
    expect(await ask([quiet.dns, good.dns])).toEqual(FOUND);
    expect(quiet.server.asked).toHaveLength(1);
    const late = await start(() => new Promise((resolve) => setTimeout(resolve, 200, RIGHT)));
    expect(await ask([late.dns, quiet.dns])).toEqual(FOUND);
  });

  it('are asked at once if one failed, and an answer that there is nothing counts from any', async () => {
    const failing = await start(() => ({ rcode: 'SERVFAIL' }));
    const gone = new DnsServer('127.0.0.1:1');
    for (const [said, kind] of [
      ['nodata', 'none'],
      [{ rcode: 'NXDOMAIN' }, 'nxdomain'],
    ] as const) {
      const { dns } = await start(() => said);
      expect(await ask([failing.dns, gone, dns])).toEqual({ kind });
    }
    expect(await ask([failing.dns, gone])).toEqual({ kind: 'failed' });
  });

  it('take over from one that is dead, for any number of names', async () => {
    const [dead, good] = [await start(silent), await start(right)];
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => ask([dead.dns, good.dns], `d${i}.test`, i % 4)),
    );
    expect(answers).toEqual(answers.map(() => FOUND));
  });
});

it('a lookup can be ended by the engine too', async () => {
  const { dns } = await start(silent);
  const cancel = new Cancel();
  const ended = new Promise((resolve) => lookUp([dns], { name: 'd.test', type: 'A' }, 1, cancel, resolve));
  cancel.cancel();
  expect(await ended).toEqual({ kind: 'failed' });
});
