import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminApi } from '../../admin/connection/api.ts';

// Accounts for a run that ends with an audit of their ledgers.

export type Customer = { readonly accountId: string; readonly key: string };

const CREDITS = 100_000_000;
const AGAIN_MS = 200;

/** Opens an account with credits and a key. */
export async function openAccount(admin: AdminApi, n: number): Promise<Customer> {
  const accountId = `tortured-${n}`;
  await admin.createAccount(accountId, accountId);
  await admin.grant(accountId, 'first', CREDITS);
  const { key } = await admin.createKey(`key_0000000${n}`, accountId, 'audited');
  return { accountId, key };
}

/** Waits until no batch of theirs is open any more; what is still open after that is for the audit to find. */
export async function waitClosed(admin: AdminApi, customers: readonly Customer[], withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (performance.now() < giveUpAt) {
    const accounts = await Promise.all(customers.map(({ accountId }) => admin.showAccount(accountId)));
    if (accounts.every(({ openHolds }) => openHolds.batches === 0)) return;
    await sleep(AGAIN_MS);
  }
}
