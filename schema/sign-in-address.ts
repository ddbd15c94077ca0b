import * as z from 'zod';
import { type Address, parseAddress } from './address.ts';
import { withoutStrayMarks } from './words/unseen.ts';

/**
 * An address by which somebody signs in: what mail can go to. Read as the identity of the address, so that one person is
 * one. A quoted local part is refused: it may say anything, in mails to others too, and spells one mailbox in many ways.
 */
export const signInAddressSchema = z
  .string()
  .transform((text) => parseAddress(withoutStrayMarks(text)))
  .refine(
    (address) => address !== null && address.domainKind === 'name' && !address.local.startsWith('"'),
    'must be an email address without quotation marks, such as ann@example.com',
  )
  .transform((address: Address | null) => address?.identity ?? '');
