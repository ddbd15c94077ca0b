import type { Clock, Dial, DialTarget } from '../ports/ports.ts';
import type { Reply } from './reply.ts';
import { TimeLimit, type WaitEnd } from './time-limit.ts';
import { type Silence, type Tracer, Wire } from './wire.ts';

export type Call = {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly target: DialTarget;
  readonly limits: {
    readonly connectMs: number;
    /** From the moment the connection stands. */
    readonly greetingMs: number;
    /** For both together. */
    readonly withinMs?: number;
  };
  readonly signal: AbortSignal;
  readonly trace?: Tracer | null;
};

/** What came of a call. Only a `reply` comes with a wire, open and for the caller to end; else everything is freed. */
export type Greeting =
  /** The server's first reply, with any code. */
  | { readonly kind: 'reply'; readonly wire: Wire; readonly reply: Reply }
  /** `timeout`: the connection did not stand in time; `ended`: the batch did. */
  | { readonly kind: 'undialled'; readonly why: 'failed' | 'reset' | 'no_route' | WaitEnd }
  /** Connected, and no reply came. */
  | { readonly kind: 'silent'; readonly why: Silence };

/** What came of dialling: an open wire, and how long its greeting may take. */
export type Dialled =
  | { readonly kind: 'wire'; readonly wire: Wire; readonly greetingMs: number }
  | Extract<Greeting, { kind: 'undialled' }>;

/** Dials a mail server, and listens to nothing yet. */
export async function callServer({ dial, clock, target, limits, signal, trace = null }: Call): Promise<Dialled> {
  const { connectMs, greetingMs, withinMs = Infinity } = limits;
  const limit = new TimeLimit(clock, signal);
  const began = clock.now();
  limit.allow(Math.min(connectMs, withinMs));
  trace?.('note', `connecting to port ${target.port}`);
  const dialled = await dial(target, limit);
  if (dialled.kind !== 'connected') {
    limit.end();
    trace?.('note', `not connected: ${dialled.kind}`);
    const why = dialled.kind === 'aborted' ? limit.why : dialled.kind;
    return { kind: 'undialled', why };
  }
  const leftMs = Math.max(0, Math.min(greetingMs, began + withinMs - clock.now()));
  return { kind: 'wire', wire: new Wire(dialled.connection, limit, trace), greetingMs: leftMs };
}

/** Dials a mail server and hears its greeting (RFC 5321 §3.1). */
export async function hearGreeting(call: Call): Promise<Greeting> {
  const called = await callServer(call);
  if (called.kind === 'undialled') return called;
  const { wire, greetingMs } = called;
  const heard = await wire.hear(greetingMs);
  if (heard.kind === 'reply') return { kind: 'reply', wire, reply: heard.reply };
  wire.destroy();
  return { kind: 'silent', why: heard.kind };
}
