import type { Config } from '../config.ts';
import type { FleetControl } from '../fleet/protocol.ts';

/** What every operation of the operator's API works with. */
export type Services = {
  readonly db: D1Database;
  /** Every Fleet object. */
  readonly fleet: readonly FleetControl[];
  readonly config: Config;
  /** When the call came, in milliseconds since 1970. */
  readonly nowMs: number;
};

/** What an operation ends in; one that refuses throws a RequestError. 201 is for what this very call made. */
export type Done = { readonly status: 200 | 201; readonly body: object };

export function done(body: object, status: Done['status'] = 200): Done {
  return { status, body };
}

const DAY_MS = 86_400_000;

/** A whole day since 1970 UTC as `2026-11-20`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Milliseconds since 1970 UTC as `2026-11-20T12:00:00.000Z`. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
