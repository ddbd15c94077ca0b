import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { CALLS } from '../testing/stub-account.ts';

describe('the log of calls', IN_BROWSER, () => {
  const stage = useStage();

  it('says of each call its key, answer, cost and id, in words', async () => {
    const { page } = await stage({ at: '/developers' });
    await page.getByRole('link', { name: 'Requests' }).click();
    for (const words of [
      /Shop, production In progress 500 – –/,
      /019ac5f0-\S+ Shop, production 200 Answered 500 462 ?26 returned 8,412/,
      /402 Too few credits, or a cap ?NO_CREDITS 500 0 9/,
      /Sign-up form 200 Answered 1 1 8,412/,
      /429 Too many requests × 1,312 ?RATE_LIMITED – 0 9/,
      /A deleted key, …x7Qa 401 Key refused/,
      /These pages 499 Caller left 3 0 ?3 returned/,
    ])
      await page.getByRole('row', { name: words }).waitFor();
  });

  it('is filtered by key, answer and day, and has older calls on request', async () => {
    const { stub, page } = await stage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/app/v1/requests')) asked.push(new URL(request.url()).search);
    });
    stub.world.answers.set('GET requests', {
      status: 200,
      body: { ...CALLS, rows: CALLS.rows.slice(0, 3), next: '7.a' },
    });
    await page.goto('/requests');
    await page.getByLabel('Key').selectOption('Newsletter');
    await page.getByLabel('Answer').selectOption('402 Too few credits, or a cap');
    await page.getByLabel('From').fill('2026-11-20');
    await expect.poll(() => asked.at(-1)).toBe('?key=key_2&status=402&from=2026-11-20');
    stub.world.answers.set('GET requests', { status: 200, body: { ...CALLS, rows: CALLS.rows.slice(3) } });
    await page.getByRole('button', { name: 'Show older' }).click();
    await expect.poll(() => page.locator('.calls tbody tr').count()).toBe(7);
    expect(asked.at(-1)).toBe('?key=key_2&status=402&from=2026-11-20&before=7.a');
    stub.world.answers.set('GET requests', { status: 200, body: { ...CALLS, rows: [] } });
    await page.getByLabel('Key').selectOption('Deleted keys');
    await page.getByText('No call fits these filters.').waitFor();
    stub.world.answers.set('GET requests', { status: 400, body: { error: 'from: must not be after "to".' } });
    await page.getByLabel('To (UTC)').fill('2026-11-01');
    await page.getByText('from: must not be after "to".').waitFor();
  });
});
