// The dashboard is one page, served at every path that nothing else answers: its script decides what to show there.

/** Whether somebody goes there with a browser, and does not call it: programs do not ask for HTML. */
export function isVisit({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers.get('sec-fetch-mode') === 'navigate' || (headers.get('accept')?.includes('text/html') ?? false);
}

/** The page, with the headers that it was built with. */
export async function servePage(request: Request, assets: Pick<Fetcher, 'fetch'>): Promise<Response> {
  const page = await assets.fetch(new Request(new URL('/', request.url), { method: request.method }));
  // A copy, because the envelope puts its headers on it.
  return new Response(page.body, page);
}
