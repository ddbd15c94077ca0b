import type { Ends } from '../ports/cancel.ts';
import type { Clock, Dial, DialTarget } from '../ports/ports.ts';
import { TimeLimit, type WaitEnd } from './time-limit.ts';
import { type Tracer, Wire } from './connection.ts';

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

export type Dialled =
  | { readonly kind: 'wire'; readonly wire: Wire }
  /** `timeout`: the connection was not open in time; `ended`: the batch ended. */
  | { readonly kind: 'undialled'; readonly why: 'failed' | 'reset' | 'no_route' | WaitEnd };

/** Dials a mail server, without reading anything yet. */
export function callServer({ dial, clock, target, limits, signal, trace = null }: Call): Promise<Dialled> {
  const limit = new TimeLimit(clock, signal);
  limit.allow(limits.connectMs);
  trace?.('note', `connecting to port ${target.port}`);
  return dial(target, limit).then((dialled) => {
    if (dialled.kind === 'connected') return { kind: 'wire', wire: new Wire(dialled.connection, limit, trace) };
    limit.end();
    trace?.('note', `not connected: ${dialled.kind}`);
    return { kind: 'undialled', why: dialled.kind === 'aborted' ? limit.why : dialled.kind };
  });
}
