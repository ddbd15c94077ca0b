import { app } from '../../app.ts';
import type { Env } from '../../base/env.ts';

// The Worker as it is, for the bench of the edge, but for one binding: where a rate limit is emulated locally each call
// writes a row to disk, and live the platform counts in memory.

export { Fleet } from '../../fleet/object/fleet.ts';
export { Alarms } from '../../alarms/alarms.ts';
export { Limiter } from '../../limiter/limiter.ts';

const SHIELD: RateLimit = { limit: () => Promise.resolve({ success: true }) };
/** The runtime hands the same bindings to every call. */
const environments = new WeakMap<Env, Env>();

export default {
  fetch(request, env, ctx) {
    const made = environments.get(env) ?? { ...env, SHIELD };
    environments.set(env, made);
    return app.fetch(request, made, ctx);
  },
} satisfies ExportedHandler<Env>;
