import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

describe('the docs', IN_BROWSER, () => {
  const stage = useStage();

  it('are whole without scripts, from the first call to the errors', async () => {
    const { page, complaints } = await stage({ at: '/docs', javaScriptEnabled: false });
    const titles = await page.locator('.docs h2').allInnerTexts();
    expect([titles[0], titles.at(-1)]).toEqual(['First call', 'Errors']);
    const links = page.getByRole('navigation', { name: 'Docs' }).getByRole('link');
    const hrefs = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    const pages = hrefs.filter((path) => path.startsWith('/docs'));
    expect(pages.map((path) => path.slice(6))).toEqual([
      '',
      'sign-up-form',
      'examples',
      'client',
      'command',
      'mcp',
      'accuracy',
      'testing',
    ]);
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const path of pages) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('.docs pre').count()).toBeGreaterThan(0);
      // Nothing of the code is cut, and all of it is there.
      const cut = await page
        .locator('.docs pre')
        .evaluateAll((all) => all.flatMap((pre) => (pre.scrollWidth > pre.clientWidth ? [pre.textContent] : [])));
      expect([path, cut]).toEqual([path, []]);
      const inside = await page.locator('.docs a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      for (const href of inside) {
        if (href?.startsWith('#') === true) expect([href, await page.locator(href).count()]).toEqual([href, 1]);
        else expect(pages.includes(href ?? '') || href === null || href.startsWith('https://')).toBe(true);
      }
    }
    expect(complaints).toEqual([]);
  });

  it('have a table of contents, in sight while one reads, and folded on a phone', async () => {
    const { page } = await stage({ at: '/docs/command', viewport: { width: 1280, height: 800 } });
    const titles = await page.locator('.docs h2').allInnerTexts();
    const beside = page.getByRole('navigation', { name: 'Docs' });
    expect((await beside.locator('ul ul a').allInnerTexts()).slice(0, 3)).toEqual(titles.slice(0, 3));
    await beside.getByRole('link', { name: titles.at(-1) ?? '' }).click();
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
    expect((await beside.boundingBox())?.y).toBeLessThan(40);
    await page.setViewportSize({ width: 390, height: 844 });
    const folded = page.getByRole('navigation', { name: 'On this page' });
    expect(await folded.isVisible()).toBe(false);
    await page.getByText('On this page').click();
    await folded.getByRole('link', { name: 'Money' }).click();
    expect(page.url()).toMatch(/#money$/);
  });

  it('show code in the chosen language, on every page and at the next visit', async () => {
    const { page, complaints } = await stage({ at: '/docs' });
    const shown = (): Promise<readonly string[]> => page.getByRole('tab', { selected: true }).allInnerTexts();
    expect(await shown()).toEqual(['curl']);
    await page.getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Python');
    expect(await page.getByRole('tabpanel').allInnerTexts()).toEqual([expect.stringContaining('import json')]);
    await page.goto('/docs/examples');
    expect(await shown()).toEqual(['Python', 'Python']);
    await page.getByRole('tab', { name: 'Java' }).first().click();
    expect(await shown()).toEqual(['Java', 'Java']);
    const again = await page.context().newPage();
    await again.goto('/docs/examples');
    expect(await again.getByRole('tab', { selected: true }).allInnerTexts()).toEqual(['Java', 'Java']);
    // A page that has not got it shows its first.
    await page.goto('/docs');
    expect(await shown()).toEqual(['curl']);
    expect(complaints).toEqual([]);
  });

  it('are reached from the dashboard, and lead back', async () => {
    const { page } = await stage({ at: '/developers' });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'The API', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Verify', level: 1 }).waitFor();
  });
});
