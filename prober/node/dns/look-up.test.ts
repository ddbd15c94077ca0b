import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { type Answer as AnyRecord, decode, type Packet, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { answerTo, startRawNameServer, type RawNameServer, type RawQuestion } from '../../testing/raw-name-server.ts';
import { DnsServer, lookUp, type LookUpResult } from './look-up.ts';

const never = new AbortController().signal;
/** Asked again soon, and ended so late that only a look-up which waits for nothing else comes to it. */
const SOON = { againMs: 20, endMs: 4_000 };
const ONCE = { againMs: 4_000, endMs: 4_000 };
const ENDS = { againMs: 20, endMs: 100 };
const FOUND = { kind: 'found', records: [{ type: 'A', data: '192.0.2.1' }] };

const servers: RawNameServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A hostile name server. */
async function start(overUdp: (question: RawQuestion) => void, overTcp?: (socket: Socket) => void) {
  const server = await startRawNameServer(overUdp, overTcp);
  servers.push(server);
  return { server, dns: new DnsServer({ ip: server.ip, port: server.port, family: 4 }, Math.random) };
}

const alias = (name: string, data: string): AnyRecord => ({ type: 'CNAME', name, data });
/** The same with the letters of the question in upper case. */
const upper = (message: Buffer): Buffer => {
  message.write('D', 13, 'latin1');
  message.write('TEST', 15, 'latin1');
  return message;
};
const record = (name: string): AnyRecord => ({ type: 'A', name, data: '192.0.2.1' });
const right = (question: RawQuestion): Buffer => answerTo(question, [record(question.name)]);
const answers = (question: RawQuestion): void => question.send(right(question));
const silent = (): void => undefined;

const ask = (
  dns: DnsServer | readonly DnsServer[],
  name = 'd.test',
  timings = SOON,
  signal = never,
): Promise<LookUpResult> => lookUp(dns instanceof DnsServer ? [dns] : dns, { name, type: 'A' }, signal, timings);

const many = (dns: DnsServer, count: number, timings = SOON): Promise<LookUpResult[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(dns, `d${i}.test`, timings)));

/** How many questions came from each port. */
const portsOf = (server: RawNameServer): Map<number, number> => {
  const ports = new Map<number, number>();
  for (const { from } of server.asked) ports.set(from.port, (ports.get(from.port) ?? 0) + 1);
  return ports;
};

const cut = (question: RawQuestion): void => question.send(answerTo(question, [], { flags: TRUNCATED_RESPONSE }));

/** Answers the question of a connection with these bytes. */
const saying = (bytes: (question: Buffer) => Uint8Array) => (socket: Socket) => {
  socket.once('data', (question) => socket.write(bytes(question)));
};
const answering = (question: Buffer): Packet => ({ ...decode(question.subarray(2)), type: 'response' });
const whole = (question: Buffer, records = 100): Buffer =>
  streamEncode({ ...answering(question), answers: Array.from({ length: records }, () => record('d.test')) });
const renumbered = (question: Buffer): Buffer => {
  const other = Buffer.from(question);
  other.writeUInt16BE(question.readUInt16BE(2) ^ 1, 2);
  return other;
};

