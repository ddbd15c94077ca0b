import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { SIGNED_IN } from '../testing/stub-account.ts';

describe('caps of keys', IN_BROWSER, () => {
  const stage = useStage();

  it('are shown with what is spent, and changed by an owner', async () => {
    const { stub, page } = await stage({ at: '/developers' });
    const shop = page.getByRole('region', { name: 'Shop, production' });
    await shop.getByText('4,112 of 5,000 credits today').waitFor();
    const bar = shop.getByRole('progressbar', { name: '31,890 of 50,000 credits this month' });
    expect([await bar.getAttribute('max'), await bar.getAttribute('value')]).toEqual(['50000', '31890']);
    await shop.getByText('Change').click();
    await shop.getByLabel('Credits a day, at most').fill('6000');
    await shop.getByLabel('Credits a month, at most').fill('');
    await shop.getByRole('button', { name: 'Save caps' }).click();
    const put = { what: 'PUT keys/key_1', body: { caps: { dayCap: 6_000, monthCap: null } } };
    await expect.poll(() => stub.world.calls).toContainEqual(put);
    await page.getByRole('region', { name: 'Newsletter' }).getByText('No caps: set some').click();
  });

  it('are set when a live key is made, and for a live key alone', async () => {
    const { stub, page } = await stage({ at: '/developers' });
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByLabel('Name', { exact: true }).fill('Checkout');
    expect(await dialog.getByLabel('Credits a day, at most').count()).toBe(0);
    await dialog.getByLabel(/^Live:/).check();
    await dialog.getByLabel('Credits a day, at most').fill('250');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const post = {
      what: 'POST keys',
      body: { kind: 'live', label: 'Checkout', caps: { dayCap: 250, monthCap: null } },
    };
    await expect.poll(() => stub.world.calls).toContainEqual(post);
  });

  it('can be seen by a member, and not changed', async () => {
    const { stub, page } = await stage();
    const { account } = SIGNED_IN.signedIn ? SIGNED_IN : { account: null };
    stub.world.answers.set('GET me', { status: 200, body: { ...SIGNED_IN, account: { ...account, role: 'member' } } });
    await page.goto('/developers');
    await page.getByText('4,112 of 5,000 credits today').waitFor();
    expect(await page.getByText('Change', { exact: true }).count()).toBe(0);
    expect(await page.getByText('No caps: set some').count()).toBe(0);
  });
});
