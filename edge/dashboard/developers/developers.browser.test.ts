import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { newKey } from '../testing/stub-account.ts';

describe('keys', IN_BROWSER, () => {
  const stage = useStage();

  it('are copied one by one: a button says so of the key that stands beside it', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/developers');
    const make = async (key: string): Promise<void> => {
      stub.world.answers.set('POST keys', { status: 201, body: { ...newKey('live', key), key } });
      await page.getByLabel('Name', { exact: true }).fill(key);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText(`Key “${key}” created`).waitFor();
    };
    await make('svc_live_one');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await make('svc_live_two');
    await page.getByRole('button', { name: 'Copy the key' }).waitFor();
    const copy = page.getByRole('button', { name: 'Copy the commands' });
    await copy.click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Python' }).check();
    await copy.waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('svc_live_two');
  });

  it('say at what time of day they were created', async () => {
    const { visit } = await stage();
    const { page } = await visit();
    await page.goto('/developers');
    const row = page.getByRole('row', { name: /Shop, production/ });
    expect(await row.getByRole('cell').nth(2).innerText()).toMatch(/\d\d:\d\d/);
  });

  it('come with code that shows on a phone that there is more of it to the right', async () => {
    const { visit } = await stage();
    const { page } = await visit({ viewport: { width: 390, height: 844 } });
    await page.goto('/developers');
    const code = page.getByLabel('First call in curl');
    await code.waitFor();
    const edge = async (): Promise<string> => {
      const box = await code.boundingBox();
      const clip = { x: (box?.x ?? 0) + (box?.width ?? 0) - 4, y: Math.max(box?.y ?? 0, 200) + 3, width: 2, height: 6 };
      return (await page.screenshot({ clip })).toString('base64');
    };
    await code.scrollIntoViewIfNeeded();
    const more = await edge();
    await code.evaluate((element) => element.scrollTo(9_999, 0));
    await expect.poll(edge).not.toBe(more);
  });
});
