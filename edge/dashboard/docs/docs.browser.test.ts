import { describe, expect, it } from 'vitest';
import { DOCS } from '../route/paths.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

const WIDE = { width: 1280, height: 800 };

describe('the docs', IN_BROWSER, () => {
  const stage = useStage();

  it('are found by their contents, and end with the errors', async () => {
    const { stub, visit } = await stage();
    stub.world.isSignedIn = false;
    const { page, complaints } = await visit({ viewport: WIDE });
    await page.goto('/docs');
    await page.getByText('An error has a message for people').waitFor();
    expect((await page.locator('.docs h2').allInnerTexts()).at(-1)).toBe('Errors');
    expect(await page.locator('#calls').locator('..').getByText('429').count()).toBe(0);
    for (const [name, title] of Object.entries(DOCS)) {
      await page.getByRole('navigation', { name: 'Docs' }).getByRole('link', { name: title, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      const current = page.getByRole('navigation', { name: 'Docs' }).locator('[aria-current]');
      expect(await current.innerText()).toBe(title);
      expect(await page.locator('.docs pre').count()).toBe(name === 'typescript' ? 1 : 4);
    }
    expect(complaints).toEqual([]);
  });

  it('are searched in the browser, and lead to the place that was found', async () => {
    const { visit } = await stage();
    const { page } = await visit({ viewport: WIDE });
    await page.goto('/docs/java');
    await page.getByLabel('Search the docs').fill('greylisting');
    await page.getByRole('link', { name: /^greylisting/ }).click();
    const place = page.locator('#reason-greylisting');
    await place.waitFor();
    await expect.poll(async () => Math.abs((await place.boundingBox())?.y ?? Infinity)).toBeLessThan(WIDE.height);
    expect(new URL(page.url()).pathname).toBe('/docs');
    await page.getByLabel('Search the docs').fill('zeppelin');
    await page.getByText('Nothing was found.').waitFor();
  });

  it('call the API with a test key that is made for it, and with no cookie', async () => {
    const { stub, visit } = await stage();
    const { page, complaints } = await visit();
    await page.context().addCookies([{ name: 'session', value: 'secret', url: stub.url }]);
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Make a test key' }).click();
    await expect.poll(() => page.getByLabel('Test key').inputValue()).toMatch(/^svc_test_/);
    await page.getByLabel('Address to verify').selectOption('anyone@catchall.test');
    await page.getByRole('button', { name: 'Send the call' }).click();
    await expect.poll(() => page.getByLabel('Body of the response').innerText()).toContain('anyone@catchall.test');
    expect(stub.world.proofs).toEqual([{ authorization: expect.stringMatching(/^Bearer svc_test_/), cookie: null }]);
    const made = stub.world.calls.filter(({ what }) => what === 'POST keys');
    expect(made).toEqual([{ what: 'POST keys', body: { kind: 'test', label: 'Tried in the docs' } }]);
    expect(complaints).toEqual([]);
  });

  it('spend nothing with a live key, and ask people who are not signed in for theirs', async () => {
    const { stub, visit } = await stage();
    stub.world.isSignedIn = false;
    const { page } = await visit();
    await page.goto('/docs');
    await page.getByLabel('Test key').waitFor();
    expect(await page.getByRole('button', { name: 'Make a test key' }).count()).toBe(0);
    await page.getByLabel('Test key').fill('svc_live_8sKq0Lr2vYw4Tz6B');
    await page.getByRole('button', { name: 'Send the call' }).click();
    await page.getByText('Calls with a live key cost credits, so none is made from here.').waitFor();
    expect(stub.world.proofs).toEqual([]);
  });
});
