import { envelop } from '../../envelope.ts';
import type { Env } from '../../base/env.ts';
import { acceptLink } from '../../fleet/dial-in/accept-link.ts';
import { Fleet as RealFleet } from '../../fleet/object/fleet.ts';
import { type FleetLimits, LIMITS } from '../../fleet/batch/limits.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { fleetShards, shardName } from '../../base/objects.ts';

// A Worker with nothing but the fleet: its own routes stand in for the other parts of the edge.

export { Alarms } from '../../alarms/alarms.ts';
export { Limiter } from '../../limiter/limiter.ts';

/** The real object with timeouts that a test can sit out. */
export class Fleet extends RealFleet {
  protected override readonly limits: FleetLimits = {
    ...LIMITS,
    ackMs: 1_000,
    reportMs: 3_000,
    resumeMs: 800,
    hostWaitMs: 1_500,
    helloMs: 1_500,
    secondTryMs: 500,
    releaseMs: 200,
  };

  /** `/reset` does what a deploy does: every call and every link breaks. */
  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/reset') this.ctx.abort('reset by a test');
    return super.fetch(request);
  }
}

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const fleet = env.FLEET.getByName(shardName(0));
    switch (pathname) {
      case '/link':
        return envelop(request, env, ctx, (call) => {
          const { waitUntil } = call;
          return acceptLink({
            request,
            db: env.DB,
            shards: fleetShards(call),
            waitUntil,
            onRefused: () => {},
          });
        });
      case '/dispatch': {
        const answer = await fleet.dispatch(await request.json<FleetJob>());
        return answer instanceof ReadableStream ? new Response(answer) : Response.json(answer);
      }
      case '/hosts':
        return Response.json((await fleet.view()).hosts);
      case '/state': {
        const state = searchParams.get('state');
        if (state !== 'active' && state !== 'draining' && state !== 'removed') break;
        await fleet.setHostState(searchParams.get('host') ?? '', state);
        return Response.json({});
      }
      case '/reset':
        await fleet.fetch('https://fleet/reset').catch(() => {});
        return Response.json({});
    }
    return new Response(null, { status: 404 });
  },
};
