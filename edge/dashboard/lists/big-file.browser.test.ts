import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPages, HAS_BROWSER, startBrowser, visitor } from '../testing/browser.ts';
import { startStub, type Stub } from '../testing/stub-service.ts';

const ROWS = 200_000;
const LONGEST_MS = 200;

describe.skipIf(!HAS_BROWSER)('a file of 200,000 rows', () => {
  let browser: Browser;
  let stub: Stub;
  let pages: Awaited<ReturnType<typeof buildPages>>;
  beforeAll(async () => {
    pages = await buildPages();
    [browser, stub] = await Promise.all([startBrowser(), startStub(pages.folder)]);
  });
  afterAll(async () => {
    await browser?.close();
    await stub?.close();
    await pages?.remove();
  });

  it('is read and counted while the page goes on to answer', async () => {
    const { page, close } = await visitor(browser, stub.url);
    await page.goto('/lists');
    await page.getByText('Drop a file here').waitFor();
    // Rows of some 80 bytes, every tenth a duplicate, every thousandth broken.
    const lines = Array.from({ length: ROWS }, (_, row) => {
      const email =
        row % 1_000 === 999 ? 'broken' : `person-${row % 10 === 9 ? row - 1 : row}@domain-${row % 777}.test`;
      return `${row},"Ann ""the ${row}"" Lee",${email},"Some street ${row}, Some town",2026-01-01`;
    });
    await page.evaluate(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ type: 'longtask' });
    `);
    // From the disk, as a reader's file: one that Playwright makes is decoded on the page itself.
    const path = join(pages.folder, 'big.csv');
    await writeFile(path, `id,name,email,street,since\n${lines.join('\n')}\n`);
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByText('Total, at most').waitFor();
    const longest = Number(await page.evaluate('globalThis.longest'));
    expect(await page.getByLabel('What the list holds').innerText()).toContain('200,000');
    expect(longest).toBeLessThan(LONGEST_MS);
    await close();
  });
});
