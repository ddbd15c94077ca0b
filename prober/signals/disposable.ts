import { getDomain } from 'tldts';
import { DISPOSABLE } from './kept-lists.ts';
import { PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';
import { SortedText } from '../engine/meaning/words/sorted-text.ts';

const LISTED = new SortedText(DISPOSABLE);

/**
 * Whether the A-label domain, or a parent of it up to the registrable domain, is listed: such services accept mail for
 * every name under theirs. One tenant of a dynamic DNS service says nothing about the next.
 */
export function isDisposable(domain: string): boolean {
  if (PROVIDER_DOMAINS.has(domain)) return false;
  if (LISTED.has(domain)) return true;
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    const parent = domain.slice(dot + 1);
    // Only checked for the longest listed one, and for most domains not at all: they need no Public Suffix List.
    if (LISTED.has(parent)) return reachesRegistrable(parent, domain);
  }
  return false;
}

function reachesRegistrable(parent: string, domain: string): boolean {
  const registrable = getDomain(domain, { allowPrivateDomains: true });
  return registrable !== null && parent.length >= registrable.length;
}
