import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import * as schema from '../schema/api.ts';
import type { VerificationResult as Said } from '../schema/words/result.ts';
import * as client from '../schema/client/index.ts';

test("the service's results are results of the client, which also accepts newer words", () => {
  expectTypeOf<z.infer<typeof schema.verificationResultSchema>>().toEqualTypeOf<Said>();
  expectTypeOf<Said>().toExtend<client.VerificationResult>();
  expectTypeOf<client.VerificationResult>().not.toExtend<Said>();
  expectTypeOf<'not_yet_known'>().toExtend<client.VerificationResult['reason']>();
  expectTypeOf<number>().not.toExtend<client.VerificationResult['reason']>();
});
