// The dashboard is one page, served at every path that nothing else answers: its script decides what to show there. The
// docs are pages of their own.

/** Anyone may look at these: a browser, a link preview, an uptime monitor. */
const SHOWN_TO_ALL = /^\/(?:docs(?:\/.*)?)?$/;

/** Whether the page is wanted: elsewhere a client that does not ask for HTML is a program, and gets a 404. */
export function isVisit({ method, url, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (SHOWN_TO_ALL.test(new URL(url).pathname)) return true;
  return headers.get('sec-fetch-mode') === 'navigate' || (headers.get('accept')?.includes('text/html') ?? false);
}

const DOC = /^(\/docs(?:\/[a-z-]+)?)\/?$/;

/** The page, with the headers that it was built with. */
export async function serveDashboard(request: Request, assets: Pick<Fetcher, 'fetch'>): Promise<Response> {
  const url = new URL(request.url);
  if (url.hostname === '127.0.0.1') return goToLocalhost(url);
  const get = (path: string): Promise<Response> =>
    assets.fetch(new Request(new URL(path, url), { method: request.method }));
  const doc = DOC.exec(url.pathname)?.[1];
  const found = doc === undefined ? null : await get(doc);
  const page = found?.ok === true ? found : await get('/');
  // A copy, because the envelope adds its headers.
  return new Response(page.body, page);
}

/** Passkeys, and the links in mails, belong to `localhost`: browsers accept no bare IP address for either. */
function goToLocalhost(url: URL): Response {
  url.hostname = 'localhost';
  return new Response(null, { status: 302, headers: { location: url.href } });
}
