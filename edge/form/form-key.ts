import * as z from 'zod';
import { askHome } from '../access/key-home.ts';
import type { Bearer } from '../access/known-keys.ts';
import type { Call } from '../base/call.ts';
import { Latest } from '../base/latest.ts';
import { stands } from '../ledger/payer.ts';
import { originSchema } from './origin.ts';

// What the key of a form allows. The key stands in a page for everybody to read, and so it is stored as it is, with its
// settings, in the row of every key.

/** What its owner chooses. A visitor is a network: an IPv4 address, or a /64 of IPv6. */
export const formSettingsSchema = z.strictObject({
  origins: z.array(originSchema).min(1).max(10),
  creditsPerDay: z.int().min(1).max(1_000_000),
  perMinute: z.int().min(1).max(1_000),
  perHour: z.int().min(1).max(10_000),
  rejectsDisposable: z.boolean(),
});
type FormSettings = z.infer<typeof formSettingsSchema>;

const storedSchema = formSettingsSchema.extend({ key: z.string() });
export type StoredForm = z.infer<typeof storedSchema>;

/** The settings as a row of `api_keys` has them. */
export function readStored(text: string): StoredForm {
  return storedSchema.parse(JSON.parse(text));
}

const READ = `SELECT k.form FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE ${stands('?1')}`;

/** What a stranger who asks again and again costs D1: one read a second. A change of settings is seen as late. */
const KNOWN_FOR_MS = 1_000;
const PATIENCE_MS = 3_000;

const known = new WeakMap<Bearer, Latest<FormSettings | null>>();

/** What a form's key allows; null if it was deleted. @throws what D1 throws */
export function settingsOf(call: Call, bearer: Bearer): Promise<FormSettings | null> {
  const latest = known.get(bearer) ?? new Latest<FormSettings | null>(PATIENCE_MS);
  known.set(bearer, latest);
  const read = async (): Promise<FormSettings | null> => {
    const text = await askHome(call, bearer, ({ db }) => db.prepare(READ).bind(bearer.keyHash).first<string>('form'));
    return text === null ? null : readStored(text);
  };
  return latest.get(Date.now() - KNOWN_FOR_MS, read, call.waitUntil);
}
