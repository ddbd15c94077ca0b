// As much of an OpenAPI 3.1 document as the page shows. It comes from the deployment itself, and so has its limits.

export type Json = { readonly [key: string]: unknown };

export type DocumentedResponse = {
  readonly status: string;
  readonly description: string;
  readonly examples: readonly Example[];
};
export type Example = { readonly title: string; readonly text: string };
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly request: readonly Example[];
  readonly responses: readonly DocumentedResponse[];
};
/** What a status of 400 and above means, whichever call gives it. */
export type DocumentedError = {
  readonly status: string;
  readonly descriptions: readonly string[];
  readonly examples: readonly Example[];
};
export type FieldEntry = { readonly name: string; readonly type: string; readonly description: string };
export type ApiDocument = {
  readonly description: string;
  /** Each with the responses below 400. */
  readonly operations: readonly Operation[];
  readonly errors: readonly DocumentedError[];
  readonly fields: readonly FieldEntry[];
  readonly headers: readonly FieldEntry[];
};

/** Reads what the page shows. What is missing is left out. Pure. */
export function readDocument(document: unknown): ApiDocument {
  const components = objectIn(document, 'components');
  const schemas = objectIn(components, 'schemas');
  const operations = Object.entries(objectIn(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => operationOf(path, method, operation)),
  );
  return {
    description: textIn(objectIn(document, 'info'), 'description'),
    operations: operations.map((operation) => ({
      ...operation,
      responses: operation.responses.filter((response) => !isRefusal(response)),
    })),
    errors: errorsOf(operations.flatMap(({ responses }) => responses.filter(isRefusal))),
    fields: fieldsOf(objectIn(objectIn(schemas, 'VerificationResult'), 'properties')),
    headers: Object.entries(objectIn(components, 'headers')).map(([name, header]) => ({
      name,
      type: typeOf(objectIn(header, 'schema')),
      description: textIn(header, 'description'),
    })),
  };
}

function operationOf(path: string, method: string, operation: unknown): Operation {
  return {
    id: textIn(operation, 'operationId') || `${method}-${path}`,
    method: method.toUpperCase(),
    path,
    summary: textIn(operation, 'summary'),
    description: textIn(operation, 'description'),
    request: examplesOf(objectIn(operation, 'requestBody')),
    responses: Object.entries(objectIn(operation, 'responses')).map(([status, answer]) => ({
      status,
      description: textIn(answer, 'description'),
      examples: examplesOf(answer),
    })),
  };
}

function isRefusal({ status }: DocumentedResponse): boolean {
  return /^[45]/.test(status);
}

/** By status; what several calls say in the same words is said once. */
function errorsOf(refusals: readonly DocumentedResponse[]): readonly DocumentedError[] {
  const statuses = [...new Set(refusals.map(({ status }) => status))].toSorted();
  return statuses.map((status) => {
    const alike = refusals.filter((refusal) => refusal.status === status);
    const examples = new Map(alike.flatMap((refusal) => refusal.examples).map((example) => [example.text, example]));
    return {
      status,
      descriptions: [...new Set(alike.map(({ description }) => description))],
      examples: [...examples.values()],
    };
  });
}

function examplesOf(body: unknown): readonly Example[] {
  return Object.entries(objectIn(body, 'content')).flatMap(([mediaType, content]) => {
    if (!isObject(content)) return [];
    if ('example' in content) return [{ title: mediaType, text: show(content['example']) }];
    return Object.entries(objectIn(content, 'examples')).map(([name, example]) => ({
      title: name,
      text: show(isObject(example) ? example['value'] : null),
    }));
  });
}

function fieldsOf(properties: Json): readonly FieldEntry[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    description: textIn(schema, 'description'),
  }));
}

/** `integer, 0 to 100`, `string or null` … */
function typeOf(schema: unknown): string {
  if (!isObject(schema)) return '';
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map(typeOf).join(' or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String).join(', ');
  const { type: named } = schema;
  const type = Array.isArray(named) ? named.join(' or ') : typeof named === 'string' ? named : 'any';
  const { minimum, maximum } = schema;
  return typeof minimum === 'number' && typeof maximum === 'number' ? `${type}, ${minimum} to ${maximum}` : type;
}

function show(value: unknown): string {
  return typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, null, 2);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(value: unknown, key: string): Json {
  const inside = isObject(value) ? value[key] : null;
  return isObject(inside) ? inside : {};
}

function textIn(value: unknown, key: string): string {
  const inside = isObject(value) ? value[key] : null;
  return typeof inside === 'string' ? inside : '';
}
