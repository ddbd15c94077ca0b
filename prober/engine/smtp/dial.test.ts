import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { Cancel, type Ends } from '../ports/cancel.ts';
import type { Connection, Dial, ReadAnswer } from '../ports/ports.ts';
import { type Call, callServer } from './wire/connection.ts';

const TARGET = { ip: '192.0.2.1', port: 25, from: null };
const LIMITS = { connectMs: 10_000, greetingMs: 30_000 };
const utf8 = new TextEncoder();

/** Calls a server and reads its first reply. */
async function hearGreeting(call: Call) {
  const called = await callServer(call);
  if (called.kind === 'undialled') return called;
  const heard = await called.connection.hear(call.limits.greetingMs);
  return heard.kind === 'reply' ? heard : { kind: 'silent', why: heard.kind };
}

/** A server that accepts the connection after this long, and then sends each piece this long after the one before. */
class Server {
  readonly clock = new FakeClock();
  destroyed = false;
  readonly #gone = new Cancel();
  readonly #connectMs: number;
  readonly #pieces: Array<readonly [afterMs: number, text: string]>;

  constructor(connectMs: number, ...pieces: Array<readonly [afterMs: number, text: string]>) {
    this.#connectMs = connectMs;
    this.#pieces = pieces;
  }

  /** The result of the call, and its time. */
  async hear(limits: Call['limits'] = LIMITS, signal = new AbortController().signal) {
    const { clock } = this;
    const greeting = await clock.finish(
      hearGreeting({ dial: this.#dial, clock, target: TARGET, limits, signal }),
      60_000,
    );
    return { greeting, atMs: clock.now() };
  }

  readonly #dial: Dial = async (_target, cancel) => {
    const connected = await this.#after(this.#connectMs, cancel);
    return connected ? { kind: 'connected', connection: this.#connection } : { kind: 'aborted' };
  };

  readonly #connection: Connection = {
    read: (done) => void this.#say(done),
    write: () => {},
    startTls: () => Promise.resolve('failed'),
    end: () => {},
    destroy: () => {
      this.destroyed = true;
      this.#gone.cancel();
    },
  };

  async #say(done: (answer: ReadAnswer) => void): Promise<void> {
    const [afterMs, text] = this.#pieces.shift() ?? [Infinity, ''];
    const came = await this.#after(afterMs, this.#gone);
    done(came ? { kind: 'bytes', bytes: utf8.encode(text) } : { kind: 'lost' });
  }

  /** @returns false if it was cancelled first */
  #after(delayMs: number, cancel: Ends): Promise<boolean> {
    return new Promise((resolve) => {
      cancel.addEventListener('abort', () => resolve(false));
      if (delayMs < Infinity) this.clock.after(delayMs, () => resolve(true));
    });
  }
}

describe('a call', () => {
  it('returns the first reply and the open wire', async () => {
    const server = new Server(100, [100, '220-mx.test\r\n2'], [100, '20 ESMTP\r\n']);
    const { greeting, atMs } = await server.hear();
    expect(greeting).toMatchObject({ kind: 'reply', reply: { code: 220, lines: ['mx.test', 'ESMTP'] } });
    expect({ atMs, destroyed: server.destroyed }).toEqual({ atMs: 300, destroyed: false });
  });

  it('limits the time for the whole greeting, even if it trickles in, and frees the socket', async () => {
    const server = new Server(9_000, [20_000, '22'], [20_000, '0 late\r\n']);
    const { greeting, atMs } = await server.hear();
    expect({ greeting, atMs }).toEqual({ greeting: { kind: 'silent', why: 'timeout' }, atMs: 39_000 });
    expect(server.destroyed).toBe(true);
  });

  it.each([
    ['connection', new Server(6_000), 'undialled'],
    ['greeting', new Server(3_000), 'silent'],
  ])('ends with the signal while it waits for the %s', async (_what, server, kind) => {
    const stop = new AbortController();
    server.clock.after(4_000, () => stop.abort());
    const { greeting, atMs } = await server.hear(LIMITS, stop.signal);
    expect({ greeting, atMs }).toEqual({ greeting: { kind, why: 'ended' }, atMs: 4_000 });
  });

  it.each(['failed', 'no_route', 'reset'] as const)('notes the reason for a failed connection: %s', async (kind) => {
    const notes: string[] = [];
    const greeting = await hearGreeting({
      dial: () => Promise.resolve({ kind }),
      clock: new FakeClock(),
      target: TARGET,
      limits: LIMITS,
      signal: new AbortController().signal,
      trace: (what, text) => notes.push(`${what} ${text}`),
    });
    expect(greeting).toEqual({ kind: 'undialled', why: kind });
    expect(notes).toEqual(['note connecting to port 25', `note not connected: ${kind}`]);
  });
});
