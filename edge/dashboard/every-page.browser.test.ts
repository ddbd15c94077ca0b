import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { xlsxOf } from '../../schema/lists/testing/xlsx.ts';
import { PAGES } from './route/paths.ts';
import { IN_BROWSER } from './testing/browser.ts';
import { giveFile } from './testing/list-file.ts';
import { useStage } from './testing/stage.ts';
import { useOperatorKey } from './testing/stub-operators.ts';
import type { StubState } from './testing/stub-service.ts';

type View = {
  readonly name: string;
  readonly path: string;
  /** A text that is there once the view is complete; empty: its heading is enough. */
  readonly shows: string;
  readonly prepare?: (world: StubState) => void;
  readonly act?: (page: Page) => Promise<void>;
};

const CSV = 'Name,E-Mail\n=Ann,ok-1@shop.test\nBob,nobody-2@shop.test\nCy,later-3@shop.test\nDi,broken\n';
const LONG = `${'ann.'.repeat(12)}long`;
const fail = (path: string) => (world: StubState) => void world.answers.set(path, { status: 500, body: {} });

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Your email address').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
}

const NAMED: readonly View[] = [
  { name: 'welcome', path: '/', shows: 'What it costs', prepare: (world) => void (world.isSignedIn = false) },
  { name: 'mailed link', path: '/sign-in#token=t', shows: 'You sign in as' },
  { name: 'sign in', path: '/sign-in', shows: 'Send me a link' },
  {
    name: 'sign in with a mistyped domain',
    path: '/sign-in',
    shows: 'Did you mean',
    prepare: (world) => {
      world.isSignedIn = false;
      world.answers.set('POST sign-in', { status: 200, body: { didYouMean: `${LONG}@gmail.com` } });
    },
    act: (page) => askForLink(page, `${LONG}@gmial.com`),
  },
  {
    name: 'sign in when only members get a link',
    path: '/sign-in',
    shows: 'New here? Please try again tomorrow',
    prepare: (world) => {
      world.isSignedIn = false;
      world.answers.set('POST sign-in', { status: 202, body: { membersOnly: true, noGift: null } });
    },
    act: (page) => askForLink(page, `${LONG}@shop.example`),
  },
  {
    name: 'verify',
    path: '/verify',
    shows: 'Every address has a result.',
    act: async (page) => {
      await page.getByLabel('Email address').fill('ok@a.test, nobody@a.test, blocked@a.test, later@a.test');
      await page.getByRole('button', { name: 'Verify' }).click();
    },
  },
  { name: 'lists', path: '/lists', shows: 'No lists yet' },
  {
    name: 'a new list',
    path: '/lists',
    shows: 'Total, at most',
    act: (page) => giveFile(page, CSV),
  },
  {
    name: 'a list of which nobody knows the column',
    path: '/lists',
    shows: 'Which column do you want to verify?',
    act: (page) => giveFile(page, 'seller,buyer\nrep@us.test,ok@a.test\n'),
  },
  {
    name: 'a workbook',
    path: '/lists',
    shows: 'Total, at most',
    act: async (page) => {
      const people = await xlsxOf({ People: [['mail'], ['ok@a.test']], Notes: [['mail'], ['ok@b.test']] });
      await giveFile(page, people, 'list.xlsx');
      await page.getByLabel('Sheet of the workbook').waitFor();
    },
  },
  {
    name: 'a list that is done',
    path: '/lists',
    shows: 'Every address has a result',
    act: async (page) => {
      await giveFile(page, CSV);
      await page.getByRole('button', { name: 'Verify 3 addresses' }).click();
      await page.getByRole('button', { name: /The mailbox exists/ }).click();
    },
  },
  {
    name: 'lists that are kept',
    path: '/lists',
    shows: 'Done',
    act: async (page) => {
      await giveFile(page, CSV);
      await page.getByRole('button', { name: 'Verify 3 addresses' }).click();
      await page.getByText('Every address has a result').waitFor();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Lists' }).click();
    },
  },
  { name: 'developers', path: '/developers', shows: 'Shop, production' },
  {
    name: 'a new key of a form',
    path: '/developers',
    shows: 'Form, for tests:',
    act: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Form: goes').check();
    },
  },
  {
    name: 'a key that was made',
    path: '/developers',
    shows: 'Copy it now',
    act: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Checkout');
      await page.getByRole('button', { name: 'Create key' }).click();
    },
  },
  { name: 'requests', path: '/requests', shows: 'RATE_LIMITED' },
  { name: 'balance', path: '/balance', shows: 'Bought' },
  {
    name: 'a balance, unfolded',
    path: '/balance',
    shows: 'Hide 16 entries',
    act: async (page) => {
      await page.getByRole('button', { name: 'Show 16 entries' }).click();
      await page.getByText('Values by day').click();
    },
  },
  { name: 'a balance that cannot be read', path: '/balance', shows: 'Try again', prepare: fail('GET statement') },
  { name: 'buy', path: '/buy', shows: 'Recommended' },
  { name: 'settings', path: '/settings', shows: 'Safari on iPhone' },
  {
    name: 'a question',
    path: '/settings',
    shows: 'Delete for good',
    act: (page) => page.getByRole('button', { name: 'Delete me' }).click(),
  },
  { name: 'docs', path: '/docs', shows: 'Sandbox' },
  { name: 'the sign-up page of the docs', path: '/docs/sign-up-form', shows: 'export async function checkAddress' },
  { name: 'the client in the docs', path: '/docs/client', shows: '@rcpt/client' },
  { name: 'programs in the docs', path: '/docs/examples', shows: 'The program' },
  { name: 'the command in the docs', path: '/docs/command', shows: 'Money' },
  { name: 'operators', path: '/operators', shows: 'Use a key file' },
  { name: 'state, traffic and hosts', path: '/operators', shows: 'fra-2', act: useOperatorKey },
  { name: 'no such page', path: '/nowhere', shows: 'There is nothing at this address' },
];

