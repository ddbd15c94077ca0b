import { expect, test } from 'vitest';
import { isVisit, serveDashboard } from './dashboard-page.ts';

const POLICY = "default-src 'none'; script-src 'self'";

test.each([
  ['GET', '/', '*/*', true],
  ['HEAD', '/', '*/*', true],
  ['GET', '/docs', '*/*', true],
  ['HEAD', '/docs/python', '*/*', true],
  ['GET', '/balance', 'text/html,*/*', true],
  ['GET', '/balance', '*/*', false],
  ['GET', '/api/v2', '*/*', false],
  ['POST', '/', 'text/html', false],
] as const)('%s %s with Accept: %s is a visit to the page: %s', (method, path, accept, asks) => {
  expect(isVisit(new Request(`https://verify.test${path}`, { method, headers: { accept } }))).toBe(asks);
});

test('a visit to 127.0.0.1 is redirected to localhost, where passkeys work', async () => {
  const assets = { fetch: async () => new Response('page') };
  const answer = await serveDashboard(new Request('http://127.0.0.1:8787/buy?pack=small'), assets);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://localhost:8787/buy?pack=small']);
});

test('docs are served as pages of their own, and unknown paths as the dashboard', async () => {
  const pages = new Map(['/', '/docs', '/docs/python'].map((path) => [path, `page ${path}`]));
  const fetch = async (request: Request): Promise<Response> => {
    const page = pages.get(new URL(request.url).pathname);
    return new Response(page ?? null, { status: page === undefined ? 404 : 200 });
  };
  const served = async (path: string): Promise<string> =>
    (await serveDashboard(new Request(`https://verify.test${path}`), { fetch })).text();
  const paths = ['/docs', '/docs/python/', '/docs/cobol', '/verify'];
  expect(await Promise.all(paths.map(served))).toEqual(['page /docs', 'page /docs/python', 'page /', 'page /']);
});

test('the policy of the pages is the one they were built with', async () => {
  const assets = { fetch: async () => new Response('page', { headers: { 'content-security-policy': POLICY } }) };
  const page = await serveDashboard(new Request('https://verify.test/buy'), assets);
  expect([await page.text(), page.headers.get('content-security-policy')]).toEqual(['page', POLICY]);
});
