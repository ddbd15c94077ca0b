import { DurableObject } from 'cloudflare:workers';
import * as z from 'zod';
import { refusalSchema } from '../../../schema/link.ts';
import { app } from '../../app.ts';
import type { Env } from '../../base/env.ts';
import type { FleetControl, FleetView } from '../../base/fleet-protocol.ts';
import type { HostState } from '../../../schema/words/stored.ts';

// The Worker as it is, on Fleet objects that say what a test told them and remember what they were told.

export { Alarms } from '../../alarms/alarms.ts';
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
        processes: z
          .array(
            z.object({
              version: z.string().nullable(),
              egress: z.array(z.string()),
              startedAtMs: z.number(),
              heardAtMs: z.number(),
              draining: z.boolean(),
              healthy: z.boolean(),
              jobs: z.int(),
              cooling: z.int(),
              refusing: z.int().default(0),
              reachedAtMs: z.number().nullable().default(null),
              refusals: z.array(refusalSchema).default([]),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  remembered: z
    .array(
      z.object({
        id: z.string(),
        seenAtMs: z.number().nullable(),
        refusal: z.object({ atMs: z.number(), why: z.string() }).nullable(),
        startsAtMs: z.array(z.number()).default([]),
      }),
    )
    .default([]),
  outcomes: z.record(z.string(), z.number()).default({}),
  deaf: z.boolean().default(false),
  d1Fails: z.boolean().default(false),
  /** Whether the isolate stays the one that it was; otherwise it knows nothing of what was before. */
  sameIsolate: z.boolean().default(false),
});
type Script = z.infer<typeof scriptSchema>;

let script: Script = scriptSchema.parse({});
/** The memory of an isolate is kept apart by its D1. */
let bindings: Env | null = null;
/** Statements made for D1 since the last time. */
let statements = 0;

export class Fleet extends DurableObject<Env> implements FleetControl {
  readonly #told: string[] = [];

  async setHostState(host: string, state: HostState): Promise<void> {
    if (script.deaf) throw new Error('The scripted fleet is deaf');
    this.#told.push(`${host} ${state}`);
  }

  async view(): Promise<FleetView> {
    if (script.deaf) throw new Error('The scripted fleet is deaf');
    const { hosts, remembered, outcomes } = script;
    return { hosts, remembered, outcomes: [outcomes] };
  }

  async noteRefusal(host: string, why: string): Promise<void> {
    this.#told.push(`${host} refused: ${why}`);
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
      if (!script.sameIsolate) bindings = null;
      return new Response(null, { status: 204 });
    }
    if (pathname === '/testing/statements') {
      const made = statements;
      statements = 0;
      return Response.json(made);
    }
    if (pathname.startsWith('/testing/told/')) {
      return env.FLEET.getByName(pathname.slice('/testing/told/'.length)).fetch(request);
    }
    bindings ??= { ...env, DB: scripted(env.DB) };
    return app.fetch(request, bindings, ctx);
  },
};

/** D1, which cannot be reached while the script says so. */
function scripted(db: D1Database): D1Database {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (name === 'prepare') statements += 1;
        if (script.d1Fails) throw new Error('D1_ERROR: out of reach');
        return Reflect.apply(value, target, args);
      };
    },
  });
}
