import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Engine } from '../../prober/engine/batch.ts';
import type { Failures } from '../../prober/engine/site/open.ts';
import type { DrawsFor } from '../../prober/engine/ports/ports.ts';
import { Lane, Lanes } from '../../prober/engine/ports/lane.ts';
import { type Address, meantAddress, parseAddress } from '../../schema/address.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { isUnprobed, OUTCOMES } from '../../schema/outcomes.ts';
import { judge } from '../../schema/verdict.ts';
import { notAnAddress, spelling } from '../../schema/words/result.ts';
import type { ProbeOptions } from './options.ts';

/** Addresses that wait at a time, some megabytes of them. */
const WAITING_MAX = 25_000;
/** Domains that may wait for a mail host beside those at work. */
const QUEUEING_MAX = 1_000;
/** In a minute no more connections to one are started: behind each hundred a domain may take as long again. */
const STARTS_PER_MINUTE = 100;
/** As many of a domain's addresses as a request of the interface may have. */
const BATCH_MAX = 500;
/** All that is probed here is one caller's. */
const ACCOUNT = 0;
/** This many lookups without any answer, from the first on, are reported before the end. */
const SILENT_LOOKUPS = 20;

export type Environment = {
  readonly engine: Engine;
  /** The engine's clock, in milliseconds. */
  readonly now: () => number;
  /** Absent: what is drawn is drawn at random. */
  readonly draws?: DrawsFor;
  readonly input: Readable;
  readonly output: Writable;
  /** For messages. */
  readonly terminal: NodeJS.WritableStream;
  /** Fires when the operator has seen enough. */
  readonly interrupted: AbortSignal;
};

type Task = Pick<ProbeOptions, 'addresses' | 'concurrency' | 'deadlineMs'>;

/**
 * Verifies addresses and writes one result of the interface a line, as they are known.
 * @returns the exit code: 0 done, 1 something failed, 130 interrupted
 */
export async function runProbe(environment: Environment, task: Task): Promise<number> {
  return new ProbeRun(environment, task).run();
}

/**
 * Turns a stream of addresses into batches: one domain each, so that a domain's addresses share sessions, its deadline
 * begins when it begins, and no domain is probed twice at a time. Nothing is read or begun while the reader of the results
 * is behind. What was begun is finished at an interrupt, as far as the engine got; the rest is dropped.
 */
class ProbeRun {
  readonly #environment: Environment;
  readonly #task: Task;
  readonly #waiting = new Map<string, Address[]>();
  readonly #running = new Set<string>();
  /** For domains at work: one that waits for a mail host needs none. */
  readonly #lanes: Lanes;
  readonly #stopped = new AbortController();
  /** All of it is one request. */
  readonly #failures: Failures = new Map();
  #waitingCount = 0;
  /** Called when something may go on. */
  #wake: () => void = () => undefined;
  #failed = false;
  #gone = false;
  readonly #counts = { read: 0, written: 0, answered: 0, unanswered: 0 };

