import { drizzle } from 'drizzle-orm/d1';
import { RequestError } from '../../../schema/errors.ts';
import { hosts } from '../../../schema/tables.ts';
import { Latest } from '../../base/latest.ts';
import { clockOffS, explainRefusal } from './explain-refusal.ts';
import { type HostRow, proveHost } from './host-token.ts';
import { LINK_HEADERS } from '../../base/fleet-protocol.ts';
import { type Refusal, RefusedLinks } from './refused-links.ts';

export type Dialling = {
  readonly request: Request;
  readonly db: D1Database;
  /** Every Fleet object, by its shard. */
  readonly shards: ReadonlyArray<Pick<Fetcher, 'fetch'>>;
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Called with a refused host, once a minute for each. */
  readonly onRefused: (refusal: Refusal) => void;
};

// Anyone may call here, and only D1 knows the hosts. So it is read at each dial-in, once for all that arrive meanwhile:
// a removed host is refused at once, and a flood of strangers costs D1 one read at a time.

/**
 * How old the list of hosts may be when it only explains a refusal: a flood of strangers costs D1 no more than this.
 */
const TOLD_FROM_MS = 10_000;
const D1_ANSWERS_WITHIN_MS = 5_000;

type Hosts = ReadonlyMap<string, HostRow>;
/** The enrolled hosts, by the isolate's database. */
const enrolled = new WeakMap<D1Database, Latest<Hosts>>();

/**
 * `GET /link?shard=N`: a probe host dials in. The Worker authenticates it with what D1 says after its arrival, and
 * hands the upgrade to the Fleet object of the shard, which talks to the host from then on.
 * @returns 101
 * @throws RequestError UPGRADE_REQUIRED (no WebSocket), NOT_FOUND (no such shard), UNAUTHORIZED (not an enrolled host);
 * and what D1 throws
 */
export async function acceptLink(dialling: Dialling): Promise<Response> {
  const { request, db, shards, waitUntil } = dialling;
  const { origin, searchParams } = new URL(request.url);
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new RequestError('UPGRADE_REQUIRED', 'This endpoint is for probe hosts and requires a WebSocket upgrade.');
  const fleet = shards[Number(searchParams.get('shard')?.match(/^\d{1,2}$/)?.[0] ?? Number.NaN)];
  if (fleet === undefined) throw new RequestError('NOT_FOUND', 'No such shard: enrol the host again.');
  const nowMs = Date.now();
  const latest = enrolled.get(db) ?? new Latest<Hosts>(D1_ANSWERS_WITHIN_MS);
  enrolled.set(db, latest);
  const find = async (host: string): Promise<HostRow | null> =>
    (await latest.get(nowMs, () => readHosts(db), waitUntil)).get(host) ?? null;
  const proven = await proveHost(request.headers.get('authorization'), origin, nowMs, find);
  if (proven === null) {
    tell(dialling, latest, nowMs);
    throw notEnrolled();
  }
  const answer = await fleet.fetch('https://fleet/link', {
    headers: {
      upgrade: 'websocket',
      [LINK_HEADERS.host]: proven.host,
      [LINK_HEADERS.state]: proven.draining ? 'draining' : 'active',
    },
  });
  // The object only knows better about a host that was removed a moment ago.
  if (answer.status !== 101) throw notEnrolled();
  return answer;
}

const refusedLinks = new RefusedLinks();

/** A token with a wrong clock is refused before D1 is read: whether it names a host is found out after the answer. */
function tell({ db, request, onRefused, waitUntil }: Dialling, latest: Latest<Hosts>, nowMs: number): void {
  const { origin } = new URL(request.url);
  const header = request.headers.get('authorization');
  const say = (known: Hosts): void => {
    const refusal = explainRefusal(header, origin, nowMs, (host) => known.get(host)?.state ?? null);
    if (refusedLinks.isNews(refusal, nowMs)) onRefused(refusal);
  };
  if (clockOffS(header, nowMs) === null) return say(latest.last?.value ?? new Map());
  waitUntil(latest.get(nowMs - TOLD_FROM_MS, () => readHosts(db), waitUntil).then(say, () => {}));
}

async function readHosts(db: D1Database): Promise<Hosts> {
  const rows = await drizzle(db).select({ id: hosts.id, publicKey: hosts.publicKey, state: hosts.state }).from(hosts);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

function notEnrolled(): RequestError {
  // With the time: a host whose clock is wrong learns by how much.
  return new RequestError('UNAUTHORIZED', 'Not an enrolled host, or its clock is wrong.', {
    date: new Date().toUTCString(),
  });
}
