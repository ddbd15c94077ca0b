import { isDeepStrictEqual } from 'node:util';
import { isRefunded } from '../../../schema/outcomes.ts';
import { Bank } from './bank.ts';
import { type Batch, type BatchResult, callFor } from './caller.ts';
import { type Lie, LIES } from './lies.ts';
import { Machine } from './machine.ts';
import { MailWorld, truthOf } from './mail-world.ts';
import { enrolmentOf, ENV } from './run-seed.ts';
import { Seeded } from './seeded.ts';
import { loadFleet, SimObject } from './sim-object.ts';
import { SimTime } from './sim-time.ts';

// One host of three lies from some moment on, and nothing else goes wrong: what customers paid for that was wrong, and when
// it was out.

const HOSTS = ['h0', 'h1', 'h2'];
const BATCHES = 150;
const EVERY_MS = 1_000;
const DOMAINS = 20;
const DEADLINE_MS = 60_000;
/** Canaries are asked each minute, and what is under way then is answered a little later. */
const OUT_WITHIN_MS = 65_000;

export type Lied = {
  readonly lie: string;
  /** Verdicts that were wrong and charged. */
  readonly wrong: number;
  readonly verdicts: number;
  /** From the first lie to the last wrong verdict, in seconds. */
  readonly lastedS: number;
  readonly faults: readonly string[];
};

export async function runLiar(seed: number): Promise<Lied> {
  const time = new SimTime();
  time.install();
  const random = new Seeded(seed);
  Math.random = random.next;
  console.info = console.warn = console.error = () => {};
  const lie = random.oneOf(LIES);
  const beginsAt = time.now() + random.between(10_000, 60_000);
  const world = new MailWorld<Machine>(() => time.now());
  const object = new SimObject(time, await loadFleet(), { ...ENV, COMPARE_EVERY: '100' });
  const around = { time, random, world, object, record: () => {} };
  const bank = new Bank(time, new Seeded(seed));
  const liar = random.oneOf(HOSTS);
  for (const [n, host] of HOSTS.entries()) {
    const sick = host === liar ? { lie, beginsAt } : { lie: null, beginsAt: Infinity };
    new Machine(`${host}-0`, enrolmentOf(host), around, { ...sick, egress: `192.0.2.${n + 1}` }).open();
  }
  const answers: { readonly batch: Batch; readonly answer: BatchResult }[] = [];
  for (let n = 0; n < BATCHES; n += 1) {
    const batch = newBatch(seed, n, random, time.now() + 2_000 + n * EVERY_MS);
    time.after(batch.begunAt - time.now(), () => {
      void callFor(batch, time, random, object, bank).then((answer) => answers.push({ batch, answer }));
    });
  }
  void bank.open();
  await time.runUntil(time.now() + BATCHES * EVERY_MS + DEADLINE_MS + 5_000);
  bank.audit();
  return judge(lie, answers, beginsAt);
}

function judge(
  { name, wrongMax }: Lie,
  answers: readonly { readonly batch: Batch; readonly answer: BatchResult }[],
  beginsAt: number,
): Lied {
  let [wrong, verdicts, lastAt] = [0, 0, beginsAt];
  for (const { batch, answer } of answers)
    for (const { address, evidence } of answer.found) {
      const [local, domain] = batch.addresses[address] ?? ['', ''];
      verdicts += 1;
      if (isRefunded(evidence.outcome) || isDeepStrictEqual(evidence.outcome, truthOf({ local, domain }).outcome))
        continue;
      wrong += 1;
      lastAt = Math.max(lastAt, answer.endedAt);
    }
  const lastedS = (lastAt - beginsAt) / 1_000;
  const faults: string[] = [];
  if (answers.length < BATCHES) faults.push(`${BATCHES - answers.length} batches were never answered`);
  if (wrong > wrongMax) faults.push(`${wrong} verdicts were wrong and charged while ${name}`);
  if (lastAt - beginsAt > OUT_WITHIN_MS) faults.push(`verdicts were wrong and charged for ${lastedS} s while ${name}`);
  return { lie: name, wrong, verdicts, lastedS, faults };
}

function newBatch(seed: number, n: number, random: Seeded, begunAt: number): Batch {
  const addresses = Array.from({ length: DOMAINS }, (_, d) => {
    const local = `${random.next() < 0.5 ? 'y' : 'n'}${d.toString(36)}`;
    return [local, `d${d}.s${seed}b${n}.test`] as const;
  });
  const id = `00000000-0000-7000-8000-${String(seed % 1_000_000).padStart(6, '0')}${String(n).padStart(6, '0')}`;
  return { id, addresses, begunAt, deadlineAt: begunAt + DEADLINE_MS, leavesAt: null, losesWorker: false };
}
