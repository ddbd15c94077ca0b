import * as z from 'zod';
import { siteOf } from '../../schema/form-site.ts';
import { keyIsValid } from '../ledger/payer.ts';

// What the key of a form allows. The key is in a page for anyone to read, so it is stored in the clear, with its
// settings, in the row that every key has.

/** An origin as in the header `Origin` of a page. */
export const formOriginSchema = z.string().transform((text, context) => {
  const site = siteOf(text);
  if ('origin' in site) return site.origin;
  context.addIssue(site.wrong);
  return z.NEVER;
});

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

const READ = `SELECT k.form FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE ${keyIsValid('?1')}`;

/** The settings of a form's key; null if it was deleted. @throws what D1 throws */
export async function readForm(db: D1Database, keyHash: string): Promise<StoredForm | null> {
  const text = await db.prepare(READ).bind(keyHash).first<string>('form');
  return text === null ? null : readStored(text);
}
