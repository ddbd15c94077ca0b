import { rm } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { IN_BROWSER, theBrowser, type Visit, visitor } from '../../edge/dashboard/testing/browser.ts';
import { type Caller, callerOf } from '../testing/caller.ts';
import { newStateFolder, type RunningService, startRunningService } from '../testing/running-service.ts';
import { signIn } from './testing/door.ts';

// One list in the pages, on the service as `npm start` runs it: no matter how it is interrupted, the ledger takes what one run
// takes, and the page says what the ledger says.

/** Domains of the sandbox that answer quickly and always the same; the last two cost nothing. */
const DOMAINS = [
  'catchall',
  'takes-no-mail',
  'nxdomain',
  'null-mx',
  'blocks-probe',
  'mx-missing',
  'blocked',
  'mail-rejected',
];
const FREE = 2;
const ME = z.object({ account: z.object({ id: z.string() }) });
const WELCOME = 30_000;
/** Short requests: what a pause lets finish is a small part of a list. */
const MAX_ADDRESSES = 60;

const answered = async (page: Page): Promise<number> =>
  Number(await page.getByRole('progressbar', { name: 'Answered' }).getAttribute('value', { timeout: 5_000 }));

/** Waits until more is answered than before. */
async function goesOn(page: Page, before: number): Promise<number> {
  let now = before;
  await expect
    .poll(async () => (now = await answered(page).catch(() => before)), { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(before);
  return now;
}

const says = (credits: number): string => credits.toLocaleString('en-GB');

/** What the page says that the list has cost. */
async function costOf(page: Page): Promise<string> {
  return (await page.getByLabel('What it has cost').innerText()).replaceAll(/\s+/g, ' ');
}

describe('a list on the real service', { ...IN_BROWSER, timeout: 240_000 }, () => {
  let state: string;
  let service: RunningService;
  let caller: Caller;
  let visit: Visit;
  let people = 0;

  beforeAll(async () => {
    state = await newStateFolder();
    const variables = [`WELCOME_CREDITS=${WELCOME}`, `MAX_ADDRESSES=${MAX_ADDRESSES}`, 'RATE_LIMIT=0'];
    service = await startRunningService(
      state,
      variables.flatMap((variable) => ['--var', variable]),
    );
    caller = await callerOf(service.ready);
  }, 60_000);
  afterEach(() => visit.close());
  afterAll(async () => {
    await service?.stop();
    await rm(state, { recursive: true, force: true });
  });

  /** A customer with an account of their own, whose list is being verified. */
  async function begin(count: number): Promise<Page> {
    const url = service.ready.url.replace('127.0.0.1', 'localhost');
    const browser = await theBrowser();
    visit = await visitor(browser, url);
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, { service, browser, url }, `ann${(people += 1)}@shop${people}.example`);
    const emails = Array.from({ length: count }, (_, n) => `user${n}@${DOMAINS[n % DOMAINS.length]}.test`);
    await page.goto(`${url}/lists`);
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(emails.join('\n')) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: /^Verify / }).click();
    return page;
  }

  /** The list is done, and page and ledger have what one run costs. */
  async function expectPaidOnce(page: Page, count: number): Promise<void> {
    await page.getByText('Every address has a result.').waitFor({ timeout: 200_000 });
    const due = count - (count / DOMAINS.length) * FREE;
    await expect
      .poll(() => costOf(page), { timeout: 20_000 })
      .toBe(`Charged up front ${says(count)} credits Returned − ${says(count - due)} Cost ${says(due)} credits`);
    const me = ME.parse(await page.evaluate(() => fetch('/app/v1/me').then((answer) => answer.json())));
    const ledger = async () => {
      const { balance, openHolds } = await caller.operator.showAccount(me.account.id);
      return { spent: WELCOME - balance, held: openHolds.credits };
    };
    await expect.poll(ledger, { timeout: 30_000 }).toEqual({ spent: due, held: 0 });
    // It is one line of the statement beside the gift, no matter how often it was interrupted.
    await page.getByRole('link', { name: 'Balance' }).click();
    await expect.poll(() => page.locator('.statement tbody tr').count()).toBe(2);
    expect(visit.complaints).toEqual([]);
  }

  test('is charged once when it is paused, reloaded, offline for a while, and continued in another tab', async () => {
    const count = 4_000;
    const page = await begin(count);
    await goesOn(page, 0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused.').waitFor();
    let before = await answered(page);
    await page.getByRole('button', { name: /^Resume/ }).click();

    await goesOn(page, before);
    await page.goto(page.url());
    await page.getByRole('button', { name: /^Resume/ }).waitFor();
    before = await answered(page);
    await page.getByRole('button', { name: /^Resume/ }).click();

    await goesOn(page, before);
    await page.context().setOffline(true);
    await page.getByText('You are offline.').first().waitFor();
    before = await answered(page);
    await page.context().setOffline(false);

    await goesOn(page, before);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('This list is open in another tab').waitFor();
    await page.close({ runBeforeUnload: false });
    await other.getByRole('button', { name: /^Resume/ }).click({ timeout: 60_000 });
    await expectPaidOnce(other, count);
  });
});
