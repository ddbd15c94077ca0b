import { RequestError } from '../../schema/errors.ts';

/**
 * Refuses requests that another site's page sends with our cookie. Browsers put `Origin` on every call that is not a
 * GET, and `Sec-Fetch-Site` on all; a caller that is not a browser has no cookie that another site could use.
 * @throws RequestError FORBIDDEN
 */
export function checkOrigin(request: Request): void {
  const { headers, method } = request;
  const site = headers.get('sec-fetch-site');
  const isOwn = headers.get('origin') === new URL(request.url).origin;
  const isRead = method === 'GET' || method === 'HEAD';
  if ((site === null || site === 'same-origin' || (isRead && site === 'none')) && (isRead || isOwn)) return;
  throw new RequestError('FORBIDDEN', 'This request must come from a page of this service.');
}
