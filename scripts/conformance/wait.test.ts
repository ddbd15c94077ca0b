import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { elements, results } from './testing/reply.ts';
import { credits, customer, verify } from './testing/service.ts';

// `Prefer: wait=N` (RFC 7240), an addition to the interface.

/** Fewer calls than a key has in a minute. */
const SETTLES = { timeout: 6_000, interval: 150 } as const;
const WAIT = { prefer: 'wait=2' };
const UNFINISHED = { result: 'unknown', status: 'unknown', reason: 'timeout', retry_after: 60 };

describe('with `Prefer: wait=N`', () => {
  claim(
    'wait',
    'the answer says that the wait applies, and a wait that makes no sense is ignored',
    'any key',
    async () => {
      for (const [prefer, applied] of [
        ['wait=3', 'wait=3'],
        ['respond-async, WAIT="90"; x', 'wait=90'],
        ['wait=0', null],
        ['wait=91', null],
        ['wait=soon', null],
      ] as const) {
        const { status, headers } = await verify(['x'], { headers: { prefer } });
        expect([status, headers.get('preference-applied')]).toEqual([200, applied]);
      }
    },
  );
  claim('wait', 'what is not finished by then is unknown, free, and says when to ask again', 'sandbox', async () => {
    const { key } = await customer(3);
    // No server is asked about the first: how fast one is on a busy machine is not what this is about.
    const read = results(await verify(['a@[192.0.2.1]', 'anyone@slow-mail.test'], { key, headers: WAIT }));
    expect(read).toMatchObject([{ status: 'invalid' }, UNFINISHED]);
    await expect.poll(() => credits(key), SETTLES).toBe(2);
  });
  claim('wait', 'nothing finished by then is an answer, not an error', 'sandbox', async () => {
    const { key } = await customer(1);
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const answer = await verify(['anyone@silent.test'], { key, headers: { ...WAIT, accept } });
      expect([answer.status, answer.text.includes('"retry_after":60')]).toEqual([200, true]);
      await expect.poll(() => credits(key), SETTLES).toBe(1);
    }
    expect(elements(await verify(['x'], { key, headers: WAIT }))).toHaveLength(1);
  });
});