  constructor(environment: Environment, task: Task) {
    this.#environment = environment;
    this.#task = task;
    this.#lanes = new Lanes(task.concurrency, () => this.#start());
    environment.output
      .on('error', (error: NodeJS.ErrnoException) => this.#lose(error))
      .on('drain', () => this.#start());
  }

  async run(): Promise<number> {
    const { interrupted, output } = this.#environment;
    const { addresses } = this.#task;
    if (interrupted.aborted) this.#stop();
    interrupted.addEventListener('abort', () => this.#stop());
    for (const text of addresses) this.#add(text);
    if (addresses.length === 0) await this.#read(this.#environment.input);
    this.#start();
    while (this.#running.size > 0 || (this.#waitingCount > 0 && !this.#isStopped)) await this.#changed();
    // The callback is told of a failed write before the stream says so.
    await new Promise<void>((done) => {
      if (!output.writable) return done();
      output.write('', (error) => {
        if (error instanceof Error) this.#lose(error);
        done();
      });
    });
    return this.#conclude();
  }

  /** Line by line, no faster than they are verified. What was read before the input broke is verified all the same. */
  async #read(input: Readable): Promise<void> {
    const lines = createInterface({ input, crlfDelay: Infinity });
    this.#stopped.signal.addEventListener('abort', () => lines.close());
    if (this.#isStopped) lines.close();
    // Lines that come together are probed together.
    let gathered: NodeJS.Immediate | null = null;
    try {
      for await (const line of lines) {
        this.#add(line);
        gathered ??= setImmediate(() => {
          gathered = null;
          this.#start();
        });
        while (this.#isFull && !this.#isStopped) await this.#changed();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#fail(`standard input cannot be read (${why}); what was read before is verified`);
    }
  }

  /** A byte that is no UTF-8 reads as U+FFFD, which stands in no address. */
  #add(text: string): void {
    const email = spelling(text);
    if (email === '') return;
    this.#counts.read += 1;
    const address = text.includes('\u{fffd}') ? null : parseAddress(text);
    if (address === null) return this.#write(notAnAddress(email, meantAddress(text)));
    const group = this.#waiting.get(address.domain) ?? [];
    group.push(address);
    this.#waiting.set(address.domain, group);
    this.#waitingCount += 1;
  }

  #start(): void {
    for (const [domain, group] of this.#waiting) {
      if (this.#isStopped || this.#environment.output.writableNeedDrain) break;
      if (this.#lanes.free <= 0 || this.#running.size >= this.#task.concurrency + QUEUEING_MAX) break;
      if (this.#running.has(domain)) continue;
      const batch = group.splice(0, BATCH_MAX);
      if (group.length === 0) this.#waiting.delete(domain);
      this.#waitingCount -= batch.length;
      this.#probe(domain, batch);
    }
    this.#wake();
  }

  #probe(domain: string, batch: readonly Address[]): void {
    const { engine, now, draws } = this.#environment;
    const report = (index: number, evidence: Evidence): void => {
      const address = batch[index];
      if (address !== undefined) this.#onEvidence(address, evidence);
    };
    const rounds = 1 + Math.floor(this.#running.size / STARTS_PER_MINUTE);
    const deadlineMs = now() + rounds * this.#task.deadlineMs;
    const lane = new Lane(this.#lanes);
    this.#running.add(domain);
    engine
      .probe({
        account: ACCOUNT,
        recipients: batch,
        signal: this.#stopped.signal,
        deadlineMs,
        lane,
        report,
        failures: this.#failures,
        ...(draws !== undefined && { draws }),
      })
      .catch((error: unknown) => this.#fail(error instanceof Error ? (error.stack ?? error.message) : String(error)))
      .finally(() => {
        this.#running.delete(domain);
        lane.leave();
        this.#start();
      });
  }

  get #isFull(): boolean {
    return this.#waitingCount >= WAITING_MAX || this.#environment.output.writableNeedDrain;
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  #stop(): void {
    this.#stopped.abort();
    this.#wake();
  }

  #onEvidence(address: Address, evidence: Evidence): void {
    const { outcome } = evidence;
    // Nothing was learnt about an address that the operator's interruption overtook.
    if (isUnprobed(outcome) && this.#isStopped) return;
    // A deadline shorter than the resolver's patience ends the lookup first.
    const hasNoMx = isUnprobed(outcome) && outcome.why === 'deadline' && !evidence.mxFound;
    if (OUTCOMES[outcome.kind].claim === 'fails' || hasNoMx) this.#counts.unanswered += 1;
    else if (!isUnprobed(outcome)) this.#counts.answered += 1;
    const { answered, unanswered } = this.#counts;
    if (answered === 0 && unanswered === SILENT_LOOKUPS) this.#say(RESOLVER_SILENT);
    this.#write(judge(address, evidence));
  }

  #write(result: object): void {
    if (this.#gone) return;
    this.#counts.written += 1;
    this.#environment.output.write(`${JSON.stringify(result)}\n`);
  }

  #conclude(): number {
    const { read, written, answered, unanswered } = this.#counts;
    if (this.#gone) return this.#failed ? 1 : 0;
    if (this.#environment.interrupted.aborted) {
      this.#say(`interrupted: ${written} of the ${read} addresses read have a result`);
      return 130;
    }
    if (read === 0 && !this.#failed) this.#say('nothing to verify: no address was given');
    if (answered === 0 && unanswered > 0) this.#fail(RESOLVER_SILENT);
    return this.#failed ? 1 : 0;
  }

  /** The reader of the results has closed the pipe: no error. Anything else is one. */
  #lose(error: NodeJS.ErrnoException): void {
    if (this.#gone) return;
    this.#gone = true;
    if (error.code !== 'EPIPE') this.#fail(`results cannot be written (${error.message})`);
    this.#stop();
  }

  #fail(message: string): void {
    this.#failed = true;
    this.#say(message);
  }

  #say(message: string): void {
    this.#environment.terminal.write(`probe: ${message}\n`);
  }
}

const RESOLVER_SILENT =
  "no MX lookup was answered: these domains' servers fail, or the resolver; --dns IP:PORT names another one";
