import { describeHeaders } from './headers.ts';
import type { JsonObject } from './json.ts';
import { describePaths } from './operations.ts';
import { describeSchemas } from './schemas.ts';
import type { Terms } from './terms.ts';

/** Of the interface, not of the service's code. */
const INTERFACE_VERSION = '1.0.0';

/**
 * The OpenAPI 3.1 document of a deployment: what it serves, with the limits it has. It says nothing of where: put `servers`
 * beside it. Pure.
 */
export function describeApi(terms: Terms): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Email verification',
      version: INTERFACE_VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description: [
        'Verifies email addresses in real time: syntax, MX and an SMTP conversation up to RCPT TO, live for each',
        'request; no result is stored. Credits are bought in advance and valid for 12 months from the latest purchase.',
        '',
        'A request is checked in this order: 404 and 405 (with `Allow`), 401, 429, 413, 400, 402.',
        'Nothing runs after a failed check. A path that is not listed here gets a 404 with an error without `code`, but for the',
        'deprecated forms of a deployment that serves them. HEAD is answered like GET, without the body.',
      ].join('\n'),
    },
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Verification', description: 'Verifying addresses.' },
      { name: 'Account', description: 'The balance.' },
      { name: 'Service', description: 'About the service; needs no key.' },
    ],
    paths: describePaths(terms),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key of your account: \`${terms.keyPrefix}\` and 38 letters and digits. Keep it secret.`,
        },
      },
      headers: describeHeaders(terms),
      schemas: describeSchemas(terms),
    },
  };
}
