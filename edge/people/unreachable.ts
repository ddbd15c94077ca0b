import { RequestError } from '../../schema/errors.ts';
import type { Config } from '../base/config.ts';

/**
 * Names that are nobody's mail domain: RFC 2606, 6761, 6762, 7686 and 9476, and ICANN's `internal`; `example.com` has a
 * null MX.
 */
const RESERVED: ReadonlySet<string> = new Set(
  'test example invalid localhost local internal onion alt arpa example.com example.net example.org'.split(' '),
);

/**
 * Refuses an address that no mail from here can reach, by its domain alone. A service that itself sends from such a name,
 * as on a developer's machine, mails nobody: there all are good.
 * @param email the identity of an address
 * @throws RequestError INVALID_INPUT
 */
export function refuseUnreachable({ SIGN_IN_FROM }: Pick<Config, 'SIGN_IN_FROM'>, email: string): void {
  const domain = domainOf(email);
  if (!isReserved(domain) || isReserved(domainOf(SIGN_IN_FROM))) return;
  throw new RequestError('INVALID_INPUT', `No mail can reach an address at ${domain}. Use one where you read mail.`);
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

function isReserved(domain: string): boolean {
  const labels = domain.split('.');
  return labels.length === 1 || RESERVED.has(labels.at(-1) ?? '') || RESERVED.has(labels.slice(-2).join('.'));
}
