import common from 'email-providers/common.json' with { type: 'json' };
import { isDisposable } from './disposable.ts';
import { NO_PROVIDERS, PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';

// `common.json` and not the same package's `all.json`: the latter has 8,800 domains, a third of them disposable, and
// misspelled ones (gmai.com, hotmail.con) too.
const COMMON: ReadonlySet<string> = new Set(common);

/** Whether the A-label domain belongs to a free consumer mailbox provider. */
export function isFreeProvider(domain: string): boolean {
  if (PROVIDER_DOMAINS.has(domain)) return true;
  return COMMON.has(domain) && !NO_PROVIDERS.has(domain) && !isDisposable(domain);
}
