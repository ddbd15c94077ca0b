import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SIGNED_IN } from '../testing/stub-account.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

describe('verify', IN_BROWSER, () => {
  const stage = useStage();

  it('shows each result as it comes, with its reason and the bill', async () => {
    const { stub, visit } = await stage();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    stub.world.stop = { line: 1, until: promise };
    const { page } = await visit();
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test\nnobody@a.test\nblocked@a.test');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 of 3 answered').waitFor();
    resolve(undefined);
    await page.getByText('3 of 3 answered').waitFor();
    await page.getByRole('cell', { name: 'The mail server refused us, not the address' }).waitFor();
    await page.getByText('2 credits charged, 1 credit returned.').waitFor();
  });

  it('shows one address with what was seen, and asks the one that was meant', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    await page.context().addCookies([{ name: 'session', value: 'secret', url: stub.url }]);
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('typo@gmail.con');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('button', { name: 'typo@gmail.com' }).click();
    // Its card is there before its answer is: an article is an answer.
    await page.locator('article.result .address', { hasText: 'typo@gmail.com' }).waitFor();
    expect(stub.world.asked).toEqual(['typo@gmail.con', 'typo@gmail.com']);
    // The page's key alone: a cookie verifies nothing.
    const proof = { authorization: 'Bearer svc_live_page', cookie: null };
    expect(stub.world.proofs).toEqual([proof, proof]);
  });

  it('gives what was pasted as a file and for the clipboard, searched and filtered', async () => {
    const { visit } = await stage();
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test, nobody@a.test, later@a.test, nobody-2@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('4 of 4 answered').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const rows = (await readFile(await (await saved).path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').slice(0, 2))).toEqual([
      ['email', 'rcpt_status'],
      ['ok@a.test', 'valid'],
      ['nobody@a.test', 'invalid'],
      ['later@a.test', 'unknown'],
      ['nobody-2@a.test', 'invalid'],
    ]);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('invalid');
    await page.getByText('1 to 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Copy these addresses' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('nobody@a.test\nnobody-2@a.test');
    expect(complaints).toEqual([]);
  });

  it('keeps what was pasted over a reload, until it is cleared', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test, nobody@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('2 credits charged').waitFor();
    await page.reload();
    await page.getByText('2 of 2 answered').waitFor();
    await page.getByText('2 credits charged').waitFor();
    expect(stub.world.asked).toEqual(['ok@a.test', 'nobody@a.test']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('What you will see').waitFor();
    await page.reload();
    await page.getByText('What you will see').waitFor();
  });

  it('keeps what was answered before a reload in the middle, and shows it to no other account', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    stub.world.stop = { line: 1, until: new Promise(() => {}) };
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test, nobody@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('1 of 2 answered').waitFor();
    await page.reload();
    await page.getByText('1 of 2 answered').waitFor();
    const other = { ...SIGNED_IN, account: { id: 'acc_2', name: 'Other', role: 'owner', lowBalanceAt: 0 } };
    stub.world.answers.set('GET me', { status: 200, body: other });
    await page.reload();
    await page.getByText('What you will see').waitFor();
  });

  it('says that the service cannot verify while it cannot, and goes on by itself', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    stub.world.failures = Array.from({ length: 1_000 }, () => 500);
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The service cannot verify at the moment.').waitFor();
    await page.getByText('Not asked yet.').waitFor();
    await page.getByRole('button', { name: 'Try now' }).waitFor();
    stub.world.failures = [];
    await page.getByText('1 credit charged').waitFor();
    expect(await page.getByText('cannot verify').count()).toBe(0);
  });

  it('stops gently: what is in progress is paid for, and comes', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    stub.world.stop = { line: 1, until: promise };
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test\nnobody@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('1 of 2 answered').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stopping …' }).waitFor();
    resolve(undefined);
    await page.getByText('2 credits charged').waitFor();
    expect(48_210 - stub.world.credits).toBe(2);
  });

  it('takes what is pasted as text, in any form', async () => {
    const { visit } = await stage();
    const { page, complaints } = await visit();
    await page.goto('/verify');
    const attack = '<img/src=x/onerror=alert(1)>@a.test';
    await page.getByLabel('Email address').fill(`${attack}\nok@a.test`);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('2 of 2 answered').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what is missing when the credits do not suffice, and keeps what was typed', async () => {
    const { stub, visit } = await stage();
    stub.world.credits = 1;
    const { page } = await visit();
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('a@a.test\nb@b.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The account has 1 credit.').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('a@a.test\nb@b.test');
    await page.getByRole('main').getByRole('link', { name: 'Buy credits' }).click();
    await page.getByRole('heading', { name: 'Buy credits' }).waitFor();
  });

  it('waits by itself when it is told to', async () => {
    const { stub, visit } = await stage();
    stub.world.failures = [429];
    const { page } = await visit();
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('1 credit charged').waitFor();
  });

  it('takes a new page key when the old one is refused', async () => {
    const { stub, visit } = await stage();
    stub.world.failures = [401];
    const { page } = await visit();
    await page.goto('/verify');
    await page.getByLabel('Email address').fill('ok@a.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('1 credit charged').waitFor();
    expect(stub.world.calls.filter(({ what }) => what === 'POST page-key')).toHaveLength(2);
  });
});
