import { describe, expect, it } from 'vitest';
import { serveDashboard } from '../../dashboard-page.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

/** As much of Turnstile's script as the page uses. */
const SCRIPT = `window.turnstile = {
  render(into, { sitekey, callback }) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'I am no machine: ' + sitekey;
    button.onclick = () => callback('solved');
    into.append(button);
    return 'widget';
  },
  remove() {},
};`;

describe('the sign-in page', IN_BROWSER, () => {
  const stage = useStage();

  it('shows a challenge when the service asks for one, under the policy that lets it in, and then sends the link', async () => {
    const { stub, visit } = await stage();
    stub.world.isSignedIn = false;
    stub.world.answers.set('POST sign-in', { status: 200, body: { challenge: 'site-key' } });
    const { page, complaints } = await visit();
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
    );
    await page.route(`${stub.url}/sign-in`, async (route) => {
      const assets = { fetch: () => fetch(stub.url, { headers: { accept: 'text/html' } }) };
      const served = await serveDashboard(new Request(stub.url), assets, true);
      await route.fulfill({ headers: Object.fromEntries(served.headers), body: await served.text() });
    });
    await page.goto('/sign-in');
    await page.getByLabel('Your email address').fill('ann@shop.example');
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    const challenge = page.getByRole('button', { name: 'I am no machine: site-key' });
    await challenge.waitFor();
    stub.world.answers.set('POST sign-in', { status: 202, body: {} });
    await challenge.click();
    await page.getByText('Check your inbox').waitFor();
    const sent = stub.world.calls.filter(({ what }) => what === 'POST sign-in').map(({ body }) => body);
    expect(sent).toEqual([{ email: 'ann@shop.example' }, { email: 'ann@shop.example', solved: 'solved' }]);
    expect(complaints.filter((line) => !line.startsWith('asked https://challenges.cloudflare.com/'))).toEqual([]);
  });

  it('tells everybody what to do when only members get a link', async () => {
    const { stub, visit } = await stage();
    stub.world.isSignedIn = false;
    stub.world.answers.set('POST sign-in', { status: 202, body: { membersOnly: true } });
    const { page } = await visit();
    await page.goto('/sign-in');
    await page.getByLabel('Your email address').fill('ann@shop.example');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    const said = page.getByRole('status').filter({ hasText: 'New here? Please try again in an hour' });
    await said.getByText('ann@shop.example').waitFor();
    expect(await page.getByText('Check your inbox').count()).toBe(0);
    await page.getByRole('button', { name: 'Send another link' }).click();
    await page.getByRole('button', { name: 'Send me a link' }).waitFor();
  });

  it('says so if the challenge cannot be shown', async () => {
    const { stub, visit } = await stage();
    stub.world.isSignedIn = false;
    stub.world.answers.set('POST sign-in', { status: 200, body: { challenge: 'site-key' } });
    const { page } = await visit();
    await page.route('https://challenges.cloudflare.com/**', (route) => route.abort());
    await page.goto('/sign-in');
    await page.getByLabel('Your email address').fill('ann@shop.example');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('The challenge could not be shown').waitFor();
  });
});
