import { expect, test } from 'vitest';
import { serveDashboard } from './dashboard-page.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

async function policyOf(isChallenging: boolean): Promise<string | null> {
  const assets = { fetch: async () => new Response('page', { headers: { 'content-security-policy': POLICY } }) };
  const page = await serveDashboard(new Request('https://verify.test/buy'), assets, isChallenging);
  expect(await page.text()).toBe('page');
  return page.headers.get('content-security-policy');
}

test('the policy of the pages is the one they were built with', async () => {
  expect(await policyOf(false)).toBe(POLICY);
});

test('it lets in the challenge, and nothing else, where there may be one', async () => {
  expect(await policyOf(true)).toBe(
    "default-src 'none'; script-src 'self' https://challenges.cloudflare.com; frame-ancestors 'none'; frame-src https://challenges.cloudflare.com",
  );
});
