import type { AccountClass } from '../../schema/account-class.ts';
import { type Call, newCallId } from '../base/call.ts';
import type { FleetAnswer, FleetJob, Lack } from '../base/fleet-protocol.ts';
import { describe, log } from '../base/log.ts';
import { fleetOfBatch, isOverloaded } from '../base/objects.ts';
import { pause } from '../base/pause.ts';
import { isPassing } from '../ledger/transient.ts';
import type { Address } from './entries.ts';
import { FleetLines, type Found } from './fleet-lines.ts';
import type { AddressEvidence } from './judge.ts';
import { noRoomFor } from './room.ts';

/** Asks a Fleet object, each time through a stub of its own. */
export type Ask = (job: FleetJob, gathersMs: number) => Promise<FleetAnswer>;

export type Gathering = {
  readonly batchId: string;
  readonly account: string;
  readonly accountClass: AccountClass;
  readonly addresses: readonly Address[];
  /** When the batch must be answered, by the Worker's clock. */
  readonly deadlineMs: number;
  /**
   * The caller chose the deadline, and what is not finished by then costs nothing. Hosts get a little longer, so that
   * none mistakes the caller's hurry for a silent mail server; what they report after the deadline is dropped.
   */
  readonly isHurried?: boolean;
  /** The caller gets its elements one by one: evidence must not wait for what comes after it. */
  readonly isEager?: boolean;
  /** Fires when the caller has gone. */
  readonly gone: AbortSignal;
  /** Collects what the fleet did for the batch, for its log line. */
  readonly figures?: FleetFigures;
  /** Called if the fleet has no room for this many addresses. */
  readonly onNoRoom?: (lack: Lack) => void;
  /** Asked instead if the first object does not even begin; absent if there is only one object. */
  readonly standIn?: Ask;
};

/** `ms`: from the first attempt to the last line. */
export type FleetFigures = { readonly hosts: Set<string>; jobs: number; ms: number };

/** A Fleet object that was reset is asked once more, for what is missing, as a new batch. */
const ASKS_MAX = 2;
const PAUSE_MS = 200;
/** No retry if less time is left. */
const LEFT_MIN_MS = 1_000;
/** What hosts get beyond the deadline of a hurried caller: evidence already on its way arrives within it. */
const HURRY_MARGIN_MS = 2_000;
/**
 * Up to this many addresses may be answered in one piece, within this long: that much of the fleet's work can be lost
 * with an object.
 */
const GATHERED_MAX = 20;
const GATHERS_MS = 2_000;
const NOTHING = (): void => {};

/** How to ask the Fleet object of this batch, and a stand-in if there are several. */
export function fleetOf(call: Call): { readonly ask: Ask; readonly standIn?: Ask } {
  const ask: Ask = (job, gathersMs) => fleetOfBatch(call, call.id).dispatch(job, gathersMs);
  if (call.config.FLEET_SHARDS === 1) return { ask };
  return { ask, standIn: (job, gathersMs) => fleetOfBatch(call, call.id, 1).dispatch(job, gathersMs) };
}

/**
 * Sends the addresses to the fleet and yields evidence as it arrives, each address at most once. Ends when the fleet
 * has no more, at the deadline, or when the caller disconnects; then the job is cancelled, and addresses without
 * evidence were not probed. The job is also cancelled when the consumer stops early.
 *
 * A slow consumer, whose caller reads slowly, does not slow down reading: an object has one memory for all its batches,
 * and what it has written must not wait there.
 * @throws RequestError RATE_LIMITED if the fleet has no room, before anything was yielded
 */
export async function* gather(ask: Ask, gathering: Gathering): AsyncGenerator<readonly AddressEvidence[], void> {
  const { batchId, addresses, deadlineMs, gone, standIn } = gathering;
  if (addresses.length === 0) return;
  const stop = new Stop();
  const timer = setTimeout(() => stop.stop(), deadlineMs - Date.now());
  const begunMs = Date.now();
  let answer: FleetStream | null = null;
  let asked = ask;
  const sum: Sum = { missing: addresses, unprobed: 0, dropped: 0, why: null, isLost: false };
  try {
    for (let asks = 1; !gone.aborted && !stop.isStopped && deadlineMs > Date.now(); asks += 1) {
      const wanted = sum.missing;
      const lines = new FleetLines(wanted.length);
      answer = new FleetStream(asked(jobOf(gathering, wanted, asks), gathersMsOf(gathering)), lines, stop, gone);
      for (let news = await answer.next(); news !== null; news = await answer.next()) {
        const found = inRequest(news, wanted);
        const known = new Set(found.map(({ address }) => address));
        sum.missing = sum.missing.filter(({ index }) => !known.has(index));
        yield found;
      }
      const broken = await answer.broken;
      add(sum, lines, broken);
      note(gathering.figures, lines, begunMs);
      if (lines.lack !== null) {
        gathering.onNoRoom?.(lines.lack);
        throw noRoomFor(lines.lack);
      }
      if (broken === null || sum.missing.length === 0 || gone.aborted) break;
      const missing = sum.missing.length;
      log('warn', 'fleet_broke_off', { requestId: batchId, asks, missing, ...describe(broken.error) });
      if (asks === ASKS_MAX || isOverloaded(broken.error) || deadlineMs - Date.now() < LEFT_MIN_MS) break;
      if (!broken.isBegun && standIn !== undefined) {
        log('error', 'fleet_passed_over', { requestId: batchId });
        asked = standIn;
      }
      await pause(PAUSE_MS);
    }
    logShort(gathering, sum);
  } finally {
    clearTimeout(timer);
    stop.stop();
    await answer?.broken;
    if (sum.dropped > 0) log('warn', 'fleet_lines_dropped', { requestId: batchId, dropped: sum.dropped });
  }
}

