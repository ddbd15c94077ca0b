import { PROVIDER_LIMITS } from '../../engine/providers/provider-limits.ts';
import { CLOSE } from '../../../schema/link.ts';

// The values of labels. Each is one of few that stand in the code, so that nothing a customer, a mail server or a DNS
// owner can choose becomes a series, and no address or domain is among them.

const OTHER = 'other';
const PROVIDERS: ReadonlySet<string> = new Set(PROVIDER_LIMITS.map(({ provider }) => nameOf(provider)));
const ERRNOS: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EPERM',
  'ETIMEDOUT',
]);
const CLOSES: ReadonlySet<number> = new Set(Object.values(CLOSE));

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
  return ERRNOS.has(errno) ? errno : OTHER;
}

/** Why a link ended: a WebSocket close code of RFC 6455 or of ours, or an HTTP status. */
export function codeLabel(code: number): string {
  const isKnown = (code >= 1000 && code <= 1015) || (code >= 100 && code <= 599) || CLOSES.has(code);
  return isKnown ? String(code) : OTHER;
}
