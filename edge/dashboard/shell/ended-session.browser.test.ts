import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

describe('a session that has ended', IN_BROWSER, () => {
  const stage = useStage();

  it('is announced on the current page, and what was typed is still there after signing in', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test\nok@b.test');
    stub.world.isSignedIn = false;
    stub.world.answers.set('POST page-key', { status: 401, body: { error: 'You are signed out. Sign in again.' } });
    await page.getByRole('button', { name: 'Verify 2 addresses' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('button', { name: 'Send me a link' }).waitFor();
    // The link is opened in another tab.
    stub.world.isSignedIn = true;
    stub.world.answers.clear();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole('heading', { name: 'Verify' }).waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('ok@a.test\nok@b.test');
    await page.getByRole('button', { name: 'Verify 2 addresses' }).click();
    await page.getByText('Every address has a result.').waitFor();
  });
});
