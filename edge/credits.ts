import type { Call } from './call.ts';
import { authenticate, prove } from './verify/auth.ts';
import { limit } from './verify/limit.ts';

/** GET /api/v1/credits: what the account may spend; 0 when it has expired. */
export async function readCredits(call: Call): Promise<Response> {
  const bearer = await authenticate(call);
  await limit(call, bearer);
  const { remaining } = await prove(call, bearer);
  return Response.json({ credits: remaining });
}
