// The dashboard is one page, served at every path that nothing else answers: its script decides what to show there.

/** Whether somebody goes there with a browser, and does not call it: programs do not ask for HTML. */
export function isVisit({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers.get('sec-fetch-mode') === 'navigate' || (headers.get('accept')?.includes('text/html') ?? false);
}

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
  const page = await assets.fetch(new Request(new URL('/', request.url), { method: request.method }));
  // A copy, because the envelope puts its headers on it.
  const served = new Response(page.body, page);
  const policy = page.headers.get('content-security-policy');
  if (isChallenging && policy !== null) served.headers.set('content-security-policy', withChallenge(policy));
  return served;
}

/** A policy that lets the challenge in. Its script knows nothing of trusted types, so they cannot be demanded then. */
function withChallenge(policy: string): string {
  const kept = policy.split('; ').filter((directive) => !directive.includes('trusted-types'));
  const widened = kept.map((directive) =>
    directive.startsWith('script-src ') ? `${directive} ${CHALLENGE}` : directive,
  );
  return [...widened, `frame-src ${CHALLENGE}`].join('; ');
}