describe('over a network that loses and delays', () => {
  it('asks again if every second answer is dropped', async () => {
    let datagrams = 0;
    const { dns } = await start((question) => {
      datagrams += 1;
      if (datagrams % 2 === 0) answers(question);
    });
    expect(await many(dns, 100)).toEqual(Array.from({ length: 100 }, () => FOUND));
  });

  it('gives each question its own answer, in any order', async () => {
    const waiting: RawQuestion[] = [];
    const { dns } = await start((question) => {
      waiting.push(question);
      if (waiting.length < 100) return;
      for (const one of waiting.splice(0).toReversed())
        one.send(answerTo(one, [{ type: 'A', name: one.name, data: `192.0.2.${one.name.slice(1, -5)}` }]));
    });
    const names = Array.from({ length: 100 }, (_, i) => `d${i}.test`);
    const given = await Promise.all(names.map((name) => ask(dns, name, ONCE)));
    expect(given).toEqual(names.map((_, i) => ({ kind: 'found', records: [{ type: 'A', data: `192.0.2.${i}` }] })));
  });

  it('still takes the answer to the first question after it has asked again', async () => {
    let first: RawQuestion | null = null;
    const { server, dns } = await start((question) => {
      first ??= question;
      if (server.asked.length === 3) answers(first);
    });
    expect(await ask(dns)).toEqual(FOUND);
  });

  it('ends in time if nobody says anything, and leaves no listener', async () => {
    const { signal } = new AbortController();
    const { dns } = await start(silent);
    expect(await ask(dns, 'd.test', ENDS, signal)).toEqual({ kind: 'failed' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends one look-up by its signal, and none of the others at the same socket', async () => {
    const waiting: RawQuestion[] = [];
    const { dns } = await start((question) => void waiting.push(question));
    const abort = new AbortController();
    const [given, kept] = [ask(dns, 'a.test', ONCE, abort.signal), ask(dns, 'b.test', ONCE)];
    await expect.poll(() => waiting.length).toBe(2);
    abort.abort();
    expect(await given).toEqual({ kind: 'failed' });
    for (const question of waiting) answers(question);
    expect(await kept).toEqual(FOUND);
  });
});

describe('with a server that lies', () => {
  it.each<[string, (question: RawQuestion) => Buffer]>([
    [
      'a wrong id',
      (question) => answerTo(question, [record('d.test')], { id: ((question.packet.id ?? 0) + 1) % 65_536 }),
    ],
    ['another question', (question) => answerTo(question, [], { questions: [{ name: 'e.test', type: 'A' }] })],
    ['a question', (question) => answerTo(question, [record('d.test')], { type: 'query' })],
    ['one byte', () => Buffer.from([0])],
    ['nothing', () => Buffer.alloc(0)],
    [
      'records of another name under an id beside the right one',
      (question) => answerTo(question, [record('e.test')], { id: ((question.packet.id ?? 0) + 65_535) % 65_536 }),
    ],
  ])('passes over %s, and takes the answer behind it', async (_what, wrong) => {
    const { server, dns } = await start((question) => {
      question.send(wrong(question));
      answers(question);
    });
    expect(await ask(dns, 'd.test', ONCE)).toEqual(FOUND);
    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, (question: RawQuestion) => Buffer]>([
    ['a question in other letters', (question) => upper(right(question))],
    ['junk behind its end', (question) => Buffer.concat([right(question), Buffer.alloc(200, 0xc0)])],
    [
      'records in every section, and lives of 0 and 68 years',
      (question) =>
        answerTo(question, [{ type: 'A', name: 'd.test', ttl: 0, data: '192.0.2.1' }], {
          authorities: [{ type: 'NS', name: 'd.test', ttl: 2_147_483_647, data: 'ns.bank.test' }],
          additionals: [
            { type: 'A', name: 'ns.bank.test', ttl: 4_294_967_295, data: '192.0.2.66' },
            { type: 'A', name: 'd.test', data: '192.0.2.67' },
          ],
        }),
    ],
  ])('reads an answer with %s', async (_what, answer) => {
    const { dns } = await start((question) => question.send(answer(question)));
    expect(await ask(dns, 'd.test', ONCE)).toEqual(FOUND);
  });

  it('takes 100 addresses in one datagram', async () => {
    const { dns } = await start((question) =>
      question.send(
        answerTo(
          question,
          Array.from({ length: 100 }, () => record('d.test')),
        ),
      ),
    );
    const answer = await ask(dns, 'd.test', ONCE);
    expect(answer.kind === 'found' ? answer.records.length : answer.kind).toBe(100);
  });

  it.each<[string, AnyRecord[], string]>([
    ['aliases in a circle', [alias('d.test', 'e.test'), alias('e.test', 'd.test')], 'none'],
    [
      '17 aliases',
      Array.from({ length: 17 }, (_, i) => alias(i === 0 ? 'd.test' : `a${i}.test`, `a${i + 1}.test`)),
      'failed',
    ],
    ['an alias to itself', [alias('d.test', 'd.test')], 'none'],
    ['records of another name alone', [record('e.test')], 'failed'],
  ])('finds nothing in %s', async (_what, records, kind) => {
    const { dns } = await start((question) => question.send(answerTo(question, records)));
    expect(await ask(dns, 'd.test', ONCE)).toEqual({ kind });
  });

  it('asks the next server if one says that a name does not exist and has an address', async () => {
    const both = await start((question) => {
      const message = right(question);
      message.writeUInt8(3, 3);
      question.send(message);
    });
    const good = await start(answers);
    expect(await ask(both.dns, 'd.test', ONCE)).toEqual({ kind: 'failed' });
    expect(await ask([both.dns, good.dns], 'd.test', ONCE)).toEqual(FOUND);
  });

  it('asks the next server at once if one has failed, and takes its word that there is nothing', async () => {
    const failing = await start((question) => {
      const message = answerTo(question, []);
      message.writeUInt8(2, 3);
      question.send(message);
    });
    const empty = await start((question) => question.send(answerTo(question, [])));
    expect(await ask([failing.dns, empty.dns], 'd.test', ONCE)).toEqual({ kind: 'none' });
  });

  it('reads no datagram of more than 16 KiB: the next server is asked', async () => {
    const long = await start((question) =>
      question.send(
        answerTo(
          question,
          Array.from({ length: 800 }, () => record('d.test')),
        ),
      ),
    );
    const good = await start(answers);
    expect(await ask(long.dns, 'd.test', ONCE)).toEqual({ kind: 'failed' });
    expect(await ask([long.dns, good.dns], 'd.test', ONCE)).toEqual(FOUND);
  });

  it('asks again if a flood has left no room for the answer', async () => {
    const { server, dns } = await start((question) => {
      const wrong = ((question.packet.id ?? 0) + 1) % 65_536;
      const flood = answerTo(question, [record('d.test')], { id: wrong });
      for (let i = 0; i < 2_000 && server.asked.length === 1; i += 1) question.send(flood);
      answers(question);
    });
    expect(await ask(dns)).toEqual(FOUND);
  });

  it('goes on to the next server at garbage under the right id, and fails if there is none', async () => {
    const garbage = await start(({ packet, send }) => send(answerTo({ packet }, [record('d.test')]).subarray(0, -3)));
    const good = await start(answers);
    expect(await ask([garbage.dns, good.dns])).toEqual(FOUND);
    expect(await ask(garbage.dns)).toEqual({ kind: 'failed' });
    expect(garbage.server.asked).toHaveLength(2);
  });

  it('takes no datagram from anybody else', async () => {
    const stranger = await startRawNameServer(silent);
    const { dns } = await start((question) => {
      const forged = answerTo(question, [{ type: 'A', name: 'd.test', data: '192.0.2.66' }]);
      stranger.sendTo(forged, question.from.port);
      setImmediate(() => answers(question));
    });
    expect(await ask(dns)).toEqual(FOUND);
    await stranger.close();
  });
});

describe('with several servers', () => {
  it('asks the next if one is silent', async () => {
    const [quiet, good] = [await start(silent), await start(answers)];
    expect(await ask([quiet.dns, good.dns], 'd.test', { againMs: 100, endMs: 4_000 })).toEqual(FOUND);
    expect(quiet.server.asked).toHaveLength(1);
  });

  it('asks the next at once if a port is closed', async () => {
    const closed = await start(silent);
    const good = await start(answers);
    await Promise.all(servers.splice(0, 1).map((server) => server.close()));
    expect(await ask([closed.dns, good.dns], 'd.test', ONCE)).toEqual(FOUND);
    expect(await ask(closed.dns, 'd.test', ONCE)).toEqual({ kind: 'failed' });
  });
});

describe('the ports that questions come from', () => {
  it('are as many as keep 64 questions unanswered at each', async () => {
    const { server, dns } = await start(() => {
      if (server.asked.length === 200) server.asked.forEach(answers);
    });
    await many(dns, 200, ONCE);
    expect([...portsOf(server).values()]).toEqual([64, 64, 64, 8]);
  });

  it('change after 1,000 questions, and every id is drawn anew', async () => {
    const { server, dns } = await start(answers);
    for (let i = 0; i < 40; i += 1) await many(dns, 50, ONCE);
    expect([...portsOf(server).values()]).toEqual([1_000, 1_000]);
    expect(new Set(server.asked.map(({ packet }) => packet.id)).size).toBeGreaterThan(1_900);
  });
});

describe('over TCP, if an answer is cut', () => {
  it('takes an answer of 100 records', async () => {
    const { dns } = await start(
      cut,
      saying((question) => whole(question)),
    );
    const answer = await ask(dns, 'd.test', ONCE);
    expect(answer.kind === 'found' ? answer.records.length : answer.kind).toBe(100);
  });

  it.each([
    [1_000, 1_000],
    [1_001, 1_000],
    [2_900, 1_000],
  ])('of an answer of %d records it takes the first %d', async (has, taken) => {
    const { dns } = await start(
      cut,
      saying((question) => whole(question, has)),
    );
    const answer = await ask(dns, 'd.test', ONCE);
    expect(answer.kind === 'found' ? answer.records.length : answer.kind).toBe(taken);
  });

  it('takes an answer that comes byte by byte', async () => {
    const { dns } = await start(cut, (socket) => {
      socket.setNoDelay(true);
      socket.once('data', (question) => {
        for (const byte of whole(question)) socket.write(Uint8Array.of(byte));
      });
    });
    expect(await ask(dns, 'd.test', ONCE)).toMatchObject({ kind: 'found' });
  });

  it.each<[string, ((socket: Socket) => void) | undefined]>([
    ['the port is closed', undefined],
    ['the connection is closed', (socket) => socket.destroy()],
    ['the connection ends within the length', (socket) => socket.end(Uint8Array.of(1))],
    ['the length is nothing', saying(() => Uint8Array.of(0, 0))],
    ['the connection ends half-way', (socket) => socket.end(Uint8Array.of(0, 99, 1))],
    ['the answer is for another id', saying((question) => whole(renumbered(question)))],
    [
      'the answer is cut again',
      saying((question) => streamEncode({ ...answering(question), flags: TRUNCATED_RESPONSE })),
    ],
    ['the answer is garbage', saying(() => Uint8Array.of(0, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))],
  ])('learns nothing if %s', async (_what, overTcp) => {
    const { dns } = await start(cut, overTcp);
    expect(await ask(dns, 'd.test', ONCE)).toEqual({ kind: 'failed' });
  });

  it('is asked over one connection, however long it takes, and the next server over UDP', async () => {
    const connected: Socket[] = [];
    const stalling = await start(cut, (socket) => void connected.push(socket));
    const quiet = await start(silent);
    expect(await ask([stalling.dns, quiet.dns], 'd.test', { againMs: 20, endMs: 300 })).toEqual({ kind: 'failed' });
    expect(connected).toHaveLength(1);
    expect(stalling.server.asked).toHaveLength(1);
    expect(quiet.server.asked.length).toBeGreaterThan(2);
  });

  it('ends the connection with the look-up', async () => {
    const closed = Promise.withResolvers<null>();
    const { dns } = await start(cut, (socket) => {
      socket.on('data', () => undefined);
      socket.on('close', () => closed.resolve(null));
    });
    expect(await ask(dns, 'd.test', { againMs: 4_000, endMs: 100 })).toEqual({ kind: 'failed' });
    expect(await closed.promise).toBeNull();
  });
});
