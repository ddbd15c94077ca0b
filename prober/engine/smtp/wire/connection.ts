import type { Ends } from '../../ports/cancel.ts';
import type { Clock, Connection, Dial, DialTarget, ReadAnswer } from '../../ports/ports.ts';
import { type Reply, ReplyReader } from './reply.ts';
import { QUIT } from './command.ts';
import type { TraceEvent } from '../../ports/settings.ts';
import { TimeLimit, type WaitEnd } from './time-limit.ts';

/** Why no reply came: the peer closed or reset, sent something other than SMTP, or the wait was over. */
export type Silence = 'lost' | 'garbage' | WaitEnd;

export type Heard = { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: Silence };

export type Tracer = (direction: TraceEvent['direction'], line: string) => void;

/** One connection as a mail client sees it: lines out, replies in, each wait with its limit. */
export class SmtpConnection {
  readonly limit: TimeLimit;
  /** Told each line, and what explains the lines around. */
  readonly trace: Tracer | null;
  readonly #connection: Connection;
  #reader = new ReplyReader();
  #isReading = false;
  /** Called when something arrives, or a handshake ends; the first frees the socket if the wait is over before. */
  #onArrival: (() => void) | null = null;
  #isLost = false;
  #isClosed = false;
  #opening: { readonly lines: string; readonly hear: () => Promise<boolean> } | null = null;

  constructor(connection: Connection, limit: TimeLimit, trace: Tracer | null) {
    this.#connection = connection;
    this.limit = limit;
    this.trace = trace;
    limit.addEventListener('abort', () => {
      if (this.#onArrival !== null) connection.destroy();
    });
  }

  /** What was received and not taken: nothing is due, so it is unexpected. */
  get unread(): 'nothing' | 'replies' | 'garbage' {
    if (this.#reader.broken) return 'garbage';
    return this.#reader.empty ? 'nothing' : 'replies';
  }

  /** It can read nothing more: it was closed, its batch has ended, or a reply took too long. */
  get isOver(): boolean {
    return this.#isClosed || this.limit.aborted;
  }

  /** Lines that go out with the first ones sent, and what reads their replies before the others; false: they are wrong. */
  begin(lines: string, hear: () => Promise<boolean>): void {
    this.#opening = { lines, hear };
  }

  /** Sends complete lines, all in one write. */
  send(text: string): void {
    const lines = (this.#opening?.lines ?? '') + text;
    if (this.trace !== null) for (const line of lines.trimEnd().split('\r\n')) this.trace('sent', line);
    this.#connection.write(lines);
  }

  /** The next reply if it is here already. */
  nextBuffered(): Reply | null {
    const reply = this.#reader.next();
    if (reply !== null && this.trace !== null)
      for (const [index, line] of reply.lines.entries())
        this.trace('received', `${reply.code}${index < reply.lines.length - 1 ? '-' : ' '}${line}`);
    return reply;
  }

  /** Waits for the next reply, at most `waitMs` from now however it trickles in. */
  async hear(waitMs: number): Promise<Heard> {
    const opening = this.#opening;
    this.#opening = null;
    if (opening !== null && !(await opening.hear())) this.#reader.break();
    this.limit.allow(waitMs);
    for (;;) {
      const reply = this.nextBuffered();
      if (reply !== null) return { kind: 'reply', reply };
      const silence = this.#silence;
      if (silence !== null) {
        this.trace?.('note', `no reply: ${silence}`);
        return { kind: silence };
      }
      await new Promise<void>((resolve) => {
        this.#onArrival = resolve;
        this.#read();
      });
    }
  }

  /** Why no reply is to come; null: one is. */
  get #silence(): Silence | null {
    if (this.#reader.broken) return 'garbage';
    // Reads that are answered at once never let a timer run: so with a part of a reply the clock is checked as well.
    if (this.limit.aborted || (!this.#reader.empty && this.limit.isOver())) return this.limit.why;
    return this.#isLost ? 'lost' : null;
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#connection.read(this.#onRead);
  }

  readonly #onRead = (answer: ReadAnswer): void => {
    this.#isReading = false;
    if (answer.kind === 'bytes') this.#reader.feed(answer.bytes);
    else this.#isLost = true;
    const tell = this.#onArrival;
    this.#onArrival = null;
    tell?.();
  };

  /** Switches to TLS. Plain text received before is dropped (RFC 3207 §6: a response injected there is not a reply). */
  async startTls(serverName: string, waitMs: number): Promise<'secure' | 'failed' | WaitEnd> {
    this.limit.allow(waitMs);
    this.#reader = new ReplyReader();
    this.#onArrival = () => {};
    const answer = await this.#connection.startTls(serverName);
    this.#onArrival = null;
    const how = this.limit.aborted ? this.limit.why : answer;
    this.trace?.('note', `TLS handshake: ${how}`);
    return how;
  }

  /** Takes in what arrives in this time, of its own accord. */
  settle(forMs: number): Promise<void> {
    this.#read();
    return this.limit.pause(forMs);
  }

  /** It is idle from now on. Reports the first thing that arrives: it answers nothing, and the session is over. */
  rest(onAnything: () => void): void {
    this.limit.follow(null);
    if (this.#isLost || this.unread !== 'nothing') return onAnything();
    this.#onArrival = onAnything;
    // Its last user may have read nothing since it was last idle: then a read is still pending.
    this.#read();
  }

  /** In use again, until this signal fires. */
  serve(signal: Ends): void {
    this.#onArrival = null;
    this.limit.follow(signal);
  }

  /** Sends QUIT and waits for nothing: what happens now changes no verdict. */
  quit(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.send(QUIT);
    this.#connection.end();
    this.limit.end();
  }

  destroy(): void {
    this.#isClosed = true;
    this.#connection.destroy();
    this.limit.end();
  }
}

export type Call = {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly target: DialTarget;
  readonly limits: {
    readonly connectMs: number;
    /** From the moment the connection is open. */
    readonly greetingMs: number;
  };
  readonly signal: Ends;
  readonly trace?: Tracer | null;
};

/** Why there is no connection. `timeout`: it was not open in time; `ended`: the batch ended. */
export type Undialled = 'failed' | 'reset' | 'no_route' | WaitEnd;

/** Dials a mail server, without reading anything yet. */
export async function callServer(call: Call): Promise<SmtpConnection | Undialled> {
  const { dial, clock, target, limits, signal, trace = null } = call;
  const limit = new TimeLimit(clock, signal);
  limit.allow(limits.connectMs);
  trace?.('note', `connecting to port ${target.port}`);
  const dialled = await dial(target, limit);
  if (dialled.kind === 'connected') return new SmtpConnection(dialled.connection, limit, trace);
  limit.end();
  trace?.('note', `not connected: ${dialled.kind}`);
  return dialled.kind === 'aborted' ? limit.why : dialled.kind;
}
