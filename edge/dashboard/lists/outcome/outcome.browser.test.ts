import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../../testing/browser.ts';
import { isDone, verifyFile } from '../../testing/list-file.ts';
import { useStage } from '../../testing/stage.ts';
import { FOUND, openFile } from '../reading/open-file.ts';

/** 120 addresses, of four kinds in turn, with the phone number of each. */
const WORDS = ['ok', 'nobody', 'blocked', 'later'];
const LIST = `mail;phone;note\n${Array.from({ length: 120 }, (_, n) => `${WORDS[n % 4]}-${n}@shop.test;+49 30 ${n};=1+1\n`).join('')}`;

async function verified(page: Page, text = LIST): Promise<void> {
  await verifyFile(page, text);
  await isDone(page);
}

async function saved(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download / }).click();
  return readFile(await (await download).path());
}

const firstRow = (page: Page) => page.locator('.findings tbody tr').first().innerText();
const range = (page: Page) => page.getByText(/^\d+ to \d+ of \d+$/).innerText();

describe('the outcome of a list', IN_BROWSER, () => {
  const stage = useStage();

  it('offers the download above the addresses, which are shown fifty at a time', async () => {
    const { page } = await stage({ viewport: { width: 1280, height: 800 } });
    await verified(page);
    const button = await page.getByRole('button', { name: 'Download CSV' }).boundingBox();
    const table = await page.locator('.findings').boundingBox();
    expect(button?.y ?? Infinity).toBeLessThan(800);
    expect(button?.y ?? Infinity).toBeLessThan(table?.y ?? 0);
    expect(await page.locator('.findings tbody tr').count()).toBe(50);
    expect(await range(page)).toBe('1 to 50 of 120');
    await page.getByRole('button', { name: 'Last' }).click();
    await expect.poll(() => range(page)).toBe('101 to 120 of 120');
    expect(await firstRow(page)).toContain('ok-100@shop.test');
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => range(page)).toBe('51 to 100 of 120');
    // What is looked for anew is shown from its first row on.
    await page.getByRole('combobox', { name: 'Status' }).selectOption('unknown');
    await expect.poll(() => range(page)).toBe('1 to 50 of 60');
  });

  it('names its reasons in the same order whatever list it is', async () => {
    const { page } = await stage();
    const titles = async (words: readonly string[]): Promise<readonly string[]> => {
      await verified(page, words.map((word, n) => `${word}-${n}@shop.test`).join('\n'));
      return page.locator('.reason').locator('.chip, .reason-title').allInnerTexts();
    };
    const some = await titles([
      'blocked',
      'blocked',
      'blocked',
      'later',
      'nobody',
      'nobody',
      'all',
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(some.filter((_, at) => at % 2 === 0)).toEqual(['Valid', 'Risky', 'Invalid', 'Unknown', 'Unknown']);
    expect(
      await titles(['later', 'later', 'nobody', 'all', 'all', 'all', 'blocked', 'ok', 'ok', 'nobody', 'later']),
    ).toEqual(some);
  });

  it('is searched and filtered by status and reason, by the keyboard too', async () => {
    const { page } = await stage();
    await verified(page);
    await page.getByLabel('Search addresses').fill('NOBODY-1');
    await expect.poll(() => range(page)).toBe('1 to 8 of 8');
    await page.getByLabel('Search addresses').fill('');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('unknown');
    await expect.poll(() => range(page)).toBe('1 to 50 of 60');
    await page.getByRole('button', { name: /The server says to try later/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => range(page)).toBe('1 to 30 of 30');
    expect(await firstRow(page)).toContain('later-3@shop.test');
    await page.getByText('The mailbox likely exists: try again after the wait.').waitFor();
    // A reason that filters looks like it: it points on, and when it is pressed it can be taken back.
    const marks = `[...document.querySelectorAll('.reason')].map((one) => getComputedStyle(one, '::after').content[1])`;
    expect(new Set(await page.evaluate<string[]>(marks))).toEqual(new Set(['›', '×']));
    await page.getByLabel('Search addresses').fill('nobody');
    await page.getByText('No address matches.').waitFor();
  });

  it('shows what is known of one address, and of another instead', async () => {
    const { page } = await stage();
    await verified(page);
    await page.getByRole('button', { name: 'nobody-1@shop.test', exact: true }).click();
    const seen = page.getByLabel('What was seen');
    await expect.poll(() => seen.innerText()).toMatch(/Score\n0 of 100\n[^]*Reply code\n550 5.1.1\n/);
    await page.getByRole('button', { name: 'later-3@shop.test', exact: true }).click();
    await expect.poll(() => seen.innerText()).toMatch(/Score\n50 of 100\n[^]*Reply code\n450/);
    expect(await seen.innerText()).toMatch(/Mail server\nmx/);
    await page.getByRole('button', { name: 'later-3@shop.test', exact: true }).click();
    await expect.poll(() => seen.count()).toBe(0);
  });

  it('keeps the column headings in sight', async () => {
    const { page } = await stage({ viewport: { width: 1280, height: 600 } });
    await verified(page);
    await page.locator('.findings tbody tr').nth(40).scrollIntoViewIfNeeded();
    const head = await page.getByRole('columnheader', { name: 'Reason' }).boundingBox();
    expect(Math.round(head?.y ?? -1)).toBe(0);
  });

  it('is downloaded with the chosen rows, and phone numbers are left as they are', async () => {
    const { page } = await stage();
    await verified(page);
    const rows = page.getByLabel('Rows in the file');
    await rows.selectOption('Unknown');
    const [head, ...unknown] = (await saved(page)).toString('utf8').replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head).toMatch(/^mail;phone;note;rcpt_status;/);
    expect(unknown).toHaveLength(60);
    expect(unknown[1]).toMatch(/^later-3@shop\.test;\+49 30 3;=1\+1;unknown;/);
    await rows.selectOption('Valid');
    const [, ...valid] = (await saved(page)).toString('utf8').trimEnd().split('\r\n');
    expect(valid).toHaveLength(30);
    expect(valid.every((row) => row.startsWith('ok-'))).toBe(true);
    await page.getByText('Leave out more').click();
    const buffer = Buffer.from('ok-0@shop.test\nOK-4@shop.test\n');
    await page.getByLabel('Addresses of another list').setInputFiles({ name: 'left.txt', mimeType: '', buffer });
    await page.getByText('2 addresses to leave out, read in this browser.').waitFor();
    expect((await saved(page)).toString('utf8').trimEnd().split('\r\n')).toHaveLength(29);
    await page.getByText('28 rows in the last file.').waitFor();
    await page.getByLabel('Scores below').fill('96');
    expect((await saved(page)).toString('utf8').trimEnd().split('\r\n')).toHaveLength(1);
  });

  it('is downloaded as a workbook', async () => {
    const { page, complaints } = await stage();
    await verified(page);
    await page.getByRole('radio', { name: 'Excel' }).check();
    const table = await openFile(new Blob([new Uint8Array(await saved(page))]), 'list.xlsx', FOUND);
    const rows = [];
    for await (const batch of table.rows()) rows.push(...batch);
    expect(rows).toHaveLength(120);
    expect(rows[3]?.cells.slice(0, 5)).toEqual(['later-3@shop.test', '+49 30 3', '=1+1', 'unknown', '50']);
    expect(rows[3]?.kinds?.slice(0, 5)).toEqual(['text', 'text', 'text', 'text', 'number']);
    expect(complaints).toEqual([]);
  });

  it('says of a row without an answer that it was not asked yet', async () => {
    const { stub, page } = await stage();
    stub.world.credits = 2;
    const until = new Promise<undefined>(() => {});
    stub.world.stop = { line: 1, until };
    await verifyFile(page, 'ok-1@a.test\nok-2@a.test\n');
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('none');
    await expect.poll(() => firstRow(page)).toContain('ok-2@a.test');
    expect(await firstRow(page)).toContain('Not asked yet');
  });
});
