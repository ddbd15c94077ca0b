import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { giveFile } from '../testing/list-file.ts';
import { useStage } from '../testing/stage.ts';

describe('a session that has ended', IN_BROWSER, () => {
  const stage = useStage();

  it('is announced on the current page, and what was typed is still there after signing in', async () => {
    const { stub, page } = await stage({ at: '/verify' });
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

  it.each(['/sign-in', '/verify'])('goes on in a tab at %s when the reader signs in in another one', async (path) => {
    const { stub, page } = await stage();
    stub.world.isSignedIn = false;
    await page.goto(path);
    await page.getByRole('button', { name: 'Send me a link' }).waitFor();
    const other = await page.context().newPage();
    await other.goto('/sign-in#token=x');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Verify' }).waitFor();
  });

  it('holds a list that is under way, says so, and goes on with it after signing in, charged once', async () => {
    const { stub, page } = await stage({ at: '/lists' });
    await giveFile(page, 'a@shop.test\nb@shop.test\nc@shop.test\n');
    const verify = page.getByRole('button', { name: /^Verify / });
    await verify.waitFor();
    stub.world.isSignedIn = false;
    stub.world.answers.set('POST page-key', { status: 401, body: { error: 'You are signed out.' } });
    await verify.click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByText('What was being verified waits here until you are signed in').waitFor();
    stub.world.isSignedIn = true;
    stub.world.answers.clear();
    await page.evaluate("new BroadcastChannel('rcpt signed in').postMessage(null)");
    await page.getByText('Every address has a result.').waitFor();
    expect([48_210 - stub.world.credits, stub.world.asked.length]).toEqual([3, 3]);
  });

  it.each([
    ['/lists', '/lists'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['https://evil.example/lists', '/'],
    ['/sign-in', '/'],
  ])('ends at %s: the mailed link leads to %s', async (back, path) => {
    const { stub, page, complaints } = await stage();
    stub.world.isSignedIn = false;
    await page.goto(`/sign-in#token=x&back=${encodeURIComponent(back)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Balance' }).waitFor();
    expect([page.url(), complaints]).toEqual([stub.url + path, []]);
  });
});
