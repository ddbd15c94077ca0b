import * as z from 'zod';
import { creditsSchema, verificationResultSchema } from '../../schema/api.ts';
import type { VerificationResult } from '../../schema/words/result.ts';
import { adminApi, type AdminApi } from '../admin/connection/api.ts';
import { readOperatorKey } from '../admin/connection/operator-key.ts';
import type { Ready } from './running-service.ts';

/** A customer with the demo account's key, and the operator beside. */
export type Caller = {
  readonly verify: (emails: readonly string[]) => Promise<readonly VerificationResult[]>;
  readonly credits: () => Promise<number>;
  readonly operator: AdminApi;
};

/** @throws Error with the service's own words for any answer but 200 */
export async function callerOf({ url, apiKey, operatorKey }: Ready): Promise<Caller> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(new URL(path, url), { headers, ...init });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    verify: async (emails) => {
      const body = JSON.stringify({ emails });
      return z.array(verificationResultSchema).parse(await call('/api/v1/verify', { method: 'POST', body }));
    },
    credits: async () => creditsSchema.parse(await call('/api/v1/credits', {})).credits,
    operator: adminApi({ origin: url, operator: await readOperatorKey(operatorKey) }),
  };
}
