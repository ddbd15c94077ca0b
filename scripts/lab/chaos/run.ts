import { setTimeout as sleep } from 'node:timers/promises';
import { openAccounts, waitClosed } from '../kill/accounts.ts';
import { auditBooks, type Books } from '../kill/books.ts';
import { type Load, startLoad } from './load.ts';
import { setStage, type Stage } from './stage.ts';
import { type UpheavalName, UPHEAVALS } from './upheavals.ts';

export type Size = {
  readonly inFlight: number;
  readonly addresses: number;
  readonly deadlineMs: number;
  /** What each RCPT waits for its reply. */
  readonly answersAfterMs: number;
  /** How long what is stopped or cut stays so. */
  readonly lastsMs: number;
};

export type Report = {
  readonly upheaval: UpheavalName;
  readonly what: string;
  readonly inFlight: number;
  /** Lists that were answered, and calls that broke off before. */
  readonly answered: number;
  readonly brokenOff: number;
  /** Addresses whose time ran out. */
  readonly timedOut: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Addresses by how often mail servers were asked about them: the first never, the next once, … */
  readonly askedTimes: readonly number[];
  readonly books: Pick<Books, 'batches' | 'held' | 'charged' | 'exact' | 'free' | 'returned'>;
  /** What must not be; empty: all held. */
  readonly faults: readonly string[];
};

const ACCOUNTS = ['chaos-1', 'chaos-2', 'chaos-3'] as const;
/** The local cron's period, the grace of a hold and something over. */
const SWEPT_AFTER_MS = 40_000;
const FAULTS_SHOWN = 10;

/**
 * Does one thing to a service of its own under load, and goes through what everybody saw of it.
 * @param folder for the service's state and the logs of hosts; it is made
 * @param older folder of an older host's code
 * @param say one line of progress
 */
export async function runUpheaval(
  upheaval: UpheavalName,
  size: Size,
  folder: string,
  older: string | null,
  say: (line: string) => void,
): Promise<Report> {
  const stage = await setStage(folder, size.deadlineMs, size.answersAfterMs);
  try {
    return await run(upheaval, size, older, say, stage);
  } finally {
    await stage.stop();
  }
}

async function run(
  upheaval: UpheavalName,
  size: Size,
  older: string | null,
  say: (line: string) => void,
  stage: Stage,
): Promise<Report> {
  const { what } = UPHEAVALS[upheaval];
  const [first, ...others] = await openAccounts(stage.admin, ACCOUNTS);
  if (first === undefined) throw new Error('a run without accounts');
  const customers = [first, ...others] as const;
  const { inFlight, addresses, deadlineMs, answersAfterMs, lastsMs } = size;
  const act = await UPHEAVALS[upheaval].prepare({ stage, older, lastsMs, say });
  const rampMs = answersAfterMs;
  const load = startLoad({ url: stage.url, customers, inFlight, addresses, deadlineMs, rampMs });
  await sleep(2 * rampMs);
  await act();
  await sleep(2 * rampMs);
  await load.stop();
  await waitClosed(stage.admin, customers, deadlineMs + SWEPT_AFTER_MS);
  const { faults, chargedWithoutAnswer, ...books } = await auditBooks(stage.admin, customers, load.answered);
  const tookMs = load.asked.map((asked) => asked.tookMs).toSorted((a, b) => a - b);
  return {
    upheaval,
    what,
    inFlight,
    answered: load.asked.length,
    brokenOff: load.brokenOff(),
    timedOut: load.timedOut(),
    p50Ms: Math.round(tookMs[Math.floor(tookMs.length * 0.5)] ?? 0),
    p99Ms: Math.round(tookMs[Math.floor(tookMs.length * 0.99)] ?? 0),
    askedTimes: countAskings(load, stage),
    books,
    faults: [
      ...firstOf(load.faults),
      ...firstOf(faultsOfAskings(upheaval, load, stage)),
      ...firstOf(faults),
      ...firstOf(chargedWithoutAnswer.map((id) => `${id}: charged, and no whole answer came`)),
    ],
  };
}

function countAskings({ asked }: Load, { askings }: Stage): readonly number[] {
  const counts: number[] = [];
  for (const email of asked.flatMap(({ emails }) => emails)) {
    const times = askings.get(email)?.length ?? 0;
    counts[times] = (counts[times] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

function faultsOfAskings(upheaval: UpheavalName, load: Load, { askings }: Stage): readonly string[] {
  const { askedMost, breaksCalls = false }: { askedMost: number; breaksCalls?: boolean } = UPHEAVALS[upheaval];
  const tooOften = load.asked.flatMap(({ emails, calls }) =>
    emails
      .map((email) => askings.get(email)?.length ?? 0)
      .filter((times) => times > calls * askedMost)
      .map((times) => `an address was asked about ${times} times in ${calls} calls`),
  );
  const broken = load.brokenOff() > 0 && !breaksCalls ? [`${load.brokenOff()} calls broke off`] : [];
  return [...tooOften, ...broken];
}

/** The first of them stand for all. */
function firstOf(faults: readonly string[]): readonly string[] {
  const rest = faults.length - FAULTS_SHOWN;
  return rest <= 0 ? faults : [...faults.slice(0, FAULTS_SHOWN), `and ${rest} more of these`];
}
