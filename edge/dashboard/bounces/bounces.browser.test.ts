import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

const VERIFIED = `Name,Mail,rcpt_status,rcpt_reason\n${Array.from({ length: 20 }, (_, n) => `N${n},u${n}@bücher.test,${n < 15 ? 'valid,' : 'risky,accept_all'}\n`).join('')}`;
const EXPORT = 'Email,Bounce Type\nU1@xn--bcher-kva.test,hard\nu16@bücher.test,soft\nnew@x.test,hard\n';

async function give(page: Page, title: string, text: string): Promise<void> {
  const file = { name: `${title}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.getByLabel(title).setInputFiles(file);
}

describe('what bounced', IN_BROWSER, () => {
  const stage = useStage();

  it('is shown by verdict and handed out as CSV, and no byte of either file is sent', async () => {
    const { stub, page } = await stage({ at: '/lists' });
    await page.getByRole('link', { name: 'See what bounced' }).click();
    await give(page, 'The verified list', VERIFIED);
    await give(page, 'What bounced', EXPORT);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('20 addresses with a verdict. 2 of them bounced; 1 other address bounced').waitFor();
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).slice(0, 4).join(' '))).toEqual([
      'Verdict Addresses Bounced Hard',
      'valid 15 1 6.67',
      'risky 5 1 20.00',
      'accept_all 5 1 20.00',
      'all 20 2 10.00',
    ]);
    expect(rows[1]).toContain('6.67 % (1.19–29.82)');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('\r\nrisky,accept_all,5,1,0.200000,');
    // Scripts that read files are loaded when one is.
    expect(sent.filter((each) => !/^GET \/assets\/[\w-]+\.js$/.test(each))).toEqual([]);
    expect(stub.world.asked).toEqual([]);
  });

  it('asks for the column of addresses that nothing names, and says what is no verified list', async () => {
    const { page } = await stage({ at: '/bounces' });
    await give(page, 'The verified list', VERIFIED);
    await give(page, 'What bounced', 'from,to\na@x.test,b@x.test\n');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByLabel('Column with the addresses in “What bounced”').selectOption('to');
    await page.getByText('0 of them bounced; 1 other address bounced').waitFor();
    await give(page, 'The verified list', EXPORT);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('alert').filter({ hasText: 'The verified list.csv: This is not a verified list' }).waitFor();
  });
});
