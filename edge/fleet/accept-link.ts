import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { RequestError } from '../../schema/errors.ts';
import { hosts } from '../../schema/tables.ts';
import { type HostRow, proveHost } from './host-token.ts';
import { LINK_HEADERS } from './protocol.ts';

export type Dialling = {
  readonly request: Request;
  readonly db: D1Database;
  /** Every Fleet object, by its shard. */
  readonly shards: ReadonlyArray<Pick<Fetcher, 'fetch'>>;
};

/**
 * `GET /link?shard=N`: a probe host dials in. The Worker proves who it is, reading D1 this once, and hands the upgrade
 * to the Fleet object of the shard, which talks to the host from then on.
 * @returns 101
 * @throws RequestError UPGRADE_REQUIRED (no WebSocket), NOT_FOUND (no such shard), UNAUTHORIZED (not an enrolled host);
 *   whatever D1 throws
 */
export async function acceptLink({ request, db, shards }: Dialling): Promise<Response> {
  const { origin, searchParams } = new URL(request.url);
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new RequestError('UPGRADE_REQUIRED', 'This is the door of probe hosts: it speaks WebSocket.');
  const fleet = shards[Number(searchParams.get('shard')?.match(/^\d{1,2}$/)?.[0] ?? Number.NaN)];
  if (fleet === undefined) throw new RequestError('NOT_FOUND', 'No such shard: enrol the host again.');
  const proven = await proveHost(request.headers.get('authorization'), origin, Date.now(), (host) =>
    findHost(db, host),
  );
  if (proven === null) throw notEnrolled();
  const answer = await fleet.fetch('https://fleet/link', {
    headers: {
      upgrade: 'websocket',
      [LINK_HEADERS.host]: proven.host,
      [LINK_HEADERS.token]: proven.token,
      [LINK_HEADERS.state]: proven.draining ? 'draining' : 'active',
    },
  });
  // The object knows better only of a host that was removed a moment ago, or of a token that was shown before.
  if (answer.status !== 101) throw notEnrolled();
  return answer;
}

async function findHost(db: D1Database, host: string): Promise<HostRow | null> {
  const row = await drizzle(db)
    .select({ publicKey: hosts.publicKey, state: hosts.state })
    .from(hosts)
    .where(eq(hosts.id, host))
    .get();
  return row ?? null;
}

function notEnrolled(): RequestError {
  return new RequestError('UNAUTHORIZED', 'Not an enrolled host, or its clock is wrong.');
}
