import type { Call } from '../base/call.ts';
import type { FleetView } from '../base/fleet-protocol.ts';
import { databaseName, databasesOf } from '../base/databases.ts';
import { alarmsObject, fleetShards } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { NOW_MS } from '../ledger/clock.ts';
import type { Seen } from './judge.ts';

// What /health and the cron check: the databases, the Fleet objects and the Alarms object, all at once.

/** How long each of them may take to answer. */
export const ANSWERS_WITHIN_MS = 3_000;

/** The observations, and each Fleet object's own view; null: it does not answer. */
export type Looked = Seen & { readonly views: ReadonlyArray<FleetView | null> };

/** Checks everything. One that does not answer is a finding, never an error. */
export async function look(reach: Pick<Call, 'env' | 'config'>): Promise<Looked> {
  const [database, views, alarmed] = await Promise.all([
    askDatabases(reach),
    Promise.all(fleetShards(reach).map((shard) => orNull(() => shard.view()))),
    orNull(() => alarmsObject(reach.env).recent()),
  ]);
  const wrong = reach.config.OPERATOR_KEYS === null ? ['OPERATOR_KEYS'] : [];
  const shards = views.map((view) => (view === null ? null : whoIsThere(view)));
  return { ...database, shards, outcomes: views.map((view) => view?.outcomes ?? []), alarmed, wrong, views };
}

/** The hosts that a Fleet object sees. */
export function whoIsThere({ hosts }: Pick<FleetView, 'hosts'>): NonNullable<Seen['shards'][number]> {
  const ready = hosts.filter((host) => host.healthy && !host.draining).length;
  return { ids: hosts.map(({ id }) => id), ready };
}

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await within(ANSWERS_WITHIN_MS, ask());
  } catch {
    return null;
  }
}

const CRON_AGE = `SELECT max(0, (${NOW_MS} - at) / 1000) AS age FROM heartbeat`;

/** All of them at once. A single one need not be named. */
async function askDatabases(reach: Pick<Call, 'env' | 'config'>): Promise<Pick<Seen, 'd1' | 'cronAgeS' | 'away'>> {
  const all = databasesOf(reach);
  const [first = { d1: false, cronAgeS: null }, ...others] = await Promise.all(all.map(askD1));
  if (others.length === 0) return first;
  const away = [first, ...others].flatMap(({ d1 }, number) => (d1 ? [] : [databaseName(number)]));
  return { d1: away.length === 0, cronAgeS: first.cronAgeS, away };
}

/** Whether the database answers, and how many seconds ago the cron last completed. */
async function askD1(db: D1Database): Promise<Pick<Seen, 'd1' | 'cronAgeS'>> {
  const row = await orNull(async () => ({ age: await db.prepare(CRON_AGE).first<number>('age') }));
  return { d1: row !== null, cronAgeS: row?.age ?? null };
}
