import type { Call } from './call.ts';
import { ConfigError } from './config.ts';

// The databases that accounts are in. Database 0, `DB`, is also the directory: people, sessions, invitations, orders,
// hosts, and for every account its name, its people, and the database that has its money and keys. `DB_1` to `DB_15`
// contain only accounts' money, keys and use. No transaction spans two databases.

/** The database that an account is in, and all of them by their numbers. */
export type Home = { readonly db: D1Database; readonly all: readonly D1Database[] };

type Reach = Pick<Call, 'env' | 'config'>;

const known = new WeakMap<object, readonly D1Database[]>();

/** The name of a database among the Worker's bindings. */
export function databaseName(number: number): string {
  return number === 0 ? 'DB' : `DB_${number}`;
}

/** The databases by number, as many as LEDGER_DATABASES says. @throws ConfigError that names a missing binding */
export function databasesOf({ env, config }: Reach): readonly D1Database[] {
  if (config.LEDGER_DATABASES === 1) return [env.DB];
  const found = known.get(env);
  if (found !== undefined) return found;
  const all = [env.DB];
  for (let number = 1; number < config.LEDGER_DATABASES; number += 1) {
    const db = env[databaseName(number)];
    if (!isDatabase(db)) throw new ConfigError(['LEDGER_DATABASES', databaseName(number)]);
    all.push(db);
  }
  known.set(env, all);
  return all;
}

/** The home of everything that belongs to no account. */
export function directoryOf(reach: Reach): Home {
  return homeAt(reach, 0);
}

/** @throws Error for an unknown number */
export function homeAt(reach: Reach, number: number): Home {
  const all = databasesOf(reach);
  const db = all[number];
  if (db === undefined) throw new Error(`LEDGER_DATABASES is ${all.length}, but an account is in database ${number}`);
  return { db, all };
}

/** @throws Error for a number that the directory has and no binding does */
export function databaseWith({ all }: Home, number: number): D1Database {
  const db = all[number];
  if (db === undefined) throw new Error(`there is no database ${databaseName(number)} among the Worker's`);
  return db;
}

function isDatabase(binding: unknown): binding is D1Database {
  return typeof binding === 'object' && binding !== null && 'prepare' in binding && 'batch' in binding;
}
