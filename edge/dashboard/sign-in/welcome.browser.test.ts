import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SIGNED_OUT } from '../testing/stub-account.ts';
import { IN_BROWSER } from '../testing/browser.ts';
import { useStage } from '../testing/stage.ts';

/** The smallest that is still sold. */
const PHONE = { width: 320, height: 640 };
const NOT_SAID = { name: null, privacyUrl: null, termsUrl: null, statusUrl: null, contactEmail: null };

describe('the first page', IN_BROWSER, () => {
  const stage = useStage();

  it('shows the sign-in form on the first screen of a phone', async () => {
    const { stub, page } = await stage({ viewport: PHONE });
    stub.world.isSignedIn = false;
    await page.goto('/');
    const box = await page.getByRole('button', { name: 'Send me a link' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
  });

  it('says what it costs, and what is free', async () => {
    const { stub, page } = await stage();
    stub.world.isSignedIn = false;
    await page.goto('/');
    await page.getByText('100 credits free, no card needed').waitFor();
    await page.getByText('from €1.90 for 1,000').waitFor();
    await page.getByText('Your first 100 credits are a gift.').waitFor();
    await page.getByText('€175.00').waitFor();
  });

  it('mentions no prices or gifts that the service does not offer', async () => {
    const { stub, page } = await stage();
    const features = { ...SIGNED_OUT.features, buying: null, welcomeCredits: 0, operator: NOT_SAID };
    stub.world.answers.set('GET me', { status: 200, body: { ...SIGNED_OUT, features } });
    await page.goto('/');
    await page.getByText('More credits come from the operator of this service.').waitFor();
    const words = await page.locator('body').innerText();
    expect(words).not.toMatch(/ free,|gift|€|from \S+ for/);
    expect(await page.getByRole('contentinfo').innerText()).toBe('Docs');
  });

  it('shows what a list comes to, and the published accuracy, with its date and how it is measured', async () => {
    const { stub, page } = await stage();
    stub.world.isSignedIn = false;
    await page.goto('/');
    const outcome = page.getByRole('region', { name: 'What you get for a list' });
    await outcome.getByRole('row', { name: /nobody@deliverable\.test.*Invalid/ }).waitFor();
    expect((await outcome.locator('.legend').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^Valid 2 .*Risky 4 .*Invalid 3 /,
    );
    const paper = await readFile(new URL('../../../prober/ACCURACY.md', import.meta.url), 'utf8');
    const [, date = ''] = /The figures are from ([^;]+);/.exec(paper) ?? [];
    const [, expected = ''] = /\*\*Expect (.+?) on unseen/.exec(paper) ?? [];
    const accuracy = page.getByRole('region', { name: 'How accurate it is' });
    expect(await accuracy.innerText()).toContain(`${expected} of replies`);
    expect(await accuracy.innerText()).toMatch(
      new RegExp(`Measured on ${date} with \\d,\\d{3} phrases .*; \\d+ were wrongly`),
    );
    await accuracy.getByRole('link').click();
    await page.getByRole('heading', { name: 'How accurately replies are classified' }).waitFor();
  });

  it('shows the verdict on the chosen address without an account', async () => {
    const { stub, page, complaints } = await stage();
    stub.world.isSignedIn = false;
    await page.goto('/');
    await page.getByRole('heading', { name: 'The mailbox does not exist' }).waitFor();
    await page.getByRole('button', { name: 'ok@deliverable.test' }).click();
    await page.getByRole('heading', { name: 'The mailbox exists' }).waitFor();
    expect(await page.getByRole('button', { pressed: true }).innerText()).toContain('ok@deliverable.test');
    const asked = stub.world.calls.filter(({ what }) => what === 'POST sample');
    expect(asked.map(({ body }) => body)).toEqual([
      { email: 'nobody@deliverable.test' },
      { email: 'ok@deliverable.test' },
    ]);
    expect(stub.world.asked).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("ends with the operator's name and links", async () => {
    const { stub, page } = await stage();
    const operator = {
      ...NOT_SAID,
      name: 'Shop Ltd',
      termsUrl: 'https://shop.test/terms',
      contactEmail: 'a@shop.test',
    };
    const features = { ...SIGNED_OUT.features, operator };
    stub.world.answers.set('GET me', { status: 200, body: { ...SIGNED_OUT, features } });
    await page.goto('/sign-in');
    const foot = page.getByRole('contentinfo');
    await foot.getByText('Run by Shop Ltd').waitFor();
    const links = await foot.getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      '/docs',
      'https://shop.test/terms',
      'mailto:a@shop.test',
    ]);
  });
});
