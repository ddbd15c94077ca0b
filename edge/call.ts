import type { Config } from './config.ts';
import type { Env } from './env.ts';

/** One request, as every step of its way sees it. */
export type Call = {
  /** Names the request in its answer and in log lines, and its batch in the ledger. */
  readonly id: string;
  readonly request: Request;
  readonly env: Env;
  readonly config: Config;
  /** When it arrived, by the Worker's clock. */
  readonly startedMs: number;
  /** Lets work go on after the answer, and after the caller has gone. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Stand on the answer, whatever it is. */
  readonly headers: Headers;
};

/** What hono's context holds here. */
export type Room = { Bindings: Env; Variables: { call: Call } };

/**
 * A new request id: a UUID of version 7 (RFC 9562 §5.7), whose order in time keeps the ledger's inserts together.
 * @param nowMs milliseconds since 1970 UTC
 */
export function newCallId(nowMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(nowMs / 2 ** 32));
  view.setUint32(2, nowMs % 2 ** 32);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
