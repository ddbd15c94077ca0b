import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { type Answer as AnyRecord, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { LengthPrefixed } from '../../testing/length-prefixed.ts';
import { answerTo, startRawNameServer, type RawNameServer, type RawQuestion } from '../../testing/raw-name-server.ts';
import { DnsServer, lookUp, type LookUpResult } from './look-up.ts';

const never = new AbortController().signal;
const TIMINGS = { nextMs: 100, endMs: 4_000 };
const FOUND = { kind: 'found', records: ['192.0.2.1'] };

const servers: RawNameServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A question received over a connection. */
type Asked = {
  readonly name: string;
  readonly packet: Packet;
  readonly socket: Socket;
  /** Answers with these very bytes, after their length. */
  readonly send: (message: Uint8Array) => void;
};
type Answers = (question: Asked) => void;

/** The questions over TCP, and the number of connections. */
type Over = { readonly asked: Asked[]; connections: number };

/** A name server: over TCP it answers as scripted, or is absent; likewise over UDP. */
async function start(overTcp: Answers | null, overUdp: (question: RawQuestion) => void = silent) {
  const over: Over = { asked: [], connections: 0 };
  const serve = (socket: Socket): void => {
    over.connections += 1;
    const received = new LengthPrefixed();
    socket.on('data', (chunk) => {
      for (const message of received.take(chunk)) {
        const packet = decode(message);
        const name = packet.questions?.[0]?.name ?? '';
        const question = {
          name,
          packet,
          socket,
          send: (bytes: Uint8Array) => void socket.write(LengthPrefixed.frame(bytes)),
        };
        over.asked.push(question);
        overTcp?.(question);
      }
    });
  };
  const server = await startRawNameServer(overUdp, overTcp === null ? undefined : serve);
  servers.push(server);
  return { server, over, dns: new DnsServer({ ip: server.ip, port: server.port }) };
}

const record = (name: string, data = '192.0.2.1'): AnyRecord => ({ type: 'A', name, data });
const said = ({ packet }: Pick<Asked, 'packet'>, answers: AnyRecord[], more: Packet = {}): Buffer =>
  encode({ ...packet, type: 'response', answers, ...more });
const right = (question: Asked): Buffer => said(question, [record(question.name)]);
const answers: Answers = (question) => question.send(right(question));
const overUdp = (question: RawQuestion): void => question.send(answerTo(question, [record(question.name)]));
const silent = (): void => undefined;

const ask = (
  dns: DnsServer | readonly DnsServer[],
  name = 'd.test',
  signal = never,
  timings = TIMINGS,
): Promise<LookUpResult> =>
  new Promise((resolve) =>
    lookUp(dns instanceof DnsServer ? [dns] : dns, { name, type: 'A' }, signal, resolve, timings),
  );
const many = (dns: DnsServer, count: number): Promise<LookUpResult[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(dns, `d${i}.test`)));
const allFound = (count: number) => Array.from({ length: count }, () => FOUND);

describe('over one connection', () => {
  it('answers a thousand concurrent questions', async () => {
    const { dns, over, server } = await start(answers);
    expect(await many(dns, 1_000)).toEqual(allFound(1_000));
    expect([over.connections, over.asked.length, server.asked.length]).toEqual([1, 1_000, 0]);
  });

  it('gives each question its own answer, in any order', async () => {
    const waiting: Asked[] = [];
    const { dns } = await start((question) => {
      waiting.push(question);
      if (waiting.length < 100) return;
      for (const one of waiting.splice(0).toReversed())
        one.send(said(one, [record(one.name, `192.0.2.${one.name.slice(1, -5)}`)]));
    });
    expect(await many(dns, 100)).toEqual(
      Array.from({ length: 100 }, (_, i) => ({ kind: 'found', records: [`192.0.2.${i}`] })),
    );
  });

  it('reads an answer that arrives byte by byte', async () => {
    const { dns } = await start((question) => {
      question.socket.setNoDelay(true);
      for (const byte of LengthPrefixed.frame(right(question))) question.socket.write(Uint8Array.of(byte));
    });
    expect(await ask(dns)).toEqual(FOUND);
  });

  it('a silent name holds up no other, and keeps the connection', async () => {
    const { dns, over, server } = await start((question) => {
      if (question.name === 'silent.test') return;
      setTimeout(() => answers(question), 5);
    });
    const abort = new AbortController();
    const stuck = ask(dns, 'silent.test', abort.signal);
    for (let n = 0; n < 3; n += 1) expect(await many(dns, 50)).toEqual(allFound(50));
    abort.abort();
    expect(await stuck).toEqual({ kind: 'failed' });
    expect([over.connections, server.asked.length]).toEqual([1, 0]);
  });

  it('is reopened if the server closed it while idle', async () => {
    const { dns, over } = await start(answers);
    expect(await ask(dns)).toEqual(FOUND);
    over.asked[0]?.socket.end();
    await expect
      .poll(async () => {
        expect(await ask(dns)).toEqual(FOUND);
        return over.connections;
      })
      .toBe(2);
  });

  it('ends in time without an answer, or at the signal, and leaves no listener', async () => {
    const { dns } = await start(silent);
    const abort = new AbortController();
    expect(await ask(dns, 'd.test', abort.signal, { nextMs: 20, endMs: 100 })).toEqual({ kind: 'failed' });
    const waiting = ask(dns, 'e.test', abort.signal);
    abort.abort();
    expect(await waiting).toEqual({ kind: 'failed' });
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });
});

