import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Engine } from '../../prober/engine/batch.ts';
import { parseAddress, spelling, type Address } from '../../schema/address.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { judge } from '../../schema/verdict.ts';
import { notAnAddress } from '../../schema/words/result.ts';
import { Funnel } from './funnel.ts';
import { LineOutput } from './output.ts';

/** Addresses that wait at a time, some megabytes of them. */
const WAITING_MAX = 25_000;
/** This many lookups without any answer, from the first on, are reported before the end. */
const SILENT_LOOKUPS = 20;
const TICK_MS = 1_000;

export type World = {
  readonly engine: Engine;
  /** The engine's clock, in milliseconds. */
  readonly now: () => number;
  readonly input: Readable;
  readonly output: Writable & { readonly isTTY?: boolean };
  /** For messages and progress. */
  readonly terminal: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** On a terminal that has neither results nor a trace to show. */
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
  #progress: NodeJS.Timeout | null = null;
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
    this.#showProgress();
    if (this.#task.addresses.length > 0) await this.#readArguments();
    else await this.#readInput();
    await this.#funnel.done();
    interrupted.removeEventListener('abort', stop);
    if (this.#progress !== null) this.#endProgress(this.#progress);
    await this.#output.flush();
    return this.#conclude();
  }

  async #readArguments(): Promise<void> {
    for (const text of this.#task.addresses) this.#add(text);
    this.#funnel.start();
  }

  /** Line by line, no faster than they are verified. What was read before the input broke is verified all the same. */
  async #readInput(): Promise<void> {
    const { input } = this.#world;
    const lines = createInterface({ input, crlfDelay: Infinity });
    const close = (): void => lines.close();
    this.#stopped.signal.addEventListener('abort', close);
    if (this.#stopped.signal.aborted) close();
    // Lines that come together are probed together.
    let gathered: NodeJS.Immediate | null = null;
    const start = (): void => {
      gathered = null;
      this.#funnel.start();
    };
    try {
      for await (const line of lines) {
        this.#add(line);
        gathered ??= setImmediate(start);
        await this.#funnel.room();
        await this.#output.behind();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#fail(`standard input cannot be read (${why}); what was read before is verified`);
    }
    this.#stopped.signal.removeEventListener('abort', close);
    this.#funnel.start();
  }

  /** A byte that is no UTF-8 reads as U+FFFD, which stands in no address. */
  #add(text: string): void {
    const email = spelling(text);
    if (email === '') return;
    this.#read += 1;
    const address = text.includes('\u{fffd}') ? null : parseAddress(text);
    if (address === null) this.#write(notAnAddress(email));
    else this.#funnel.add(address);
  }

  /** A line on a terminal that has nothing else to show. */
  #showProgress(): void {
    const { terminal, output, showsProgress } = this.#world;
    if (!showsProgress || terminal.isTTY !== true || output.isTTY === true) return;
    this.#progress = setInterval(() => terminal.write(`\r${this.#written} of ${this.#read} read`), TICK_MS).unref();
  }

  #endProgress(progress: NodeJS.Timeout): void {
    clearInterval(progress);
    this.#world.terminal.write(`\r${this.#written} verified          \n`);
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
