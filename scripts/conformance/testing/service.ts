import { inject } from 'vitest';
import { adminApi, newId, type AdminApi } from '../../admin/connection/api.ts';
import { readOperatorKey } from '../../admin/connection/operator-key.ts';
import { creditsSchema } from '../../../schema/api.ts';

// The service under test, wherever it runs. Nothing here knows more of it than its URL and what its operator can do.

/** What the suite was given. */
export type Given = {
  readonly url: string;
  /** A key of an account with some credits that nobody else uses meanwhile. */
  readonly key: string;
  /** File of an operator's key, null if the suite has none. */
  readonly operatorKey: string | null;
  /** Whether `npm start` serves it with its sandbox, its default variables, and nobody else calls it. */
  readonly isSandbox: boolean;
};

declare module 'vitest' {
  interface ProvidedContext {
    given: Given;
  }
}

export const given = (): Given => inject('given');

export type Customer = { readonly accountId: string; readonly keyId: string; readonly key: string };

type Operated = Pick<Given, 'url' | 'operatorKey'>;

/** The operator's API of the service. */
export async function operator({ url, operatorKey }: Operated = given()): Promise<AdminApi> {
  if (operatorKey === null) throw new Error('There is no operator here');
  return adminApi({ origin: url, operator: await readOperatorKey(operatorKey) });
}

/** A new account with credits and one key. */
export async function customer(balance: number, service: Operated = given()): Promise<Customer> {
  const api = await operator(service);
  const accountId = newId('acc');
  await api.createAccount(accountId, 'conformance');
  if (balance > 0) await api.grant(accountId, newId('grant'), balance);
  const keyId = newId('key');
  const { key } = await api.createKey(keyId, accountId, 'conformance');
  return { accountId, keyId, key };
}

let ownKey: Promise<string> | null = null;

/** The key of this file's tests: one of its own if there is an operator, so that files share no limit. */
export function fileKey(): Promise<string> {
  ownKey ??= given().operatorKey === null ? Promise.resolve(given().key) : customer(1_000).then(({ key }) => key);
  return ownKey;
}

export type HttpResponse = { readonly status: number; readonly headers: Headers; readonly text: string };

export type Asked = {
  readonly method?: string;
  /** Null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly url?: string;
};

/** One call. With the file's key it waits for the next window if that is past its limit. */
export async function ask(path: string, asked: Asked = {}): Promise<HttpResponse> {
  const key = asked.key === undefined ? await fileKey() : asked.key;
  const answer = await fetch(new URL(path, asked.url ?? given().url), {
    method: asked.method ?? 'GET',
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...asked.headers },
    ...(asked.body === undefined ? {} : { body: asked.body }),
  });
  const text = await answer.text();
  const reset = answer.headers.get('ratelimit-reset');
  if (answer.status !== 429 || asked.key !== undefined || reset === null)
    return { status: answer.status, headers: answer.headers, text };
  await new Promise((wake) => setTimeout(wake, Number(reset) * 1_000));
  return ask(path, asked);
}

/** POST verify of these entries. */
export function verify(emails: unknown, asked: Asked = {}): Promise<HttpResponse> {
  return post(JSON.stringify({ emails }), asked);
}

/** POST verify of a body. */
export function post(body: string | Uint8Array<ArrayBuffer>, asked: Asked = {}): Promise<HttpResponse> {
  const headers = { 'content-type': 'application/json', ...asked.headers };
  return ask('/api/v1/verify', { ...asked, method: 'POST', body, headers });
}

export async function credits(key: string, url?: string): Promise<number> {
  const { text } = await ask('/api/v1/credits', { key, ...(url === undefined ? {} : { url }) });
  return creditsSchema.parse(JSON.parse(text)).credits;
}
