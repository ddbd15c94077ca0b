import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

const AT = '2026-11-21T10:00:00Z';

describe('the balance', IN_BROWSER, () => {
  const stage = useStage();

  it('has one line for a list in the statement, which unfolds into its requests', async () => {
    const { page } = await stage({ at: '/balance', timezoneId: 'UTC' });
    await page.getByText('4,000 checks in 8 requests. 4,000 credits charged up front, 160 returned.').waitFor();
    const rows = page.locator('.statement tbody tr');
    expect(await rows.count()).toBe(6);
    const fold = page.getByRole('button', { name: 'Show 16 entries' });
    await fold.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Hide 16 entries', expanded: true }).waitFor();
    expect(await rows.count()).toBe(6 + 16);
    await page.getByRole('row', { name: /Gift.*Welcome credits.*\+100/ }).waitFor();
  });

  it('has older entries on request', async () => {
    const { stub, page } = await stage();
    const piece = (kind: string, next: string | null) =>
      stub.world.answers.set('GET statement', {
        status: 200,
        body: { rows: [{ kind, ref: kind, at: AT, delta: 5, balance: 5, batch: null }], next },
      });
    piece('purchase', 'older');
    await page.goto('/balance');
    await page.getByText('The last lines may be part of a list that began earlier.').waitFor();
    piece('gift', null);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('Gift').waitFor();
    expect(await page.locator('.statement tbody tr').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Show older' }).count()).toBe(0);
  });

  it('is read once when the reader returns to the page', async () => {
    const { page } = await stage({ at: '/settings' });
    await page.getByText('48,210').first().waitFor();
    let reads = 0;
    const answered = page.waitForResponse((response) => response.url().endsWith('/app/v1/balance'));
    page.on('request', (request) => (reads += request.url().endsWith('/app/v1/balance') ? 1 : 0));
    // A browser says both, one after the other.
    await page.evaluate(
      "document.dispatchEvent(new Event('visibilitychange', { bubbles: true })); dispatchEvent(new Event('focus'))",
    );
    await answered;
    expect(reads).toBe(1);
  });

  it('has a chart with an axis, and its values in words and in numbers', async () => {
    const { page } = await stage({ at: '/balance' });
    await page.getByRole('img', { name: /^Addresses a day from .* Most on .*: 173\.$/ }).waitFor();
    expect(await page.locator('.ticks').innerText()).toBe('200\n100\n0');
    await page.getByText('Values by day').click();
    const days = page.getByRole('group', { name: 'Addresses by day' });
    await days.getByRole('cell', { name: '173' }).waitFor();
    expect(await days.getByRole('row').count()).toBe(1 + 24);
  });

  it('shows a year by month, with the values of each under the pointer and for the arrow keys', async () => {
    const { page } = await stage({ at: '/balance' });
    await page.getByLabel('12 months').check();
    const chart = page.getByRole('img', { name: /^Addresses a month from \w+ \d{4} to \w+ \d{4}\. Most in / });
    expect(await page.locator('.dates span').count()).toBe(12);
    await chart.hover({ position: { x: 2, y: 20 } });
    const told = page.locator('figcaption').getByRole('status');
    const first = await told.innerText();
    expect(first).toMatch(/^\w+ \d{4}: \d/);
    await page.mouse.move(0, 0);
    await expect.poll(() => told.innerText()).toBe('');
    await page.getByRole('group', { name: 'Addresses a month, one by one with the arrow keys' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => told.innerText()).toMatch(/^\w+ \d{4}: [\d,]+, valid \d/);
    for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => told.innerText()).toBe(first);
    await page.getByText('Values by month').click();
    await page.getByRole('group', { name: 'Addresses by month' }).getByRole('row').nth(1).waitFor();
  });
});
