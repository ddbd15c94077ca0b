import type { Alarmed } from '../base/alarms-protocol.ts';
import type { Call } from '../base/call.ts';
import type { FleetControl } from '../base/fleet-protocol.ts';
import { databaseName, databasesOf } from '../base/databases.ts';
import { alarmsObject, fleetShards } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { NOW_MS } from '../ledger/clock.ts';
import type { Seen } from './judge.ts';

// What /health and the cron look at: the database, the Fleet objects and the Alarms object, all at once.

/** How long each of them may take to answer. */
export const ANSWERS_WITHIN_MS = 3_000;

/** Looks at everything. One that does not answer is a finding, never an error. */
export async function look(reach: Pick<Call, 'env' | 'config'>): Promise<Seen> {
  const fleet = fleetShards(reach);
  const [database, shards, outcomes, alarmed] = await Promise.all([
    askDatabases(reach),
    Promise.all(fleet.map(whoIsThere)),
    Promise.all(fleet.map(readOutcomes)),
    readAlarmed(reach),
  ]);
  const wrong = reach.config.OPERATOR_KEYS === null ? ['OPERATOR_KEYS'] : [];
  return { ...database, shards, outcomes, alarmed, wrong };
}

const CRON_AGE = `SELECT max(0, (${NOW_MS} - at) / 1000) AS age FROM heartbeat`;

/** All of them at once. With one, nobody has to be told which. */
async function askDatabases(reach: Pick<Call, 'env' | 'config'>): Promise<Pick<Seen, 'd1' | 'cronAgeS' | 'away'>> {
  const all = databasesOf(reach);
  const [first = { d1: false, cronAgeS: null }, ...others] = await Promise.all(all.map(askD1));
  if (others.length === 0) return first;
  const away = [first, ...others].flatMap(({ d1 }, number) => (d1 ? [] : [databaseName(number)]));
  return { d1: away.length === 0, cronAgeS: first.cronAgeS, away };
}

/** Whether the database answers, and how many seconds ago the cron last ended its turn. */
async function askD1(db: D1Database): Promise<Pick<Seen, 'd1' | 'cronAgeS'>> {
  try {
    const row = await within(ANSWERS_WITHIN_MS, db.prepare(CRON_AGE).first<{ age: number }>());
    return { d1: true, cronAgeS: row?.age ?? null };
  } catch {
    return { d1: false, cronAgeS: null };
  }
}

/** The hosts of one Fleet object; null if it does not answer. */
export async function whoIsThere(shard: Pick<FleetControl, 'hosts'>): Promise<Seen['shards'][number]> {
  try {
    const hosts = await within(ANSWERS_WITHIN_MS, shard.hosts());
    const ready = hosts.filter((host) => host.healthy && !host.draining).length;
    return { ids: hosts.map(({ id }) => id), ready };
  } catch {
    return null;
  }
}

/** An object from before a deploy counts nothing. */
async function readOutcomes(shard: Pick<FleetControl, 'outcomes'>): Promise<Seen['outcomes'][number]> {
  try {
    return await within(ANSWERS_WITHIN_MS, shard.outcomes());
  } catch {
    return [];
  }
}

async function readAlarmed({ env }: Pick<Call, 'env'>): Promise<Alarmed | null> {
  try {
    return await within(ANSWERS_WITHIN_MS, alarmsObject(env).recent());
  } catch {
    return null;
  }
}
