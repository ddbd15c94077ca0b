import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RequestError } from '../../../schema/errors.ts';
import { type PrivateJwk, publicHalf } from '../../../schema/jwk.ts';
import { HOST_TOKEN_TYPE } from '../../../schema/link.ts';
import { makeKey } from '../../../schema/testing/make-key.ts';
import { type Edge, startEdge } from '../../testing/edge.ts';
import { acceptLink } from './accept-link.ts';
import type { Refusal } from './refused-links.ts';

// What it costs D1 when strangers call the probe hosts' endpoint.

const ORIGIN = 'https://rcpt.example';

type Database = Awaited<ReturnType<Edge['db']>>;
let edge: Edge;
let stored: Database;
let db: Database;
let reads: number;
let told: Refusal[] = [];
beforeAll(async () => {
  edge = await startEdge();
  stored = await edge.db();
});
afterAll(() => edge.stop());
/** Each test plays an isolate of its own: what an isolate remembers is kept by its D1. */
beforeEach(() => {
  reads = 0;
  told = [];
  db = new Proxy(stored, {
    get(target, name) {
      if (name === 'prepare') reads += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (...args: unknown[]): unknown => Reflect.apply(value, target, args) : value;
    },
  });
});

async function enrol(host: string, key: PrivateJwk, state = 'active'): Promise<void> {
  await stored
    .prepare('INSERT OR REPLACE INTO hosts (id, public_key, state, created_at) VALUES (?, ?, ?, 0)')
    .bind(host, JSON.stringify(publicHalf(key)), state)
    .run();
}

async function token(host: string, key: PrivateJwk, aheadS = 0): Promise<string> {
  const now = Math.floor(Date.now() / 1000) + aheadS;
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA', typ: HOST_TOKEN_TYPE })
    .setJti(randomUUID())
    .setIssuer(host)
    .setAudience(ORIGIN)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(await importJWK({ ...key }, 'EdDSA'));
}

/** @returns whether the upgrade was handed to the Fleet object */
async function knock(authorization: string): Promise<boolean> {
  let isIn = false;
  const shard = {
    fetch: (): Promise<Response> => {
      isIn = true;
      return Promise.resolve(new Response(null, { status: 401 }));
    },
    // The object would open a socket here: the token has been judged by then.
  };
  const request = new Request(`${ORIGIN}/link?shard=0`, {
    headers: { upgrade: 'websocket', authorization: `Bearer ${authorization}` },
  });
  const refusal: unknown = await acceptLink({
    request,
    db,
    shards: [shard],
    waitUntil: () => {},
    onRefused: (r) => told.push(r),
  }).catch((error: unknown) => error);
  expect(refusal instanceof RequestError && refusal.failure).toBe('UNAUTHORIZED');
  return isIn;
}

describe('a flood of tokens', () => {
  it.each([
    ['in the name of an existing host', () => 'probe-1'],
    ['in unknown names', (n: number) => `nobody-${n}`],
  ])('forged %s, 500 at once, costs D1 at most two reads', async (_name, nameOf) => {
    await enrol('probe-1', makeKey());
    const forger = makeKey();
    const tokens = await Promise.all(Array.from({ length: 500 }, (_, n) => token(nameOf(n), forger)));
    expect(new Set(await Promise.all(tokens.map(knock)))).toEqual(new Set([false]));
    expect(reads).toBeLessThanOrEqual(2);
  });

  it('with malformed signatures costs D1 nothing', async () => {
    const [head = '', body = '', signature = ''] = (await token('probe-1', makeKey())).split('.');
    for (const wrong of [`${head}.${body}.`, `${head}.${body}.${signature}AA`, `${body}.${body}.${signature}`])
      expect(await knock(wrong)).toBe(false);
    expect(reads).toBe(0);
  });
});

describe('a probe host', () => {
  it('with a wrong clock is named to the operator, at the cost of one read for fifty attempts', async () => {
    const key = makeKey();
    await enrol('probe-late', key);
    const late = await Promise.all(Array.from({ length: 50 }, () => token('probe-late', key, -600)));
    for (const one of late) expect(await knock(one)).toBe(false);
    await expect
      .poll(() => told)
      .toEqual([{ host: 'probe-late', why: expect.stringMatching(/^its clock is 60[0-9] s behind$/) }]);
    expect(reads).toBe(1);
  });

  it('enrolled a moment ago is let in during a flood of forged tokens', async () => {
    const [forger, key] = [makeKey(), makeKey()];
    const flood = Array.from({ length: 50 }, async (_, n) => knock(await token(`nobody-${n}`, forger)));
    await enrol('probe-new', key);
    expect(await knock(await token('probe-new', key))).toBe(true);
    expect(new Set(await Promise.all(flood))).toEqual(new Set([false]));
  });

  it('is reported once with the reason for its refusal; strangers are reported without a name', async () => {
    await enrol('probe-4', makeKey());
    await enrol('probe-5', makeKey(), 'removed');
    for (const host of ['probe-4', 'probe-5', 'nobody', 'probe-4', 'nobody']) await knock(await token(host, makeKey()));
    expect(told.filter(({ host }) => host !== null)).toEqual([
      { host: 'probe-4', why: expect.stringContaining('its key is not the enrolled one') },
      { host: 'probe-5', why: 'it was removed' },
    ]);
    expect(told.filter(({ host }) => host === null).length).toBeLessThanOrEqual(1);
  });

  it('removed a moment ago is refused at once', async () => {
    const key = makeKey();
    await enrol('probe-2', key);
    expect(await knock(await token('probe-2', key))).toBe(true);
    await enrol('probe-2', key, 'removed');
    expect(await knock(await token('probe-2', key))).toBe(false);
  });

  it('dialling in together with a thousand others costs D1 at most two reads', async () => {
    const keys = Array.from({ length: 20 }, makeKey);
    await Promise.all(keys.map((key, n) => enrol(`fleet-${n}`, key)));
    const tokens = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => token(`fleet-${n % 20}`, keys[n % 20] ?? makeKey())),
    );
    expect(new Set(await Promise.all(tokens.map(knock)))).toEqual(new Set([true]));
    expect(reads).toBeLessThanOrEqual(2);
  });
});
