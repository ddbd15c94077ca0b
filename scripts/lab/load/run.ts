import { setTimeout as sleep } from 'node:timers/promises';
import { Seeded } from '../../base/seeded.ts';
import { Callers } from './callers.ts';
import { auditBooks, type Books, faultsOfAskings, faultsOfResults, firstOf } from './check.ts';
import { addressOfB, type Beside, lanesOf, listOf, type Scene, type Upheaval } from './scenes.ts';
import { type Account, setStage, type Stage, waitClosed } from './stage.ts';

export type Size = { readonly kills: number; readonly seed: number };

/** What came of a scene. `line`: its figures; `faults`: what must not be, empty if all held. */
export type Report = {
  readonly line: string;
  readonly faults: readonly string[];
  readonly answered: number;
  readonly books: Books;
};

const DEADLINE_MS = 8_000;
/** The local cron's period, the grace of a hold and something over. */
const SWEPT_AFTER_MS = 40_000;
/** Until a crowd is one. */
const GATHERS_MS = 6_000;
const CALLS_OF_B = 20;
/** Slower than a host may begin sessions with one address. */
const EVERY_MS = 1_000;

/** Plays one scene on a service of its own. @param folder for its state; it is made */
export async function play(scene: Scene, size: Size, folder: string): Promise<Report> {
  const stage = await setStage(folder, scene.answersAfterMs, scene.kind === 'beside' ? [] : UPHEAVED);
  try {
    return scene.kind === 'upheaval' ? await upheave(scene, stage, size) : await askBeside(scene, stage);
  } finally {
    await stage.stop();
  }
}

/** Each mailbox is asked about once, by one host; what is lost with a process is swept within seconds. */
const UPHEAVED = ['RATE_LIMIT=0', 'COMPARE_EVERY=0', `BATCH_DEADLINE_S=${DEADLINE_MS / 1_000}`, 'HOLD_GRACE_S=2'];

async function upheave(scene: Upheaval, stage: Stage, size: Size): Promise<Report> {
  for (const id of scene.hosts) await stage.hosts.start(id);
  const lanes = await lanesOf(stage, scene.crowd);
  const callers = new Callers(stage.url);
  for (const account of lanes) callers.start(account, (n) => listOf(scene.crowd, n));
  const settlesMs = 2 * scene.answersAfterMs + 500;
  await sleep(settlesMs);
  await scene.act({ stage, random: new Seeded(size.seed), kills: size.kills });
  await sleep(settlesMs);
  await callers.stop();
  const { books, faults } = await audit(stage, lanes, callers);
  const { answered, failed, brokenOff, refused } = callers.figures;
  const broke = brokenOff + failed.size;
  return {
    line: `${answered.length} lists answered, ${brokenOff} calls broken off, ${failed.size} failed, ${refused} refused, ${books.charged} credits charged, ${books.exact} batches exact`,
    answered: answered.length,
    books,
    faults: [
      ...faults,
      ...firstOf(answered.flatMap((one) => faultsOfResults(one, scene.breaksCalls === true))),
      ...firstOf(faultsOfAskings(answered, stage.world, scene.askedMost)),
      ...(broke > 0 && scene.breaksCalls !== true ? [`${broke} calls broke off or failed`] : []),
      ...(broke === 0 && scene.breaksCalls === true ? ['nothing was broken off: nothing was tried'] : []),
    ],
  };
}

async function askBeside(scene: Beside, stage: Stage): Promise<Report> {
  await stage.hosts.start('only');
  const b = await stage.open('b', 'bought');
  const asking = new Callers(stage.url);
  const alone = await askOften(asking, b, 0);
  const lanes = await lanesOf(stage, scene.crowd);
  const callers = new Callers(stage.url);
  for (const account of lanes) callers.start(account, (n) => listOf(scene.crowd, n));
  await sleep(GATHERS_MS);
  const refusedBefore = callers.figures.refused;
  const beside = await askOften(asking, b, CALLS_OF_B);
  const refusedBeside = callers.figures.refused - refusedBefore;
  await callers.stop(true);
  const { books, faults } = await audit(stage, [b], asking);
  const { answered, refused, failed } = asking.figures;
  const late = beside.p99Ms > scene.p99Ms ? [`p99 ${beside.p99Ms} ms, at most ${scene.p99Ms}`] : [];
  return {
    line: `alone ${alone.line}; beside ${beside.line}; ${refusedBeside} calls of the crowd were refused meanwhile`,
    answered: answered.length,
    books,
    faults: [
      ...faults,
      ...late,
      ...(refusedBeside < scene.refusedLeast ? [`only ${refusedBeside} calls were refused: it was no crowd`] : []),
      ...answered.flatMap((one) => faultsOfResults(one, false)),
      ...(refused + failed.size > 0 ? ['B was refused or failed'] : []),
    ],
  };
}

/** B asks for one address now and then, and does not wait for an answer before it asks again. */
async function askOften(callers: Callers, b: Account, first: number) {
  const calls: ReturnType<Callers['ask']>[] = [];
  for (let n = first; n < first + CALLS_OF_B; n += 1) {
    calls.push(callers.ask(b, [addressOfB(n)]));
    await sleep(EVERY_MS);
  }
  const answers = (await Promise.all(calls)).filter((one) => one !== null);
  const took = answers.map(({ tookMs }) => Math.round(tookMs)).toSorted((x, y) => x - y);
  const [p50Ms, p99Ms] = [took[took.length >> 1] ?? Infinity, took.at(-1) ?? Infinity];
  const served = answers.filter(({ results }) => results[0]?.result === 'deliverable').length;
  return { p99Ms, line: `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${served} of ${CALLS_OF_B} served` };
}

/** The ledgers of these accounts, once nothing is under way any more. */
async function audit(stage: Stage, lanes: readonly Account[], callers: Callers) {
  const accounts = [...new Map(lanes.map((one) => [one.id, one])).values()];
  await waitClosed(stage.admin, accounts, DEADLINE_MS + SWEPT_AFTER_MS);
  const { books, faults } = await auditBooks(stage.admin, accounts, callers.figures);
  return { books, faults: [...firstOf(callers.figures.unexpected), ...firstOf(faults)] };
}
