import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { AlarmsObject } from '../base/alarms-protocol.ts';
import type { Config } from '../base/config.ts';
import type { Home } from '../base/databases.ts';
import type { FleetControl } from '../base/fleet-protocol.ts';

const ROWS_SHOWN = 100;

/** What every operation of the operator's API works with. */
export type Services = {
  /** What belongs to no account, and the directory's part of accounts. */
  readonly db: D1Database;
  /** The directory among all databases. */
  readonly directory: Home;
  /** Every Fleet object. */
  readonly fleet: readonly FleetControl[];
  readonly alarms: Pick<AlarmsObject, 'traffic'>;
  readonly config: Config;
  /** When the call came, in milliseconds since 1970. */
  readonly nowMs: number;
};

/** The result of an operation; a refusal throws a RequestError. 201 is for what this very call created. */
export type Done = { readonly status: 200 | 201; readonly body: object };

export function done(body: object, status: Done['status'] = 200): Done {
  return { status, body };
}

/** What the path of a call names. */
export type OfAccount = { readonly account: string };
export type OfHost = { readonly host: string };
export type OfKey = { readonly key: string };

export function noAccount(id: string): RequestError {
  return new RequestError('NOT_FOUND', `No account ${id}.`);
}

/** How many rows a call asks for. */
export const rowsUpTo = (most: number) =>
  z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(most))
    .default(ROWS_SHOWN);
