import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { expectError } from './testing/reply.ts';
import { ask, customer, fileKey, given, operator, verify, type HttpResponse } from './testing/service.ts';

// Section 5: who is let in. Few 401s: a caller's network may have a hundred a minute.

const CREDITS = '/api/v1/credits';

const withHeader = (authorization: string): Promise<HttpResponse> =>
  ask(CREDITS, { key: null, headers: { authorization } });

describe('every request', () => {
  claim('4', 'carries `Authorization`: without it nothing is answered but 401', 'any key', async () => {
    expectError(await ask(CREDITS, { key: null }), 401, 'UNAUTHORIZED');
    expectError(await verify(['x'], { key: null }), 401, 'UNAUTHORIZED');
  });
  claim('5.1', 'carries it as `Bearer <API_KEY>`; no other scheme is known', 'any key', async () => {
    const key = await fileKey();
    expect((await withHeader(`Bearer ${key}`)).status).toBe(200);
    expect((await withHeader(`bearer ${key}`)).status).toBe(200);
    for (const authorization of [key, `Token ${key}`, `Basic ${btoa(`${key}:`)}`, `Bearer ${key} ${key}`])
      expectError(await withHeader(authorization), 401, 'UNAUTHORIZED');
  });
  claim('5.1', 'a 401 names the scheme', 'any key', async () => {
    expect((await ask(CREDITS, { key: null })).headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('a key', () => {
  claim('5.2', 'begins with the fixed prefix of live keys, then a secret part', 'sandbox', async () => {
    for (const key of [given().key, (await customer(0)).key]) expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  });
  claim('5.2', 'that is not of that form is invalid', 'any key', async () => {
    const key = await fileKey();
    for (const bad of [key.replace('_live_', '_test_'), key.slice(0, -1), `${key}0`, key.toUpperCase()])
      expectError(await withHeader(`Bearer ${bad}`), 401, 'UNAUTHORIZED');
  });
  claim('5.6', 'that was never issued, however well-formed, gives 401 `UNAUTHORIZED`', 'any key', async () => {
    const key = await fileKey();
    const last = key.endsWith('a') ? 'b' : 'a';
    expectError(await withHeader(`Bearer ${key.slice(0, -1)}${last}`), 401, 'UNAUTHORIZED');
    expectError(await withHeader(`Bearer svc_live_${'0'.repeat(38)}`), 401, 'UNAUTHORIZED');
  });
  claim('5.3', 'is one of several that an account may hold', 'operator', async () => {
    const { accountId } = await customer(0);
    const api = await operator();
    await api.createKey(`key_${accountId.slice(4)}`, accountId, 'other');
    expect((await api.showAccount(accountId)).keys).toHaveLength(2);
  });
  claim('5.4', 'is shown once, when it is made', 'operator', async () => {
    const { accountId, keyId, key } = await customer(0);
    const api = await operator();
    const shown = JSON.stringify(await api.showAccount(accountId));
    expect(shown).toContain(keyId);
    expect(shown).not.toContain(key.slice(-12));
    await expect(api.createKey(keyId, accountId, 'conformance')).rejects.toThrow();
  });
  claim('5.5', 'stops working with the next request when it is deleted', 'operator', async () => {
    const { key, keyId } = await customer(5);
    expect((await ask(CREDITS, { key })).status).toBe(200);
    const api = await operator();
    await api.deleteKey(keyId);
    expectError(await ask(CREDITS, { key }), 401, 'UNAUTHORIZED');
    expectError(await verify(['a@[192.0.2.1]'], { key }), 401, 'UNAUTHORIZED');
    expectError(await verify([], { key }), 401, 'UNAUTHORIZED');
  });
});
