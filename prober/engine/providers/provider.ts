import { endsInOneOf } from '../../../schema/providers.ts';
import type { ProviderLimits } from './provider-limits.ts';

/**
 * Which of the listed providers runs a mail host.
 *
 * It goes by the very name whose addresses were looked up: who ends a name in `google.com` has it from Google, whereas
 * `mx.google.com.attacker.test`, an alias of a provider's host, and a name of one's own with a provider's address are none.
 * So nobody gets an address of his own counted among a provider's.
 * @param host the MX host name as DNS published it, lower-case A-labels
 * @returns the first row that fits, null for everybody else
 */
export function providerOf(host: string, rows: readonly ProviderLimits[]): ProviderLimits | null {
  for (const row of rows) if (endsInOneOf(host, row.suffixes)) return row;
  return null;
}
