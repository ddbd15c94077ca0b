import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { ORDERS } from '../testing/stub-account.ts';

describe('buying', IN_BROWSER, () => {
  const stage = useStage();

  it('can begin again after going back from the checkout', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    stub.world.answers.set('POST orders', { status: 201, body: { url: 'https://cashier.test/' } });
    const left = page.waitForRequest('https://cashier.test/');
    await page.route('https://cashier.test/', (route) => route.abort('aborted'));
    await page.goto('/buy');
    const buy = page.getByRole('button', { name: 'Buy 5,000 credits' });
    await buy.click();
    await left;
    await expect.poll(() => buy.isDisabled()).toBe(true);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await expect.poll(() => buy.isEnabled()).toBe(true);
  });

  it('ends with a link to the receipt', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    const receiptUrl = 'https://cashier.test/receipt';
    stub.world.answers.set('GET orders/ord_77', { status: 200, body: { ...ORDERS[0], receiptUrl } });
    await page.goto('/balance?order=ord_77');
    const link = page.getByRole('link', { name: 'Open the receipt' });
    expect(await link.getAttribute('href')).toBe(receiptUrl);
  });
});
