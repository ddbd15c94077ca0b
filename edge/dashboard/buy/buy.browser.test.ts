import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { isDone, verifyFile } from '../testing/list-file.ts';
import { useStage } from '../testing/stage.ts';
import { PAPERS, USAGE } from '../testing/stub-account.ts';

const USED = USAGE.rows.reduce((sum, { charged }) => sum + charged, 0).toLocaleString('en-GB');

describe('buying', IN_BROWSER, () => {
  const stage = useStage();

  it('can begin again after going back from the checkout', async () => {
    const { stub, page } = await stage();
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

  it('for a list that ran out leads back to it, which then goes on', async () => {
    const { stub, page } = await stage();
    stub.world.credits = 2;
    stub.world.answers.set('POST orders', { status: 201, body: { url: 'https://cashier.test/' } });
    await page.route('https://cashier.test/', (route) => route.fulfill({ body: 'the checkout' }));
    await verifyFile(page, 'a@x.test\nb@x.test\nc@x.test\nd@x.test\n');
    await page.getByText('Not enough credits').waitFor();
    const list = new URL(page.url()).pathname;
    await page.getByText('Not enough credits').locator('..').getByRole('link', { name: 'Buy credits' }).click();
    await page.getByRole('button', { name: 'Buy 5,000 credits' }).click();
    await page.getByText('the checkout').waitFor();
    const [ordered] = stub.world.calls.filter(({ what }) => what === 'POST orders');
    expect(ordered?.body).toEqual({ pack: 'small', back: list });
    stub.world.credits = 5_002;
    await page.goto(`${list}?order=ord_77`);
    await page.getByText('Go on below where the credits ran out.').waitFor();
    await page.getByRole('button', { name: /at most 4 credits$/ }).click();
    await isDone(page);
  });

  it.each([
    ['/buy?need=40000', '50,000', 'your list needs 40,000 credits more'],
    ['/buy?back=//evil.example&need=-1', '5,000', `you used ${USED} credits in 90 days`],
    ['/buy?need=%3Cb%3E', '5,000', `you used ${USED} credits in 90 days`],
  ])('at %s recommends %s', async (path, size, why) => {
    const { page } = await stage({ at: path });
    const card = page.locator('.packs li').filter({ hasText: 'Recommended' });
    await card.getByText(why).waitFor();
    expect([await card.count(), await card.locator('.figure').innerText()]).toEqual([1, `${size} credits`]);
    await page.getByText('62% less per 1,000 than 5,000 credits').waitFor();
  });

  it.each([
    ['Invoice', 'invoice'],
    ['Receipt', 'receipt'],
    ['Pay', 'pay'],
    ['Company, tax number and billing address', 'billing'],
  ])('leads to Stripe for: %s', async (words, path) => {
    const { page } = await stage();
    await page.route('https://cashier.test/*', (route) => route.fulfill({ body: 'Stripe' }));
    await page.goto('/buy');
    await page.getByRole('button', { name: new RegExp(`^${words}`) }).click();
    await page.waitForURL(`https://cashier.test/${path}`);
  });

  it('removes an order that is not paid, and says why one stays', async () => {
    const { stub, page } = await stage({ at: '/buy' });
    const remove = page.getByRole('button', { name: /^Remove/ });
    stub.world.answers.set('DELETE orders/ord_76', { status: 409, body: { error: 'This order was paid.' } });
    await remove.click();
    await page.getByText('This order was paid.').waitFor();
    stub.world.answers.clear();
    stub.world.answers.set('GET orders', { status: 200, body: { orders: [] } });
    await remove.click();
    await page.getByText('No orders yet.').waitFor();
  });

  it('ends with a link to the receipt', async () => {
    const { page } = await stage({ at: '/balance?order=ord_77' });
    const link = page.getByRole('link', { name: 'Open the receipt' });
    expect(await link.getAttribute('href')).toBe(PAPERS.receiptUrl);
  });
});
