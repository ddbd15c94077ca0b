import { bundleFromString, createConfig } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as z from 'zod';

// The OpenAPI document as a judge: reads it as any other program would, and says what an answer has that it does not.

const schemaSchema = z.record(z.string(), z.unknown());
const headersSchema = z.record(z.string(), z.object({ required: z.boolean(), schema: schemaSchema }));
const exampleSchema = z.object({ value: z.unknown() });
const contentSchema = z.record(
  z.string(),
  z.object({
    schema: schemaSchema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), exampleSchema).optional(),
  }),
);
const operationSchema = z.object({
  requestBody: z.object({ content: contentSchema }).optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['query', 'header']),
        schema: schemaSchema,
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  responses: z.record(z.string(), z.object({ headers: headersSchema, content: contentSchema })),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

export type Documented = z.infer<typeof documentSchema>;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
formats.default(ajv);

/** The document with every reference replaced by what it names. */
export async function readDocument(json: unknown): Promise<Documented> {
  const config = await createConfig({});
  const { bundle } = await bundleFromString({ source: JSON.stringify(json), config, dereference: true });
  return documentSchema.parse(bundle.parsed);
}

export type Seen = { readonly status: number; readonly headers: Headers; readonly text: string };

/** What is wrong with an answer by the document: nothing, or a line for each thing. */
export function breaches({ paths }: Documented, method: string, path: string, seen: Seen): readonly string[] {
  const operations = paths[path];
  if (operations === undefined) return notServed(seen, 404, method);
  const operation = operations[method === 'HEAD' ? 'get' : method.toLowerCase()];
  // Any documented 405 is the answer to the methods that are not.
  if (operation === undefined) return notServed(seen, 405, method);
  const response = operation.responses[String(seen.status)];
  if (response === undefined) return [`status ${seen.status} is not documented`];
  return [...headerBreaches(response.headers, seen.headers), ...bodyBreaches(response.content, method, seen)];
}

function notServed(seen: Seen, status: number, method: string): readonly string[] {
  if (seen.status !== status) return [`status ${seen.status} where ${status} is due`];
  if (status === 405 && seen.headers.get('allow') === null) return ['405 without Allow'];
  const error = z.strictObject({ error: z.string() });
  return method === 'HEAD' || error.safeParse(JSON.parse(seen.text)).success ? [] : ['an error of another form'];
}

function headerBreaches(documented: z.infer<typeof headersSchema>, headers: Headers): readonly string[] {
  return Object.entries(documented).flatMap(([name, { required, schema }]) => {
    const value = headers.get(name);
    if (value === null) return required ? [`no header ${name}`] : [];
    const typed = schema['type'] === 'integer' ? Number(value) : value;
    return fits(schema, typed) ? [] : [`header ${name}: ${value}`];
  });
}

function bodyBreaches(documented: z.infer<typeof contentSchema>, method: string, seen: Seen): readonly string[] {
  const type = seen.headers.get('content-type') ?? '';
  const content = documented[type];
  if (content === undefined) return [`content type ${type} is not documented`];
  if (method === 'HEAD') return seen.text === '' ? [] : ['a body to HEAD'];
  const value: unknown = JSON.parse(
    type === 'application/x-ndjson' ? `[${seen.text.trimEnd().replaceAll('\n', ',')}]` : seen.text,
  );
  return fits(content.schema, value) ? [] : [`body: ${seen.text.slice(0, 300)}`];
}

/** Whether a value is of a JSON schema of the document. */
export function fits(schema: z.infer<typeof schemaSchema>, value: unknown): boolean {
  return ajv.validate(schema, value);
}

/** Every example of the document with the schema that it stands beside. */
export function examplesOf({ paths }: Documented): readonly { readonly at: string; readonly holds: boolean }[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, parameters, responses }]) => {
      const bodies = [...Object.entries({ request: requestBody }), ...Object.entries(responses)];
      return [
        ...parameters.map(({ name, schema, example }) => ({
          at: `${method} ${path} ${name}`,
          holds: fits(schema, example),
        })),
        ...bodies.flatMap(([name, body]) =>
          Object.entries(body?.content ?? {}).flatMap(([type, { schema, example, examples = {} }]) =>
            [example, ...Object.values(examples).map(({ value }) => value)]
              .filter((value) => value !== undefined)
              .map((value) => ({ at: `${method} ${path} ${name} ${type}`, holds: fits(schema, value) })),
          ),
        ),
      ];
    }),
  );
}
