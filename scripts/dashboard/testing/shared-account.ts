import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Visit, visitor } from '../../../edge/dashboard/testing/browser.ts';
import { type Door, mailedLinks, nextLink, signIn } from './door.ts';

const [OLGA, BOB] = ['olga@people.example', 'bob@people.example'];

async function settings(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings`);
  await page.getByRole('heading', { name: 'People' }).waitFor();
}

/** What two people do who share an account: one test after the other, on the service that is given. */
export function sharedAccount(door: () => Door): void {
  describe('two people', () => {
    let olga: Visit;
    let bob: Visit;
    let url: string;
    beforeAll(async () => {
      ({ url } = door());
      olga = await visitor(door().browser, url, { acceptDownloads: true });
      bob = await visitor(door().browser, url);
      await signIn(olga.page, door(), OLGA);
    });
    afterAll(async () => {
      await olga?.close();
      await bob?.close();
    });

    test('share an account: one invites, the other joins by the mail and sees it', async () => {
      await settings(olga.page, url);
      await olga.page.getByLabel('Name', { exact: true }).fill('Team');
      await olga.page.getByRole('button', { name: 'Save' }).click();
      await olga.page.getByText('Saved.').waitFor();
      const before = mailedLinks(door(), BOB).length;
      await olga.page.getByLabel('Invite by email').fill(BOB);
      await olga.page.getByRole('button', { name: 'Invite', exact: true }).click();
      await olga.page.getByText(`Invited as member by ${OLGA}`).waitFor();
      await bob.page.goto(`${url}${await nextLink(door(), BOB, before)}`);
      await bob.page.getByText(`${OLGA} has invited ${BOB}`).waitFor();
      const invited = mailedLinks(door(), BOB).length;
      await bob.page.getByRole('button', { name: 'Mail me the link' }).click();
      await bob.page.getByText('Check your mail').waitFor();
      await bob.page.goto(`${url}${await nextLink(door(), BOB, invited)}`);
      await bob.page.getByRole('button', { name: 'Join Team' }).click();
      await bob.page.getByRole('heading', { name: 'Verify' }).waitFor();
      await settings(bob.page, url);
      await bob.page.getByText('You are a member of Team').waitFor();
      expect(await bob.page.getByLabel('Invite by email').count()).toBe(0);
    });

    test('cannot lose its last owner, who first makes the other person one', async () => {
      await settings(olga.page, url);
      await olga.page.getByText('To leave, first make somebody else an owner.').waitFor();
      const leave = olga.page.getByRole('button', { name: 'Leave Team' });
      expect(await leave.count()).toBe(0);
      await olga.page.getByRole('button', { name: 'Delete me' }).click();
      await olga.page.getByText('First make somebody else an owner of Team').waitFor();
      await olga.page.keyboard.press('Escape');
      await olga.page.getByRole('button', { name: `Make owner: ${BOB}` }).click();
      await olga.page.getByRole('button', { name: `Make member: ${BOB}` }).waitFor();
      await leave.waitFor();
      await settings(bob.page, url);
      await bob.page.getByLabel('Invite by email').waitFor();
    });

    test('one removes the other, whose open page can no longer act for the account, and says so', async () => {
      await olga.page.goto(`${url}/developers`);
      await olga.page.getByRole('button', { name: 'New key' }).click();
      await olga.page.getByLabel('Name', { exact: true }).fill('Too late');
      await settings(bob.page, url);
      await bob.page.getByRole('button', { name: `Remove ${OLGA}` }).click();
      await bob.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expect.poll(() => bob.page.getByText(OLGA).count(), { timeout: 10_000 }).toBe(0);
      await olga.page.getByRole('button', { name: 'Create key' }).click();
      await olga.page.getByText('This page now shows My account').waitFor();
      await olga.page.getByText('No keys yet.').waitFor();
      await bob.page.goto(`${url}/developers`);
      await bob.page.getByText('No keys yet.').waitFor();
    });

    test('one exports their data, and is deleted in every tab', async () => {
      await settings(olga.page, url);
      const saved = olga.page.waitForEvent('download');
      await olga.page.getByRole('link', { name: 'Export everything' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe('my-data.json');
      const stored = JSON.parse(await readFile(await download.path(), 'utf8'));
      expect(stored).toMatchObject({ email: OLGA, accounts: [{ name: 'My account', role: 'owner' }] });
      const tab = await olga.page.context().newPage();
      await tab.goto(`${url}/balance`);
      await tab.getByRole('heading', { name: 'Balance' }).waitFor();
      await olga.page.getByRole('button', { name: 'Delete me' }).click();
      const dialog = olga.page.getByRole('dialog');
      await dialog.getByText('My account is closed').waitFor();
      await dialog.getByLabel(`Type ${OLGA} to confirm`).fill(BOB);
      await dialog.getByRole('button', { name: 'Delete for good' }).click();
      await dialog.getByRole('alert').getByText(`Type ${OLGA} to confirm.`).waitFor();
      await dialog.getByLabel(`Type ${OLGA} to confirm`).fill(OLGA);
      await dialog.getByRole('button', { name: 'Delete for good' }).click();
      await olga.page.getByRole('button', { name: 'Send me a link' }).waitFor();
      await tab.getByRole('link', { name: 'Developers' }).click();
      await tab.getByRole('heading', { name: 'You are signed out' }).waitFor();
      expect([...olga.complaints, ...bob.complaints]).toEqual([]);
    });
  });
}
