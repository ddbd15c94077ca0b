import { mayBeAddress } from '../../../../schema/client/list/entry.ts';

/** What no local part without quotes has (RFC 5321 and 6531, Dot-string). */
const NOT_IN_LOCAL = /[\s\p{Cc}()<>[\]:;@\\,"]|^\.|\.$|\.\./u;
const NOT_IN_DOMAIN = /[\s\p{Cc}()<>:;@\\,"]|^\.|\.\./u;

/**
 * Whether this surely is not an address, so that it need not be sent: the service would say `invalid_syntax` and charge
 * nothing. In doubt it is sent. Pure.
 */
export function isBroken(email: string): boolean {
  if (!mayBeAddress(email)) return true;
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  return (
    (!local.startsWith('"') && NOT_IN_LOCAL.test(local)) || (!domain.startsWith('[') && NOT_IN_DOMAIN.test(domain))
  );
}
