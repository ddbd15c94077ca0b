import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { resultOf } from '../schema/client/testing/scripted-service.ts';
import type { OpenResult } from '../schema/words/result.ts';

// The programs of `schema/examples/sign-up/`, as they are copied.

type Form = { readonly RCPT_URL: string; readonly RCPT_API_KEY: string };
type Answer = { status: (code: number) => Answer; json: (body: unknown) => void };
type Route = (form: Form) => (request: { body?: unknown }, response: Answer) => Promise<void>;
type Worker = { readonly fetch: (request: Request, form: Form) => Promise<Response> };

const isFunction = (value: unknown): boolean => typeof value === 'function';
const workerSchema = z.object({ default: z.object({ fetch: z.custom<Worker['fetch']>(isFunction) }) });
const expressSchema = z.object({ emailRoute: z.custom<Route>(isFunction) });
const load = (name: string): Promise<unknown> =>
  import(new URL(`../schema/examples/sign-up/${name}`, import.meta.url).href);

const FORM = { RCPT_URL: 'https://verify.test', RCPT_API_KEY: 'svc_live_x' };
const sent = vi.spyOn(globalThis, 'fetch');
afterEach(() => void sent.mockReset());

function service(said: Partial<OpenResult>): void {
  sent.mockImplementation(async () => Response.json([resultOf('ann@gmial.com', said)]));
}

async function post(body: unknown): Promise<Response> {
  const { default: worker } = workerSchema.parse(await load('worker.mjs'));
  return worker.fetch(new Request('https://shop.test/', { method: 'POST', body: JSON.stringify(body) }), FORM);
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
    expect(await (await post({ email: 'ann@gmial.com' })).json()).toMatchObject(Object(answer));
    const [url, init] = sent.mock.calls[0] ?? [];
    expect(url).toBe('https://verify.test/api/v1/verify');
    expect(init).toMatchObject({ headers: { prefer: 'wait=4', authorization: 'Bearer svc_live_x' } });
  });

  test.each([402, 429, 500])('lets the person in if the service says %i', async (status) => {
    sent.mockImplementation(async () => new Response('{}', { status }));
    expect(await (await post({ email: 'ann@gmial.com' })).json()).toMatchObject({ accept: true });
  });

  test('lets the person in if the service cannot be reached', async () => {
    sent.mockRejectedValue(new Error('no route'));
    expect(await (await post({ email: 'ann@gmial.com' })).json()).toMatchObject({ accept: true });
  });

  test('asks nothing for what is not a short text', async () => {
    for (const body of [null, 'ann', {}, { email: 7 }, { email: 'x'.repeat(400) }])
      expect((await post(body)).status).toBe(400);
    expect(sent).not.toHaveBeenCalled();
  });

  test('has the same answers as a route of Express', async () => {
    service({ did_you_mean: 'ann@gmail.com' });
    const { emailRoute } = expressSchema.parse(await load('express.mjs'));
    const answers: unknown[] = [];
    const answer: Answer = { status: (code) => (answers.push(code), answer), json: (body) => void answers.push(body) };
    await emailRoute(FORM)({ body: { email: 'ann@gmial.com' } }, answer);
    await emailRoute(FORM)({}, answer);
    expect(answers).toEqual([
      { accept: true, message: 'Did you mean ann@gmail.com?', suggestion: 'ann@gmail.com', askAgainS: null },
      400,
      { accept: false },
    ]);
  });
});
