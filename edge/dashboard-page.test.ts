import { expect, test } from 'vitest';
import { isVisit, servePage } from './dashboard-page.ts';

const SILENT = { name: null, privacyUrl: null, termsUrl: null, statusUrl: null, contactEmail: null };
const POLICY = "default-src 'none'; script-src 'self'";

test.each([
  ['GET', '/', '*/*', true],
  ['HEAD', '/', '*/*', true],
  ['GET', '/docs', '*/*', true],
  ['HEAD', '/docs/python', '*/*', true],
  ['GET', '/balance', 'text/html,*/*', true],
  ['GET', '/nowhere', 'text/html,*/*', true],
  ['GET', '/balance', '*/*', false],
  ['GET', '/api/v2/verify', '*/*', false],
  ['GET', '/api/v2/verify', 'text/html,*/*', false],
  ['GET', '/admin', 'text/html,*/*', false],
  ['POST', '/', 'text/html', false],
] as const)('%s %s with Accept: %s is a visit to the page: %s', (method, path, accept, asks) => {
  expect(isVisit(new Request(`https://verify.test${path}`, { method, headers: { accept } }))).toBe(asks);
});

test('a visit to 127.0.0.1 is redirected to localhost, where passkeys work', async () => {
  const assets = { fetch: async () => new Response('page') };
  const answer = await servePage(new Request('http://127.0.0.1:8787/buy?pack=small'), assets, SILENT);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://localhost:8787/buy?pack=small']);
});

test.each([
  ['/docs', 200, 'page /docs'],
  ['/docs/python/', 200, 'page /docs/python'],
  ['/docs/cobol', 404, 'page /'],
  ['/verify', 200, 'page /'],
  ['/balance/', 200, 'page /'],
  ['/lists/9f2', 200, 'page /'],
  ['/lists/9f2/', 200, 'page /'],
  ['/lists/9f2/more', 404, 'page /'],
  ['/nowhere', 404, 'page /'],
  ['/wp-login.php', 404, 'page /'],
  ['/constructor', 404, 'page /'],
  ['/.well-known/security', 404, 'page /'],
])('%s is answered with %i and %s, whose policy is the one it was built with', async (path, status, text) => {
  const pages = new Set(['/', '/docs', '/docs/python']);
  const fetch = async ({ url }: Request): Promise<Response> => {
    const { pathname } = new URL(url);
    const headers = { 'content-security-policy': POLICY };
    return new Response(`page ${pathname}`, { status: pages.has(pathname) ? 200 : 404, headers });
  };
  const page = await servePage(new Request(`https://verify.test${path}`), { fetch }, SILENT);
  expect([page.status, await page.text(), page.headers.get('content-security-policy')]).toEqual([status, text, POLICY]);
});

const fetchDoc = async (): Promise<Response> =>
  new Response('<main>docs</main><!-- foot -->', {
    headers: { etag: '"1"', 'content-length': '30', 'x-kept': 'yes' },
  });

const served = async (operator: typeof SILENT | object): Promise<Response> =>
  servePage(new Request('https://verify.test/docs'), { fetch: fetchDoc }, { ...SILENT, ...operator });

test('the docs end with what the operator says, as text, and with nothing in place of what they do not', async () => {
  const bare = await served({});
  expect(await bare.text()).toBe(
    '<main>docs</main><footer class="foot"><nav aria-label="About this service"><a href="/docs" rel="noopener">Docs</a></nav></footer>',
  );
  expect([bare.headers.get('etag'), bare.headers.get('x-kept')]).toEqual([null, 'yes']);
  const said = { name: 'A <b>&$& "Ltd"', termsUrl: 'https://a.test/?a=1&b="', contactEmail: 'a@a.test' };
  const text = await (await served(said)).text();
  expect(text).toContain('<p>Run by A &#60;b&#62;&#38;$&#38; &#34;Ltd&#34;</p>');
  expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    '/docs',
    'https://a.test/?a=1&#38;b=&#34;',
    'mailto:a@a.test',
  ]);
});
