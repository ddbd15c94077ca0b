import * as z from 'zod';
import {
  closingLineSchema,
  creditsSchema,
  errorBodySchema,
  formAnswerSchema,
  formRequestSchema,
  healthSchema,
  invalidEntrySchema,
  verificationResultSchema,
  verifyRequestSchema,
} from '../api.ts';
import type { Json, JsonObject } from './json.ts';
import type { Terms } from './terms.ts';

const index = { index: z.int().min(0).describe('Index of the entry in the request, from 0.') };
const element = z.union([verificationResultSchema, invalidEntrySchema]);
const resultLine = verificationResultSchema.extend(index);
const invalidLine = invalidEntrySchema.extend(index);
const line = z.union([resultLine, invalidLine, closingLineSchema]);
const older = verificationResultSchema.omit({ status: true, score: true });
const jsonSchema: z.ZodType<Json> = z.json();
const schemasSchema = z.record(z.string(), z.record(z.string(), jsonSchema));

/** Schemas of the document by name, made from the ones that the service validates with. OpenAPI 3.1 takes them as they are. */
export function describeSchemas({ maxAddresses, legacy }: Terms): JsonObject {
  const named = z.registry<{ readonly id: string }>();
  const { emails } = verifyRequestSchema.shape;
  named.add(verifyRequestSchema.extend({ emails: emails.max(maxAddresses) }), { id: 'VerifyRequest' });
  named.add(verificationResultSchema, { id: 'VerificationResult' });
  named.add(invalidEntrySchema, { id: 'InvalidEntry' });
  named.add(element, { id: 'VerifyElement' });
  // Names of their own, so that a generated client has a result without `index`, and one with it.
  named.add(resultLine, { id: 'ResultLine' });
  named.add(invalidLine, { id: 'InvalidEntryLine' });
  named.add(closingLineSchema, { id: 'ClosingLine' });
  named.add(line, { id: 'VerifyLine' });
  named.add(formRequestSchema, { id: 'FormRequest' });
  named.add(formAnswerSchema, { id: 'FormAnswer' });
  named.add(creditsSchema, { id: 'Credits' });
  named.add(healthSchema, { id: 'Health' });
  named.add(errorBodySchema, { id: 'ErrorBody' });
  if (legacy) {
    named.add(older, { id: 'OlderResult' });
    named.add(z.object({ total: z.int().min(0), results: z.array(element) }), { id: 'OlderBulk' });
  }
  const { schemas } = z.toJSONSchema(named, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema: made }) => {
      // What a double can count to is not a rule of the interface.
      if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
    },
  });
  return withoutIds(schemasSchema.parse(schemas));
}

/** In the document a schema's place is its id. */
function withoutIds(schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}
