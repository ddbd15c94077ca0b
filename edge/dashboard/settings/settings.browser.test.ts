import { describe, expect, it } from 'vitest';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';
import { PEOPLE } from '../testing/stub-account.ts';

describe('the settings', IN_BROWSER, () => {
  const stage = useStage();

  it('require a fresh sign-in before a passkey is added', async () => {
    const { stub, page } = await stage();
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
    const { page } = await stage({ at: '/settings' });
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
  });

  it('require the address to be typed before a person is deleted', async () => {
    const { stub, page } = await stage({ at: '/settings' });
    await page.getByRole('button', { name: 'Delete me' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('Type ann@shop.example to confirm.').waitFor();
    expect(stub.world.calls.map(({ what }) => what)).not.toContain('DELETE me');
  });

  it('say what deleting a person ends, and what has to be done first', async () => {
    const { stub, page } = await stage({ at: '/settings' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Delete me' }).click();
    await dialog.getByText('48,210 credits are lost; 1 order can no longer be paid.').waitFor();
    await dialog.getByText('No list is deleted from this browser').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    stub.world.answers.set('GET me/ends', { status: 200, body: { accounts: [], lastOwnerOf: 'Shop' } });
    await page.getByRole('button', { name: 'Delete me' }).click();
    await dialog.getByText('First make somebody else an owner of Shop').waitFor();
  });

  it('offer the only owner nothing that would leave the account without one', async () => {
    const { stub, page } = await stage();
    const [ann, bob] = PEOPLE.people;
    const peopleAre = (...people: unknown[]) =>
      stub.world.answers.set('GET people', { status: 200, body: { people, invitations: [] } });
    const offered = async (email: string) =>
      (await page.getByRole('listitem').filter({ hasText: email }).getByRole('button').allInnerTexts()).join();
    peopleAre(ann);
    await page.goto('/settings');
    await page.getByText('Only owner since').waitFor();
    expect([await offered('ann@'), await page.getByText('To leave, first').count()]).toEqual(['', 0]);
    peopleAre(ann, bob);
    await page.reload();
    await page.getByText('To leave, first make somebody else an owner.').waitFor();
    expect([await offered('ann@'), await offered('bob@')]).toEqual(['', 'Make owner,Remove']);
    peopleAre(ann, { ...bob, role: 'owner' });
    await page.getByRole('button', { name: 'Make owner: bob@shop.example' }).click();
    await page.getByText('Only owner since').waitFor({ state: 'detached' });
    expect(await offered('ann@')).toBe('Make member,Leave');
    // A colleague was quicker: the refusal goes with the next change that succeeds.
    const refusal = { status: 409, body: { error: 'An account needs an owner.' } };
    stub.world.answers.set('PUT people/p_1/role', refusal);
    await page.getByRole('button', { name: 'Make member: ann@shop.example' }).click();
    await page.getByText('An account needs an owner.').waitFor();
    stub.world.answers.delete('PUT people/p_1/role');
    await page.getByRole('button', { name: 'Make member: bob@shop.example' }).click();
    await page.getByText('An account needs an owner.').waitFor({ state: 'detached' });
  });

  it.each(['stay', 'end'])('let an owner choose that the keys of a removed person %s', async (keys) => {
    const { page } = await stage({ at: '/settings' });
    await page.getByRole('button', { name: /^Remove bob@/ }).click();
    if (keys === 'end') await page.getByLabel('Delete the keys that they created').check();
    const removed = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    expect((await removed).url()).toMatch(new RegExp(`/people/p_2[?]keys=${keys}$`));
  });
});
