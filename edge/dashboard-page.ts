import { RequestError } from '../schema/errors.ts';
import type { Call } from './base/call.ts';
import type { Operator } from '../schema/pages-api.ts';
import { footLinks } from './dashboard/route/foot-links.ts';
import { routeOf } from './dashboard/route/paths.ts';

// The pages for people. The dashboard is one page, served at the path of each of its views: its script decides what to
// show there, at all other paths that there is nothing. The docs are pages of their own.

/** Anyone may look at these: a browser, a link preview, an uptime monitor. */
const SHOWN_TO_ALL = /^\/(?:docs(?:\/.*)?)?$/;
/** Nobody looks at these. */
const FOR_PROGRAMS = /^\/(?:api|app|admin)(?:\/|$)/;

/** Whether a page is wanted: elsewhere a client that does not ask for HTML is a program, and gets a 404. */
export function isVisit({ method, url, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { pathname } = new URL(url);
  if (FOR_PROGRAMS.test(pathname)) return false;
  if (SHOWN_TO_ALL.test(pathname)) return true;
  return headers.get('sec-fetch-mode') === 'navigate' || (headers.get('accept')?.includes('text/html') ?? false);
}

const DOC = /^(\/docs(?:\/[a-z-]+)?)\/?$/;

/**
 * The page at this path, with the headers that it was built with; 404 with the dashboard if there is none. The docs, which
 * have no script, get the foot that the dashboard makes for itself.
 */
export async function servePage(
  request: Request,
  assets: Pick<Fetcher, 'fetch'>,
  operator: Operator,
): Promise<Response> {
  const url = new URL(request.url);
  const get = (path: string): Promise<Response> =>
    assets.fetch(new Request(new URL(path, url), { method: request.method }));
  const path = DOC.exec(url.pathname)?.[1];
  const doc = path === undefined ? null : await get(path);
  const isThere = doc?.ok === true || routeOf(url.pathname).view !== 'nowhere';
  if (isThere && url.hostname === '127.0.0.1') return goToLocalhost(url);
  if (doc?.ok === true) return withFoot(doc, operator);
  const page = await get('/');
  // A copy, because the envelope adds its headers.
  return new Response(page.body, isThere ? page : { status: 404, headers: page.headers });
}

const FOOT = '<!-- foot -->';

/** Of another length than the file, and so without its tag. */
async function withFoot(page: Response, operator: Operator): Promise<Response> {
  const runBy = operator.name === null ? '' : `<p>Run by ${escape(operator.name)}</p>`;
  const links = footLinks(operator).map(({ words, href }) => `<a href="${escape(href)}" rel="noopener">${words}</a>`);
  const foot = `<footer class="foot">${runBy}<nav aria-label="About this service">${links.join('')}</nav></footer>`;
  const headers = new Headers(page.headers);
  for (const name of ['content-length', 'etag']) headers.delete(name);
  return new Response(
    (await page.text()).replace(FOOT, () => foot),
    { headers },
  );
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`);
}

/** Passkeys, and the links in mails, belong to `localhost`: browsers accept no bare IP address for either. */
function goToLocalhost(url: URL): Response {
  url.hostname = 'localhost';
  return new Response(null, { status: 302, headers: { location: url.href } });
}

/** A file beside the pages. Its name never changes, so browsers revalidate it daily. */
export async function serveFile({ request, env, headers }: Call): Promise<Response> {
  const served = await env.ASSETS?.fetch(request);
  if (served === undefined || served.status >= 400)
    throw new RequestError('NOT_FOUND', 'This deployment serves no pages.');
  headers.set('cache-control', 'public, max-age=86400');
  return new Response(served.body, served);
}

/** The widget, for pages of other sites. */
export function serveWidget(call: Call): Promise<Response> {
  call.headers.set('cross-origin-resource-policy', 'cross-origin');
  return serveFile(call);
}
