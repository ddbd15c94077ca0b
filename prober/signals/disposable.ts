import { getDomain } from 'tldts';
import { DISPOSABLE } from './kept-lists.ts';
import { PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';
import { SortedNames } from './sorted-names.ts';

const LISTED = new SortedNames(DISPOSABLE);

/**
 * Whether the A-label domain, or one it lies in, is listed as disposable: such services take mail for every name under
 * theirs. The parents end at the registrable domain, private suffixes of the Public Suffix List respected: what one
 * tenant of a dynamic DNS service does says nothing about the next. A big provider is never disposable.
 */
export function isDisposable(domain: string): boolean {
  if (PROVIDER_DOMAINS.has(domain)) return false;
  if (LISTED.has(domain)) return true;
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    const parent = domain.slice(dot + 1);
    // Asked for the longest listed one alone, and of most domains for none: where names end need not be known for them.
    if (LISTED.has(parent)) return reachesRegistrable(parent, domain);
  }
  return false;
}

function reachesRegistrable(parent: string, domain: string): boolean {
  const registrable = getDomain(domain, { allowPrivateDomains: true });
  return registrable !== null && parent.length >= registrable.length;
}
