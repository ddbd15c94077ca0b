import type { Open } from './open.ts';
import { type Status, STATUSES } from './verdicts.ts';

/** How many addresses have which status: the known ones first and always there, then those of a newer service. */
export type StatusCounts = ReadonlyMap<Open<Status>, number>;

/** @param statuses with the number of addresses of each */
export function countStatuses(statuses: Iterable<readonly [status: Open<Status>, addresses: number]>): StatusCounts {
  const counts = new Map<Open<Status>, number>(STATUSES.map((status) => [status, 0]));
  for (const [status, addresses] of statuses) counts.set(status, (counts.get(status) ?? 0) + addresses);
  return counts;
}
