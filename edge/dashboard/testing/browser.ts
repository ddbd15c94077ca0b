import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';

/**
 * Debian's without windows and profiles: a visit takes a third of the CPU. Not the script in /usr/bin, which stays behind as
 * its parent.
 */
export const CHROMIUM = '/usr/lib/chromium/chromium-headless-shell';
export const HAS_BROWSER = existsSync(CHROMIUM);

/** For a suite of the pages: without a browser it is skipped, which the end of the run says; CI has to have one. Tests have two minutes. */
export const IN_BROWSER = {
  skip: !HAS_BROWSER,
  meta: HAS_BROWSER ? {} : { needs: 'Chromium (apt-get install chromium-headless-shell)' },
  // On a busy machine a dozen clicks take a minute.
  timeout: 120_000,
};

let started: Promise<Browser> | undefined;

/** The browser of this process, which all of its files share and which ends with it: a visitor sees nothing of others. */
export function theBrowser(): Promise<Browser> {
  // Without its sandbox, because CI is root; what it opens is ours.
  started ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  return started;
}

/** The folder of the built pages. */
export function builtPages(): string {
  return inject('pages');
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
  page.setDefaultTimeout(45_000);
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
