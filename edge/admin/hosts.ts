import { and, asc, eq, ne } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type * as z from 'zod';
import type { HostEntry, hostBodySchema, hostStateBodySchema } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import type { HostState } from '../../schema/words/stored.ts';
import { hosts } from '../../schema/tables.ts';
import { enrolling, keyText } from '../join/enrol.ts';
import { publicSigningKeys } from '../fleet/keys/edge-keys.ts';
import type { ConnectedHost, RememberedHost } from '../base/fleet-protocol.ts';
import { within } from '../base/within.ts';
import { timeText } from '../base/time-text.ts';
import { type Done, done, type OfHost, type Services } from './operation.ts';

/** A Fleet object answers in milliseconds unless it is in trouble. */
const FLEET_ANSWERS_WITHIN_MS = 5_000;
const HOUR_MS = 3_600_000;
const ENROL = enrolling('?1', 'WHERE true');
const FIND = 'SELECT public_key AS publicKey, state FROM hosts WHERE id = ?1';

type HostBody = z.infer<typeof hostBodySchema>;
type StateBody = z.infer<typeof hostStateBodySchema>;

/**
 * Enrols a host by its public key; repeating it with the same key changes nothing. A removed name may be enrolled again
 * with a new key: the old one stays refused.
 */
export async function addHost(services: Services, { host }: OfHost, body: HostBody): Promise<Done> {
  const { db } = services;
  const key = keyText(body.publicKey);
  const [added, found] = await db.batch<{ readonly publicKey: string; readonly state: HostState }>([
    db.prepare(ENROL).bind(host, key),
    db.prepare(FIND).bind(host),
  ]);
  const [row] = found?.results ?? [];
  if (row?.publicKey !== key)
    throw new RequestError('CONFLICT', `Host ${host} is enrolled with another key: remove it first.`);
  if (row.state === 'removed')
    throw new RequestError('CONFLICT', `This key of host ${host} was removed: generate a new one.`);
  const isNew = added?.meta.changes === 1;
  // The objects keep a removed name out for a moment; one that is not told lets it in a little later.
  if (isNew) await tellFleet(services, host, 'active');
  return enrolled(services, host, row.state, isNew ? 201 : 200);
}

function enrolled({ config }: Services, id: string, state: HostState, status: 200 | 201): Done {
  const edgeKeys = publicSigningKeys(config.EDGE_SIGNING_KEY);
  return done({ id, state, shards: config.FLEET_SHARDS, edgeKeys }, status);
}

/** Every host ever enrolled, with what the Fleet objects see and remember of it. */
export async function listHosts(services: Services): Promise<Done> {
  const [rows, view] = await Promise.all([
    drizzle(services.db).select().from(hosts).orderBy(asc(hosts.id)),
    askFleet(services),
  ]);
  return done({
    hosts: rows.map((row): HostEntry => {
      const entry = { id: row.id, state: row.state, createdAt: timeText(row.createdAt) };
      return view === undefined ? { ...entry, ...UNSEEN } : { ...entry, ...seenOf(row.id, view, services.nowMs) };
    }),
  });
}

type Seen = Omit<HostEntry, 'id' | 'state' | 'createdAt'>;
type View = { readonly connected: readonly ConnectedHost[]; readonly remembered: readonly RememberedHost[] };

const UNSEEN: Seen = {
  instances: null,
  healthy: null,
  why: null,
  jobs: null,
  processes: [],
  lastSeen: null,
  lastRefusal: null,
  starts: [],
};

