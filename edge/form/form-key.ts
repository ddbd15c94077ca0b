import * as z from 'zod';
import { stands } from '../ledger/payer.ts';

// What the key of a form allows. The key is in a page for anyone to read, so it is stored in the clear, with its
// settings, in the row that every key has.

const LOOPBACK = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An origin as in the header `Origin` of a page: https, or http on this machine; not a path, not a pattern. */
export const formOriginSchema = z
  .string()
  .max(300)
  .transform((text) => (URL.canParse(text.trim()) ? new URL(text.trim()) : null))
  .refine(
    (url) => url !== null && url.href === `${url.origin}/` && !url.hostname.includes('*') && isSafe(url),
    'must be an origin such as https://shop.example, or http://localhost:3000',
  )
  .transform((url) => url?.origin ?? '');

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** The owner's settings. A visitor is a network: an IPv4 address, or a /64 of IPv6. */
export const formSettingsSchema = z.strictObject({
  origins: z.array(formOriginSchema).min(1).max(10),
  creditsPerDay: z.int().min(1).max(1_000_000),
  perMinute: z.int().min(1).max(1_000),
  perHour: z.int().min(1).max(10_000),
  rejectsDisposable: z.boolean(),
});

const storedSchema = formSettingsSchema.extend({ key: z.string() });
export type StoredForm = z.infer<typeof storedSchema>;

/** Parses the key and its settings from a row of `api_keys`. */
export function readStored(text: string): StoredForm {
  return storedSchema.parse(JSON.parse(text));
}

const READ = `SELECT k.form FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE ${stands('?1')}`;

/** The settings of a form's key; null if it was deleted. @throws what D1 throws */
export async function readForm(db: D1Database, keyHash: string): Promise<StoredForm | null> {
  const text = await db.prepare(READ).bind(keyHash).first<string>('form');
  return text === null ? null : readStored(text);
}
