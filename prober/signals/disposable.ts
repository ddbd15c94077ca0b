import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { getDomain } from 'tldts';
import { PROVIDER_DOMAINS } from './providers.ts';

const LISTED: ReadonlySet<string> = disposableEmailBlocklistSet();

/**
 * Whether the A-label domain, or one it lies in, is listed as disposable: such services take mail for every name under
 * theirs. The parents end at the registrable domain, private suffixes of the Public Suffix List respected: what one
 * tenant of a dynamic DNS service does says nothing about the next. A big provider is never disposable.
 */
export function isDisposable(domain: string): boolean {
  if (PROVIDER_DOMAINS.has(domain)) return false;
  if (LISTED.has(domain)) return true;
  const registrable = getDomain(domain, { allowPrivateDomains: true });
  if (registrable === null) return false;
  for (let name = domain; name.length > registrable.length;) {
    name = name.slice(name.indexOf('.') + 1);
    if (LISTED.has(name)) return true;
  }
  return false;
}
