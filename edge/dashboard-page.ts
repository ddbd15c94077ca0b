// The dashboard is one page, served at every path that nothing else answers: its script decides what to show there. The
// docs are pages of their own.

/** Anybody may look at these: a browser, a link preview, an uptime monitor. */
const SHOWN_TO_ALL = /^\/(?:docs(?:\/.*)?)?$/;

/** Whether the page is asked for: elsewhere a program that does not ask for HTML is calling, and is told that nothing is there. */
export function isVisit({ method, url, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (SHOWN_TO_ALL.test(new URL(url).pathname)) return true;
  return headers.get('sec-fetch-mode') === 'navigate' || (headers.get('accept')?.includes('text/html') ?? false);
}

const DOC = /^(\/docs(?:\/[a-z-]+)?)\/?$/;

const CHALLENGE = 'https://challenges.cloudflare.com';

/**
 * The page, with the headers that it was built with.
 * @param isChallenging whether it may have to show a challenge, whose script and frame come from another site
 */
export async function serveDashboard(
  request: Request,
  assets: Pick<Fetcher, 'fetch'>,
  isChallenging: boolean,
): Promise<Response> {
  const url = new URL(request.url);
  if (url.hostname === '127.0.0.1') return goToLocalhost(url);
  const get = (path: string): Promise<Response> =>
    assets.fetch(new Request(new URL(path, url), { method: request.method }));
  const doc = DOC.exec(url.pathname)?.[1];
  const found = doc === undefined ? null : await get(doc);
  const page = found?.ok === true ? found : await get('/');
  // A copy, because the envelope puts its headers on it.
  const served = new Response(page.body, page);
  const policy = page.headers.get('content-security-policy');
  if (isChallenging && policy !== null) served.headers.set('content-security-policy', withChallenge(policy));
  return served;
}

/** Passkeys, and the links of mails, belong to `localhost`: browsers take no bare IP address for either. */
function goToLocalhost(url: URL): Response {
  url.hostname = 'localhost';
  return new Response(null, { status: 302, headers: { location: url.href } });
}

/** A policy that lets the challenge in. Its script knows nothing of trusted types, so they cannot be demanded then. */
function withChallenge(policy: string): string {
  const kept = policy.split('; ').filter((directive) => !directive.includes('trusted-types'));
  const widened = kept.map((directive) =>
    directive.startsWith('script-src ') ? `${directive} ${CHALLENGE}` : directive,
  );
  return [...widened, `frame-src ${CHALLENGE}`].join('; ');
}
