import * as z from 'zod';
import { app } from '../../app.ts';
import type { Env } from '../../env.ts';
import { type Distance, farBindings, wait } from './far-bindings.ts';

// The Worker and its objects as they are, with places between them, for the bench of far callers: a header says how far
// the caller is from the Worker, and how far the Worker is from D1 and the objects. Calls come one at a time.

export { Fleet } from '../../fleet/fleet.ts';
export { Limiter } from '../../limiter/limiter.ts';

/** Both there and back, in milliseconds. */
const placesSchema = z.object({ callerMs: z.number(), bindingsMs: z.number() });
const HERE = JSON.stringify({ callerMs: 0, bindingsMs: 0 });

const distance: Distance = { bindingsMs: 0 };
let far: ReturnType<typeof farBindings> | undefined;

export default {
  async fetch(request, env, ctx) {
    far ??= farBindings(env, distance);
    const { callerMs, bindingsMs } = placesSchema.parse(JSON.parse(request.headers.get('x-bench-places') ?? HERE));
    await wait(callerMs / 2);
    distance.bindingsMs = bindingsMs;
    far.trips.restart();
    const answer = await app.fetch(request, far.env, ctx);
    // A host's upgrade cannot be touched.
    if (answer.status !== 101) answer.headers.set('x-bench-trips', String(far.trips.inSequence()));
    await wait(callerMs / 2);
    return answer;
  },
} satisfies ExportedHandler<Env>;
