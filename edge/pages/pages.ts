import { RequestError } from '../../schema/errors.ts';
import { readBody, readJson } from '../access/body.ts';
import type { Call } from '../base/call.ts';
import { createRouter } from '../base/router.ts';
import { sessionBy } from './account-home.ts';
import { sessionToken } from './cookie.ts';
import { countCall } from './limits.ts';
import { notSignedIn, type PageRoute } from './route.ts';
import { PAGES_ROOT, ROUTES } from './routes.ts';
import { checkOrigin } from './same-origin.ts';
import { checkView } from './view.ts';

const BODY_BYTES_MAX = 16_384;
const find = createRouter<PageRoute>(ROUTES, `There is nothing at this path of ${PAGES_ROOT}.`);

/**
 * Answers one call of the pages' API: path and method, origin, limit, session, view, body, operation, in this order.
 * @throws RequestError for every answer but 200, 201 and 202
 */
export async function answerPages(call: Call): Promise<Response> {
  const url = new URL(call.request.url);
  const found = find(call.request.method, url.pathname);
  switch (found.kind) {
    case 'no_path':
    case 'other_methods':
      throw found.refusal;
    case 'route': {
      checkOrigin(call.request);
      await countCall(call);
      const work = answerRoute(call, found.route, { ...Object.fromEntries(url.searchParams), ...found.params });
      // Closing the page half-way must not leave an operation half done.
      call.waitUntil(work.catch(() => undefined));
      return work;
    }
  }
}

async function answerRoute(call: Call, route: PageRoute, raw: Readonly<Record<string, string>>): Promise<Response> {
  const token = sessionToken(call.request);
  const session = token === null || route.who === 'anyone' ? null : await sessionBy(call, token);
  if (session === null && route.who !== 'anyone') throw notSignedIn();
  if (session !== null) checkView(call.request, session);
  const { status, body, headers } = await route.run(call, session, raw, await readSent(call.request));
  return Response.json(body, headers === undefined ? { status } : { status, headers });
}

/** The body as JSON; undefined if there is none. A form of another site cannot send the JSON content type. */
async function readSent(request: Request): Promise<unknown> {
  if (request.method === 'GET') return undefined;
  const bytes = await readBody(request, BODY_BYTES_MAX);
  if (bytes.length === 0) return undefined;
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new RequestError('INVALID_INPUT', 'The body must be JSON: Content-Type: application/json.');
  return readJson(bytes);
}
