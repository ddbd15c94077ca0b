import { randomUUID } from 'node:crypto';
import { accountPartOf, hashKey, tagOf } from '../access/key.ts';
import { type Customer, type Edge, mintKey, SECRETS } from './edge.ts';

export const SHOP = 'https://shop.example';
const SETTINGS = { origins: [SHOP], creditsPerDay: 500, perMinute: 6, perHour: 30, rejectsDisposable: false };

export type Asked = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly signal?: AbortSignal;
};
export type TestForm = Customer & {
  readonly keyId: string;
  /** A call from a page of the shop, for `{ key, email }` or another body, from a network of its own. */
  readonly ask: (email: string, asked?: Asked) => Promise<Response>;
  /** A new key of the account for its servers. */
  readonly secretKey: () => Promise<string>;
  /** What it has cost today, as the balance page shows it. */
  readonly charged: () => Promise<number>;
};

let networks = 0;

/** A key of a form, of an account with credits. */
export async function newForm(
  edge: Edge,
  settings: Partial<typeof SETTINGS> = {},
  { credits = 100, kind = 'form' }: { readonly credits?: number; readonly kind?: 'form' | 'formtest' } = {},
): Promise<TestForm> {
  const { accountId } = await edge.customer(credits);
  const stem = `svc_${kind}_${await accountPartOf(accountId, 0)}${randomUUID().replaceAll('-', '').slice(0, 22)}`;
  const key = stem + (await tagOf(stem, SECRETS[0]));
  const [keyHash, keyId, db] = [await hashKey(key), randomUUID(), await edge.db()];
  await db
    .prepare(
      'INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, form) VALUES (?,?,?,?,?,?,?,?)',
    )
    .bind(keyHash, keyId, accountId, 'Shop', '', 0, kind, JSON.stringify({ ...SETTINGS, ...settings, key }))
    .run();
  return {
    accountId,
    key,
    keyHash,
    keyId,
    ask: (email, { body, headers, signal } = {}) => {
      networks += 1;
      const network = `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
      const sent = { origin: SHOP, 'content-type': 'text/plain', 'cf-connecting-ip': network, ...headers };
      const kept = Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
      return fetch(new URL('/api/v1/form', edge.url), {
        method: 'POST',
        headers: Object.fromEntries(kept),
        body: typeof body === 'string' ? body : JSON.stringify(body ?? { key, email }),
        ...(signal === undefined ? {} : { signal }),
      });
    },
    secretKey: async () => {
      const secret = await mintKey(SECRETS[0], 'svc_live_', accountId);
      await db
        .prepare("INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, '', '', 0)")
        .bind(await hashKey(secret), randomUUID(), accountId)
        .run();
      return secret;
    },
    charged: async () => {
      await edge.settled(accountId);
      return (
        (await db
          .prepare('SELECT sum(charged) AS n FROM usage_days WHERE key_id = ?')
          .bind(keyId)
          .first<number>('n')) ?? 0
      );
    },
  };
}
