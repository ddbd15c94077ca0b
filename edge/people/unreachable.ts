import { RequestError } from '../../schema/errors.ts';
import type { Config } from '../base/config.ts';

/**
 * Names that are nobody's mail domain: RFC 2606, 6761, 6762, 7686 and 9476, and ICANN's `internal`; `example.com` has a
 * null MX. In the sandbox they are.
 */
const RESERVED: ReadonlySet<string> = new Set(
  'test example invalid localhost local internal onion alt arpa example.com example.net example.org'.split(' '),
);

/**
 * Refuses an address that no mail from here can reach, by its domain alone.
 * @param email the identity of an address
 * @throws RequestError INVALID_INPUT
 */
export function refuseUnreachable({ SANDBOX }: Pick<Config, 'SANDBOX'>, email: string): void {
  if (SANDBOX === '1') return;
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  const domain = labels.join('.');
  if (labels.length > 1 && !RESERVED.has(labels.at(-1) ?? '') && !RESERVED.has(labels.slice(-2).join('.'))) return;
  throw new RequestError('INVALID_INPUT', `No mail can reach an address at ${domain}. Use one where you read mail.`);
}
