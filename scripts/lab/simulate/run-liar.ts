import * as z from 'zod';
import type { Outcome } from '../../../schema/evidence.ts';
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

// One host of three lies from some moment on, or two, and nothing else goes wrong: what customers paid for that was wrong,
// and when the liars were out.

const HOSTS = ['h0', 'h1', 'h2'];
const BATCHES = 150;
const EVERY_MS = 1_000;
const DOMAINS = 20;
const DEADLINE_MS = 60_000;
const OUT_WITHIN_S = 60;
/** Of ten domains this many are at one provider. */
const AT_PROVIDER = 3;
/** Of the addresses of the first minute of peace, when no host has proven itself: 3 % in the long run. */
const ASKED_TWICE_MAX = 0.1;
const lineSchema = z.object({ event: z.string(), host: z.string().optional() });

export type Lied = {
  readonly lie: string;
  /** Verdicts that were wrong and charged. */
  readonly wrong: number;
  readonly verdicts: number;
  /** Verdicts that cost nothing. */
  readonly free: number;
  /** Seconds from the first lie until the last liar was out; null: one never was. */
  readonly outAfterS: number | null;
  /** Questions put to a second host, by addresses, before anybody lied. */
  readonly askedTwice: number;
  readonly faults: readonly string[];
};

export async function runLiar(seed: number): Promise<Lied> {
  const time = new SimTime();
  time.install();
  const random = new Seeded(seed);
  Math.random = random.next;
  const lie = LIES[seed % LIES.length] ?? random.oneOf(LIES);
  const beginsAt = time.now() + random.between(20_000, 60_000);
  const out = new Map<string, number>();
  console.info = console.error = () => {};
  console.warn = (line: string) => {
    const { event, host } = lineSchema.parse(JSON.parse(line));
    if (event === 'host_unhealthy' && host !== undefined && !out.has(host)) out.set(host, time.now());
  };
  const world = new MailWorld<Machine>(() => time.now());
  const object = new SimObject(time, await loadFleet(), { ...ENV, COMPARE_EVERY: '50' });
  const around = { time, random, world, object, record: () => {} };
  // With lots of its own: how often the books are asked changes nothing else.
  const bank = new Bank(time, new Seeded(seed));
  const first = random.whole(0, HOSTS.length - 1);
  const liars = HOSTS.filter((_, n) => (n - first + HOSTS.length) % HOSTS.length < lie.liars);
  for (const [n, host] of HOSTS.entries()) {
    const sick = liars.includes(host) ? { lie, beginsAt } : { lie: null, beginsAt: Infinity };
    new Machine(`${host}-0`, enrolmentOf(host), around, { ...sick, egress: `192.0.2.${n + 1}` }).open();
  }
  const accounts = random.oneOf([1, 3]);
  const answers: Answered[] = [];
  for (let n = 0; n < BATCHES; n += 1) {
    const batch = newBatch(seed, n, accounts, random, time.now() + 2_000 + n * EVERY_MS);
    time.after(batch.begunAt - time.now(), () => {
      void callFor(batch, time, random, object, bank).then((answer) => answers.push({ batch, answer }));
    });
  }
  void bank.open();
  await time.runUntil(time.now() + BATCHES * EVERY_MS + DEADLINE_MS + 5_000);
  bank.audit();
  return judge(lie, answers, { accounts, beginsAt, liars, out, world });
}

type Answered = { readonly batch: Batch; readonly answer: BatchResult };
type Seen = {
  readonly accounts: number;
  readonly beginsAt: number;
  readonly liars: readonly string[];
  /** When the operator was told of a host. */
  readonly out: ReadonlyMap<string, number>;
  readonly world: MailWorld<Machine>;
};

function judge(lie: Lie, answers: readonly Answered[], { accounts, beginsAt, liars, out, world }: Seen): Lied {
  const { name, wrongMax, toldFrom } = lie;
  let [wrong, verdicts, free] = [0, 0, 0];
  const peace = { addresses: 0, askings: 0 };
  for (const { batch, answer } of answers) {
    for (const { address, evidence } of answer.found) {
      const [local, domain] = batch.addresses[address] ?? ['', ''];
      verdicts += 1;
      if (isRefunded(evidence.outcome)) free += 1;
      else if (meaningOf(evidence.outcome) !== meaningOf(truthOf({ local, domain }).outcome)) wrong += 1;
    }
    if (answer.endedAt > beginsAt) continue;
    peace.addresses += batch.addresses.length;
    for (const [local, domain] of batch.addresses) peace.askings += world.askings(`${local}@${domain}`).length;
  }
  const outAt = liars.map((host) => out.get(host) ?? Infinity);
  const outAfterS = Math.max(...outAt) === Infinity ? null : (Math.max(...outAt) - beginsAt) / 1_000;
  const askedTwice = peace.askings / peace.addresses - 1;
  const faults: string[] = [];
  if (answers.length < BATCHES) faults.push(`${BATCHES - answers.length} batches were never answered`);
  if (wrong > wrongMax) faults.push(`${wrong} verdicts were wrong and charged while ${name}`);
  if (accounts >= toldFrom && (outAfterS ?? Infinity) > OUT_WITHIN_S)
    faults.push(`a liar is out after ${outAfterS} s while ${name}`);
  for (const host of out.keys())
    if (!liars.includes(host)) faults.push(`${host}, which is honest, is out while ${name}`);
  if (askedTwice > ASKED_TWICE_MAX) faults.push(`${askedTwice} of the addresses were asked about twice before ${name}`);
  return { lie: name, wrong, verdicts, free, outAfterS, askedTwice, faults };
}

/** What callers are told of it. */
function meaningOf(outcome: Outcome): string {
  return outcome.kind === 'accepted' ? `accepted, and a made-up mailbox ${outcome.madeUp.kind}` : outcome.kind;
}

function newBatch(seed: number, n: number, accounts: number, random: Seeded, begunAt: number): Batch {
  const account = n % accounts;
  const addresses = Array.from({ length: DOMAINS }, (_, d) => {
    const local = `${random.next() < 0.5 ? 'y' : 'n'}${random.whole(0, 9)}${d.toString(36)}`;
    return [local, `${d % 10 < AT_PROVIDER ? 'google' : 'd'}${d}-s${seed}b${n}-${account}.test`] as const;
  });
  // Whose batch it is follows from the last digit: `bank.ts`.
  const id = `00000000-0000-7000-8000-${String(seed % 1_000_000).padStart(6, '0')}${String(n).padStart(5, '0')}${account}`;
  return { id, addresses, begunAt, deadlineAt: begunAt + DEADLINE_MS, leavesAt: null, losesWorker: false };
}
