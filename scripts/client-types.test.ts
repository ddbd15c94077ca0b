import { expect, expectTypeOf, test } from 'vitest';
import * as client from '../schema/client/index.ts';
import * as schema from '../schema/api.ts';

// The client has types of its own, because it imports nothing. They are the interface's: what drifts does not compile.

test('a result of the client is a result of the interface, and the other way round', () => {
  expectTypeOf<client.VerificationResult>().toEqualTypeOf<schema.VerificationResult>();
  expectTypeOf<client.Reason>().toEqualTypeOf<schema.Reason>();
});

test('their words are the same, in the same order', () => {
  const { RESULTS, STATUSES, REASONS } = schema;
  expect({ ...client }).toMatchObject({ RESULTS, STATUSES, REASONS });
});

test('whatever code the interface gives an error, the client has it', () => {
  const codes = schema.errorBodySchema.shape.code.unwrap().options;
  // The query parameter of the older form is not something that the client sends.
  expectTypeOf<Exclude<(typeof codes)[number], 'MISSING_EMAIL'>>().toExtend<client.RcptErrorCode>();
  for (const code of codes.filter((one) => one !== 'MISSING_EMAIL'))
    expect(new client.RcptError(code, '').whatToDo).toMatch(/\.$/);
});
