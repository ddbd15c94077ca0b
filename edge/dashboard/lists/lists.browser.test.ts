import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { xlsxOf } from '../../../schema/lists/testing/xlsx.ts';
import { RESULT_COLUMNS } from '../../../schema/lists/columns/result-columns.ts';
import * as account from '../testing/stub-account.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { giveFile, isDone, verifyFile } from '../testing/list-file.ts';
import { useStage } from '../testing/stage.ts';
import type { Stub } from '../testing/stub-service.ts';

const emails = (count: number, word = 'ok') => Array.from({ length: count }, (_, n) => `${word}-${n}@shop.test`);

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.goto('/lists');
  await giveFile(page, text, name);
  await page.getByText('Total, at most').waitFor();
}

/** Begins a list of this many addresses, whose response stops after a line. @returns lets it go on */
async function beginAndStop(stub: Stub, page: Page, count: number, line: number): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  stub.world.stop = { line, until: promise };
  await verifyFile(page, emails(count).join('\n'));
  await page.getByText(`${line} of ${count}`).waitFor();
  return () => {
    stub.world.stop = null;
    resolve(undefined);
  };
}

async function downloaded(page: Page): Promise<string> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  return readFile(await (await saved).path(), 'utf8');
}

const TWO_FILES = `(() => {
  const given = new DataTransfer();
  for (const name of ['one.csv', 'two.csv']) given.items.add(new File(['a@x.test'], name));
  return given;
})()`;

