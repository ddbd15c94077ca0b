import { rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER, theBrowser, type Visit, visitor } from '../../edge/dashboard/testing/browser.ts';
import { newStateFolder, type RunningService, startRunningService } from '../testing/running-service.ts';
import { deadHost } from './testing/dead-host.ts';
import { sharedAccount } from './testing/shared-account.ts';
import { type Door, mailedLinks, signIn } from './testing/door.ts';

// What a customer does, from the first mail on, on the service as `npm start` runs it.

const WELCOME = 30_000;

describe('a customer', IN_BROWSER, () => {
  let state: string;
  let service: RunningService;
  let browser: Browser;
  let url: string;
  let customer: Visit;
  let page: Page;

  const door = (): Door => ({ service, browser, url });

  beforeAll(async () => {
    state = await newStateFolder();
    [service, browser] = await Promise.all([
      startRunningService(state, ['--var', `WELCOME_CREDITS=${WELCOME}`]),
      theBrowser(),
    ]);
    // Passkeys and secure cookies work on localhost, and not on 127.0.0.1.
    url = service.ready.url.replace('127.0.0.1', 'localhost');
    customer = await visitor(browser, url, { acceptDownloads: true });
    ({ page } = customer);
    await signIn(page, door(), 'ann@shop.example');
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await rm(state, { recursive: true, force: true });
  });

  test('signs in by a mailed link once: the link is used up', async () => {
    await page.goto(`${url}${mailedLinks({ service }, 'ann@shop.example').at(-1)}`);
    await page.getByText('This link no longer works').waitFor();
  });

  test('verifies an address and reads why', async () => {
    await page.goto(`${url}/verify`);
    await page.getByLabel('Email address').fill('nobody@deliverable.test');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('heading', { name: 'The mailbox does not exist' }).waitFor();
  });

  test('makes a key, calls with it, deletes it, and the next call is refused', async () => {
    await page.goto(`${url}/developers`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel(/^Live:/).check();
    await page.getByLabel('Name', { exact: true }).fill('Shop <b>1</b>');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.locator('.key').innerText();
    const call = async () =>
      (await fetch(`${service.ready.url}/api/v1/credits`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await call()).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Delete Shop <b>1</b>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No keys yet.').waitFor();
    expect(await call()).toBe(401);
  });

  test('makes a test key, and copies a first call that the sandbox answers', async () => {
    await page.goto(`${url}/developers`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('CI');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('.key').waitFor();
    const command = (await page.getByRole('dialog').getByLabel('In a terminal').innerText()).replace(
      url,
      service.ready.url,
    );
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject([{ email: 'ok@deliverable.test', status: 'valid' }]);
  });

  test('sees a verdict before there is an account', async () => {
    const stranger = await visitor(browser, url);
    await stranger.page.goto(url);
    await stranger.page.getByRole('button', { name: 'anyone@blocked.test' }).click();
    await stranger.page.getByRole('heading', { name: 'The mail server refused us, not the address' }).waitFor();
    await stranger.page.getByRole('banner').getByRole('link', { name: 'Docs' }).click();
    await stranger.page.getByRole('link', { name: 'Programs to copy' }).click();
    await stranger.page.getByRole('heading', { name: 'Programs to copy', level: 1 }).waitFor();
    expect(stranger.complaints).toEqual([]);
    await stranger.close();
  });

  test('adds a passkey, and signs in with it in place of a mail', async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/settings`);
    await page.getByLabel('Name of a new passkey').fill('Work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('never used').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Verify' }).waitFor();
    await devtools.detach();
  });

  test('buys credits, and they are there', async () => {
    await page.goto(`${url}/buy`);
    await page
      .getByRole('button', { name: /^Buy .* credits$/ })
      .first()
      .click();
    await page.getByRole('button', { name: /pay/i }).click();
    await page.getByText('are on your account').waitFor();
    await page.getByText('Bought').first().waitFor();
  });

  test('signs out another browser, which then has to sign in again', async () => {
    const other = await visitor(browser, url);
    await signIn(other.page, door(), 'ann@shop.example');
    await page.goto(`${url}/settings`);
    await page
      .getByRole('button', { name: /^Sign out ./ })
      .first()
      .click();
    await expect.poll(() => page.getByRole('button', { name: /^Sign out ./ }).count(), { timeout: 10_000 }).toBe(0);
    await other.page.goto(`${url}/balance`);
    await other.page.getByRole('button', { name: 'Send me a link' }).waitFor();
    await other.close();
  });

  test('is separate from the operator, whose calls are signed in the browser', async () => {
    const operator = await visitor(browser, url);
    await operator.page.goto(`${url}/operators`);
    await operator.page.locator('input[type=file]').setInputFiles(service.ready.operatorKey);
    await operator.page.getByText('Healthy').waitFor();
    await operator.page.getByText(/^Our faults, of [\d,]+ calls?$/).waitFor();
    expect(operator.complaints).toEqual([]);
    await operator.close();
  });

  sharedAccount(door);
  deadHost(door);

  test('causes no browser errors', () => {
    expect(customer.complaints).toEqual([]);
  });
});
