import { createHash, createPrivateKey } from 'node:crypto';
import { type PrivateJwk, privateJwkSchema, publicHalf } from '../../../schema/jwk.ts';
import type { Enrolment } from '../../../schema/enrolment.ts';
import { type Batch, callFor } from './caller.ts';
import { faultsOf, type Run } from './check.ts';
import { Machine } from './machine.ts';
import { MailWorld } from './mail-world.ts';
import { Seeded } from '../../base/seeded.ts';
import { loadFleet, SimObject } from './sim-object.ts';
import { SimTime } from './sim-time.ts';

const DEADLINE_MS = 60_000;
/** Batches begin and faults happen in this time; then all comes to rest. */
const UNREST_MS = 60_000;
const REST_MS = 60_000;
/** How often the platform looks whether the object may sleep. */
const SLEEP_LOOK_MS = 500;
/** This share of callers may go away before they are answered. */
const LEAVERS = 0.15;
/** This share of batches is large, of so many domains that what is lost late can still be asked about. */
const LARGE = 0.05;
/** A link that fails at first is dialled anew a few times. */
const DIALS_IN_MS = 1_000;
const ORIGIN = 'https://rcpt.example';

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410 §7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The same in every run: which host is preferred follows from the edge's key. */
function keyOf(name: string): PrivateJwk {
  const key = Buffer.concat([PKCS8, createHash('sha256').update(name).digest()]);
  return privateJwkSchema.parse(createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }));
}
const KEYS = { edge: keyOf('edge'), host: keyOf('host') };
const ENV = {
  KEY_SECRETS: 'simulated'.repeat(8),
  // Nobody is asked twice here but for losses: that is what is checked.
  COMPARE_EVERY: '0',
  OPERATOR_KEYS: '{}',
  EDGE_SIGNING_KEY: JSON.stringify(KEYS.edge),
};

/** A host of the simulated deployment. */
function enrolmentOf(host: string): Enrolment {
  return { v: 1, host, origin: ORIGIN, shards: 1, privateKey: KEYS.host, edgeKeys: [publicHalf(KEYS.edge)] };
}

function uuidBy(next: () => number): string {
  return '00000000-0000-4000-8000-000000000000'.replaceAll('0', () => Math.floor(next() * 16).toString(16));
}

export type Ended = {
  readonly faults: readonly string[];
  /** What happened, in order. */
  readonly history: readonly string[];
  readonly batches: number;
};

/** One run: a few hosts, a dozen batches, and what the seed does to them. */
export async function runSeed(seed: number): Promise<Ended> {
  const time = new SimTime();
  time.install();
  const random = new Seeded(seed);
  Math.random = random.next;
  Object.defineProperty(crypto, 'randomUUID', { value: () => uuidBy(random.next), configurable: true });
  const startedAt = time.now();
  const history: string[] = [];
  const record = (what: string): void => void history.push(`${((time.now() - startedAt) / 1000).toFixed(3)} ${what}`);
  console.info = console.warn = console.error = (line: string) => record(`object: ${line.slice(45)}`);
  const world = new MailWorld<Machine>(() => time.now());
  const object = new SimObject(time, await loadFleet(), { ...ENV });
  const around = { time, random, world, object, record };
  const machines: Machine[] = [];
  const start = (host: string): void => {
    const machine = new Machine(`${host}-${machines.length}`, enrolmentOf(host), around);
    machines.push(machine);
    record(`${machine.name} starts`);
    machine.open();
  };
  const hosts = random.whole(2, 4);
  for (let n = 0; n < hosts; n += 1) start(`h${n}`);
  const look = (): void => {
    object.sleepIfIdle();
    time.after(SLEEP_LOOK_MS, look);
  };
  look();
  const resets: number[] = [];
  const troubles = random.whole(0, 8);
  for (let n = 0; n < troubles; n += 1)
    time.after(random.between(2_000, UNREST_MS), () =>
      trouble(random, machines, start, () => {
        record('the object is reset');
        resets.push(time.now());
        object.reset();
      }),
    );
  const batches = Array.from({ length: random.whole(8, 20) }, (_, n) => newBatch(seed, n, random, startedAt));
  const answers: Run['batches'][number][] = batches.map((batch) => ({ batch, answer: null }));
  const call = async (n: number, batch: Batch): Promise<void> => {
    record(`${batch.id} begins with ${batch.addresses.length} addresses`);
    const answer = await callFor(batch, time, random, object);
    record(`${batch.id} is ${answer.kind} with ${answer.found.length} answers`);
    answers[n] = { batch, answer };
  };
  for (const [n, batch] of batches.entries()) time.after(batch.begunAt - startedAt, () => void call(n, batch));
  await time.runUntil(startedAt + UNREST_MS + DEADLINE_MS + REST_MS);
  const steady = (atMs: number): boolean => machines.some((machine) => machine.alive && wasWell(machine, atMs));
  const faults = faultsOf({ batches: answers, machines, steady, resets, world });
  return { faults, history, batches: batches.length };
}

/** Nothing was ever done to it, and it had time to dial in. */
function wasWell({ startedAt, troubledAt, isDraining }: Machine, atMs: number): boolean {
  return troubledAt === -Infinity && !isDraining && startedAt + DIALS_IN_MS <= atMs;
}

/** What happens often comes often: a link breaks with each deploy, and hosts are rolled. */
const TROUBLES = [
  'dies',
  'is replaced after its death',
  'freezes',
  'is cut off',
  'loses its link',
  'loses its link',
  'loses its link',
  'is rolled',
  'is rolled',
  'the object is reset',
] as const;

function trouble(random: Seeded, machines: readonly Machine[], start: (host: string) => void, reset: () => void): void {
  const machine = random.oneOf(machines);
  if (!machine.alive) return;
  const host = machine.name.slice(0, machine.name.indexOf('-'));
  switch (random.oneOf(TROUBLES)) {
    case 'dies':
      return machine.kill(random.next() < 0.5);
    case 'is replaced after its death':
      machine.kill(false);
      return start(host);
    case 'freezes':
      return machine.freeze(random.between(500, 40_000));
    case 'is cut off':
      return machine.cutOff(random.between(500, 40_000));
    case 'loses its link':
      return machine.resetLink();
    case 'is rolled':
      start(host);
      return machine.drain();
    case 'the object is reset':
      return reset();
  }
}

function newBatch(seed: number, n: number, random: Seeded, startedAt: number): Batch {
  const begunAt = startedAt + random.between(1_000, UNREST_MS);
  const isLarge = random.next() < LARGE;
  const domains = Array.from(
    { length: isLarge ? random.whole(12, 40) : random.whole(1, 4) },
    (_, d) => `${random.next() < 0.5 ? 'slow' : 'd'}${d}.s${seed}b${n}.test`,
  );
  const addresses = Array.from({ length: isLarge ? random.whole(200, 400) : random.whole(1, 24) }, (_, a) => {
    const local = `${random.next() < 0.5 ? 'y' : 'n'}${a.toString(36)}`;
    return [local, random.oneOf(domains)] as const;
  });
  const id = `00000000-0000-7000-8000-${String(seed % 1_000_000).padStart(6, '0')}${String(n).padStart(6, '0')}`;
  const leavesAt = random.next() < LEAVERS ? begunAt + random.between(100, 10_000) : null;
  return { id, addresses, begunAt, deadlineAt: begunAt + DEADLINE_MS, leavesAt };
}
