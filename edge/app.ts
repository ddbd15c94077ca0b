import { Hono, type Handler } from 'hono';
import { RequestError } from '../schema/errors.ts';
import { answerAdmin } from './admin/admin.ts';
import { ADMIN_ROOT } from './admin/routes.ts';
import type { Call } from './call.ts';
import { readCredits } from './credits.ts';
import { answerDescription } from './description.ts';
import { envelop } from './envelope.ts';
import type { Env } from './env.ts';
import { acceptLink } from './fleet/link.ts';
import { answerHealth } from './health.ts';
import { verifyBulk, verifyOne } from './legacy.ts';
import { verify } from './verify/verify.ts';

// Every route of the Worker. Order of the checks: 404 and 405 here, then 401, 429, 413, 400 and 402 in verify/verify.ts.

/** What hono calls its bindings is the call here: all that a handler needs. */
type Room = { readonly Bindings: Call };

const routes = new Hono<Room>();

/** The Worker's answers. */
export const app = {
  fetch: (request: Request, env: Env, ctx: ExecutionContext): Promise<Response> =>
    envelop(request, env, ctx, (call) => routes.fetch(request, call)),
};

// No middleware, and errors go on to the envelope: hono then calls a handler without anything around it.
routes.onError((error) => {
  throw error;
});
routes.notFound((c) => {
  const methods = methodsOf(c.req.path, c.env.config.LEGACY === 'on');
  if (methods === null) throw new RequestError('NOT_FOUND', 'There is nothing at this path.');
  throw new RequestError('METHOD_NOT_ALLOWED', `This path takes ${methods} only.`, { allow: methods });
});

routes.post('/api/v1/verify', (c) => verify(c.env));
routes.get('/api/v1/credits', (c) => readCredits(c.env));
routes.get('/api/v1/openapi.json', (c) => answerDescription(c.env));

routes.get('/health', (c) => answerHealth(c.env));
routes.all(`${ADMIN_ROOT}/*`, (c) => answerAdmin(c.env));
routes.get('/link', (c) => acceptLink(c.env));

routes.get('/api/v1/verify', older(verifyOne));
routes.post('/api/v1/verify/bulk', older(verifyBulk));

/** A handler of the older interface; without it the path is none, or has other methods. */
function older(handle: (call: Call) => Promise<Response>): Handler<Room> {
  return (c) => (c.env.config.LEGACY === 'on' && c.req.method !== 'HEAD' ? handle(c.env) : c.notFound());
}

/** What a path takes, where it is one. */
function methodsOf(path: string, isLegacy: boolean): string | null {
  switch (path) {
    case '/api/v1/verify':
      return isLegacy ? 'GET, POST' : 'POST';
    case '/api/v1/verify/bulk':
      return isLegacy ? 'POST' : null;
    case '/api/v1/credits':
    case '/api/v1/openapi.json':
    case '/health':
      return 'GET, HEAD';
    case '/link':
      return 'GET';
    default:
      return null;
  }
}
