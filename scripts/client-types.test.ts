import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import * as schema from '../schema/api.ts';
import type { VerificationResult as Said } from '../schema/words/result.ts';
import * as client from '../schema/client/index.ts';

test('what the service validates and says is a result of the client, which also takes words that are newer', () => {
  expectTypeOf<z.infer<typeof schema.verificationResultSchema>>().toEqualTypeOf<Said>();
  expectTypeOf<Said>().toExtend<client.VerificationResult>();
  expectTypeOf<client.VerificationResult>().not.toExtend<Said>();
  expectTypeOf<'not_yet_known'>().toExtend<client.VerificationResult['reason']>();
  expectTypeOf<number>().not.toExtend<client.VerificationResult['reason']>();
});
