import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildDashboard } from '../build.ts';

/** Debian's. */
const CHROMIUM = '/usr/bin/chromium';

/** Whether there is a browser to test in. Without one the tests are skipped and say so; CI has to have it. */
export const HAS_BROWSER = existsSync(CHROMIUM);
if (!HAS_BROWSER && process.env['CI'] === 'true') throw new Error(`${CHROMIUM} is missing: .ci/run installs it.`);
if (!HAS_BROWSER) console.warn(`SKIPPED: the tests of the pages need ${CHROMIUM} (apt-get install chromium).`);

export async function startBrowser(): Promise<Browser> {
  // Without its sandbox, because CI is root; what it opens is ours.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** The pages, built into a folder that `remove` takes away. */
export async function buildPages(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rcpt-pages-'));
  await buildDashboard(folder);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export type Visit = {
  readonly page: Page;
  /** What the browser complained of: violations of the policy, errors of scripts, requests to strangers. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
};

/** A browser as somebody has it who has never been here. */
export async function visitor(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // An answer of 4xx or 5xx is also a message; what the page makes of it is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('request', (request) => {
    // Going elsewhere, as to the cashier, is not asking a stranger from here.
    if (request.isNavigationRequest()) return;
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url()))
      complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}
