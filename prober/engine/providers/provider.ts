import { getDomain } from 'tldts';

/**
 * Who runs a mail host: its registrable domain by the Public Suffix List, or the host itself where it has none.
 * @param host lower-case A-labels
 */
export function providerOf(host: string): string {
  return getDomain(host, { validateHostname: false }) ?? host;
}
