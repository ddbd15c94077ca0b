import type { LogFields } from './log-fields.ts';
import { isPaging, noteRaised } from './paging.ts';

// One JSON object per line. No address, no domain of one, no key and no hash of one is ever in it: fields are ids of
// our own, numbers and words of our own, and the text of an error passes `describe`.

/** Writes one line. `event` is a fixed word by which operators search and alarm; what pages, and every error, is noted for the Alarms object. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields): void {
  console[level](JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));
  if (level === 'error' || isPaging(event)) noteRaised(event, fields);
}

const MESSAGE_MAX = 200;
/** Anything that could be an address, a host name, a key or a hash: an @, an inner dot, or a run of 20 or more. */
const TELLING = /\S*@\S*|\S*[^\s.]\.[^\s.]\S*|\S{20,}/g;

/** An error as it may stand in a log: its kind, and its message without anything that could tell whom it is about. */
export function describe(error: unknown): { readonly error: string; readonly message: string } {
  if (!(error instanceof Error)) return { error: typeof error, message: '' };
  // What a query was given is nobody's to read.
  const [message = ''] = error.message.split(/\s*params:/);
  return { error: error.name, message: message.slice(0, MESSAGE_MAX).replaceAll(TELLING, '…') };
}
