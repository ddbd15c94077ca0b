import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkEmail } from './check-email.ts';

const ASKED = { baseURL: 'https://verify.test/', key: 'svc_form_x', email: 'ann@gmial.com', id: 'page-1' };
const UNSURE = { verdict: 'unsure', reason: null, did_you_mean: null };

const sent = vi.spyOn(globalThis, 'fetch');
const says = (body: unknown, status = 200) => sent.mockImplementation(async () => Response.json(body, { status }));
/** Ends when its signal does. */
const hangs = () =>
  sent.mockImplementation(
    (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('stopped')))),
  );
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  sent.mockReset();
  vi.useRealTimers();
});

describe('a check of an address', () => {
  it('is one request that browsers send without asking for leave, and that carries no cookie', async () => {
    says({ verdict: 'accept', reason: null, did_you_mean: 'ann@gmail.com' });
    expect(await checkEmail(ASKED)).toEqual({
      verdict: 'accept',
      reason: null,
      did_you_mean: 'ann@gmail.com',
      error: null,
    });
    const [[url, init] = []] = sent.mock.calls;
    expect(url).toBe('https://verify.test/api/v1/form');
    const { signal: _signal, body, ...rest } = init ?? {};
    expect(rest).toEqual({ method: 'POST', credentials: 'omit' });
    expect(body).toBe('{"key":"svc_form_x","email":"ann@gmial.com","id":"page-1","wait":4}');
  });

  it('asks without marks that nobody sees', async () => {
    says({ verdict: 'accept', reason: null, did_you_mean: null });
    await checkEmail({ ...ASKED, email: 'an\u200bn@gmial.com\u061c' });
    expect(sent.mock.calls[0]?.[1]?.body).toContain('"ann@gmial.com"');
  });

  it.each<[string, unknown, number, string]>([
    ['no credits', { error: 'The account has no credits left.' }, 402, 'The account has no credits left.'],
    ['too many', { error: 'Too many checks.' }, 429, 'Too many checks.'],
    ['something else', ['?'], 200, 'no answer'],
    ['nothing', null, 200, 'no answer'],
  ])('is unsure if the service says %s, and says why to developers', async (_what, body, status, error) => {
    says(body, status);
    expect(await checkEmail(ASKED)).toEqual({ ...UNSURE, error });
  });

  it('is unsure if the service cannot be reached, or sends no JSON', async () => {
    sent.mockRejectedValue(new Error('no route'));
    expect(await checkEmail(ASKED)).toEqual({ ...UNSURE, error: 'Error: no route' });
    sent.mockImplementation(async () => new Response('<html>'));
    expect(await checkEmail(ASKED)).toMatchObject(UNSURE);
  });

  it('rejects with a reason that it does not know, and is unsure of a verdict that it does not know', async () => {
    says({ verdict: 'reject', reason: 'too_old', did_you_mean: 7 });
    expect(await checkEmail(ASKED)).toMatchObject({ verdict: 'reject', reason: null, did_you_mean: null });
    says({ verdict: 'quarantine', reason: null, did_you_mean: null });
    expect(await checkEmail(ASKED)).toMatchObject(UNSURE);
  });

  it('is unsure two seconds after the service should have answered', async () => {
    hangs();
    const check = checkEmail({ ...ASKED, waitS: 3 });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await check).toMatchObject(UNSURE);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with its signal, before or while it is asked', async () => {
    hangs();
    const stop = new AbortController();
    const check = checkEmail({ ...ASKED, signal: stop.signal });
    stop.abort(new Error('the field was changed'));
    await expect(check).rejects.toThrow('the field was changed');
    await expect(checkEmail({ ...ASKED, signal: stop.signal })).rejects.toThrow('the field was changed');
    expect([sent.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
