import { authenticate, prove } from './access/authenticate.ts';
import { homeOf } from './access/key-home.ts';
import { limit } from './access/limit.ts';
import type { Call } from './base/call.ts';
import { settlementsOf, unsettled } from './verify/settle.ts';

/**
 * GET /api/v1/credits: what the account may spend; 0 once it has expired. Includes the credits that this isolate's
 * answers returned. D1 is read once if nothing is on its way back.
 */
export async function readCredits(call: Call): Promise<Response> {
  const bearer = await authenticate(call);
  await limit(call, bearer);
  const answered = unsettled(homeOf(call, bearer).db);
  let { accountId, remaining } = await prove(call, bearer);
  if (await settlementsOf(answered, accountId)) ({ remaining } = await prove(call, bearer));
  return Response.json({ credits: remaining });
}