/** Pages that nobody has listed above are looked at as they first appear. */
const VIEWS: readonly View[] = [
  ...NAMED,
  ...Object.keys(PAGES)
    .map((name) => `/${name}`)
    .filter((path) => NAMED.every((view) => view.path.split('#')[0] !== path))
    .map((path) => ({ name: path, path, shows: '' })),
];

/** No phone is narrower. */
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

/** axe looks at thousands of elements, twice, on a machine that does other things too. */
const WITHIN_MS = 120_000;

describe('every page', IN_BROWSER, () => {
  const stage = useStage();

  it.each(VIEWS)(
    '$name is accessible, keeps to the policy and has room',
    { timeout: WITHIN_MS },
    async ({ path, shows, prepare, act }) => {
      const { stub, page, complaints } = await stage({ viewport: WIDE, reducedMotion: 'reduce' });
      prepare?.(stub.world);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await act?.(page);
      if (shows !== '') await page.getByText(shows).first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // The scheme changes colours and nothing else.
        // The pages have no frames, for which it would open a page of its own each time.
        const axe = new AxeBuilder({ page }).setLegacyMode();
        const { violations } = await (colorScheme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
        expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes.map(({ html }) => html)])).toEqual([]);
      }
      // Also 640 px at 200 % zoom.
      await page.setViewportSize(NARROW);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(NARROW.width);
      expect(complaints).toEqual([]);
    },
  );

  it('says when it is offline, and reloads on request', async () => {
    const { page } = await stage({ at: '/verify' });
    await page.getByRole('heading', { name: 'Verify' }).waitFor();
    // Loaded before the network goes, as a page that was visited is.
    await page.getByRole('link', { name: 'Balance' }).click();
    await page.getByText('Bought').waitFor();
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.context().setOffline(true);
    await page.getByText('You are offline. This page stays as it is').waitFor();
    await page.getByRole('link', { name: 'Balance' }).click();
    await page.getByRole('alert').filter({ hasText: 'You are offline.' }).first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await page.getByText('Bought').waitFor();
  });

  it('can be reached by the keyboard alone', async () => {
    const { page } = await stage({ at: '/verify' });
    await page.getByRole('heading', { name: 'Verify' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lists' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});
