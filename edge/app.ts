import { Hono, type Context, type Handler } from 'hono';
import { RequestError } from '../schema/errors.ts';
import { answerAdmin } from './admin/admin.ts';
import { ADMIN_ROOT } from './admin/routes.ts';
import type { Call, Room } from './call.ts';
import { readCredits } from './credits.ts';
import { answerDescription } from './description.ts';
import { envelop, failed } from './envelope.ts';
import { acceptLink } from './fleet/link.ts';
import { answerHealth } from './health.ts';
import { verifyBulk, verifyOne } from './legacy.ts';
import { verify } from './verify/verify.ts';

// Every route of the Worker. Order of the checks: 404 and 405 here, then 401, 429, 413, 400 and 402 in verify.ts.

export const app = new Hono<Room>();
app.use(envelop);
app.onError(failed);
app.notFound((c) => failed(new RequestError('NOT_FOUND', 'There is nothing at this path.'), c));

app.post('/api/v1/verify', (c) => verify(c.var.call));
app.get('/api/v1/credits', (c) => readCredits(c.var.call));
app.get('/api/v1/openapi.json', (c) => answerDescription(c.var.call));

app.get('/health', (c) => answerHealth(c.var.call));
app.all(`${ADMIN_ROOT}/*`, (c) => answerAdmin(c.var.call));
app.get('/link', (c) => acceptLink(c.req.raw, c.env, c.var.call.config));

app.get('/api/v1/verify', older('POST', verifyOne));
app.post('/api/v1/verify/bulk', older(null, verifyBulk));

app.all('/api/v1/verify', (c) => allowOnly(isLegacy(c) ? 'GET, POST' : 'POST'));
app.all('/api/v1/verify/bulk', (c) => (isLegacy(c) ? allowOnly('POST') : c.notFound()));
app.all('/api/v1/credits', () => allowOnly('GET, HEAD'));
app.all('/api/v1/openapi.json', () => allowOnly('GET, HEAD'));
app.all('/health', () => allowOnly('GET, HEAD'));
app.all('/link', () => allowOnly('GET'));

/** A handler of the older interface; without it the path has `otherMethods`, or is none. */
function older(otherMethods: string | null, handle: (call: Call) => Promise<Response>): Handler<Room> {
  return (c) => {
    if (isLegacy(c) && c.req.method !== 'HEAD') return handle(c.var.call);
    if (isLegacy(c)) return allowOnly('GET, POST');
    return otherMethods === null ? c.notFound() : allowOnly(otherMethods);
  };
}

function isLegacy(c: Context<Room>): boolean {
  return c.var.call.config.LEGACY === 'on';
}

function allowOnly(methods: string): never {
  throw new RequestError('METHOD_NOT_ALLOWED', `This path takes ${methods} only.`, { allow: methods });
}
