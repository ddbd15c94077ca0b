import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { isIssued } from '../../edge/access/key.ts';
import { accountIdSchema, keyIdSchema } from '../../schema/admin.ts';
import type { AdminApi } from '../admin/connection/api.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

// The account that a newcomer tries the service with. It is opened through the operator's API, as a live one is.

const DEMO_CREDITS = 100_000;
/** The email address of the demo account's owner. */
export const DEMO_OWNER = 'demo@rcpt.test';
const DEMO = 'demo';
const FIRST_PURCHASE = 'first';

const demoSchema = z.object({ accountId: accountIdSchema, keyId: keyIdSchema, apiKey: z.string() });
export type DemoAccount = z.infer<typeof demoSchema>;

type KeyForm = { readonly KEY_PREFIX: string; readonly KEY_SECRETS: readonly string[] };

/** The demo account with its key: opened at the first start and kept for as long as its key is valid. */
export async function openDemoAccount(api: AdminApi, folder: string, form: KeyForm): Promise<DemoAccount> {
  const file = join(folder, 'demo.json');
  await api.createAccount(DEMO, DEMO);
  await api.grant(DEMO, FIRST_PURCHASE, DEMO_CREDITS);
  await api.setOwner(DEMO, DEMO_OWNER);
  const known = await readStateFile(file, demoSchema);
  if (known !== null && (await isGood(api, known, form))) return known;
  const keyId = `key_${randomBytes(8).toString('hex')}`;
  const { key } = await api.createKey(keyId, DEMO, 'npm start');
  const demo = { accountId: DEMO, keyId, apiKey: key };
  await writeStateFile(file, demo);
  return demo;
}

/** Not deleted since, and in the form that the Worker now expects. Does not count towards the key's rate limit. */
async function isGood(api: AdminApi, demo: DemoAccount, form: KeyForm): Promise<boolean> {
  if (!(await isIssued(demo.apiKey, form.KEY_PREFIX, form.KEY_SECRETS))) return false;
  const { keys } = await api.showAccount(demo.accountId);
  return keys.some((key) => key.id === demo.keyId);
}
