import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

describe('the settings', IN_BROWSER, () => {
  const stage = useStage();

  it('require a fresh sign-in before a passkey is added', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    const old = { error: 'Sign in again to add a passkey: your sign-in is more than ten minutes ago.' };
    stub.world.answers.set('POST passkeys/challenge', { status: 403, body: old });
    await page.goto('/settings');
    await page.getByLabel('Name of a new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Sign out, and in again' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sign-in');
    expect(stub.world.calls.map(({ what }) => what)).toContain('POST sign-out');
  });

  it('keep the focus on the button when they are saved', async () => {
    const { visit } = await stage();
    const { page } = await visit();
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
  });

  it('require the address to be typed before a person is deleted', async () => {
    const { stub, visit } = await stage();
    const { page } = await visit();
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Delete me' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('Type ann@shop.example to confirm.').waitFor();
    expect(stub.world.calls.map(({ what }) => what)).not.toContain('DELETE me');
  });

  it.each(['stay', 'end'])('let an owner choose that the keys of a removed person %s', async (keys) => {
    const { visit } = await stage();
    const { page } = await visit();
    await page.goto('/settings');
    await page.getByRole('button', { name: /^Remove bob@/ }).click();
    if (keys === 'end') await page.getByLabel('Delete the keys that they created').check();
    const removed = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    expect((await removed).url()).toMatch(new RegExp(`/people/p_2[?]keys=${keys}$`));
  });
});
