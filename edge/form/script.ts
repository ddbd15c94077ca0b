import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';

/** GET /form.js: the widget, for pages of other sites. Its name never changes, so browsers revalidate it daily. */
export async function serveWidget({ request, env, headers }: Call): Promise<Response> {
  const served = await env.ASSETS?.fetch(request);
  if (served === undefined || served.status >= 400)
    throw new RequestError('NOT_FOUND', 'This deployment serves no widget.');
  headers.set('cache-control', 'public, max-age=86400');
  headers.set('cross-origin-resource-policy', 'cross-origin');
  return new Response(served.body, served);
}
