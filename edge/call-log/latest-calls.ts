import { keepLatest } from '../../schema/keep-latest.ts';
import { Latest } from '../base/latest.ts';
import { type LoggedCall, readCalls } from './read-calls.ts';

// The log of an account with many calls costs D1 a tenth of a second, which other accounts wait for. So an isolate reads
// it once a second at most, however many ask and whatever page of it.

const FRESH_MS = 1_000;
const D1_TIMEOUT_MS = 10_000;
/** Each holds up to 2,000 calls; the oldest goes first. */
const LOGS_MAX = 16;

type Logs = Map<string, Latest<readonly LoggedCall[]>>;
const byDatabase = new WeakMap<D1Database, Logs>();

/** The latest calls of an account, newest first, as they were within the last second. @throws what D1 throws */
export function latestCalls(
  db: D1Database,
  who: Parameters<typeof readCalls>[1],
  nowMs: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<readonly LoggedCall[]> {
  const logs: Logs = byDatabase.get(db) ?? new Map();
  byDatabase.set(db, logs);
  const log = logs.get(who.accountId) ?? new Latest(D1_TIMEOUT_MS);
  keepLatest(logs, who.accountId, log, LOGS_MAX);
  return log.get(nowMs - FRESH_MS, () => readCalls(db, who), waitUntil);
}
