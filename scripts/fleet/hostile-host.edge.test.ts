import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { identify, makeHostToken } from '../../prober/link/identity.ts';
import type { Enrolment } from '../../schema/enrolment.ts';
import { CLOSE, REPORT_BYTES_MAX } from '../../schema/link.ts';
import { ACCEPTED as WHOLE } from '../../schema/testing/evidence.ts';
import { ACCEPTED, ROW, seen } from '../../schema/testing/link-evidence.ts';
import { type Asked, FleetHarness } from './testing/fleet-harness.ts';

// Somebody else controls a host: its key is good, and it says what it likes. Still its job is answered by what
// the frames allow and by nothing else, nothing is thrown in the object, and no word of it reaches a log or a caller.

const HOST = 'captured';
/** In every text that is the host's own. */
const MARK = 's3cr3t-of-the-host';
const CONTROL = `${MARK}\u0000\u001b[2J\r\n{"event":"x"}`;
const LOG_CHARS_MAX = 400;
const ADDRESSES = [
  ['x', 'a.test'],
  ['y', 'b.test'],
] as const;
const REFUSED = seen({ kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } });
const claimsSchema = z.object({ job: z.string() });
const jobSchema = z.object({ type: z.literal('job'), token: z.string() });

let fleet: FleetHarness;
let enrolment: Enrolment;
let links = 0;
beforeAll(async () => {
  fleet = await FleetHarness.start();
  enrolment = await fleet.enrol(HOST);
});
afterAll(() => fleet.stop());

/** A link of the host that does what a test says. */
class Captured {
  readonly socket: WebSocket;
  readonly instance: string;
  readonly #frames: string[] = [];
  closedWith: number | null = null;

