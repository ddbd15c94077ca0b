import type { LogFields } from './log-fields.ts';
import { isPaging, noteRaised } from './paging.ts';

// One JSON object per line. It never contains an address, a domain of one, a key or a hash of one: fields are our own
// ids, numbers and fixed words, and the text of an error passes through `describe`.

/**
 * Writes one line. `event` is a fixed word for operators to search and alert on; events that page, and all errors, are
 * noted for the Alarms object.
 */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields): void {
  console[level](JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));
  if (level === 'error' || isPaging(event)) noteRaised(event, fields);
}

const MESSAGE_MAX = 200;
const PARAMETERS = 'params:';
/** Anything that could be an address, a host name, a key or a hash: an @, an inner dot, or a run of 20 or more. */
const TELLING = /\S*@\S*|\S*[^\s.]\.[^\s.]\S*|\S{20,}/g;

/** An error as it may appear in a log: its type, and its message without anything that could identify someone. */
export function describe(error: unknown): { readonly error: string; readonly message: string } {
  if (!(error instanceof Error)) return { error: typeof error, message: '' };
  // The parameters of a query must not be logged.
  const [message = ''] = error.message.split(PARAMETERS, 1);
  return { error: error.name, message: message.slice(0, MESSAGE_MAX).trimEnd().replaceAll(TELLING, '…') };
}
