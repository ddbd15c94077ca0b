import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { resultOf } from '../schema/client/testing/scripted-service.ts';
import type { OpenResult } from '../schema/words/result.ts';

// The program of `schema/examples/sign-up/`, as it is copied.

type Check = (email: unknown, service: { readonly url: string; readonly apiKey: string }) => Promise<unknown>;
const moduleSchema = z.object({ checkAddress: z.custom<Check>((value) => typeof value === 'function') });

const sent = vi.spyOn(globalThis, 'fetch');
afterEach(() => void sent.mockReset());

function service(said: Partial<OpenResult>): void {
  sent.mockImplementation(async () => Response.json([resultOf('ann@gmial.com', said)]));
}

async function check(email: unknown): Promise<unknown> {
  const file = new URL('../schema/examples/sign-up/check-address.mjs', import.meta.url).href;
  const { checkAddress } = moduleSchema.parse(await import(file));
  return checkAddress(email, { url: 'https://verify.test', apiKey: 'svc_live_x' });
}

describe('a sign-up form', () => {
  test.each<[string, Partial<OpenResult>, unknown]>([
    ['that exists', {}, { accept: true, message: null, suggestion: null, askAgainS: null }],
    [
      'that does not exist',
      { status: 'invalid', result: 'undeliverable' },
      { accept: false, message: 'This address does not exist. Is it spelled right?', suggestion: null },
    ],
    [
      'that is mistyped',
      { status: 'risky', did_you_mean: 'ann@gmail.com' },
      { accept: true, message: 'Did you mean ann@gmail.com?', suggestion: 'ann@gmail.com' },
    ],
    [
      'that nobody could tell of',
      { status: 'unknown', retry_after: 60 },
      { accept: true, message: null, suggestion: null },
    ],
    ['of a newer kind', { status: 'curious' }, { accept: true, message: null, suggestion: null }],
  ])('treats an address %s as it should', async (_name, said, answer) => {
    service(said);
    expect(await check('ann@gmial.com')).toMatchObject(Object(answer));
    const [url, init] = sent.mock.calls[0] ?? [];
    expect(url).toBe('https://verify.test/api/v1/verify');
    expect(init).toMatchObject({ headers: { prefer: 'wait=4', authorization: 'Bearer svc_live_x' } });
  });

  test.each([402, 429, 500])('lets the person in if the service says %i', async (status) => {
    sent.mockImplementation(async () => new Response('{}', { status }));
    expect(await check('ann@gmial.com')).toMatchObject({ accept: true });
  });

  test('lets the person in if the service cannot be reached', async () => {
    sent.mockRejectedValue(new Error('no route'));
    expect(await check('ann@gmial.com')).toMatchObject({ accept: true });
  });

  test('asks nothing for what is not a short text', async () => {
    for (const email of [undefined, null, 7, 'x'.repeat(400)])
      expect(await check(email)).toEqual({
        accept: false,
        message: 'This is not an email address.',
        suggestion: null,
        askAgainS: null,
      });
    expect(sent).not.toHaveBeenCalled();
  });
});
