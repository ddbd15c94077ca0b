import * as z from 'zod';
import { parseAddress } from '../../schema/address.ts';
import { judge } from '../../schema/verdict.ts';
import { notAnAddress, spelling, type VerificationResult } from '../../schema/words/result.ts';
import { SANDBOX } from '../../schema/words/sandbox.ts';
import type { Call } from '../base/call.ts';
import { sandboxEvidence } from '../sandbox/sandbox.ts';
import { type JsonResponse, answer } from './route.ts';

// A verdict for people who are not signed in. They choose one of a few addresses, so that nothing is probed for
// strangers: the evidence recorded in the sandbox is judged like any other.

export const sampleBody = z.strictObject({ email: z.enum(SANDBOX.map(({ address }) => address)) });
type SampleBody = z.infer<typeof sampleBody>;

/** @throws RequestError INVALID_INPUT for any other address, by the schema of the body */
export async function showSample(_call: Call, _params: object, { email }: SampleBody): Promise<JsonResponse> {
  return answer(verdictOf(email));
}

function verdictOf(email: string): VerificationResult {
  const address = parseAddress(email);
  if (address === null) return notAnAddress(spelling(email));
  const { local, domain } = address;
  return judge({ email: spelling(email), local }, sandboxEvidence(local, domain));
}
