import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Makes the credits of an account expired, in the state folder of a service that does not run. */
export async function expireCredits(state: string, accountId: string): Promise<void> {
  const files = await readdir(state, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(state, file));
    const isOurs = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").get() !== undefined;
    if (isOurs) database.prepare('UPDATE accounts SET expires_at = ? WHERE id = ?').run(Date.now() - 1_000, accountId);
    database.close();
    if (isOurs) return;
  }
  throw new Error('There is no database of accounts');
}
