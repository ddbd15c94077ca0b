import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SIGNED_IN } from '../testing/stub-account.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

async function paste(page: Page, text: string): Promise<void> {
  await page.goto('/verify');
  await page.getByLabel('Email address').fill(text);
  await page.keyboard.press('Control+Enter');
}

describe('verify', IN_BROWSER, () => {
  const stage = useStage();

  it('shows each answer of a few as it comes, with its reason, between the summary and the file', async () => {
    const { stub, page } = await stage();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    stub.world.stop = { line: 1, until: promise };
    await paste(page, 'ok@a.test\nnobody@a.test\nblocked@a.test\nno@@a.test');
    await page.getByText('1 of 4 answered').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    resolve(undefined);
    await page.getByText('Every address has a result.').waitFor();
    expect(await page.getByRole('article').getByRole('heading').allInnerTexts()).toEqual([
      'The mailbox exists',
      'The mailbox does not exist',
      'The mail server refused us, not the address',
      'Not an email address',
    ]);
    expect((await page.getByLabel('What it has cost').innerText()).split('\n').at(-1)).toBe('2 credits');
    const summary = await page.getByRole('region', { name: 'Outcome' }).boundingBox();
    const [answer, last] = [page.getByRole('article').first(), page.getByRole('article').last()];
    const file = await page.getByRole('button', { name: 'Download CSV' }).boundingBox();
    expect(summary?.y ?? Infinity).toBeLessThan((await answer.boundingBox())?.y ?? 0);
    expect((await last.boundingBox())?.y ?? Infinity).toBeLessThan(file?.y ?? 0);
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  it('shows the details of one address, and verifies the suggested one', async () => {
    const { stub, page } = await stage();
    await page.context().addCookies([{ name: 'session', value: 'secret', url: stub.url }]);
    await paste(page, 'typo@gmail.con');
    await page.getByRole('article').waitFor();
    // Its card says it all, the cost too.
    expect(await page.getByRole('region', { name: 'Results' }).getByRole('region').count()).toBe(0);
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await page.getByText('What was seen').click();
    expect((await page.getByLabel('What was seen').innerText()).split('\n').slice(-2)).toEqual(['Cost', '1 credit']);
    await page.getByRole('button', { name: 'typo@gmail.com' }).click();
    // Its card is there before its answer is: an article is an answer.
    await page.locator('article.result .address', { hasText: 'typo@gmail.com' }).waitFor();
    expect(stub.world.asked).toEqual(['typo@gmail.con', 'typo@gmail.com']);
    // The page's key alone: a cookie verifies nothing.
    const proof = { authorization: 'Bearer svc_live_page', cookie: null };
    expect(stub.world.proofs).toEqual([proof, proof]);
  });

  it('shows more than ten as a table with search, download and copying', async () => {
    const { page, complaints } = await stage({ permissions: ['clipboard-read', 'clipboard-write'] });
    const emails = Array.from({ length: 11 }, (_, n) => `ok-${n}@a.test`);
    await paste(page, ['nobody@a.test', ...emails, 'nobody-2@a.test'].join(', '));
    await page.getByText('Every address has a result.').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const rows = (await readFile(await (await saved).path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').slice(0, 2).join()).slice(0, 3)).toEqual([
      'email,rcpt_status',
      'nobody@a.test,invalid',
      'ok-0@a.test,valid',
    ]);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('invalid');
    await page.getByText('1 to 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Copy these addresses' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('nobody@a.test\nnobody-2@a.test');
    expect(complaints).toEqual([]);
  });

  it('keeps what was answered before a reload, goes on from there, shows it to no other account, and forgets it', async () => {
    const { stub, page } = await stage();
    page.on('dialog', (dialog) => void dialog.accept());
    stub.world.stop = { line: 1, until: new Promise(() => {}) };
    await paste(page, 'ok@a.test, nobody@a.test');
    await page.getByText('1 of 2 answered').waitFor();
    stub.world.stop = null;
    await page.reload();
    await page.getByRole('button', { name: 'Resume: at most 1 credit' }).click();
    await page.getByText('Every address has a result.').waitFor();
    expect(48_210 - stub.world.credits).toBe(2);
    const other = { ...SIGNED_IN, account: { id: 'acc_2', name: 'Other', role: 'owner', lowBalanceAt: 0 } };
    stub.world.answers.set('GET me', { status: 200, body: other });
    await page.reload();
    await page.getByText('What you will see').waitFor();
    stub.world.answers.clear();
    await page.reload();
    await page.getByText('Every address has a result.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('What you will see').waitFor();
    await page.reload();
    await page.getByText('What you will see').waitFor();
    await page.goto('/lists');
    await page.getByText('No lists yet').waitFor();
  });

  it('takes what is pasted as text, in any form', async () => {
    const { page, complaints } = await stage();
    await paste(page, '<img/src=x/onerror=alert(1)>@a.test\n"<i>ann"@a.test\nok@a.test');
    await page.getByText('Every address has a result.').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('asks once, however long the keys are held', async () => {
    const { stub, page } = await stage({ at: '/verify' });
    await page.getByLabel('Email address').fill('Please write to ok@a.test. Thanks!');
    await page.keyboard.down('Control');
    for (let press = 0; press < 15; press += 1) await page.keyboard.down('Enter');
    await page.getByRole('article').waitFor();
    for (let press = 0; press < 15; press += 1) await page.keyboard.down('Enter');
    await page.getByRole('article').waitFor();
    expect([stub.world.asked, 48_210 - stub.world.credits]).toEqual([['ok@a.test'], 1]);
    for (const key of ['Enter', 'Control']) await page.keyboard.up(key);
    await page.getByRole('button', { name: 'Verify' }).focus();
    await page.keyboard.down('Enter');
    await expect.poll(() => stub.world.asked.length).toBe(2);
    for (let press = 0; press < 15; press += 1) await page.keyboard.down('Enter');
    await page.getByRole('article').waitFor();
    for (let press = 0; press < 15; press += 1) await page.keyboard.down('Enter');
    expect([stub.world.asked.length, 48_210 - stub.world.credits]).toEqual([2, 2]);
  });

  it.each([
    ['Ctrl + Enter verifies', {}],
    ['⌘ + Enter verifies', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' }],
    ['', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }],
  ])('names its keys where there is a keyboard: "%s"', async (keys, options) => {
    const { page } = await stage({ at: '/verify', ...options });
    const hint = await page.getByText('Any text: the addresses in it are found.').innerText();
    expect(hint).toBe(`Any text: the addresses in it are found.${keys === '' ? '' : ` ${keys}.`}`);
  });

  it('says before it starts that the account has fewer credits', async () => {
    const { stub, page } = await stage();
    stub.world.credits = 8;
    await page.goto('/verify');
    const emails = Array.from({ length: 12 }, (_, n) => `ok-${n}@a.test`);
    await page.getByLabel('Email address').fill(emails.slice(0, 8).join('\n'));
    await page.getByText('At most 8 credits').waitFor();
    expect(await page.getByText('You can start anyway').count()).toBe(0);
    await page.getByLabel('Email address').fill(emails.join('\n'));
    await page.getByText('The account has 8 credits').waitFor();
    await page.getByText('You can start anyway').waitFor();
    expect(stub.world.asked).toEqual([]);
  });

  it('says how many credits are missing, and keeps what was typed', async () => {
    const { stub, page } = await stage();
    stub.world.credits = 1;
    await paste(page, 'a@a.test\nb@b.test');
    await page.getByText('The account has 1 credit.').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('a@a.test\nb@b.test');
    await page.getByRole('main').getByRole('link', { name: 'Buy credits' }).click();
    await page.getByRole('heading', { name: 'Buy credits' }).waitFor();
  });

  it('reaches a service on the same machine while the browser is offline', async () => {
    const { page } = await stage();
    await page.addInitScript({ content: `Object.defineProperty(navigator, 'onLine', { get: () => false });` });
    await paste(page, 'ok@a.test');
    await page.getByRole('article').waitFor();
  });

  it('gets a new page key when the old one is refused', async () => {
    const { stub, page } = await stage();
    stub.world.failures = [401];
    await paste(page, 'ok@a.test');
    await page.getByRole('article').waitFor();
    expect(stub.world.calls.filter(({ what }) => what === 'POST page-key')).toHaveLength(2);
  });
});
