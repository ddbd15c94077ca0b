import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { useOperatorKey } from '../testing/stub-operators.ts';

const AT = '2026-11-21T10:00:00Z';
const host = (n: number) => ({ id: `fra-${n}`, state: 'active', createdAt: AT, why: null, lastSeen: AT, starts: [AT] });
const well = (n: number) =>
  Array.from({ length: n }, (_, at) => ({
    ...host(at + 1),
    instances: 1,
    healthy: true,
    jobs: 3,
    processes: [{ version: '0.2.0', refusals: [] }],
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
    const { stub, page, complaints } = await stage();
    const status = problems.length === 0 ? 200 : 503;
    const body = { d1: true, cronAgeS: 9, hosts: hosts.length, ready: hosts.length, problems };
    stub.world.answers.set('health', { status, body });
    stub.world.answers.set('operator /hosts', { status: 200, body: { hosts } });
    await page.goto('/operators');
    await useOperatorKey(page);
    const banner = page.locator('.notice').first();
    await expect.poll(async () => (await banner.innerText()).trim()).toMatch(words);
    await page.getByText(/^Our faults, of [\d,]+ calls$/).waitFor();
    await page.getByLabel('Last week').check();
    await page.getByRole('img', { name: /^Calls an hour: / }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('reads why a key or a call is refused, or that the page is offline, and can try again', async () => {
    const { stub, page } = await stage();
    const refusal = { status: 401, body: { error: 'The token is not signed by a known operator.' } };
    stub.world.answers.set('operator /hosts', refusal);
    await page.goto('/operators');
    for (const text of ['{"name":"ann"}', 'ssh-ed25519 AAAA']) {
      const wrong = { name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(text) };
      await page.locator('input[type=file]').setInputFiles(wrong);
      await page.getByText('This is not an operator’s key file.').waitFor();
    }
    await useOperatorKey(page);
    await page.getByText('not signed by a known operator').waitFor();
    stub.world.answers.clear();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').filter({ hasText: 'You are offline.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('rowheader', { name: 'fra-1' }).waitFor();
  });
});
