import { endsInOneOf } from '../../../schema/providers.ts';
import type { ProviderLimits } from './provider-limits.ts';

/**
 * The listed provider that runs a mail host, by the very name whose addresses were looked up: one that ends in
 * `google.com` was given by Google. So no one can get an address of their own counted as a provider's.
 * @param host lower-case A-labels
 */
export function providerOf(host: string, rows: readonly ProviderLimits[]): ProviderLimits | null {
  return rows.find(({ suffixes }) => endsInOneOf(host, suffixes)) ?? null;
}
