import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../random.ts';
import { openAccount, waitClosed } from './accounts.ts';
import { auditBooks } from './books.ts';
import { check, type Report } from './check.ts';
import { watchGrowth } from './growth.ts';
import { Load } from './load.ts';
import { setStage, type Stage } from './stage.ts';
import { type Upheaval, type UpheavalName, UPHEAVALS } from './upheavals.ts';

export type Size = {
  readonly inFlight: number;
  /** Of a list. */
  readonly entries: number;
  readonly deadlineMs: number;
  /** What each RCPT waits for its reply. */
  readonly answersAfterMs: number;
  /** How long what is stopped or cut stays so; of a long run, the whole. */
  readonly lastsMs: number;
  readonly kills: number;
  /** Lists a second; null: each caller sends its next as soon as it has its answer. */
  readonly rate: number | null;
  /** Repeats what is killed and when; not how the system schedules it. */
  readonly seed: number;
};

export type Orders = {
  readonly upheaval: UpheavalName;
  readonly size: Size;
  /** For the service's state and the logs; it is made. */
  readonly folder: string;
  /** The folder of an older host's code. */
  readonly older: string | null;
  /** One line of progress. */
  readonly say: (line: string) => void;
};

/** The local cron's period, the grace of a hold and something over. */
const SWEPT_AFTER_MS = 40_000;

/** Does one thing to a service of its own under load, and goes through what everybody saw of it. */
export async function runUpheaval(orders: Orders): Promise<Report> {
  const { deadlineMs, answersAfterMs } = orders.size;
  const stage = await setStage(orders.folder, deadlineMs, answersAfterMs);
  try {
    return await run(orders, stage);
  } finally {
    await stage.stop();
  }
}

async function run({ upheaval, size, older, say }: Orders, stage: Stage): Promise<Report> {
  const { inFlight, entries, deadlineMs, answersAfterMs, lastsMs, kills, rate } = size;
  const { breaksCalls: mayFail = false, prepare }: Upheaval = UPHEAVALS[upheaval];
  const { admin, url, askings } = stage;
  const customers = [await openAccount(admin, 1), await openAccount(admin, 2), await openAccount(admin, 3)] as const;
  const { hosts, act } = await prepare({ stage, older, lastsMs, say, kills, random: seededRandom(size.seed) });
  const everyMs = rate === null ? answersAfterMs : (inFlight * 1_000) / rate;
  const load = new Load({ url, customers, inFlight, entries, deadlineMs, everyMs, isPaced: rate !== null, mayFail });
  await sleep(2 * answersAfterMs);
  const growth = act === 'watch' ? await watchGrowth({ stage, hosts, load, lastsMs, say }) : [];
  if (act !== 'watch') await act();
  await sleep(2 * answersAfterMs);
  const seen = await load.stop();
  await waitClosed(admin, customers, deadlineMs + SWEPT_AFTER_MS);
  const books = await auditBooks(admin, customers, seen);
  for (const line of linesAbout(seen.failed, stage.log())) say(`500: ${line}`);
  return check(upheaval, { load: seen, askings, books, growth });
}

/** What the edge logged of these requests: why it answered them with 500. */
function linesAbout(ids: ReadonlySet<string>, log: string): readonly string[] {
  return log.split('\n').filter((line) => [...ids].some((id) => line.includes(id)));
}
