import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { visitor } from '../../../edge/dashboard/testing/browser.ts';
import { type Door, signIn } from './door.ts';

/** What a customer sees while no host is left, on the service that is given, which has one; it has one again after that. */
export function deadHost(door: () => Door): void {
  describe('while no host is left', () => {
    test('an address and a list wait, say so, and resume by themselves when a host is back', async () => {
      const { service, browser, url } = door();
      const { page, complaints, close } = await visitor(browser, url);
      await signIn(page, door(), 'paul@shop.example');
      const health = async (): Promise<number> => (await fetch(new URL('/health', service.ready.url))).status;
      process.kill(service.ready.hosts[0]?.pid ?? -1, 'SIGKILL');
      await expect.poll(health, { timeout: 10_000 }).toBe(503);
      await expect.poll(() => service.err(), { timeout: 5_000 }).toContain('To restart it');
      const [, command = 'exit 1'] = /To restart it:\n {2}(.*)\n/.exec(service.err()) ?? [];

      await page.goto(`${url}/lists`);
      const buffer = Buffer.from('mail\na@catchall.test\nb@relay-denied.test\n');
      await page.locator('input[type=file]').setInputFiles({ name: 'l.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Verify 2 addresses' }).click();
      await page.getByText(/Starting …|Waiting for answers …/).waitFor();
      const list = new URL(page.url()).pathname;
      await page.getByRole('link', { name: 'Verify', exact: true }).click();
      await page.getByLabel('Email address').fill('nobody@deliverable.test');
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByText('Asking its mail server').waitFor();

      const host = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' });
      try {
        await page.getByRole('heading', { name: 'The mailbox does not exist' }).waitFor({ timeout: 60_000 });
        await page.getByRole('link', { name: 'Lists' }).click();
        await page.locator(`a[href="${list}"]`).click();
        await page.getByText('Every address has a result.').waitFor({ timeout: 60_000 });
        // What nobody could answer cost nothing: three addresses, three credits.
        await page.getByRole('link', { name: 'Balance' }).click();
        await page.getByText('29,997').first().waitFor();
        expect(complaints).toEqual([]);
      } finally {
        await close();
        if (host.pid !== undefined) process.kill(-host.pid, 'SIGTERM');
      }
    });
  });
}
