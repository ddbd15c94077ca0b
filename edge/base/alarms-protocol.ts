import type { TrafficCounts } from '../../schema/words/traffic.ts';
import type { Raised } from './paging.ts';
import type { ByMinute } from './recent-counts.ts';

/** What the Alarms object knows about the last five minutes. */
export type Alarmed = {
  /** Requests that failed outside the fleet, by what failed: `database`, `fleet`, `worker`. */
  readonly faults: ByMinute;
  /** How long ago the cron last failed to write to the database; null: it has not failed. */
  readonly unwrittenS: number | null;
};

/** The Alarms object, as the Worker and the Fleet objects call it. */
export interface AlarmsObject extends Rpc.DurableObjectBranded {
  /**
   * Counts these and posts what is new this hour to the operator's webhook. Takes as long as the webhook does, so call
   * it where nothing waits.
   */
  raise(raised: readonly Raised[]): Promise<void>;
  recent(): Promise<Alarmed>;
  /** Adds to the counts of this minute and this hour. */
  count(counts: TrafficCounts): Promise<void>;
  /** By minute for an hour, and by hour for a week; the newest first. */
  traffic(): Promise<{ readonly minutes: ByMinute; readonly hours: ByMinute }>;
}
