import { DurableObject } from 'cloudflare:workers';
import { app } from '../../app.ts';
import type { Env } from '../../base/env.ts';
import type { FleetControl, FleetView } from '../../base/fleet-protocol.ts';
import type { HostState } from '../../../schema/words/stored.ts';

// The real Worker, on Fleet objects that return what a test scripted and record what they were told.

export { Alarms } from '../../alarms/alarms.ts';
export { Limiter } from '../../limiter/limiter.ts';

type Script = Pick<FleetView, 'hosts' | 'remembered'> & {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly deaf: boolean;
  readonly d1Fails: boolean;
  /** Whether the isolate stays the same; otherwise it has no memory of what came before. */
  readonly sameIsolate: boolean;
};
/** What a test need not specify. */
const WELL: Script = { hosts: [], remembered: [], outcomes: {}, deaf: false, d1Fails: false, sameIsolate: false };
const HOST = { why: null, processes: [] };
const PROCESS = { refusing: 0, reachedAtMs: null, refusals: [] };
const REMEMBERED = { startsAtMs: [] };

let script: Script = WELL;
/** An isolate's memory is keyed by its D1. */
let bindings: Env | null = null;
/** Statements prepared for D1 since the last time. */
let statements = 0;

export class Fleet extends DurableObject<Env> implements FleetControl {
  readonly #told: string[] = [];

  async setHostState(host: string, state: HostState): Promise<void> {
    if (script.deaf) throw new Error('The scripted fleet is deaf');
    this.#told.push(`${host} ${state}`);
  }

  async view(): Promise<FleetView> {
    if (script.deaf) throw new Error('The scripted fleet is deaf');
    const hosts = script.hosts.map((host) => ({ ...HOST, ...host }));
    return {
      hosts: hosts.map((host) => ({ ...host, processes: host.processes.map((one) => ({ ...PROCESS, ...one })) })),
      remembered: script.remembered.map((one) => ({ ...REMEMBERED, ...one })),
      outcomes: [script.outcomes],
    };
  }

  async noteRefusal(host: string, why: string): Promise<void> {
    this.#told.push(`${host} refused: ${why}`);
  }

  /** What it was told since the last call. */
  override fetch(): Response {
    return Response.json(this.#told.splice(0));
  }
}

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/testing/script') {
      script = { ...WELL, ...(await request.json<Partial<Script>>()) };
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
