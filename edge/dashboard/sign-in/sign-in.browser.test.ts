import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { balanceOf } from '../testing/stub-account.ts';

describe('signing in', IN_BROWSER, () => {
  const stage = useStage();

  it('offers the address that was probably meant, and mails it at one click', async () => {
    const { stub, page } = await stage();
    stub.world.isSignedIn = false;
    await page.goto('/sign-in');
    stub.world.answers.set('POST sign-in', { status: 200, body: { didYouMean: 'ann@gmail.com' } });
    await page.getByLabel('Your email address').fill('ann@gmial.com');
    await page.keyboard.press('Enter');
    await page.getByText('Did you mean ann@gmail.com?').waitFor();
    stub.world.answers.delete('POST sign-in');
    await page.getByRole('button', { name: 'Yes, send the link there' }).click();
    await page.getByText('Check your inbox').waitFor();
    const bodies = stub.world.calls.filter(({ what }) => what === 'POST sign-in').map(({ body }) => body);
    expect(bodies).toMatchObject([{ email: 'ann@gmial.com' }, { email: 'ann@gmail.com', asTyped: true }]);
  });

  it('says before and after why there are no free credits', async () => {
    const { stub, page, complaints } = await stage();
    stub.world.isSignedIn = false;
    await page.goto('/sign-in');
    stub.world.answers.set('POST sign-in', { status: 202, body: { noGift: 'throwaway' } });
    await page.getByLabel('Your email address').fill('ann@throw.away');
    await page.keyboard.press('Enter');
    await page.getByText('New here? No free credits: addresses that throw mail away').waitFor();
    const link = { kind: 'sign_in', email: 'ann@throw.away', account: null, noGift: 'had' };
    stub.world.answers.set('POST sign-in/look', { status: 200, body: link });
    await page.goto('/?#');
    await page.goto('/sign-in#token=x');
    await page.getByText('this mailbox, perhaps under another spelling, has had them before').waitFor();
    const none = { ...balanceOf(0), expiresAt: null, noGift: 'domain_full' };
    stub.world.answers.set('GET balance', { status: 200, body: none });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You have 0 credits').waitFor();
    await page.goto('/balance');
    await page.getByText('Nothing has been bought yet. No free credits: other people at your domain').waitFor();
    expect(complaints).toEqual([]);
  });
});
