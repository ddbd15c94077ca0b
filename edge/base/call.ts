import type { Config } from './config.ts';
import type { Env } from './env.ts';

/** Where pages of other sites check what is typed into their forms. */
export const FORM_PATH = '/api/v1/form';

/** One request, passed to every step. */
export type Call = {
  /** Identifies the request in its answer and in log lines, and its batch in the ledger. */
  readonly id: string;
  readonly request: Request;
  readonly env: Env;
  readonly config: Config;
  /** When it arrived, by the Worker's clock. */
  readonly startedMs: number;
  /** Lets work go on after the answer, and after the caller has disconnected. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Headers of the answer, successful or not. */
  readonly headers: Map<string, string>;
};

/**
 * A new request id: a UUID of version 7 (RFC 9562 §5.7), whose order in time keeps the ledger's inserts together. Its
 * first random digit tells the checks of forms from other calls, wherever there is nothing but the id: `f`, or any other.
 * @param nowMs milliseconds since 1970 UTC
 */
export function newCallId(nowMs: number, isOfForm = false): string {
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  const random = crypto.randomUUID();
  const digit = isOfForm ? 'f' : random.charAt(15).replace('f', '0');
  // Only the four bits of the version, and the 48 before them, differ from version 4.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digit}${random.slice(16)}`;
}

/** SQL: whether an id is that of a form's check. */
export const idIsOfForm = (id: string): string => `substr(${id}, 16, 1) = 'f'`;
