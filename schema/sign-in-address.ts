import * as z from 'zod';
import { type Address, parseAddress } from './address.ts';

/** An address by which somebody signs in: what mail can go to. Read as the identity of the address, so that one person is one. */
export const signInAddressSchema = z
  .string()
  .transform(parseAddress)
  .refine((address) => address !== null && address.domainKind === 'name', 'is not an email address')
  .transform((address: Address | null) => address?.identity ?? '');
