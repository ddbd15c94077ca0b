import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../../testing/browser.ts';
import { giveFile, isDone, verifyFile } from '../../testing/list-file.ts';
import { useStage } from '../../testing/stage.ts';
import type { Stub } from '../../testing/stub-service.ts';

// However a list is interrupted, the service has charged what it costs in one go, and the page says what was charged.

const HAS = 48_210;
const emails = (count: number, word = 'ok') => Array.from({ length: count }, (_, n) => `${word}-${n}@shop.test`);

const begin = (page: Page, count: number): Promise<void> => verifyFile(page, emails(count).join('\n'));

/** Answers stop before this line; null: nowhere. @returns lets those go on that have */
function stopAt(stub: Stub, line: number | null): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  stub.world.stop = line === null ? null : { line, until: promise };
  return () => resolve(undefined);
}

/** What the page says that the list has cost, line by line. */
async function costOf(page: Page): Promise<string> {
  return (await page.getByLabel('What it has cost').innerText()).replaceAll('\n', ' ');
}

describe('a list that is interrupted', IN_BROWSER, () => {
  const stage = useStage();

  it('by a pause finishes requests in progress, and costs no more than one uninterrupted run', async () => {
    const { stub, page } = await stage();
    const goOn = stopAt(stub, 30);
    await begin(page, 700);
    await page.getByText('120 of 700').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('requests in progress are being finished').waitFor();
    stopAt(stub, null);
    goOn();
    await page.getByRole('button', { name: 'Resume: at most 300 credits' }).click();
    await isDone(page);
    await expect.poll(() => costOf(page)).toBe('Charged up front 700 credits Returned − 0 Cost 700 credits');
    expect(HAS - stub.world.credits).toBe(700);
    expect(stub.world.asked).toHaveLength(700);
  });

  it('by six reloads is charged once, and says so', async () => {
    const { stub, page } = await stage();
    page.on('dialog', (dialog) => void dialog.accept());
    let goOn = stopAt(stub, 10);
    await begin(page, 100);
    for (let line = 10; line <= 60; line += 10) {
      await page.getByText(`${line} of 100`).waitFor();
      await page.goto(page.url());
      await page.getByText('In interrupted requests, at most').waitFor();
      // The answer that was in progress is written on, for nobody.
      const go = goOn;
      goOn = stopAt(stub, line === 60 ? null : line + 10);
      go();
      await page.getByRole('button', { name: /^Resume/ }).click();
    }
    await isDone(page);
    await expect.poll(() => costOf(page)).toBe('Charged up front 100 credits Returned − 0 Cost 100 credits');
    expect(HAS - stub.world.credits).toBe(100);
    expect(stub.world.charged.size).toBe(1);
  });

  it('when only its last bill is missing is settled by itself', async () => {
    const { stub, page } = await stage();
    stub.world.lines = (asked) => asked.map((email, index) => JSON.stringify({ index, email }));
    await begin(page, 3);
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    stub.world.lines = null;
    await page.getByRole('button', { name: 'Try now' }).click();
    await isDone(page);
    await expect.poll(() => costOf(page)).toBe('Charged up front 3 credits Returned − 0 Cost 3 credits');
    expect(HAS - stub.world.credits).toBe(3);
  });

  it('by a failing service says so, shows no speed, and resumes by itself', async () => {
    const { stub, page } = await stage();
    stub.world.failures = Array.from({ length: 1_000 }, () => 500);
    await begin(page, 20);
    await page.getByText('The service cannot verify at the moment. Verification resumes by itself.').waitFor();
    expect(await page.getByText('a minute').count()).toBe(0);
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    stub.world.failures = [];
    await isDone(page);
    expect(HAS - stub.world.credits).toBe(20);
  });

  it('before anything was sent, because the browser is offline, has cost nothing', async () => {
    const { stub, page } = await stage();
    // The page of a list has been loaded.
    await begin(page, 1);
    await isDone(page);
    await page.getByRole('link', { name: 'Lists', exact: true }).first().click();
    await giveFile(page, emails(300).join('\n'));
    await page.getByRole('button', { name: 'Verify 300 addresses' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Verify 300 addresses' }).click();
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    expect(await costOf(page)).toBe('Charged up front 0 credits Returned − 0 Cost so far 0 credits');
    await page.context().setOffline(false);
    await isDone(page);
    expect(HAS - stub.world.credits).toBe(301);
  });

  it('by three losses of the network resumes each time, and is charged once', async () => {
    const { stub, page } = await stage();
    let goOn = stopAt(stub, 5);
    await begin(page, 30);
    for (let line = 5; line <= 15; line += 5) {
      await page.getByText(`${line} of 30`).waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline.').first().waitFor();
      const go = goOn;
      goOn = stopAt(stub, line === 15 ? null : line + 5);
      go();
      await page.context().setOffline(false);
    }
    await isDone(page);
    await expect.poll(() => costOf(page)).toBe('Charged up front 30 credits Returned − 0 Cost 30 credits');
    expect(HAS - stub.world.credits).toBe(30);
  });
});

describe('a list in a second tab', IN_BROWSER, () => {
  const stage = useStage();

  it('says so, and shows the list when the first one has ended', async () => {
    const { stub, page } = await stage();
    const goOn = stopAt(stub, 2);
    await begin(page, 5);
    await page.getByText('2 of 5').waitFor();
    const second = await page.context().newPage();
    await second.goto('/lists');
    await second.getByText('Running in another tab').waitFor();
    await second.goto(page.url());
    await second.getByText('This list is open in another tab').waitFor();
    const padding = "getComputedStyle(document.querySelector('.notice')).paddingTop";
    expect(await second.evaluate(padding)).not.toBe('0px');
    stopAt(stub, null);
    goOn();
    await isDone(page);
    await isDone(second);
    await expect.poll(() => costOf(second)).toBe('Charged up front 5 credits Returned − 0 Cost 5 credits');
    expect(stub.world.asked).toHaveLength(5);
  });
});

describe('the lists of a browser', IN_BROWSER, () => {
  const stage = useStage();

  it('that stores nothing are refused with a clear message', async () => {
    const { page } = await stage();
    const content = `IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); };`;
    await page.addInitScript({ content });
    await page.goto('/lists');
    await page.getByText('This browser does not let the page keep anything').waitFor();
  });

  it("are deleted with their owner's account", async () => {
    const { page } = await stage();
    await begin(page, 3);
    await isDone(page);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Delete me' }).click();
    await page.getByLabel('Type ann@shop.example to confirm').fill('ann@shop.example');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    const names = () => page.evaluate('indexedDB.databases().then((all) => all.map(({ name }) => name))');
    await expect.poll(names).toEqual(['rcpt-lists']);
    await page.goto('/lists');
    await page.getByText('No lists yet').waitFor();
  });
});

describe('a balance', IN_BROWSER, () => {
  const stage = useStage();

  it('that changed elsewhere is read again with the next price, and when the page gets the focus', async () => {
    const { stub, page } = await stage({ at: '/lists' });
    await page.getByText('48,210 credits').waitFor();
    stub.world.credits = 2;
    await giveFile(page, emails(3).join('\n'));
    await page.getByText('The account has 2 credits').waitFor();
    stub.world.credits = 7;
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText('7 credits').waitFor();
  });
});
