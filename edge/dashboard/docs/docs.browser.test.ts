import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

describe('the docs', IN_BROWSER, () => {
  const stage = useStage();

  it('are pages without scripts, from the first call to the errors', async () => {
    const { visit } = await stage();
    const { page, complaints } = await visit({ javaScriptEnabled: false });
    await page.goto('/docs');
    const titles = await page.locator('.docs h2').allInnerTexts();
    expect([titles[0], titles.at(-1)]).toEqual(['First call', 'Errors']);
    const links = page.getByRole('navigation', { name: 'Docs' }).getByRole('link');
    const pages = (await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))).slice(0, -1);
    expect(pages).toHaveLength(9);
    for (const path of pages) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('.docs pre').count()).toBeGreaterThan(0);
      expect(await page.locator('script').count()).toBe(0);
      const inside = await page.locator('.docs a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      for (const href of inside) {
        if (href?.startsWith('#') === true) expect([href, await page.locator(href).count()]).toEqual([href, 1]);
        else expect(pages.includes(href ?? '') || href === null || href.startsWith('https://')).toBe(true);
      }
    }
    expect(complaints).toEqual([]);
  });

  it('are reached from the dashboard, and lead back', async () => {
    const { visit } = await stage();
    const { page } = await visit();
    await page.goto('/developers');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'The API', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Verify', level: 1 }).waitFor();
  });
});
