import type { Writable } from 'node:stream';
import type { Engine } from '../../prober/engine/batch.ts';
import { parseAddress, spelling, type Address } from '../../schema/address.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { judge } from '../../schema/verdict.ts';
import { notAnAddress } from '../../schema/words/result.ts';
import { Funnel } from './funnel.ts';
import { LineSplitter, type Line } from './lines.ts';
import { LineOutput } from './output.ts';
import { Progress } from './progress.ts';

/** Addresses that wait at a time, some megabytes of them. */
const WAITING_MAX = 25_000;
/** This many lookups without any answer, from the first on, are reported before the end. */
const SILENT_LOOKUPS = 20;

export type World = {
  readonly engine: Engine;
  /** The engine's clock, in milliseconds. */
  readonly now: () => number;
  readonly input: AsyncIterable<Uint8Array>;
  /** Bytes of the input, if it is a file. */
  readonly inputBytes: number | null;
  readonly output: Writable & { readonly isTTY?: boolean };
  /** For messages and progress. */
  readonly terminal: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** On a terminal, unless something else is told there line by line. */
  readonly showsProgress: boolean;
  /** Fires when the operator has seen enough. */
  readonly interrupted: AbortSignal;
};

export type Task = {
  /** Empty: one a line from the input. */
  readonly addresses: readonly string[];
  readonly concurrency: number;
  readonly deadlineMs: number;
};

/**
 * Verifies addresses and writes one result of the interface a line, as they are known.
 * @returns the exit code: 0 done, 1 something failed, 130 interrupted
 */
export async function runProbe(world: World, task: Task): Promise<number> {
  return new ProbeRun(world, task).run();
}

class ProbeRun {
  readonly #world: World;
  readonly #task: Task;
  readonly #output: LineOutput;
  readonly #progress: Progress | null;
  readonly #funnel: Funnel;
  readonly #stopped = new AbortController();
  #failed = false;
  #gone = false;
  #read = 0;
  #written = 0;
  /** Of the addresses that were looked up. */
  #answered = 0;
  #unanswered = 0;

  constructor(world: World, task: Task) {
    this.#world = world;
    this.#task = task;
    this.#output = new LineOutput(world.output, (error) => this.#lose(error));
    const { isTTY = false } = world.output;
    this.#progress = world.showsProgress ? new Progress(world.terminal, isTTY, world.now) : null;
    const { signal } = this.#stopped;
    this.#funnel = new Funnel({
      engine: world.engine,
      now: world.now,
      concurrency: task.concurrency,
      deadlineMs: task.deadlineMs,
      waitingMax: WAITING_MAX,
      behind: this.#output.behind,
      onEvidence: (address, evidence) => this.#onEvidence(address, evidence),
      onBug: (error) => this.#fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      signal,
    });
  }

  async run(): Promise<number> {
    const { interrupted } = this.#world;
    const stop = (): void => this.#stopped.abort();
    if (interrupted.aborted) stop();
    interrupted.addEventListener('abort', stop);
    if (this.#task.addresses.length > 0) await this.#readArguments();
    else await this.#readInput();
    this.#progress?.expect(this.#read, { total: this.#read, exact: true });
    await this.#funnel.done();
    interrupted.removeEventListener('abort', stop);
    this.#progress?.stop();
    await this.#output.flush();
    return this.#conclude();
  }

  async #readArguments(): Promise<void> {
    for (const text of this.#task.addresses) this.#add({ text, shown: text });
    this.#funnel.start();
  }

  /** Line by line, no faster than they are verified. What was read before the input broke is verified all the same. */
  async #readInput(): Promise<void> {
    const { input, inputBytes } = this.#world;
    const splitter = new LineSplitter();
    let bytes = 0;
    try {
      for await (const chunk of untilAborted(input, this.#stopped.signal)) {
        for (const line of splitter.push(chunk)) this.#add(line);
        bytes += chunk.length;
        const total = inputBytes === null ? null : Math.round((this.#read * inputBytes) / Math.max(1, bytes));
        this.#progress?.expect(this.#read, total === null ? null : { total, exact: false });
        this.#funnel.start();
        await this.#funnel.room();
        await this.#output.behind();
      }
      for (const line of splitter.end()) this.#add(line);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#fail(`standard input cannot be read (${why}); what was read before is verified`);
    }
    this.#funnel.start();
  }

  #add(line: Line): void {
    const email = spelling(line.shown);
    if (email === '') return;
    this.#read += 1;
    const address = line.text === null ? null : parseAddress(line.text);
    if (address === null) this.#write(notAnAddress(email));
    else this.#funnel.add(address);
  }

  #onEvidence(address: Address, evidence: Evidence): void {
    const { kind } = evidence.outcome;
    // Nothing was learnt about an address that the operator's interruption overtook.
    if (kind === 'unprobed' && this.#stopped.signal.aborted) return;
    // A deadline shorter than the resolver's patience ends the lookup first.
    const hasNoMx = kind === 'unprobed' && evidence.outcome.why === 'deadline' && !evidence.mxFound;
    if (kind === 'mx_lookup_failed' || hasNoMx) this.#unanswered += 1;
    else if (kind !== 'unprobed') this.#answered += 1;
    if (this.#answered === 0 && this.#unanswered === SILENT_LOOKUPS) this.#say(RESOLVER_SILENT);
    this.#write(judge(address, evidence));
  }

  #write(result: object): void {
    if (this.#gone) return;
    this.#written += 1;
    this.#progress?.step();
    this.#output.write(JSON.stringify(result));
  }

  #conclude(): number {
    if (this.#gone) return this.#failed ? 1 : 0;
    if (this.#world.interrupted.aborted) {
      this.#say(`interrupted: ${this.#written} of the ${this.#read} addresses read have a result`);
      return 130;
    }
    if (this.#read === 0 && !this.#failed) this.#say('nothing to verify: no address was given');
    if (this.#answered === 0 && this.#unanswered > 0) this.#fail(RESOLVER_SILENT);
    return this.#failed ? 1 : 0;
  }

  /** The reader of the results has closed the pipe: no error. Anything else is one. */
  #lose(error: NodeJS.ErrnoException): void {
    if (this.#gone) return;
    this.#gone = true;
    if (error.code !== 'EPIPE') this.#fail(`results cannot be written (${error.message})`);
    this.#stopped.abort();
  }

  #fail(message: string): void {
    this.#failed = true;
    this.#say(message);
  }

  #say(message: string): void {
    this.#world.terminal.write(`probe: ${message}\n`);
  }
}

const RESOLVER_SILENT =
  "no MX lookup was answered: these domains' servers fail, or the resolver; --dns IP:PORT names another one";

/** Ends with its source or the signal. */
async function* untilAborted(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const aborted = Promise.withResolvers<null>();
  const abort = (): void => aborted.resolve(null);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([aborted.promise, chunks.next()]);
      if (next === null || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // The source may never speak again: nobody waits for it to close.
    void chunks.return?.();
  }
}
