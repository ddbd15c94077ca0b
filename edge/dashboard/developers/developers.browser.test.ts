import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { newKey } from '../testing/stub-account.ts';

describe('keys', IN_BROWSER, () => {
  const stage = useStage();

  it('are made in a dialog, test first, which shows each once and gives the focus back', async () => {
    const viewport = { width: 390, height: 600 };
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { stub, page } = await stage({ at: '/developers', viewport, permissions });
    const opener = page.getByRole('button', { name: 'New key' });
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    await opener.click();
    const form = page.getByRole('dialog', { name: 'New key' });
    expect(await form.getByLabel('Name', { exact: true }).evaluate((field) => field.matches(':focus'))).toBe(true);
    const [first] = await form.getByRole('radio').all();
    expect([
      await first?.isChecked(),
      await form.getByRole('radio', { checked: true, name: /^Test:/ }).count(),
    ]).toEqual([true, 1]);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('New key');
    expect(stub.world.calls.filter(({ what }) => what === 'POST keys')).toEqual([]);
    for (const key of ['svc_test_one', 'svc_test_two']) {
      stub.world.answers.set('POST keys', { status: 201, body: { ...newKey('test', key), key } });
      await opener.click();
      await form.getByLabel('Name', { exact: true }).fill(key);
      await page.keyboard.press('Enter');
      const made = page.getByRole('dialog', { name: `Key “${key}” created` });
      await expect.poll(focused).toBe(`Key “${key}” created`);
      await made.getByRole('button', { name: 'Copy the key' }).click();
      await made.getByRole('button', { name: 'Copied', exact: true }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
      expect(await made.getByLabel('In a terminal').innerText()).toContain(`Bearer ${key}`);
      await made.getByRole('button', { name: 'I have copied it' }).click();
      await expect.poll(focused).toBe('New key');
      expect(await page.getByText(key).count()).toBe(0);
    }
    expect(stub.world.calls.filter(({ what }) => what === 'POST keys').map(({ body }) => body)).toMatchObject([
      { kind: 'test', label: 'svc_test_one' },
      { kind: 'test', label: 'svc_test_two' },
    ]);
  });

  it('of forms say which of their sites is no origin, before anything is sent', async () => {
    const { stub, page } = await stage({ at: '/developers' });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Form: goes').check();
    await page.getByLabel('Name', { exact: true }).fill('Newsletter');
    const sites = page.getByRole('textbox', { name: 'Sites' });
    const said = (): Promise<unknown> => sites.evaluate((field) => Reflect.get(field, 'validationMessage'));
    for (const [wrong, why] of [
      ['shop', 'write a site as https://shop.example'],
      ['http://shop.example', 'write https: http works on localhost only'],
      ['shop.example/form', 'write the site alone, as https://shop.example'],
    ]) {
      await sites.fill(`https://shop.example\n${wrong}`);
      await page.getByRole('button', { name: 'Create key' }).click();
      expect(await said()).toBe(`${wrong}: ${why}.`);
    }
    expect(stub.world.calls.filter(({ what }) => what === 'POST keys')).toEqual([]);
    await sites.fill('shop.example/, localhost:3000; https://www.shop.example:8443');
    await sites.blur();
    expect([await said(), await sites.inputValue()]).toEqual([
      '',
      'https://shop.example\nhttp://localhost:3000\nhttps://www.shop.example:8443',
    ]);
  });

  it('of forms show what a try has used, and can be renamed', async () => {
    const { stub, page } = await stage();
    const use = (charged: number) =>
      stub.world.answers.set('GET usage', { status: 200, body: { rows: [{ key: 'key_4', charged }], labels: {} } });
    await page.route('**/api/v1/form', async (route) => {
      use(4);
      await route.fulfill({ json: { verdict: 'accept', reason: null, did_you_mean: null } });
    });
    use(3);
    await page.goto('/developers');
    await page.getByText('3 of 500 credits used today').waitFor();
    await page.getByLabel('Try it').fill('ann@shop.example');
    await page.getByLabel('Try it').blur();
    await page.getByText('4 of 500 credits used today').waitFor();
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('Name of this key').fill('Checkout');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => stub.world.calls.at(-1))
      .toMatchObject({ what: 'PUT keys/key_4', body: { label: 'Checkout', form: { creditsPerDay: 500 } } });
  });

  it('say at what time of day they were created', async () => {
    const { page } = await stage({ at: '/developers' });
    const row = page.getByRole('row', { name: /Shop, production/ });
    expect(await row.getByRole('cell').nth(2).innerText()).toMatch(/\d\d:\d\d/);
  });

  it('come with code that shows on a phone that there is more of it to the right', async () => {
    const { page } = await stage({ at: '/developers', viewport: { width: 390, height: 844 } });
    const code = page.getByLabel('In a terminal');
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
