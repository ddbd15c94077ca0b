import { getPath } from 'hono/utils/url';
import { JOIN_PATH } from '../schema/join.ts';
import { answerAdmin } from './admin/admin.ts';
import { ADMIN_ROOT } from './admin/routes.ts';
import { type Call, FORM_PATH } from './base/call.ts';
import { readCredits } from './credits.ts';
import { answerDescription } from './description.ts';
import { envelop } from './envelope.ts';
import type { Env } from './base/env.ts';
import { acceptLink } from './fleet/dial-in/accept-link.ts';
import { checkForm } from './form/form.ts';
import { answerHealth } from './health/answer-health.ts';
import { join } from './join/join.ts';
import { verifyBulk, verifyOne } from './legacy.ts';
import { log } from './base/log.ts';
import { fleetShards } from './base/objects.ts';
import { receiveEvent } from './orders/events.ts';
import { answerPages } from './pages/pages.ts';
import { PAGES_ROOT } from './pages/routes.ts';
import { operatorOf } from './base/operator.ts';
import { isVisit, serveFile, servePage, serveWidget } from './dashboard-page.ts';
import { createRouter, type Route } from './base/router.ts';
import { verify } from './verify/verify.ts';

// The Worker's routes; those below /admin/v1 and /app/v1 are in admin/routes.ts and pages/routes.ts. A request for a
// verification is checked in this order: 404 and 405 here, then 401, 429, 413, 400 and 402 in verify/verify.ts.

type WorkerRoute = Route & { readonly handle: (call: Call) => Response | Promise<Response> };

export const ROUTES: readonly WorkerRoute[] = [
  { methods: ['POST'], path: '/api/v1/verify', handle: verify },
  { methods: ['GET', 'HEAD'], path: '/api/v1/credits', handle: readCredits },
  { methods: ['POST'], path: FORM_PATH, handle: checkForm },
  { methods: ['GET', 'HEAD'], path: '/form.js', handle: serveWidget },
  { methods: ['GET', 'HEAD'], path: '/robots.txt', handle: serveFile },
  { methods: ['GET', 'HEAD'], path: '/favicon.ico', handle: serveFile },
  { methods: ['GET', 'HEAD'], path: '/api/v1/openapi.json', handle: answerDescription },
  { methods: ['GET', 'HEAD'], path: '/health', handle: answerHealth },
  { methods: ['ALL'], path: `${ADMIN_ROOT}/*`, handle: answerAdmin },
  { methods: ['ALL'], path: `${PAGES_ROOT}/*`, handle: answerPages },
  { methods: ['POST'], path: '/stripe/events', handle: receiveEvent },
  { methods: ['GET'], path: '/link', handle: acceptHost },
  { methods: ['POST'], path: JOIN_PATH, handle: join },
];

/** The older interface: LEGACY=on adds these. */
const OLDER: readonly WorkerRoute[] = [
  { methods: ['GET'], path: '/api/v1/verify', handle: verifyOne },
  { methods: ['POST'], path: '/api/v1/verify/bulk', handle: verifyBulk },
];

/** By LEGACY. */
const find = { off: createRouter(ROUTES), on: createRouter([...ROUTES, ...OLDER]) };

/** The Worker's answers. */
export const app = {
  fetch: (request: Request, env: Env, ctx: ExecutionContext): Promise<Response> => envelop(request, env, ctx, answer),
};

function acceptHost(call: Call): Promise<Response> {
  const { request, env, waitUntil } = call;
  const shards = fleetShards(call);
  return acceptLink({
    request,
    db: env.DB,
    shards,
    waitUntil,
    onRefused: ({ host, why }) => {
      log('warn', 'host_refused', { host, why });
      if (host !== null) waitUntil(Promise.all(shards.map((shard) => shard.noteRefusal(host, why))).catch(() => {}));
    },
  });
}

async function answer(call: Call): Promise<Response> {
  const { request, config } = call;
  const found = find[config.LEGACY](request.method, getPath(request));
  switch (found.kind) {
    case 'route': {
      const answered = await found.route.handle(call);
      return request.method === 'HEAD' ? new Response(null, answered) : answered;
    }
    case 'other_methods':
      throw found.refusal;
    case 'no_path':
      if (isVisit(request) && call.env.ASSETS !== undefined)
        return servePage(request, call.env.ASSETS, operatorOf(call.config));
      throw found.refusal;
  }
}
