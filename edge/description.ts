import { describeApi } from '../schema/openapi/document.ts';
import type { JsonObject } from '../schema/openapi/json.ts';
import type { Terms } from '../schema/openapi/terms.ts';
import type { Call } from './base/call.ts';
import type { Config } from './base/config.ts';

/** Building it takes a few milliseconds, and the runtime passes the same variables to every call of an isolate. */
const made = new WeakMap<Config, JsonObject>();

/** GET /api/v1/openapi.json: the interface as this deployment serves it. Needs no key. */
export function answerDescription({ request, config }: Call): Response {
  const document = made.get(config) ?? describeApi(termsOf(config));
  made.set(config, document);
  return Response.json({ ...document, servers: [{ url: new URL(request.url).origin }] });
}

function termsOf(config: Config): Terms {
  return {
    maxAddresses: config.MAX_ADDRESSES,
    maxBodyBytes: config.MAX_BODY_BYTES,
    ratePerMinute: config.RATE_LIMIT,
    charge: config.CHARGE,
    keyPrefix: config.KEY_PREFIX,
    deadlineS: config.BATCH_DEADLINE_S,
  };
}
