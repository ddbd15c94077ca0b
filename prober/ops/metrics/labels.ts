import { PROVIDER_LIMITS } from '../../engine/providers/provider-limits.ts';

// The values of labels. Each is one of few, of the code or of the system, so that nothing a customer, a mail server or a DNS
// owner can choose becomes a series, and no address or domain is among them.

const OTHER = 'other';
const PROVIDERS: ReadonlySet<string> = new Set(PROVIDER_LIMITS.map(({ provider }) => nameOf(provider)));
const ERRNO = /^E[A-Z0-9]{1,20}$/;

/** The name of a listed provider, never as a domain; null and any unlisted name are `other`. */
export function providerLabel(provider: string | null): string {
  const name = nameOf(provider ?? OTHER);
  return PROVIDERS.has(name) ? name : OTHER;
}

function nameOf(provider: string): string {
  return provider.replaceAll('.', '-');
}

/** What the system calls an error. */
export function errnoLabel(errno: string): string {
  return ERRNO.test(errno) ? errno : OTHER;
}
