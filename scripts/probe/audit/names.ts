import type { Resolve } from '../../../prober/engine/ports/ports.ts';

export type Records =
  | { readonly kind: 'found'; readonly records: readonly string[] }
  /** No such name, or no such record. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed' };

/** What the audit asks DNS: the engine's lookups, text records and names of addresses. */
export type Names = Resolve & {
  /** The strings of one record are joined without anything between (RFC 7208 §3.3). */
  txt(name: string, signal: AbortSignal): Promise<Records>;
  /** In lower case without the last dot. */
  ptr(ip: string, signal: AbortSignal): Promise<Records>;
};
