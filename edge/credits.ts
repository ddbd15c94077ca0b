import { authenticate, prove } from './access/authenticate.ts';
import { limit } from './access/limit.ts';
import type { Call } from './call.ts';

/** GET /api/v1/credits: what the account may spend; 0 when it has expired. */
export async function readCredits(call: Call): Promise<Response> {
  const bearer = await authenticate(call);
  await limit(call, bearer);
  const { remaining } = await prove(call, bearer);
  return Response.json({ credits: remaining });
}
