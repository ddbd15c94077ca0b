import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../schema/testing/fake-clock.ts';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { type ScriptedReply, byteByByte, close, reset, type Script, silence } from '../../../testing/script.ts';
import type { Connection, ReadAnswer } from '../../ports/ports.ts';
import { TimeLimit } from './time-limit.ts';
import { SmtpConnection } from './connection.ts';

function connect(script: Script) {
  const clock = new FakeClock();
  const batch = new AbortController();
  const server = new MemoryServer(script, clock);
  const trace: string[] = [];
  const connection = new SmtpConnection(server.connect(null), new TimeLimit(clock, batch.signal), (direction, line) =>
    trace.push(`${direction} ${line}`),
  );
  return { clock, batch, server, trace, connection };
}

/** A peer that has something to say at every read: no timer ever gets to run. */
function babbler(onRead: () => void): Connection {
  const answer: ReadAnswer = { kind: 'bytes', bytes: new TextEncoder().encode('2') };
  return {
    read: (done) => {
      onRead();
      done(answer);
    },
    write: () => undefined,
    startTls: async () => 'failed',
    end: () => undefined,
    destroy: () => undefined,
  };
}

describe('a connection', () => {
  it.each<[what: string, greeting: ScriptedReply, heard: string]>([
    ['closes', [close], 'lost'],
    ['resets', [reset], 'lost'],
    ['does not speak SMTP', 'hello\r\n', 'garbage'],
    ['says nothing', silence, 'timeout'],
    ['says too little at a time', byteByByte('220-', 40), 'timeout'],
  ])('reports a peer that %s', async (_, greeting, kind) => {
    const { clock, connection, trace } = connect({ greeting });
    expect(await clock.finish(connection.hear(100))).toEqual({ kind });
    expect(trace).toEqual([`note no reply: ${kind}`]);
    expect(clock.now()).toBe(kind === 'timeout' ? 100 : 0);
  });

  it('reports that the batch ended during a wait', async () => {
    const { batch, connection } = connect({ greeting: silence });
    const heard = connection.hear(100);
    batch.abort();
    expect(await heard).toEqual({ kind: 'ended' });
  });

  it('stops reading in time from a peer that never pauses', async () => {
    let now = 0;
    const clock = { now: () => now, after: () => () => undefined };
    const limit = new TimeLimit(clock, new AbortController().signal);
    const connection = new SmtpConnection(
      babbler(() => (now += 1)),
      limit,
      null,
    );
    expect([await connection.hear(3), now]).toEqual([{ kind: 'timeout' }, 3]);
  });

  it('has nothing unread until something unexpected arrives', async () => {
    const { clock, connection } = connect({ greeting: '220 mx.test\r\n250 and more\r\n' });
    expect(connection.unread).toBe('nothing');
    await clock.finish(connection.hear(100));
    expect(connection.unread).toBe('replies');
  });

  it('has garbage unread after bytes that are not SMTP', async () => {
    const { clock, connection } = connect({ greeting: 'hello\r\n' });
    await clock.finish(connection.hear(100));
    expect(connection.unread).toBe('garbage');
  });

  it.each(['quit', 'destroy'] as const)('frees the socket and the timer on %s', async (how) => {
    const { clock, server, connection } = connect({});
    await clock.finish(connection.hear(100));
    expect(clock.pending).toBe(1);
    connection[how]();
    expect(clock.pending).toBe(0);
    expect(server.sessions.map(({ closed, lines }) => ({ closed, lines }))).toEqual([
      { closed: true, lines: how === 'quit' ? ['QUIT'] : [] },
    ]);
  });
});
