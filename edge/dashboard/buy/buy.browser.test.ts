import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

describe('buying', IN_BROWSER, () => {
  const stage = useStage();

  it('can begin again when the browser brings the page back from the cashier as it was', async () => {
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
});
