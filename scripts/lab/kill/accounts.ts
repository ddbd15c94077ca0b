import type { AdminApi } from '../../admin/connection/api.ts';
import type { Customer } from './load.ts';

// Accounts for a run that ends with an audit of their ledgers.

const CREDITS = 1_000_000;
const AGAIN_MS = 200;

/** Opens accounts with credits and a key each. @param ids at most ten */
export async function openAccounts(admin: AdminApi, ids: readonly string[]): Promise<readonly Customer[]> {
  return Promise.all(
    ids.map(async (accountId, at) => {
      await admin.createAccount(accountId, accountId);
      await admin.grant(accountId, 'first', CREDITS);
      const { key } = await admin.createKey(`key_0000000${at}`, accountId, 'audited');
      return { accountId, key };
    }),
  );
}

/** Waits until no batch of theirs is open any more; what is still open after that is for the audit to find. */
export async function waitClosed(admin: AdminApi, customers: readonly Customer[], withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (performance.now() < giveUpAt) {
    const accounts = await Promise.all(customers.map(({ accountId }) => admin.showAccount(accountId)));
    if (accounts.every(({ openHolds }) => openHolds.batches === 0)) return;
    await new Promise((wake) => setTimeout(wake, AGAIN_MS));
  }
}
