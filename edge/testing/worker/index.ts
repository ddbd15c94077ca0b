import * as z from 'zod';
import { app } from '../../app.ts';
import type { Env } from '../../base/env.ts';
import { shardName } from '../../base/objects.ts';
import { scheduled } from '../../scheduled.ts';
import { aroundBatch } from './around-batch.ts';
import { NO_FAULTS, watch } from './watch.ts';

// The real Worker, on a scripted fleet, with an endpoint for tests under /testing: what it called, what its fleet saw,
// and which faults come next.

export { Alarms } from '../../alarms/alarms.ts';
export { Limiter } from '../../limiter/limiter.ts';
export { Fleet } from './fleet.ts';

let watched: ReturnType<typeof watch> | undefined;

/**
 * Variables of one request, as JSON in this header; the environments made from them are kept as the runtime keeps its
 * own.
 */
const VARS_HEADER = 'x-testing-vars';
const environments = new Map<string, Env>();

/** A request with this header is served by an isolate of that name: an isolate's memory is keyed by its D1. */
const ISOLATE_HEADER = 'x-testing-isolate';

/** How many lines of an answer are read, as if by another Worker, before it stops reading. */
const READ_HEADER = 'x-testing-read';

/** @returns how many whole lines arrived before the reader cancelled */
async function readLines({ body }: Response, least: number): Promise<number> {
  const reader = body?.getReader();
  const utf8 = new TextDecoder();
  let lines = 0;
  while (lines < least) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    lines += utf8.decode(chunk.value, { stream: true }).split('\n').length - 1;
  }
  await reader?.cancel();
  return lines;
}

function environmentFor({ headers }: Request, env: Env): Env {
  const [vars, isolate] = [headers.get(VARS_HEADER), headers.get(ISOLATE_HEADER)];
  if (vars === null && isolate === null) return env;
  const name = JSON.stringify([vars, isolate]);
  const made = environments.get(name) ?? {
    ...env,
    ...(vars === null ? {} : z.record(z.string(), z.string()).parse(JSON.parse(vars))),
    ...(isolate === null ? {} : { DB: aroundBatch(env.DB, (send) => send()) }),
  };
  environments.set(name, made);
  return made;
}

export default {
  async fetch(request, env, ctx) {
    watched ??= watch(env);
    const { pathname } = new URL(request.url);
    if (pathname === '/testing/calls') return Response.json(watched.takeCalls());
    if (pathname === '/testing/points') return Response.json(watched.points);
    if (pathname === '/testing/fleet') return env.FLEET.getByName(shardName(0)).fetch(request);
    if (pathname === '/testing/faults') {
      Object.assign(watched.faults, NO_FAULTS, await request.json());
      return new Response(null, { status: 204 });
    }
    const answer = await app.fetch(request, environmentFor(request, watched.env), ctx);
    const least = request.headers.get(READ_HEADER);
    if (least !== null) return Response.json(await readLines(answer, Number(least)));
    return answer;
  },
  scheduled,
} satisfies ExportedHandler<Env>;
