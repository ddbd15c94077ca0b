import { answer, openDatabase } from '../session/database.ts';

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

/** Takes an operator's key file, such as the one that `npm start` names. @throws Error for anything else */
export async function importKey(text: string): Promise<OperatorKey> {
  const { name, privateKey: jwk }: KeyFile = JSON.parse(text);
  const { kty, crv, x, d } = jwk ?? {};
  if (typeof name !== 'string' || kty !== 'OKP' || crv !== ALGORITHM || x === undefined || d === undefined)
    throw new Error('This is not an operator’s key file.');
  const privateKey = await crypto.subtle.importKey('jwk', { kty, crv, x, d }, ALGORITHM, false, ['sign']);
  return keep({ name, privateKey });
}

/** The key that this browser keeps; null if it has none. */
export async function keptKey(): Promise<OperatorKey | null> {
  const database = await open();
  const kept: unknown = await answer(database.transaction(STORE).objectStore(STORE).get(ONLY));
  database.close();
  return isOperatorKey(kept) ? kept : null;
}

export async function forgetKey(): Promise<void> {
  const database = await open();
  await answer(database.transaction(STORE, 'readwrite').objectStore(STORE).delete(ONLY));
  database.close();
}

/**
 * A token for one call (`edge/admin/README.md`): a JWT that names the call by a digest, and is good for seconds.
 */
export async function signCall(key: OperatorKey, path: string): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: key.name,
    sub: key.name,
    aud: location.origin,
    iat: now,
    exp: now + TOKEN_LIFE_S,
    jti: crypto.randomUUID(),
    req: base64url(await crypto.subtle.digest('SHA-256', utf8(`GET\n${path}\n`))),
  };
  const head = base64url(utf8(JSON.stringify({ alg: ALGORITHM, typ: 'JWT' })));
  const signed = `${head}.${base64url(utf8(JSON.stringify(claims)))}`;
  return `${signed}.${base64url(await crypto.subtle.sign(ALGORITHM, key.privateKey, utf8(signed)))}`;
}

async function keep(key: OperatorKey): Promise<OperatorKey> {
  const database = await open();
  await answer(database.transaction(STORE, 'readwrite').objectStore(STORE).put(key, ONLY));
  database.close();
  return key;
}

function open(): Promise<IDBDatabase> {
  return openDatabase(DATABASE, (database) => database.createObjectStore(STORE));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
