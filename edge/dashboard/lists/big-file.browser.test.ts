import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPages, IN_BROWSER, theBrowser, visitor } from '../testing/browser.ts';
import { startStub, type Stub } from '../testing/stub-service.ts';

const ROWS = 200_000;
/** A list that is read in one go leaves the page two at most: before and after. */
const TURNS = 20;

describe('a file of 200,000 rows', IN_BROWSER, () => {
  let browser: Browser;
  let stub: Stub;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-big-file-'));
    [browser, stub] = await Promise.all([theBrowser(), startStub(builtPages())]);
  });
  afterAll(async () => {
    await stub?.close();
    await rm(folder, { recursive: true });
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
    // From the disk, as a reader's file: one that Playwright makes is decoded on the page itself.
    const path = join(folder, 'big.csv');
    await writeFile(path, `id,name,email,street,since\n${lines.join('\n')}\n`);
    await page.evaluate('globalThis.turns = 0; setInterval(() => (globalThis.turns += 1));');
    await page.locator('input[type=file]').setInputFiles(path);
    for (const stage of ['Reading the file', 'Counting the addresses']) await page.getByLabel(stage).waitFor();
    await page.getByText('Total, at most').waitFor();
    const turns = Number(await page.evaluate('globalThis.turns'));
    expect(await page.getByLabel('What the list holds').innerText()).toContain('200,000');
    expect(turns).toBeGreaterThan(TURNS);
    await close();
  });
});
