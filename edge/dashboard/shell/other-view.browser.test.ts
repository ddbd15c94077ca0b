import { describe, expect, it } from 'vitest';
import * as account from '../testing/stub-account.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

const OTHER = {
  ...account.SIGNED_IN,
  person: { id: 'p_2', email: 'bob@shop.example' },
  account: { id: 'acc_2', name: 'The other shop', role: 'owner', lowBalanceAt: 0 },
};

describe('a tab', IN_BROWSER, () => {
  const stage = useStage();

  it('shows the new person after a sign-in in another tab, says so, and keeps nothing of the previous one', async () => {
    const { stub, page } = await stage({ at: '/verify' });
    await page.getByLabel('Email address').fill('ok@a.test');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('article').waitFor();
    await page.getByRole('link', { name: 'Developers' }).click();
    // What the service answers once another tab has signed in.
    stub.world.answers.set('GET me', { status: 200, body: OTHER });
    stub.world.answers.set('POST keys', { status: 412, body: { error: 'This page shows another person.' } });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Checkout');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('This page now shows The other shop').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Verify', exact: true }).click();
    await page.getByText('What you will see').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('');
    expect(await page.getByText('This page now shows').count()).toBe(0);
    expect(stub.world.views.at(0)).toBeNull();
    expect(new Set(stub.world.views.slice(1))).toEqual(new Set(['p_1 acc_1', 'p_2 acc_2']));
  });
});
