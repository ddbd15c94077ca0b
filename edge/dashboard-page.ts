import { RequestError } from '../schema/errors.ts';
import type { Call } from './base/call.ts';
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

/** The page at this path, with the headers that it was built with; 404 with the dashboard if there is none. */
export async function servePage(request: Request, assets: Pick<Fetcher, 'fetch'>): Promise<Response> {
  const url = new URL(request.url);
  const get = (path: string): Promise<Response> =>
    assets.fetch(new Request(new URL(path, url), { method: request.method }));
  const path = DOC.exec(url.pathname)?.[1];
  const doc = path === undefined ? null : await get(path);
  const isThere = doc?.ok === true || routeOf(url.pathname).view !== 'nowhere';
  if (isThere && url.hostname === '127.0.0.1') return goToLocalhost(url);
  const page = doc?.ok === true ? doc : await get('/');
  // A copy, because the envelope adds its headers.
  return new Response(page.body, isThere ? page : { status: 404, headers: page.headers });
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
