import { base64url, SignJWT } from 'jose';
import { answer } from '../../../schema/client/browser/answer.ts';
import { openDatabase } from '../session/database.ts';

// The operator's key. The browser takes it from a file and never gives its private half out again: what runs on this
// page can sign with it while the page is open, but nobody can carry it away.

const ALGORITHM = 'Ed25519';
const DATABASE = 'rcpt-operator';
const STORE = 'keys';
const ONLY = 0;
const TOKEN_LIFE_S = 30;

export type OperatorKey = { readonly name: string; readonly privateKey: CryptoKey };

function isOperatorKey(value: unknown): value is OperatorKey {
  return typeof value === 'object' && value !== null && 'privateKey' in value && value.privateKey instanceof CryptoKey;
}

type KeyFile = { readonly name?: string; readonly privateKey?: JsonWebKey };

function keyFileOf(text: string): KeyFile {
  try {
    const file: unknown = JSON.parse(text);
    return typeof file === 'object' && file !== null ? file : {};
  } catch {
    return {};
  }
}

/** Takes an operator's key file, such as the one that `npm start` names. @throws Error for anything else */
export async function importKey(text: string): Promise<OperatorKey> {
  const { name, privateKey: jwk } = keyFileOf(text);
  const { kty, crv, x, d } = jwk ?? {};
  if (typeof name !== 'string' || kty !== 'OKP' || crv !== ALGORITHM || x === undefined || d === undefined)
    throw new Error('This is not an operator’s key file. Use the file that the admin command signs with.');
  const privateKey = await crypto.subtle.importKey('jwk', { kty, crv, x, d }, ALGORITHM, false, ['sign']);
  const key = { name, privateKey };
  await inStore('readwrite', (store) => store.put(key, ONLY));
  return key;
}

/** The key that this browser keeps; null if it has none. */
export async function keptKey(): Promise<OperatorKey | null> {
  const kept: unknown = await inStore('readonly', (store) => store.get(ONLY));
  return isOperatorKey(kept) ? kept : null;
}

export async function forgetKey(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(ONLY));
}

/** A token for one call (`edge/admin/README.md`): a JWT that names the call by a digest, and is good for seconds. */
export async function signCall({ name, privateKey }: OperatorKey, path: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`GET\n${path}\n`));
  return new SignJWT({ req: base64url.encode(new Uint8Array(digest)) })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(name)
    .setSubject(name)
    .setAudience(location.origin)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_LIFE_S}s`)
    .setJti(crypto.randomUUID())
    .sign(privateKey);
}

async function inStore<Value>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const database = await openDatabase(DATABASE, (made) => made.createObjectStore(STORE));
  try {
    return await answer(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}
