import type { KeyObject } from 'node:crypto';

// Stands for `jose`: WebCrypto answers in an order of its own, and nothing here is about cryptography. A token is its
// header, its payload and the public key of who signed it, and holds if that is the key it is checked with.

type Key = { readonly x?: string } | KeyObject;
type Json = Readonly<Record<string, unknown>>;

const encode = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url');
const decode = (text: string | undefined): Json => JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'));

const names = new WeakMap<Key, string>();
function nameOf(key: Key): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = String('export' in key ? key.export({ format: 'jwk' }).x : key.x);
  names.set(key, name);
  return name;
}

export const base64url = { encode };
export const importJWK = async (key: Key): Promise<Key> => key;
export const decodeJwt = (token: string): Json => decode(token.split('.')[1]);
export const decodeProtectedHeader = (token: string): Json => decode(token.split('.')[0]);

export async function jwtVerify(token: string, key: Key, { typ }: { readonly typ: string }) {
  const [head, body, signer] = token.split('.');
  if (signer !== nameOf(key) || decode(head)['typ'] !== typ) throw new Error('not by this key');
  return { payload: decode(body), protectedHeader: decode(head) };
}

export class CompactSign {
  readonly #payload: Uint8Array;
  #header: Json = {};

  constructor(payload: Uint8Array) {
    this.#payload = payload;
  }

  setProtectedHeader(header: Json): this {
    this.#header = header;
    return this;
  }

  async sign(key: Key): Promise<string> {
    return `${encode(JSON.stringify(this.#header))}.${encode(this.#payload)}.${nameOf(key)}`;
  }
}

export class SignJWT {
  readonly #claims: Record<string, unknown> = {};
  #header: Json = {};

  setProtectedHeader = (header: Json): this => ((this.#header = header), this);
  setIssuer = (iss: string): this => ((this.#claims['iss'] = iss), this);
  setAudience = (aud: string): this => ((this.#claims['aud'] = aud), this);
  setJti = (jti: string): this => ((this.#claims['jti'] = jti), this);
  setIssuedAt = (iat: number): this => ((this.#claims['iat'] = iat), this);
  setExpirationTime = (exp: number): this => ((this.#claims['exp'] = exp), this);
  sign = (key: Key): Promise<string> =>
    new CompactSign(Buffer.from(JSON.stringify(this.#claims))).setProtectedHeader(this.#header).sign(key);
}
