import { OPT_OUT_LABELS_MAX } from '../../schema/admin.ts';
import { keyedHash } from '../base/keyed-hash.ts';

/**
 * What stands for a domain that opted out.
 * @param domain in lower-case A-labels
 * @param secret OPT_OUT_SECRET
 * @returns its HMAC-SHA-256, 43 characters of base64url
 */
export function hashDomain(domain: string, secret: string): Promise<string> {
  return keyedHash(domain, secret);
}

/** The domain and those above it that could be listed: neither one label alone nor more than OPT_OUT_LABELS_MAX. Pure. */
export function coveredBy(domain: string): readonly string[] {
  const labels = domain.split('.').slice(-OPT_OUT_LABELS_MAX);
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}