/** One host as all Fleet objects together see it: its processes are connected to each of them. */
function seenOf(id: string, { connected, remembered }: View, nowMs: number): Seen {
  const seen = connected.filter((host) => host.id === id);
  const widest = seen.toSorted((a, b) => b.instances - a.instances)[0]?.processes ?? [];
  const notes = remembered.filter((host) => host.id === id);
  const seenAtMs = Math.max(
    ...widest.map(({ heardAtMs }) => heardAtMs),
    ...notes.flatMap((note) => note.seenAtMs ?? []),
  );
  const starts = notes.map(({ startsAtMs }) => startsAtMs.filter((atMs) => nowMs - atMs <= HOUR_MS));
  const [mostStarts = []] = starts.toSorted((a, b) => b.length - a.length);
  const [refusal] = notes.flatMap((note) => note.refusal ?? []).toSorted((a, b) => b.atMs - a.atMs);
  return {
    instances: Math.max(0, ...seen.map((host) => host.instances)),
    healthy: seen.length === 0 ? null : seen.every((host) => host.healthy),
    why: seen.find((host) => host.why !== null)?.why ?? null,
    // A process reports all its jobs to each object.
    jobs: Math.max(0, ...seen.map((host) => host.jobs)),
    processes: widest.map(({ startedAtMs, heardAtMs, reachedAtMs, refusals, egressTroubles, ...process }) => ({
      ...process,
      refusals: [...refusals],
      egressTroubles: [...egressTroubles],
      reachedAt: reachedAtMs === null ? null : timeText(reachedAtMs),
      egress: [...process.egress],
      startedAt: timeText(startedAtMs),
      seenAt: timeText(heardAtMs),
    })),
    lastSeen: seenAtMs === -Infinity ? null : timeText(seenAtMs),
    lastRefusal: refusal === undefined ? null : { at: timeText(refusal.atMs), why: refusal.why },
    starts: mostStarts.map(timeText),
  };
}

/** What all Fleet objects see and remember; undefined if one of them could not be asked. */
async function askFleet({ fleet }: Services): Promise<View | undefined> {
  try {
    const views = await within(FLEET_ANSWERS_WITHIN_MS, Promise.all(fleet.map((shard) => shard.view())));
    return {
      connected: views.flatMap((view) => view.hosts),
      remembered: views.flatMap((view) => view.remembered),
    };
  } catch {
    return undefined;
  }
}

export async function setHostState(services: Services, params: OfHost, body: StateBody): Promise<Done> {
  const orm = drizzle(services.db);
  const changed = await orm
    .update(hosts)
    .set({ state: body.state })
    .where(and(eq(hosts.id, params.host), ne(hosts.state, 'removed')))
    .returning({ id: hosts.id });
  if (changed.length === 1) return orderFleet(services, params.host, body.state);
  const [old] = await orm.select({ id: hosts.id }).from(hosts).where(eq(hosts.id, params.host));
  if (old === undefined) throw new RequestError('NOT_FOUND', `No host ${params.host}.`);
  throw new RequestError('CONFLICT', `Host ${params.host} was removed: enrol it again.`);
}

/** Removes a host for good. Its row stays, so that its key is known as withdrawn. */
export async function removeHost(services: Services, params: OfHost): Promise<Done> {
  const changed = await drizzle(services.db)
    .update(hosts)
    .set({ state: 'removed' })
    .where(eq(hosts.id, params.host))
    .returning({ id: hosts.id });
  if (changed.length === 0) throw new RequestError('NOT_FOUND', `No host ${params.host}.`);
  return orderFleet(services, params.host, 'removed');
}

/** The state is stored in D1; open connections learn it now. */
async function orderFleet(services: Services, id: string, state: HostState): Promise<Done> {
  const deaf = await tellFleet(services, id, state);
  if (deaf === 0) return done({ id, state });
  const all = services.fleet.length;
  throw new RequestError('UNAVAILABLE', `Stored, but ${deaf} of ${all} Fleet objects did not get it: repeat the call.`);
}

/** @returns how many Fleet objects could not be told */
async function tellFleet({ fleet }: Services, id: string, state: HostState): Promise<number> {
  const told = await Promise.allSettled(
    fleet.map((shard) => within(FLEET_ANSWERS_WITHIN_MS, shard.setHostState(id, state))),
  );
  return told.filter((outcome) => outcome.status === 'rejected').length;
}
