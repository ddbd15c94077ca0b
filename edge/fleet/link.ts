import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { hosts } from '../../schema/tables.ts';
import type { Call } from '../call.ts';
import { inJurisdiction } from '../jurisdiction.ts';
import { type HostRow, proveHost } from './host-token.ts';
import { LINK_HEADERS } from './link-headers.ts';
import { shardName } from './shard.ts';

/**
 * `GET /link?shard=N`: a probe host dials in. The Worker proves who it is, reading D1 this once, and hands the upgrade
 * to the Fleet object of the shard, which talks to the host from then on.
 * @returns 101, or 426 (no WebSocket), 404 (no such shard), 401 (not an enrolled host)
 * @throws whatever D1 throws
 */
export async function acceptLink({
  request,
  env,
  config,
}: Pick<Call, 'request' | 'env' | 'config'>): Promise<Response> {
  const { origin, searchParams } = new URL(request.url);
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return refusal(426, 'This is the door of probe hosts: it speaks WebSocket.');
  }
  const shard = Number(searchParams.get('shard')?.match(/^\d{1,2}$/)?.[0] ?? Number.NaN);
  if (!(shard < config.FLEET_SHARDS)) return refusal(404, 'No such shard: enrol the host again.');
  const proven = await proveHost(request.headers.get('authorization'), origin, Date.now(), (host) =>
    findHost(env.DB, host),
  );
  if (proven === null) return refusal(401, 'Not an enrolled host, or its clock is wrong.');
  const fleet = inJurisdiction(env.FLEET, config).getByName(shardName(shard));
  const answer = await fleet.fetch('https://fleet/link', {
    headers: {
      upgrade: 'websocket',
      [LINK_HEADERS.host]: proven.host,
      [LINK_HEADERS.state]: proven.draining ? 'draining' : 'active',
    },
  });
  // The object knows better only of a host that was removed a moment ago.
  return answer.status === 101 ? answer : refusal(401, 'Not an enrolled host, or its clock is wrong.');
}

async function findHost(db: D1Database, host: string): Promise<HostRow | null> {
  const row = await drizzle(db)
    .select({ publicKey: hosts.publicKey, state: hosts.state })
    .from(hosts)
    .where(eq(hosts.id, host))
    .get();
  return row ?? null;
}

function refusal(status: number, error: string): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } });
}