describe('a list', IN_BROWSER, () => {
  const stage = useStage();

  it('has its exact price before it starts: duplicates once, broken and empty ones free', async () => {
    const { stub, page } = await stage();
    await choose(page, 'list.csv', 'id,mail\n1,ok@a.test\n2,OK@A.test \n3,broken\n4,\n5,nobody@a.test\n');
    expect((await page.getByLabel('What the list holds').innerText()).split('\n')).toEqual([
      'Rows',
      '5',
      'Empty',
      '− 1',
      'Duplicates, verified once',
      '− 1',
      'Not an address, not verified',
      '− 1',
      'Unique addresses, 1 credit each',
      '2',
      'Total, at most',
      '2 credits',
    ]);
    await page.getByText('Keep this tab open while the list is verified. You may close it and resume later').waitFor();
    expect(stub.world.asked).toEqual([]);
    await page.getByRole('button', { name: 'Verify 2 addresses' }).click();
    await isDone(page);
    await page.getByText('2 unique addresses in 5 rows').waitFor();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    expect((await outcome.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Valid 2 .*Risky 0 .*Invalid 1 .*Unknown 0 /);
    expect(stub.world.asked.toSorted()).toEqual(['nobody@a.test', 'ok@a.test']);
  });

  it('is one file: of several that are dropped none is read, and each place for a file says so', async () => {
    const { page } = await stage();
    for (const [path, places] of [
      ['/lists', 1],
      ['/bounces', 2],
    ] as const) {
      await page.goto(path);
      await page
        .locator('.drop')
        .nth(places - 1)
        .waitFor();
      for (let nth = 0; nth < places; nth += 1) {
        const dataTransfer = await page.evaluateHandle(TWO_FILES);
        await page.locator('.drop-label').nth(nth).dispatchEvent('drop', { dataTransfer });
        await page
          .getByRole('alert')
          .filter({ hasText: 'These are 2 files, such as “one.csv” and “two.csv”' })
          .waitFor();
        expect(await page.getByText('Total, at most').count()).toBe(0);
      }
      await giveFile(page, '', 'none.csv');
      await page.getByRole('alert').filter({ hasText: '“none.csv” is empty.' }).waitFor();
    }
  });

  it('asks which of two columns is meant before it counts, and lets the reader change it', async () => {
    const { page } = await stage({ at: '/lists' });
    await giveFile(page, 'seller,buyer\nrep@us.test,ok@a.test\nrep@us.test,ok@b.test\n');
    await page.getByText('Which column do you want to verify?').waitFor();
    expect(await page.getByRole('button', { name: /^Verify / }).count()).toBe(0);
    const header = page.getByLabel('The first row names the columns');
    await header.uncheck();
    await header.check();
    await page.getByText('Which column do you want to verify?').waitFor();
    await page.getByLabel('Column with the addresses').selectOption('buyer (column B)');
    await page.getByRole('button', { name: 'Verify 2 addresses' }).waitFor();
    await page.getByLabel('Column with the addresses').selectOption('0');
    await page.getByRole('button', { name: 'Verify 1 address' }).waitFor();
  });

  it('reads the sheet of a workbook that is chosen, after a reload too', async () => {
    const { stub, page } = await stage({ at: '/lists' });
    const people = [['mail'], ['ok-1@a.test'], ['ok-2@a.test']];
    await giveFile(page, await xlsxOf({ Notes: [['mail'], ['notes@a.test']], People: people }), 'list.xlsx');
    await page.getByRole('button', { name: 'Verify 1 address' }).waitFor();
    await page.getByLabel('Sheet of the workbook').selectOption('People');
    await page.getByRole('button', { name: 'Verify 2 addresses' }).click();
    await isDone(page);
    await page.reload();
    await isDone(page);
    expect(stub.world.asked.toSorted()).toEqual(['ok-1@a.test', 'ok-2@a.test']);
    await page.getByRole('cell', { name: 'The mailbox exists' }).first().waitFor();
    expect(await page.locator('.findings tbody tr').first().innerText()).toContain('ok-1@a.test');
  });

  it('leaves a cell with several addresses unasked, and says so', async () => {
    const { stub, page } = await stage();
    await choose(page, 'list.csv', 'id,mail\n1,ok@a.test\n2,x@a.test; y@a.test\n');
    await page.getByText('Several addresses in one cell, not verified').waitFor();
    await page.getByRole('button', { name: 'Verify 1 address' }).click();
    await isDone(page);
    expect(stub.world.asked).toEqual(['ok@a.test']);
    expect(await downloaded(page)).toContain('several_addresses');
  });

  it('that was verified, or begun, is named before it is paid again, whatever file its addresses stand in', async () => {
    const { stub, page } = await stage();
    await verifyFile(page, emails(3).join('\n'));
    await isDone(page);
    await choose(
      page,
      'copy.csv',
      `name;mail\n${emails(3)
        .map((email) => `X;${email.toUpperCase()}\n`)
        .join('')}`,
    );
    const hint = page.getByText('You have these very addresses in a list of');
    await hint.waitFor();
    await page.getByText('They were verified there. Verifying them again costs again.').waitFor();
    await choose(page, 'more.csv', emails(4).join('\n'));
    expect(await hint.count()).toBe(0);
    await choose(page, 'list.csv', emails(3).join('\n'));
    await page.getByRole('link', { name: 'Open its results' }).click();
    await isDone(page);
    expect(stub.world.asked).toHaveLength(3);
    stub.world.credits = 150;
    await verifyFile(page, emails(300, 'some').join('\n'));
    await page.getByText('Not enough credits').waitFor();
    await choose(page, 'list.csv', emails(300, 'some').join('\n'));
    await page.getByText('100 of them are answered there, and are not paid again if you go on there.').waitFor();
    await page.getByRole('link', { name: 'Open that list' }).click();
    await page.getByText('100 of 300 answered').waitFor();
  });

  it('pauses when the credits are used up, and goes on where it was', async () => {
    const { stub, page } = await stage();
    stub.world.credits = 150;
    await verifyFile(page, emails(300).join('\n'));
    await page.getByText('Not enough credits').waitFor();
    await page.getByText(`The account has ${stub.world.credits} credits.`).waitFor();
    stub.world.credits = 1_000;
    await page.getByRole('button', { name: /^Resume/ }).click();
    await isDone(page);
    expect(stub.world.asked).toHaveLength(300);
    expect(new Set(stub.world.asked).size).toBe(300);
  });

  it('can be sampled first, and is resumed without paying for the sample again', async () => {
    const { stub, page } = await stage();
    await choose(page, 'list.csv', [...emails(150), ...emails(150, 'blocked')].join('\n'));
    await page.getByRole('button', { name: 'Sample of 100 first' }).click();
    await page.getByText('100 of 300 answered').waitFor();
    await page.getByText(/Paused. 200 addresses still to verify, for about \d+ credits if they are like/).waitFor();
    expect(new Set(stub.world.asked.map((email) => email.split('-')[0]))).toEqual(new Set(['ok', 'blocked']));
    await page.reload();
    await page.getByRole('button', { name: 'Resume: at most 200 credits' }).click();
    await isDone(page);
    expect([stub.world.asked.length, new Set(stub.world.asked).size]).toEqual([300, 300]);
    expect(48_210 - stub.world.credits).toBe(150);
  });

  it('retries deferred addresses at a price shown separately', async () => {
    const { stub, page } = await stage();
    stub.world.waitS = 1;
    await verifyFile(page, [...emails(3), ...emails(2, 'later')].join('\n'));
    await page.getByRole('button', { name: 'Retry 2 deferred addresses: at most 2 credits' }).click();
    await expect.poll(() => stub.world.asked.length, { timeout: 10_000 }).toBe(7);
    await isDone(page);
  });

  it('says when deferred addresses are retried, and can be downloaded meanwhile', async () => {
    const { stub, page } = await stage();
    stub.world.waitS = 3_600;
    await verifyFile(page, [...emails(3), ...emails(2, 'later')].join('\n'));
    await page.getByRole('button', { name: 'Retry 2 deferred addresses' }).click();
    await page.getByText(/2 deferred addresses, next try at .*\d\d:\d\d/).waitFor();
    expect((await downloaded(page)).match(/later-\d@shop\.test,unknown/g)).toHaveLength(2);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Retry 2 deferred addresses' }).waitFor();
    expect(stub.world.asked).toHaveLength(5);
  });

  it('stops when the reader changes to another account, which pays nothing for it', async () => {
    const { stub, page } = await stage();
    const goOn = await beginAndStop(stub, page, 5, 1);
    const address = page.url();
    await page.getByRole('link', { name: 'Shop', exact: true }).click();
    const other = { ...account.SIGNED_IN, account: { id: 'acc_2', name: 'Other', role: 'member', lowBalanceAt: 0 } };
    stub.world.answers.set('GET me', { status: 200, body: other });
    await page.getByLabel('You are looking at').selectOption('acc_2');
    await page.getByRole('link', { name: 'Other', exact: true }).waitFor();
    goOn();
    stub.world.answers.clear();
    await page.goto(address);
    await page.getByRole('button', { name: 'Resume: at most 4 credits' }).waitFor();
    expect(stub.world.asked).toEqual(['ok-0@shop.test']);
  });

  it('is not shown to another account, and is gone when it is deleted', async () => {
    const { stub, page } = await stage();
    await verifyFile(page, emails(5).join('\n'));
    await isDone(page);
    const address = page.url();
    const other = { ...account.SIGNED_IN, account: { id: 'acc_2', name: 'Other', role: 'owner', lowBalanceAt: 0 } };
    stub.world.answers.set('GET me', { status: 200, body: other });
    await page.goto(address);
    await page.getByText('This list is not in this browser').waitFor();
    stub.world.answers.clear();
    await page.goto(address);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No lists yet').waitFor();
    expect(await page.evaluate('indexedDB.databases().then((all) => all.map(({ name }) => name))')).toEqual([
      'rcpt-lists',
    ]);
  });

  it('comes back with every row in its place, and its own columns as they were', async () => {
    const { page } = await stage();
    await verifyFile(page, 'a;mail;b\n=1+1;ok@a.test;"x;""y"""\n;nobody@a.test\n@SUM;OK@a.test;-3\n3;broken;\n4;;\n');
    await isDone(page);
    const rows = (await downloaded(page)).replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(
      rows.map((row) =>
        row
          .split(';')
          .slice(0, 1 - RESULT_COLUMNS.length)
          .join(';'),
      ),
    ).toEqual([
      'a;mail;b;rcpt_status',
      `=1+1;ok@a.test;"x;""y""";valid`,
      ';nobody@a.test;;invalid',
      `@SUM;OK@a.test;-3;valid`,
      '3;broken;;',
      '4;;;',
    ]);
  });

  it('stands in a table with what came of it and its file, and leads with that on its own page', async () => {
    const { stub, page } = await stage();
    await verifyFile(
      page,
      ['email', ...emails(3), 'OK-0@shop.test', ...emails(2, 'nobody'), 'later@shop.test'].join('\n'),
    );
    await isDone(page);
    const [first] = await page.getByRole('main').getByRole('region').all();
    expect(await first?.getByRole('heading').innerText()).toBe('Outcome');
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Lists' }).click();
    const row = page.getByRole('row', { name: 'list.csv' });
    await row.getByRole('img', { name: 'Valid 4, Risky 0, Invalid 2, Unknown 1' }).waitFor();
    expect((await row.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      '6 in 7 rows',
      'Done',
      '57.1%',
      'Download',
    ]);
    const saved = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download list.csv' }).click();
    expect((await saved).suggestedFilename()).toBe('list-verified.csv');
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text.match(/@shop.test,(?:valid|invalid|unknown),/gi)).toHaveLength(7);
    expect(stub.world.asked).toHaveLength(6);
    // On a phone each stands as a card, and nothing of it is cut.
    await page.setViewportSize({ width: 390, height: 844 });
    const button = await row.getByRole('button').boundingBox();
    expect((button?.x ?? Infinity) + (button?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await page.locator('.table-box').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });

  it('may have any name and any content', async () => {
    const { page, complaints } = await stage();
    const attack = '<img src=x onerror=alert(1)>';
    await choose(page, `${attack}.csv`, `${attack},mail\n<script>alert(2)</script>,ok@a.test\n`);
    await page.getByRole('button', { name: /^Verify / }).click();
    await isDone(page);
    await page.getByRole('heading', { name: `${attack}.csv` }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
