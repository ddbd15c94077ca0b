import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

async function enter(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Your name as an operator').fill('ann');
  await page.getByRole('button', { name: 'Create key' }).click();
}

const AT = '2026-11-21T10:00:00Z';
const host = (n: number) => ({ id: `fra-${n}`, state: 'active', createdAt: AT, why: null, lastSeen: AT, starts: [AT] });
const well = (n: number) =>
  Array.from({ length: n }, (_, at) => ({
    ...host(at + 1),
    instances: 1,
    healthy: true,
    jobs: 3,
    processes: [{ version: '0.2.0', refusing: 0 }],
  }));
const lost = (n: number) => ({ ...host(n), instances: 0, healthy: null, jobs: 0, processes: [] });

describe('an operator', IN_BROWSER, () => {
  const stage = useStage();

  it.each([
    ['all is well', well(2), [], /^All is well/],
    ['one host is lost', [...well(1), lost(2)], [], /^Requests are served, with trouble.*Not connected: fra-2/s],
    [
      'forty hosts are lost',
      Array.from({ length: 40 }, (_, n) => lost(n + 1)),
      ['no host is connected'],
      /^Requests are not served.*No host is connected.*Not connected: 40 hosts \(fra-1, fra-2, fra-3 and 37 more\)/s,
    ],
    [
      'the key is wrong',
      well(2),
      ["hosts refuse the edge's jobs: token (7 of 7 verifications failed in the last 5 minutes)"],
      /^Requests are not served.*Hosts refuse the edge's jobs: token.*edge\/runbooks\/service-down\.md/s,
    ],
  ])('sees at a glance that %s', async (_what, hosts, problems, words) => {
    const { stub, visit } = await stage();
    const { page, complaints } = await visit();
    const status = problems.length === 0 ? 200 : 503;
    const body = { d1: true, cronAgeS: 9, hosts: hosts.length, ready: hosts.length, problems };
    stub.world.answers.set('health', { status, body });
    stub.world.answers.set('operator /hosts', { status: 200, body: { hosts } });
    await enter(page, '/operators');
    const banner = page.locator('.notice').first();
    await expect.poll(async () => (await banner.innerText()).trim()).toMatch(words);
    await page.getByText('Our faults').waitFor();
    await page.getByLabel('Last week').check();
    await page.getByRole('img', { name: /^Calls an hour: / }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('searches accounts, reads on page by page, and opens one', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    await enter(page, '/operators');
    await page.getByRole('navigation', { name: 'Operators’ pages' }).getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('link', { name: 'acc_2' }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => asked('/accounts').at(-1)).toEqual({ limit: '50', after: 'acc_2' });
    await page.getByLabel('Search accounts').fill(' shop ');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked('/accounts').at(-1)).toEqual({ limit: '50', search: 'shop' });
    await page.getByRole('link', { name: 'acc_1' }).click();
    await page.getByText('bob@shop.example').waitFor();
    await page.getByRole('group', { name: 'Ledger' }).getByText('Bought').waitFor();
    expect(asked('/orders')).toEqual([{ limit: '50', account: 'acc_1' }]);

    function asked(path: string): unknown[] {
      return stub.world.calls.filter(({ what }) => what === `operator ${path}`).map(({ body }) => body);
    }
  });

  it('sees what became of orders, filters them, and finds each at Stripe', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    await enter(page, '/operators/orders');
    await page.getByText('€25.00 refunded').waitFor();
    const link = page.getByRole('link', { name: 'Order ord_8sKq0Lr2vYw4Tz6B at Stripe, in a new tab' });
    expect(await link.getAttribute('href')).toBe('https://dashboard.stripe.com/payments/pi_3A');
    stub.world.answers.set('operator /orders', { status: 200, body: { orders: [], next: null } });
    await page.getByLabel('Show').selectOption('disputed');
    await page.getByText('No such orders.').waitFor();
    expect(stub.world.calls.at(-1)).toEqual({ what: 'operator /orders', body: { limit: '50', state: 'disputed' } });
  });

  it('is told in words what is refused, missing or offline, and goes on', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    const refusal = { status: 401, body: { error: 'The token is not signed by a known operator.' } };
    stub.world.answers.set('operator /accounts', refusal);
    await enter(page, '/operators/accounts');
    await page.getByText('not signed by a known operator').waitFor();
    stub.world.answers.set('operator /accounts', { status: 200, body: { accounts: [], next: null, missing: [] } });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No accounts yet.').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Operators’ pages' }).getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('alert').filter({ hasText: 'You are offline.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Dispute won').waitFor();
  });

  it('whose account has a name of markup sees it as text', async () => {
    const { stub, visit } = await stage();
    const { page, complaints } = await visit();
    const name = '<img src=x onerror=alert(1)>';
    const entry = {
      id: 'a',
      name,
      createdAt: '2026-11-21T10:00:00Z',
      credits: null,
      expiresAt: null,
      people: 0,
      lastUse: null,
    };
    const body = { accounts: [entry], next: null, missing: ['DB_1'] };
    stub.world.answers.set('operator /accounts', { status: 200, body });
    await enter(page, '/operators/accounts');
    await page.getByText(name).waitFor();
    await page.getByRole('alert').filter({ hasText: 'DB_1 does not answer' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
