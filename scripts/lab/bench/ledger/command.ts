import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { hashKey } from '../../../../edge/access/key.ts';
import { databaseName } from '../../../../edge/base/databases.ts';
import { setStage, type Stage } from '../edge/stage.ts';
import { type Asked, asFastAsTheyAre, atRate, post, stopCalling, timeOf } from './calls.ts';
import { rowsWritten } from './rows-written.ts';

const ENTRY = fileURLToPath(new URL('../../../../edge/testing/worker/paced-databases.ts', import.meta.url));
const NO_LIMIT = 1_000_000;
/** What D1 takes for a batch of the ledger, so that one database does 250 a second. */
const PACE_MS = 4;
const SECONDS = 8;
const COUNTS = [1, 2, 4] as const;
const ACCOUNTS = 32;
const LANES_EACH = 16;
const BODY = JSON.stringify({ emails: ['someone@bench.test'] });
const LOCKED = 1;
/** By when a call of an account in a database that does not answer must be answered. */
const REFUSED_WITHIN_MS = 2_000;

/** `bench ledger`: what a call costs in D1, and how holds and calls grow with the databases. */
export function ledgerCommand(): Command {
  return new Command('ledger')
    .description('holds and single calls over 1, 2 and 4 databases, and what they write')
    .action(async () => {
      const failed: string[] = [];
      const check = (what: string, isSo: boolean): void => void (isSo || failed.push(what));
      for (const databases of COUNTS) {
        const stage = await setStage(ACCOUNTS, NO_LIMIT, { entry: ENTRY, databases });
        try {
          if (databases === 1)
            say(...(await rowsWritten(stage.dbs[0] ?? nothing(), await hashKey(stage.keys[0] ?? ''))));
          for (const paceMs of [0, PACE_MS]) say(await holds(stage, paceMs, check));
          await calls(stage, check);
          if (databases === 4) await besideLocked(stage, check);
        } finally {
          await stage.stop();
        }
      }
      stopCalling();
      for (const what of failed) say(`FAILED: ${what}`);
      if (failed.length > 0) process.exitCode = 1;
    });
}

type Check = (what: string, isSo: boolean) => void;

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function nothing(): never {
  throw new Error('no database');
}

async function databasesAre(stage: Stage, query: string): Promise<void> {
  await post(new URL(`/bench/databases?${query}`, stage.edge), null);
}

/** Holds and settlements of the ledger alone, in turns with the same statements without it. */
async function holds(stage: Stage, paceMs: number, check: Check): Promise<string> {
  await databasesAre(stage, `pace=${paceMs}`);
  const count = stage.dbs.length;
  const hashes = await Promise.all(stage.keys.map(hashKey));
  const round = async (path: 'hold' | 'floor', seconds: number): Promise<number> => {
    const before = await rows(stage);
    const asked = await asFastAsTheyAre(LANES_EACH * count, seconds, (n) => {
      const account = n % ACCOUNTS;
      const key = path === 'floor' ? String(account) : (hashes[account] ?? '');
      return post(new URL(`/bench/${path}?database=${databaseName(account % count)}&key=${key}`, stage.edge), null);
    });
    const { ledger, bytes } = await rows(stage);
    check(`${path}: each of ${asked.length} calls is in the ledger`, ledger - before.ledger === asked.length);
    check(
      `${path}: each call was answered`,
      asked.every(({ status }) => status === 200),
    );
    bytesEach = (bytes - before.bytes) / asked.length;
    return asked.length / seconds;
  };
  let bytesEach = 0;
  await round('floor', 1);
  await round('hold', 1);
  const floor = await round('floor', SECONDS);
  const ours = await round('hold', SECONDS);
  const how = paceMs === 0 ? 'as fast as this machine' : `${paceMs} ms a batch`;
  return `holds and settlements, ${count} databases, ${how}: ${ours.toFixed(0)} a second, floor ${floor.toFixed(0)} (${(floor / ours).toFixed(2)} x), ${bytesEach.toFixed(0)} bytes each`;
}

async function rows({ dbs }: Stage): Promise<{ readonly ledger: number; readonly bytes: number }> {
  let [ledger, bytes] = [0, 0];
  for (const db of dbs) {
    const { results, meta } = await db
      .prepare("SELECT count(*) AS n FROM ledger WHERE kind = 'hold'")
      .all<{ n: number }>();
    ledger += results[0]?.n ?? 0;
    bytes += meta.size_after;
  }
  return { ledger, bytes };
}

/** Single calls of the API: 50 a second, and as many as the databases take. */
async function calls(stage: Stage, check: Check): Promise<void> {
  await databasesAre(stage, `pace=${PACE_MS}`);
  const send = (n: number): Promise<Asked> => verify(stage, n % ACCOUNTS);
  await asFastAsTheyAre(8, 2, send);
  for (const [name, run] of [
    ['50 a second', () => atRate(50, SECONDS, send)],
    ['at the limit', () => asFastAsTheyAre(LANES_EACH * stage.dbs.length, SECONDS, send)],
  ] as const) {
    const asked = await run();
    check(
      `calls, ${name}: all are answered`,
      asked.every(({ status }) => status === 200),
    );
    say(
      `single calls, ${stage.dbs.length} databases, ${name}: ${(asked.length / SECONDS).toFixed(0)} a second, ${times(asked)}`,
    );
  }
  await stage.settled();
}

function times(asked: readonly Asked[]): string {
  return `p50 ${timeOf(asked, 0.5)}, p99 ${timeOf(asked, 0.99)}`;
}

/** Calls of the other accounts, and of those whose database is locked. */
async function besideLocked(stage: Stage, check: Check): Promise<void> {
  const count = stage.dbs.length;
  const others = [...stage.keys.keys()].filter((account) => account % count !== LOCKED);
  const locked = [...stage.keys.keys()].filter((account) => account % count === LOCKED);
  const elsewhere = (n: number): Promise<Asked> => verify(stage, others[n % others.length] ?? 0);
  const before = await atRate(50, SECONDS, elsewhere);
  await databasesAre(stage, `pace=${PACE_MS}&locked=${databaseName(LOCKED)}`);
  const [beside, theirs] = await Promise.all([
    atRate(50, SECONDS, elsewhere),
    atRate(5, SECONDS, (n) => verify(stage, locked[n % locked.length] ?? 0)),
  ]);
  await databasesAre(stage, 'pace=0');
  check(
    'beside a locked database all are answered',
    beside.every(({ status }) => status === 200),
  );
  check(
    'in a locked database all are 500 with Retry-After',
    theirs.every(({ status, retryAfterS }) => status === 500 && (retryAfterS ?? 0) > 0),
  );
  check(
    `in a locked database none waits longer than ${REFUSED_WITHIN_MS} ms`,
    theirs.every(({ ms }) => ms < REFUSED_WITHIN_MS),
  );
  say(
    `single calls, 50 a second, of accounts in the other databases: ${times(before)}; with ${databaseName(LOCKED)} locked: ${times(beside)}`,
  );
  say(
    `single calls in ${databaseName(LOCKED)}, locked: ${theirs.length} of ${theirs.length} asked, ${theirs.filter(({ status }) => status === 500).length} were 500, ${times(theirs)}`,
  );
}

function verify({ edge, keys }: Stage, account: number): Promise<Asked> {
  return post(new URL('/api/v1/verify', edge), keys[account] ?? '', BODY);
}