describe('over UDP through c-ares if one connection is no use', () => {
  it('answers if the port is closed for TCP', async () => {
    const { dns, server } = await start(null, overUdp);
    expect(await many(dns, 1_000)).toEqual(allFound(1_000));
    // On a busy machine c-ares asks some of them again.
    expect(new Set(server.asked.map(({ name }) => name)).size).toBe(1_000);
  });

  it('answers if the server ends the connection after one answer', async () => {
    const { dns, over } = await start((question) => {
      question.socket.end(LengthPrefixed.frame(right(question)));
    }, overUdp);
    expect(await many(dns, 200)).toEqual(allFound(200));
    expect(over.connections).toBe(2);
  });

  it('answers if one slow answer holds up all others', async () => {
    let isHeldUp = false;
    const { dns, over, server } = await start((question) => {
      isHeldUp ||= question.name === 'd3.test';
      if (!isHeldUp) answers(question);
    }, overUdp);
    expect(await many(dns, 50)).toEqual(allFound(50));
    expect(server.asked.length).toBeGreaterThan(40);
    expect(await ask(dns, 'later.test')).toEqual(FOUND);
    expect(over.connections).toBe(1);
  });

  it('answers if each answer waits for the one before', async () => {
    let before = Promise.resolve();
    const { dns, over, server } = await start((question) => {
      const turn = before.then(() => new Promise<void>((resolve) => setTimeout(resolve, 15)));
      before = turn.then(() => answers(question));
    }, overUdp);
    expect(await many(dns, 300)).toEqual(allFound(300));
    expect([over.connections, server.asked.length > 200]).toEqual([1, true]);
  });

  it('answers the only question of a server that accepts connections and says nothing', async () => {
    const { dns } = await start(silent, overUdp);
    expect(await ask(dns)).toEqual(FOUND);
  });

  it.each([
    ['NXDOMAIN', 3, 'nxdomain'],
    ['no data', 0, 'none'],
    ['SERVFAIL', 2, 'failed'],
    ['REFUSED', 5, 'failed'],
  ])('distinguishes %s', async (_what, code, kind) => {
    const { dns } = await start(null, (question) => {
      const message = answerTo(question, []);
      message.writeUInt8(code, 3);
      question.send(message);
    });
    expect(await ask(dns)).toEqual({ kind });
  });

  it('returns MX records, a null MX and names like the connection', async () => {
    const records: Record<string, AnyRecord[]> = {
      'mx.test': [{ type: 'MX', name: 'mx.test', data: { preference: 5, exchange: 'A.MX.test' } }],
      'null.test': [{ type: 'MX', name: 'null.test', data: { preference: 0, exchange: '.' } }],
      'ptr.test': [{ type: 'PTR', name: 'ptr.test', data: 'A.Host.test' }],
    };
    const given = async (overTcp: Answers | null): Promise<LookUpResult[]> => {
      const { dns } = await start(overTcp, (question) =>
        question.send(answerTo(question, records[question.name] ?? [])),
      );
      return Promise.all(
        Object.keys(records).map(
          (name) =>
            new Promise<LookUpResult>((resolve) =>
              lookUp([dns], { name, type: name === 'ptr.test' ? 'PTR' : 'MX' }, never, resolve),
            ),
        ),
      );
    };
    const expected = [
      { kind: 'found', records: [{ exchange: 'a.mx.test', preference: 5 }] },
      { kind: 'found', records: [{ exchange: '', preference: 0 }] },
      { kind: 'found', records: ['a.host.test'] },
    ];
    expect(await given(null)).toEqual(expected);
    expect(await given((question) => question.send(said(question, records[question.name] ?? [])))).toEqual(expected);
  });
});

describe('with a server that lies', () => {
  it.each<[string, Answers]>([
    [
      'another question',
      (question) => question.send(said(question, [], { questions: [{ name: 'e.test', type: 'A' }] })),
    ],
    ['records of another name', (question) => question.send(said(question, [record('e.test')]))],
    ['an answer that is cut', (question) => question.send(said(question, [], { flags: TRUNCATED_RESPONSE }))],
    ['garbage under the right id', (question) => question.send(right(question).subarray(0, -3))],
    [
      'NXDOMAIN and an address',
      (question) => {
        const message = right(question);
        message.writeUInt8(3, 3);
        question.send(message);
      },
    ],
  ])('learns nothing from %s, and asks the next server', async (_what, answer) => {
    const [liar, good] = [await start(answer), await start(answers)];
    expect(await ask(liar.dns)).toEqual({ kind: 'failed' });
    expect(await ask([liar.dns, good.dns])).toEqual(FOUND);
  });

  it('skips unrequested messages', async () => {
    const { dns } = await start((question) => {
      question.send(said(question, [record('d.test')], { id: ((question.packet.id ?? 0) + 1) % 65_536 }));
      question.send(Buffer.alloc(0));
      question.send(Buffer.from([0]));
      answers(question);
    });
    expect(await ask(dns)).toEqual(FOUND);
  });
});

describe('with several servers', () => {
  it("asks the next one if one is silent, and still accepts the first one's answer", async () => {
    const [quiet, good] = [await start(silent), await start(answers)];
    expect(await ask([quiet.dns, good.dns])).toEqual(FOUND);
    expect(quiet.over.asked).toHaveLength(1);
    const late = await start((question) => void setTimeout(() => answers(question), 200));
    expect(await ask([late.dns, quiet.dns], 'd.test', never, { nextMs: 20, endMs: 4_000 })).toEqual(FOUND);
  });

  it('asks the next one at once if one failed, and accepts its answer that there is nothing', async () => {
    const failing = await start((question) => {
      const message = said(question, []);
      message.writeUInt8(2, 3);
      question.send(message);
    });
    const empty = await start((question) => question.send(said(question, [])));
    expect(await ask([failing.dns, empty.dns])).toEqual({ kind: 'none' });
  });
});