  constructor(socket: WebSocket, instance: string) {
    this.socket = socket;
    this.instance = instance;
    socket.on('message', (data) => this.#frames.push(Buffer.isBuffer(data) ? data.toString('utf8') : ''));
    socket.on('close', (code) => (this.closedWith ??= code));
    socket.on('error', () => {});
  }

  static async open(of: Enrolment = enrolment): Promise<Captured> {
    const instance = `captured-process-${String((links += 1)).padStart(4, '0')}`;
    const token = await makeHostToken(identify(of, instance, 0), Date.now());
    const socket = new WebSocket(new URL('/link?shard=0', fleet.url.href.replace('http', 'ws')), {
      headers: { authorization: `Bearer ${token}` },
    });
    await once(socket, 'open');
    return new Captured(socket, instance);
  }

  static async greeted(of: Enrolment = enrolment, changes: object = {}): Promise<Captured> {
    const link = await Captured.open(of);
    link.say(link.hello(changes));
    await expect.poll(() => link.#frames.length).toBeGreaterThan(0);
    return link;
  }

  hello(changes: object = {}): object {
    const { instance } = this;
    const hello = {
      v: 1,
      type: 'hello',
      instance,
      version: '1.0.0',
      routes: false,
      egress: ['default'],
      running: [],
      healthy: true,
    };
    return { ...hello, slots: 1_000, startedAt: 1, ...changes };
  }

  say(frame: unknown): void {
    const isRaw = typeof frame === 'string' || Buffer.isBuffer(frame);
    this.socket.send(isRaw ? frame : JSON.stringify(frame));
  }

  /** The id of the job that came last. */
  async job(): Promise<string> {
    const last = () => this.#frames.findLast((text) => text.includes('"type":"job"'));
    await expect.poll(last).toBeDefined();
    const { token } = jobSchema.parse(JSON.parse(last() ?? ''));
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    return claimsSchema.parse(JSON.parse(claims)).job;
  }

  /** Everything that was sent before has been read. */
  async isHeard(): Promise<void> {
    const { length } = this.#frames;
    this.socket.send('ping');
    await expect.poll(() => this.#frames.slice(length)).toContain('pong');
  }
}

let link: Captured;
let asked: Asked;
let job: string;
beforeEach(async () => {
  link = await Captured.greeted();
  await fleet.until((hosts) => hosts.some(({ id }) => id === HOST));
  asked = fleet.ask(ADDRESSES);
  job = await link.job();
});
afterEach(async () => {
  link.socket.terminate();
  asked.letGo();
  await fleet.until((hosts) => hosts.length === 0);
  // Nothing was thrown, and the host's own words stand nowhere.
  const text = fleet.logs.join('\n');
  expect(text).not.toContain(MARK);
  expect(text).not.toMatch(/uncaught|exception|RangeError|TypeError/i);
  expect(Math.max(0, ...fleet.logs.map((line) => line.length))).toBeLessThan(LOG_CHARS_MAX);
});

const evidence = (items: unknown, changes: object = {}): object => ({
  v: 1,
  type: 'evidence',
  job,
  mx: [ROW],
  items,
  ...changes,
});
const item = (index: unknown, of: unknown = REFUSED): object => ({ index, evidence: of });
/** An outcome that the schema has no word for, or no such figure. */
const odd = (outcome: object): object => item(0, { ...REFUSED, outcome: { ...REFUSED.outcome, ...outcome } });
const status = (changes: object): object => ({
  v: 1,
  type: 'status',
  draining: false,
  healthy: true,
  checked: false,
  failing: [],
  jobs: 0,
  cooling: 0,
  refusals: [],
  ...changes,
});

describe('a frame is passed over, and the job goes on, for', () => {
  it.each<[string, () => unknown]>([
    ['a result that nobody asked for', () => evidence([item(0)], { job: 'batch-of-nobody.1' })],
    ['the next job of the batch, which was not given out', () => evidence([item(0)], { job: job.replace(/1$/, '2') })],
    ['an address that the job does not have', () => evidence([item(2), item(499)])],
    ['an address beyond all jobs', () => evidence([item(500)])],
    ['a number beyond all numbers', () => JSON.stringify(evidence([item(7)])).replace('"index":7', '"index":1e309')],
    ['a name for an address', () => evidence([item('0'), item('__proto__')])],
    ['501 addresses', () => evidence(Array.from({ length: 501 }, (_, n) => item(n % 2)))],
    ['keys of the language', () => JSON.stringify(evidence([])).replace('[]', '{"__proto__":[],"length":1}')],
    ['a result word of its own', () => evidence([odd({ kind: MARK })])],
    ['a word that is the edge’s own', () => evidence([odd({ kind: 'opted_out' })])],
    [
      'a mailbox that does not exist, with a code that says that it does',
      () => evidence([odd({ reply: { code: 250, enhanced: null } })]),
    ],
    [
      'a mailbox that is accepted with a refusal',
      () =>
        evidence([item(0, { ...ACCEPTED, outcome: { ...ACCEPTED.outcome, reply: { code: 550, enhanced: null } } })]),
    ],
    ['text for an enhanced code', () => evidence([odd({ reply: { code: 550, enhanced: CONTROL } })])],
    ['a wait of eternity', () => evidence([item(0, seenOdd('unprobed', { why: 'cooldown', waitS: 1e300 }))])],
    ['an MX row that was not told', () => evidence([item(0)], { mx: [] })],
    ['an MX host with control characters', () => evidence([item(0)], { mx: [{ ...ROW, mx: [CONTROL] }] })],
    ['501 MX rows', () => evidence([item(0)], { mx: Array.from({ length: 501 }, () => ROW) })],
    [
      'a suspected typo with control characters',
      () => evidence([item(0, { ...REFUSED, signals: { ...REFUSED.signals, typoOf: CONTROL } })]),
    ],
    ['a later version, in the middle of the talk', () => evidence([item(0)], { v: 2 })],
    ['a second hello', () => link.hello({ v: 2 })],
    ['a hello of another process', () => link.hello({ instance: 'process-of-somebody-else' })],
    ['a type of its own', () => ({ v: 1, type: MARK, job })],
    ['a refusal with words of its own', () => ({ v: 1, type: 'refuse', job, why: CONTROL })],
    ['a job id that is a path', () => ({ v: 1, type: 'done', job: `../${MARK}` })],
    ['a status of jobs without end', () => status({ jobs: 1e9 })],
    ['a provider that refuses, by text', () => status({ refusals: [{ provider: CONTROL, egress: 0 }] })],
    ['half a frame', () => JSON.stringify(evidence([item(0)])).slice(0, -1)],
    ['nothing', () => 'null'],
    ['bytes', () => Buffer.from(JSON.stringify(evidence([item(0)])))],
    ['100,000 lists in one another', () => '['.repeat(100_000)],
    ['a frame one character too long', () => padded(evidence([item(0)]), REPORT_BYTES_MAX + 1)],
    ['a ping that is none', () => 'ping '],
  ])('%s', async (_what, frame) => {
    link.say(frame());
    await link.isHeard();
    expect([asked.lines, link.closedWith]).toEqual([[], null]);
    // What is right is heard after it as before.
    link.say(evidence([item(0, ACCEPTED), item(1, ACCEPTED)]));
    expect(await asked.ended).toEqual([
      { type: 'evidence', i: 0, evidence: WHOLE },
      { type: 'evidence', i: 1, evidence: WHOLE },
      { type: 'end', cause: 'done' },
    ]);
  });
});

const seenOdd = (kind: string, rest: object): object => ({ ...REFUSED, outcome: { kind, ...rest } });
/** The same frame in so many characters. */
function padded(frame: object, chars: number): string {
  const bare = JSON.stringify({ ...frame, padding: '' });
  return bare.replace('"padding":""', `"padding":"${MARK.padEnd(chars - bare.length, 'x')}"`);
}

it('of two reports on an address the first counts, and after the end none', async () => {
  link.say(evidence([item(0, ACCEPTED), item(0, REFUSED)]));
  link.say(evidence([item(0, REFUSED), item(1, ACCEPTED)]));
  const lines = await asked.ended;
  expect(lines.map((line) => (line.type === 'evidence' ? line.evidence : line.cause))).toEqual([WHOLE, WHOLE, 'done']);
  for (let n = 0; n < 20; n += 1) link.say(evidence([item(0, REFUSED), item(1, REFUSED)]));
  await link.isHeard();
  expect(asked.lines).toHaveLength(3);
});

it('of two reports of an MX row the first counts', async () => {
  link.say(evidence([item(0, ACCEPTED)]));
  link.say(evidence([item(1, ACCEPTED)], { mx: [{ ...ROW, mx: ['other.test'] }] }));
  const lines = await asked.ended;
  expect(lines.slice(0, 2)).toMatchObject([{ evidence: { mx: WHOLE.mx } }, { evidence: { mx: WHOLE.mx } }]);
});

it('another host’s job is nobody else’s to answer, to end or to refuse', async () => {
  const thief = await Captured.greeted(await fleet.enrol('thief'));
  for (const frame of [
    evidence([item(0), item(1)]),
    { v: 1, type: 'done', job },
    { v: 1, type: 'refuse', job, why: 'token' },
  ])
    thief.say(frame);
  await thief.isHeard();
  expect(asked.lines).toEqual([]);
  link.say(evidence([item(0, ACCEPTED), item(1, ACCEPTED)]));
  const lines = await asked.ended;
  expect(lines.slice(0, 2)).toMatchObject([{ evidence: WHOLE }, { evidence: WHOLE }]);
  thief.socket.terminate();
});

describe('the link of a host is closed that', () => {
  it.each<[string, object]>([
    ['says that it runs no end of addresses', { slots: 1e9 }],
    ['runs fewer than none', { slots: -1 }],
    ['began at no time', { startedAt: Number.NaN }],
    ['has an egress address that is text', { egress: [CONTROL] }],
    ['has no egress address', { egress: [] }],
    ['has 65 of them', { egress: Array.from({ length: 65 }, () => 'default') }],
    ['runs jobs that are no ids', { running: [CONTROL] }],
    ['runs 1,001 jobs', { running: Array.from({ length: 1_001 }, (_, n) => `b.${n % 999}`) }],
    ['is of a version that is text', { version: CONTROL }],
    ['has a process named by the language', { instance: '__proto__' }],
    ['speaks another version', { v: 2 }],
    ['speaks no version', { v: -1 }],
  ])('%s in its hello', async (_what, changes) => {
    const other = await Captured.open();
    other.say(other.hello(changes));
    await expect.poll(() => other.closedWith, { timeout: 15_000 }).toBe(CLOSE.hello);
    expect(link.closedWith).toBeNull();
  });
});
