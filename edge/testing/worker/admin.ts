import { DurableObject } from 'cloudflare:workers';
import * as z from 'zod';
import { app } from '../../app.ts';
import type { Env } from '../../env.ts';
import type { ConnectedHost, FleetControl } from '../../fleet/protocol.ts';
import type { HostState } from '../../../schema/stored-words.ts';

// The Worker as it is, on Fleet objects that say what a test told them and remember what they were told.

export { Limiter } from '../../limiter/limiter.ts';

const scriptSchema = z.object({
  hosts: z
    .array(
      z.object({
        id: z.string(),
        instances: z.int(),
        draining: z.boolean(),
        healthy: z.boolean(),
        why: z.string().nullable().default(null),
        jobs: z.int(),
      }),
    )
    .default([]),
  deaf: z.boolean().default(false),
  d1Fails: z.boolean().default(false),
});
type Script = z.infer<typeof scriptSchema>;

let script: Script = scriptSchema.parse({});

export class Fleet extends DurableObject<Env> implements FleetControl {
  readonly #told: string[] = [];

  async setHostState(host: string, state: HostState): Promise<void> {
    if (script.deaf) throw new Error('The scripted fleet is deaf');
    this.#told.push(`${host} ${state}`);
  }

  async hosts(): Promise<ConnectedHost[]> {
    if (script.deaf) throw new Error('The scripted fleet is deaf');
    return script.hosts;
  }

  /** What it was told since it was asked last. */
  override fetch(): Response {
    return Response.json(this.#told.splice(0));
  }
}

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/testing/script') {
      script = scriptSchema.parse(await request.json());
      return new Response(null, { status: 204 });
    }
    if (pathname.startsWith('/testing/told/')) {
      return env.FLEET.getByName(pathname.slice('/testing/told/'.length)).fetch(request);
    }
    return app.fetch(request, script.d1Fails ? { ...env, DB: failing(env.DB) } : env, ctx);
  },
};

/** D1 as it is when it cannot be reached. */
function failing(db: D1Database): D1Database {
  return new Proxy(db, {
    get: () => () => {
      throw new Error('D1_ERROR: out of reach');
    },
  });
}
