import type { Connection, Clock, ReadAnswer } from '../engine/ports/ports.ts';
import { type Act, greetingOf, reactionTo, type Script, type SessionRecord } from './script.ts';

const CHUNK_MAX = 65_536;

type Event = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'closed' | 'lost' };

/** One scripted mail server in memory, on a clock controlled by the test. */
export class MemoryServer {
  readonly sessions: SessionRecord[] = [];
  readonly #script: Script;
  readonly #clock: Clock;
  readonly #oneWayMs: number;

  /** @param oneWayMs how long bytes take each way */
  constructor(script: Script, clock: Clock, oneWayMs = 0) {
    this.#script = script;
    this.#clock = clock;
    this.#oneWayMs = oneWayMs;
  }

  /** A connection that is open now; the greeting arrives one round trip later. */
  connect(from: string | null): Connection {
    const record: SessionRecord = {
      number: this.sessions.length,
      from,
      writes: [],
      lines: [],
      secure: false,
      closed: false,
    };
    this.sessions.push(record);
    return new MemoryConnection(this.#script, record, this.#clock, this.#oneWayMs);
  }
}

class MemoryConnection implements Connection {
  readonly #script: Script;
  readonly #record: SessionRecord;
  readonly #clock: Clock;
  readonly #oneWayMs: number;
  #inbox: Event[] = [];
  #taken = 0;
  #wake: (() => void) | null = null;
  /** The server performs one act after the other. */
  #agenda: Act[] = [];
  #done = 0;
  #cancelWait: (() => void) | null = null;
  #partial = '';
  #handshake: 'ok' | 'fail' | 'hang' | null = null;
  #gone = false;
  #isDestroyed = false;
  #isRead = false;

  constructor(script: Script, record: SessionRecord, clock: Clock, oneWayMs: number) {
    this.#script = script;
    this.#record = record;
    this.#clock = clock;
    this.#oneWayMs = oneWayMs;
    this.#later(() => this.#do(greetingOf(script, record)));
  }

  read(done: (answer: ReadAnswer) => void): void {
    if (this.#isRead) throw new Error('a connection has one reader at a time');
    this.#isRead = true;
    const answer = async (): Promise<void> => {
      const next = await this.#next();
      this.#isRead = false;
      done(next);
    };
    void answer();
  }

  async #next(): Promise<ReadAnswer> {
    for (;;) {
      if (this.#isDestroyed) return { kind: 'lost' };
      const event = this.#inbox[this.#taken];
      if (event !== undefined) {
        if (event.kind !== 'bytes') return { kind: event.kind };
        if (event.bytes.length <= CHUNK_MAX) this.#taken += 1;
        else this.#inbox[this.#taken] = { kind: 'bytes', bytes: event.bytes.subarray(CHUNK_MAX) };
        return { kind: 'bytes', bytes: event.bytes.subarray(0, CHUNK_MAX) };
      }
      await this.#event();
    }
  }

  write(text: string): void {
    if (this.#gone) return;
    this.#record.writes.push(text);
    this.#later(() => this.#receive(text));
  }

  async startTls(): Promise<'secure' | 'failed'> {
    // Plaintext received before the handshake is dropped, as by a TLS layer on top of the socket.
    this.#inbox = [];
    this.#taken = 0;
    while (this.#handshake === null || this.#handshake === 'hang') {
      if (this.#isDestroyed) return 'failed';
      await this.#event();
    }
    const secure = this.#handshake === 'ok';
    this.#handshake = null;
    this.#record.secure = secure;
    return secure ? 'secure' : 'failed';
  }

  end(): void {
    this.#record.closed = true;
    this.#gone = true;
  }

  destroy(): void {
    this.#record.closed = true;
    this.#gone = true;
    this.#agenda = [];
    this.#cancelWait?.();
    this.#isDestroyed = true;
    this.#wake?.();
  }

  #receive(text: string): void {
    const lines = (this.#partial + text).split('\r\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) {
      this.#record.lines.push(line);
      this.#do(reactionTo(this.#script, line, this.#record));
    }
  }

  #do(acts: readonly Act[]): void {
    for (const act of acts) this.#agenda.push(act);
    if (this.#cancelWait === null) this.#proceed();
  }

  #proceed(): void {
    for (; this.#done < this.#agenda.length;) {
      const act = this.#agenda[this.#done];
      this.#done += 1;
      if (act === undefined) return;
      if (act.do === 'wait') {
        this.#cancelWait = this.#clock.after(act.ms, () => {
          this.#cancelWait = null;
          this.#proceed();
        });
        return;
      }
      this.#perform(act);
    }
  }

  #perform(act: Exclude<Act, { do: 'wait' }>): void {
    switch (act.do) {
      case 'say':
        return this.#arrive({ kind: 'bytes', bytes: act.bytes });
      case 'close':
        return this.#arrive({ kind: 'closed' });
      case 'reset':
        return this.#arrive({ kind: 'lost' });
      case 'tls':
        return this.#later(() => {
          this.#handshake = act.how;
          this.#wake?.();
        });
    }
  }

  #arrive(event: Event): void {
    this.#later(() => {
      const last = this.#taken < this.#inbox.length ? this.#inbox.at(-1) : undefined;
      // What is written at once arrives at once, as over TCP; single bytes stay single.
      if (event.kind === 'bytes' && last?.kind === 'bytes' && event.bytes.length > 1 && last.bytes.length > 1)
        this.#inbox[this.#inbox.length - 1] = { kind: 'bytes', bytes: joined(last.bytes, event.bytes) };
      else this.#inbox.push(event);
      this.#wake?.();
    });
  }

  #later(run: () => void): void {
    if (this.#oneWayMs === 0) run();
    else this.#clock.after(this.#oneWayMs, run);
  }

  async #event(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
