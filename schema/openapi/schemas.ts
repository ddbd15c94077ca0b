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
const jsonSchema: z.ZodType<Json> = z.json();
const schemasSchema = z.record(z.string(), z.record(z.string(), jsonSchema));

/** Schemas of the document by name, made from the ones that the service validates with. OpenAPI 3.1 takes them as they are. */
export function describeSchemas({ maxAddresses }: Terms): JsonObject {
  const named = z.registry<{ readonly id: string }>();
  const { emails } = verifyRequestSchema.shape;
  const all = {
    VerifyRequest: verifyRequestSchema.extend({ emails: emails.max(maxAddresses) }),
    VerificationResult: verificationResultSchema,
    InvalidEntry: invalidEntrySchema,
    VerifyElement: element,
    // Names of their own, so that a generated client has a result without `index`, and one with it.
    ResultLine: resultLine,
    InvalidEntryLine: invalidLine,
    ClosingLine: closingLineSchema,
    VerifyLine: line,
    FormRequest: formRequestSchema,
    FormAnswer: formAnswerSchema,
    Credits: creditsSchema,
    Health: healthSchema,
    ErrorBody: errorBodySchema,
  };
  for (const [id, schema] of Object.entries(all)) named.add(schema, { id });
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