/** What all answers of the fleet come to. `isLost`: the last one broke off. */
type Sum = {
  missing: readonly Address[];
  unprobed: number;
  dropped: number;
  why: FleetLines['end'];
  isLost: boolean;
};

function add(sum: Sum, lines: FleetLines, broken: Broken | null): void {
  sum.unprobed += lines.unprobed;
  sum.dropped += lines.dropped;
  sum.why = lines.end;
  sum.isLost = broken !== null;
}

/** Tells the operator what was not learnt, unless that was the caller's doing. */
function logShort({ batchId, addresses, gone, isHurried = false }: Gathering, sum: Sum): void {
  if (gone.aborted) return;
  const { missing, unprobed, why, isLost } = sum;
  if (isLost && missing.length === addresses.length)
    log('error', 'fleet_unreachable', { requestId: batchId, cause: 'fleet' });
  const about = { addresses: addresses.length, missing: missing.length, unprobed, why };
  if (!isHurried && (missing.length > 0 || unprobed === addresses.length))
    log('warn', 'batch_short', { requestId: batchId, ...about });
}

/** A job for some addresses of the batch. A retry is a batch of its own: hosts run an id only once. */
function jobOf(gathering: Gathering, wanted: readonly Address[], asks: number): FleetJob {
  const { account, accountClass, deadlineMs, isHurried = false } = gathering;
  const remainingMs = deadlineMs - Date.now() + (isHurried ? HURRY_MARGIN_MS : 0);
  const batchId = asks === 1 ? gathering.batchId : newCallId(Date.now());
  return { batchId, account, accountClass, addresses: wanted.map(({ local, domain }) => [local, domain]), remainingMs };
}

/** Gathering ends well before the batch must be answered: only what has arrived by then counts. */
function gathersMsOf({ addresses, deadlineMs, isEager = false }: Gathering): number {
  return isEager || addresses.length > GATHERED_MAX ? 0 : Math.min(GATHERS_MS, (deadlineMs - Date.now()) / 2);
}

/** @param wanted the addresses that were asked for, in their order */
function inRequest(news: readonly Found[], wanted: readonly Address[]): readonly AddressEvidence[] {
  return news.flatMap(({ index, evidence }) => {
    const address = wanted[index]?.index;
    return address === undefined ? [] : [{ address, evidence }];
  });
}

function note(figures: FleetFigures | undefined, { figures: { hosts, jobs } }: FleetLines, begunMs: number): void {
  if (figures === undefined) return;
  for (const host of hosts) figures.hosts.add(host);
  figures.jobs += jobs;
  figures.ms = Date.now() - begunMs;
}

/** `isBegun`: the object had taken the batch. */
type Broken = { readonly error: unknown; readonly isBegun: boolean };

/** The answer is no longer wanted. An AbortController would cost an error with its stack. */
class Stop {
  isStopped = false;
  readonly #stopped = Promise.withResolvers<null>();

  get stopped(): Promise<null> {
    return this.#stopped.promise;
  }

  stop(): void {
    this.isStopped = true;
    this.#stopped.resolve(null);
  }
}

/** One answer, read as fast as it arrives and handed on as fast as its consumer takes it. */
class FleetStream {
  /** Null if it was complete or was stopped, else what broke it. */
  readonly broken: Promise<Broken | null>;
  #news: Found[] = [];
  #wake = NOTHING;
  #isOver = false;

  constructor(asked: Promise<FleetAnswer>, lines: FleetLines, stop: Stop, gone: AbortSignal) {
    this.broken = read(asked, lines, stop, gone, (found) => {
      this.#news.push(...found);
      this.#wake();
    }).finally(() => {
      this.#isOver = true;
      this.#wake();
    });
  }

  /** What has arrived since the last call, waiting until something has; null: nothing more will. */
  async next(): Promise<readonly Found[] | null> {
    while (this.#news.length === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
    const news = this.#news;
    this.#news = [];
    return news.length > 0 ? news : null;
  }
}

/** Reads an answer to its end, as fast as it arrives. @returns as `FleetStream.broken` */
async function read(
  asked: Promise<FleetAnswer>,
  lines: FleetLines,
  stop: Stop,
  gone: AbortSignal,
  onFound: (found: readonly Found[]) => void,
): Promise<Broken | null> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  const onGone = (): void => stop.stop();
  try {
    const answer = await Promise.race([asked, stop.stopped]);
    if (answer === null) {
      asked.then(cancel, () => {});
      return null;
    }
    if (!(answer instanceof ReadableStream)) {
      onFound(lines.take(answer));
      return null;
    }
    reader = answer.getReader();
    // Only now: before this there is nothing to cancel, and an answer in one piece needs no listener.
    gone.addEventListener('abort', onGone);
    if (gone.aborted) stop.stop();
    while (lines.end === null) {
      const chunk = await Promise.race([stop.stopped, reader.read()]);
      if (chunk === null) return null;
      if (chunk.done) return { error: new Error('the stream ended before its last line'), isBegun: true };
      const found = lines.feed(chunk.value);
      if (found.length > 0) onFound(found);
    }
    return null;
  } catch (error) {
    // A gathering object had sent nothing yet: but after a reset by a deploy it can begin again in a moment.
    return stop.isStopped ? null : { error, isBegun: reader !== null || isPassing(error) };
  } finally {
    if (reader !== null) gone.removeEventListener('abort', onGone);
    // Makes the Fleet object cancel; not awaited, and harmless once the stream has ended.
    reader?.cancel().catch(() => {});
  }
}

async function cancel(answer: FleetAnswer): Promise<void> {
  if (answer instanceof ReadableStream) await answer.cancel();
}
