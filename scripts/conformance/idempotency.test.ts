import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { leavingCaller } from './testing/leaving-caller.ts';
import { elements, expectError } from './testing/reply.ts';
import { credits, customer, fileKey, type HttpResponse, verify } from './testing/service.ts';

// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), an addition to the interface.

/** Fewer calls than a key has in a minute. */
const SETTLES = { timeout: 8_000, interval: 400 } as const;
const LINES = { accept: 'application/x-ndjson' };
/** Probed, but never dialled: costs one credit anywhere. */
const literal = (n: number): string => `a${n}@[192.0.2.1]`;
const under = (key: string) => ({ 'idempotency-key': key });

let names = 0;
/** A key that no other run has used. */
const fresh = (): string => `conformance-${Date.now()}-${(names += 1)}`;

/** Sends it, again as long as an earlier request has the key. */
async function repeat(emails: unknown, key: string, headers: Readonly<Record<string, string>>): Promise<HttpResponse> {
  for (;;) {
    const answer = await verify(emails, { key, headers });
    if (answer.status !== 409) return answer;
    await new Promise((wake) => setTimeout(wake, Number(answer.headers.get('retry-after')) * 1_000));
  }
}

/** What an answer as an array says of money: its own cost, and what was charged before. */
const billed = ({ headers }: HttpResponse): readonly (string | null)[] => [
  headers.get('rcpt-charged'),
  headers.get('idempotency-charged'),
];

describe('with an `Idempotency-Key`', () => {
  claim('idempotency', 'a repeated request is answered in full and charged once', 'operator', async () => {
    const { key } = await customer(3);
    const emails = [literal(1), literal(2), 'x', literal(1)];
    const first = await repeat(emails, key, under('order 7'));
    expect([elements(first).length, billed(first)]).toEqual([4, ['2', '0']]);
    await expect.poll(() => credits(key), SETTLES).toBe(1);
    const again = await repeat(emails, key, under('order 7'));
    expect([elements(again), billed(again)]).toEqual([elements(first), ['0', '2']]);
    expect(await credits(key)).toBe(1);
  });
  claim(
    'idempotency',
    'a key is the same bare and as a quoted string, and another one is another',
    'operator',
    async () => {
      const { key } = await customer(9);
      for (const header of ['a"1', String.raw`"a\"1"`]) await repeat([literal(1)], key, under(header));
      await expect.poll(() => credits(key), SETTLES).toBe(8);
      await repeat([literal(1)], key, under('a"2'));
      await expect.poll(() => credits(key), SETTLES).toBe(7);
    },
  );
  claim('idempotency', 'a repeat whose elements were all charged needs no credits', 'operator', async () => {
    const { key } = await customer(1);
    await repeat([literal(1)], key, under('k'));
    expect((await repeat([literal(1)], key, under('k'))).status).toBe(200);
    expectError(await repeat([literal(1)], key, under('other')), 402, 'NO_CREDITS');
  });
  claim(
    'idempotency',
    'of lines that were cut off a repeat costs the rest, and says what was charged',
    'sandbox',
    async () => {
      const { key } = await customer(5);
      const emails = ['anyone@dns-silent.test', 'ok@deliverable.test'];
      const caller = leavingCaller(emails, key, LINES.accept, under('k'));
      await caller.hears('"ok@deliverable.test"');
      caller.leaves();
      await expect.poll(() => credits(key), SETTLES).toBe(4);
      const again = await repeat(emails, key, { ...LINES, ...under('k') });
      expect(again.headers.get('idempotency-charged')).toBe('1');
      expect(again.text.trimEnd().split('\n').at(-1)).toBe('{"done":true,"charged":1,"returned":0}');
      await expect.poll(() => credits(key), SETTLES).toBe(3);
    },
  );
  claim('idempotency', 'another body is 422 `IDEMPOTENCY_MISMATCH`, and nothing is charged', 'any key', async () => {
    const [key, headers] = [await fileKey(), under(fresh())];
    elements(await repeat(['x'], key, headers));
    expectError(await repeat(['y'], key, headers), 422, 'IDEMPOTENCY_MISMATCH');
  });
  claim('idempotency', 'a key under way is 409 `IDEMPOTENCY_IN_PROGRESS` with `Retry-After`', 'sandbox', async () => {
    const { key } = await customer(2);
    const emails = ['anyone@silent.test'];
    const caller = leavingCaller(emails, key, '*/*', under('k'));
    await expect.poll(() => credits(key), SETTLES).toBe(1);
    const refused = await verify(emails, { key, headers: under('k') });
    expectError(refused, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    caller.leaves();
    await expect.poll(() => credits(key), SETTLES).toBe(2);
    const again = await repeat(emails, key, { ...under('k'), prefer: 'wait=1' });
    expect(billed(again)).toEqual(['0', '0']);
  });
  claim(
    'idempotency',
    'the eleventh request is 429 `IDEMPOTENCY_EXHAUSTED` with `Retry-After`',
    'operator',
    async () => {
      const { key } = await customer(1);
      for (let n = 0; n < 10; n += 1) expect((await repeat(['x'], key, under('k'))).status).toBe(200);
      const refused = await repeat(['x'], key, under('k'));
      expectError(refused, 429, 'IDEMPOTENCY_EXHAUSTED');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
    },
  );
  claim('idempotency', 'a key that is empty, too long or not printable is 400 `INVALID_INPUT`', 'any key', async () => {
    for (const header of ['""', 'a'.repeat(256), '"a', 'a\u00fc'])
      expectError(await verify(['x'], { headers: under(header) }), 400, 'INVALID_INPUT');
  });
});
