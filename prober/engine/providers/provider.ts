import { endsInOneOf } from '../../../schema/providers.ts';
import type { ProviderLimits } from './provider-limits.ts';

/**
 * The listed provider that runs a mail host.
 *
 * It uses the very name whose addresses were looked up: a name that ends in `google.com` was given by Google, whereas
 * `mx.google.com.attacker.test`, an alias of a provider's host, and a name of one's own with a provider's address do
 * not count. So no one can get an address of their own counted as a provider's.
 * @param host the MX host name as DNS published it, lower-case A-labels
 * @returns the first row that matches, null for all others
 */
export function providerOf(host: string, rows: readonly ProviderLimits[]): ProviderLimits | null {
  for (const row of rows) if (endsInOneOf(host, row.suffixes)) return row;
  return null;
}
