import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { futureLines } from '../../../schema/testing/future-service.ts';
import { IN_BROWSER } from './browser.ts';
import { isDone, verifyFile } from './list-file.ts';
import { useStage } from './stage.ts';

// Pages that are still open when the service has been renewed: its new words are shown, counted and written.

const EMAILS = ['a@x.test', 'b@x.test', 'c@y.test'];

describe('pages that are older than the service', IN_BROWSER, () => {
  const stage = useStage();

  it("show a new status and reason in the service's own words, count them, and ask once", async () => {
    const { stub, page } = await stage();
    stub.world.lines = futureLines;
    await page.goto('/');
    await page.getByRole('textbox').fill(EMAILS.join('\n'));
    await page.getByRole('button', { name: /^Verify/ }).click();
    await page.getByText('Every address has a result.').waitFor();
    await expect.poll(() => page.locator('article .chip').allInnerTexts()).toEqual(['Dormant', 'Dormant', 'Dormant']);
    expect(await page.locator('.legend').innerText()).toMatch(/Dormant\s*3/);
    expect(await page.getByRole('heading', { name: 'Not yet known' }).count()).toBe(3);
    expect(stub.world.asked).toEqual(EMAILS);
  });

  it('verify a list once, and download it with the new words', async () => {
    const { stub, page } = await stage();
    stub.world.lines = futureLines;
    await verifyFile(page, `email\n${EMAILS.join('\n')}\n`);
    await isDone(page);
    await page.getByRole('button', { name: /Not yet known/ }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text.match(/dormant,45,forwarded,not_yet_known/g)).toHaveLength(3);
    expect(stub.world.asked.toSorted()).toEqual(EMAILS);
  });

  it('show the message of a new error code, and do not suggest buying credits', async () => {
    const { stub, page } = await stage();
    const body = { error: 'The account is paused.', code: 'ACCOUNT_PAUSED' };
    stub.world.answers.set('POST verify', { status: 402, body });
    await verifyFile(page, EMAILS.join('\n'));
    await page.getByText('The account is paused.').waitFor();
    expect(await page.getByText('Not enough credits').count()).toBe(0);
  });
});
