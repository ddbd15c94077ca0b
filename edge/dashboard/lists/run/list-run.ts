import { signal } from '@preact/signals';
import { indexedDbJournal } from '../../../../schema/client/browser/indexed-db-journal.ts';
import type { Journal } from '../../../../schema/client/index.ts';
import { ceilingOf } from '../../../../schema/list-job/price.ts';
import { Results } from '../../../../schema/list-job/results.ts';
import { runList } from '../../../../schema/list-job/run.ts';
import { pickSample } from '../../../../schema/list-job/sample.ts';
import { Scan } from '../../../../schema/list-job/scan.ts';
import { scanTable } from '../../../../schema/list-job/scan-table.ts';
import { type Trouble, troubleOf } from '../../session/api.ts';
import { refreshBalance, settleBalance } from '../../session/balance.ts';
import { accountShown, hasEnded, signedInAgain } from '../../session/me.ts';
import { Patience } from '../../session/patience.ts';
import { isInUse, isPassing, troubleOfRun } from './run-trouble.ts';
import { noteAnswer } from '../../session/service-state.ts';
import { breather } from '../reading/breather.ts';
import { openFile, type Table } from '../reading/open-file.ts';
import { keepProgress, type Progress, progressOf, type StoredList } from '../kept/stored.ts';
import { Attempt } from './attempt.ts';
import { Spending } from './spending.ts';

export type Phase =
  /** The file and what is known of it are read. */
  | 'opening'
  /** They could not be read: `open` tries again. */
  | 'closed'
  /** Another tab is at it: this one shows it when that has ended. */
  | 'elsewhere'
  /** Nothing is being asked. */
  | 'still'
  | 'running'
  /** The service cannot verify at the moment: it is tried again in a while. */
  | 'waiting'
  /** What is under way ends. */
  | 'pausing';

/** `numbers`: the addresses that are asked; null: all. */
type Asked = { readonly rounds: number; readonly maxCredits: number; readonly numbers: readonly number[] | null };

const SHOW_EVERY_MS = 250;
const KEEP_EVERY_MS = 2_000;
/** A day: no address is put off for longer. */
const WAIT_AT_MOST_MS = 86_400_000;

/** One list of this browser: what is known of it, and its run, which goes on while other views are shown. */
export class ListRun {
  readonly list: StoredList;
  readonly phase = signal<Phase>('opening');
  readonly trouble = signal<Trouble | null>(null);
  readonly progress = signal<Progress | null>(null);
  /** Changes whenever the outcome does, a few times a second. */
  readonly shown = signal(0);
  /** While it is opened: how much of the file this pass has read, in hundredths. */
  readonly percent = signal(0);
  readonly spending = new Spending();
  readonly patience = new Patience();
  /** The one that is under way, or the last one. */
  attempt = new Attempt(0, 0);
  /** When nothing is under way any more. */
  ended: Promise<void> = Promise.resolve();
  /** When the file has been read. */
  readonly opened: Promise<void>;
  results = new Results(0);
  survey = new Scan(0, 0);
  table: Table | null = null;

  constructor(list: StoredList) {
    this.list = list;
    this.opened = this.open();
  }

  /** Reads the file, and what earlier runs have learnt. */
  async open(): Promise<void> {
    this.phase.value = 'opening';
    this.trouble.value = null;
    try {
      this.progress.value = await progressOf(this.list.id);
      const { file, name, choice } = this.list;
      const onRead = (share: number): void => void (this.percent.value = Math.floor(share * 100));
      const table = (this.table = await openFile(file, name, choice, onRead));
      this.survey = await scanTable(table, choice.column);
      this.results = new Results(this.survey.addresses.length);
      await this.#readJournal((journal) => this.#readResults(journal));
      this.phase.value = 'still';
      // As the list of lists shows it: a tab that crashed did not keep the last of it.
      await this.#keep(this.progress.value).catch(() => {});
      // All is answered, and the bill of a request was not read: asking for it again costs nothing.
      if (this.results.left === 0 && this.spending.price.open > 0) void this.start();
    } catch (error) {
      void this.#giveUp(error, 'closed');
    }
  }

  /** @throws RcptError */
  async #readJournal(read: (journal: Journal) => Promise<void>): Promise<void> {
    const journal = indexedDbJournal(this.list.id);
    await journal.open();
    try {
      await read(journal);
      await this.spending.read(journal, this.results);
    } finally {
      await journal.close();
    }
  }

  async #readResults(journal: Journal): Promise<void> {
    const breathe = breather();
    for (let number = 0; number < this.results.size; number += 1) {
      const record = await journal.known(number);
      if (record !== null) this.results.set(number, record);
      await breathe();
    }
  }

  /** Asks what has no answer yet, or so many of it at random; costs one credit for each at most. */
  start(sample: number | null = null): Promise<void> {
    return (this.ended = this.#run(this.progress.value?.rounds ?? 1, 0, sample));
  }

  /** Asks those again that were put off, once their wait is over; costs one credit for each at most. */
  askAgain(): Promise<void> {
    return (this.ended = this.#run((this.progress.value?.rounds ?? 1) + 1, this.results.waiting, null));
  }

  /** Requests in progress are finished: they are paid for. */
  pause(): void {
    if (this.isGoing) this.phase.value = 'pausing';
    this.attempt.stop.abort();
  }

  /** Ends it at once. What was in progress is taken up by the next run, and not paid for again. */
  abort(): void {
    this.pause();
    this.attempt.abort.abort();
  }

  get isGoing(): boolean {
    return this.phase.value === 'running' || this.phase.value === 'waiting' || this.phase.value === 'pausing';
  }

  get isDone(): boolean {
    return !this.isGoing && this.results.left === 0;
  }

  /** A few addresses that were pasted: their answers are what is looked for. */
  get isShort(): boolean {
    return this.list.isPasted && this.results.isShort;
  }

  /** @param again how many are asked again */
  async #run(rounds: number, again: number, sample: number | null): Promise<void> {
    const before = this.progress.value;
    if (before === null || this.phase.value !== 'still' || this.list.accountId !== accountShown()) return;
    const attempt = (this.attempt = new Attempt(performance.now(), this.results.answered));
    this.phase.value = 'running';
    this.trouble.value = null;
    const progress = { ...before, rounds };
    const keep = setInterval(() => void this.#keep(progress).catch(() => {}), KEEP_EVERY_MS);
    try {
      await this.#keep(progress);
      await this.#readJournal(() => Promise.resolve());
      const { price } = this.spending;
      const isKnown = (number: number): boolean => this.results.kindOf(number) !== null;
      const numbers = sample === null ? null : pickSample(sample, this.results.size, isKnown, price);
      attempt.sample = numbers?.length ?? null;
      const maxCredits = numbers === null ? ceilingOf(price) + again : price.spent + numbers.length;
      await this.#runUntilServed(attempt, { rounds, maxCredits, numbers });
      this.phase.value = 'still';
    } catch (error) {
      // Shown beside it.
      if (troubleOfRun(error).status === 402) await refreshBalance();
      void this.#giveUp(error, 'still');
    } finally {
      clearInterval(keep);
      this.#show();
      await this.#keep(progress).catch((error: unknown) => (this.trouble.value ??= troubleOf(error)));
      void settleBalance();
    }
  }

  /** While the service cannot verify the list waits, and goes on by itself. @throws what is for the reader to mend */
  async #runUntilServed(attempt: Attempt, asked: Asked): Promise<void> {
    const stop = attempt.stop.signal;
    for (;;) {
      const { answered } = this.results;
      try {
        await this.#runOnce(attempt, asked);
        return;
      } catch (error) {
        if (stop.aborted) return;
        if (hasEnded.value) {
          this.phase.value = 'waiting';
          await signedInAgain(stop);
          if (stop.aborted || this.list.accountId !== accountShown()) return;
          this.phase.value = 'running';
          continue;
        }
        if (!isPassing(error)) throw error;
        if (this.results.answered > answered) this.patience.reset();
        noteAnswer(null);
        this.phase.value = 'waiting';
        await this.patience.wait(stop);
        if (stop.aborted) return;
        this.phase.value = 'running';
      }
    }
  }

  /** @throws what the client throws; the reason of the signals */
  async #runOnce(attempt: Attempt, { rounds, maxCredits, numbers }: Asked): Promise<void> {
    const { client } = await import('../../session/client.ts');
    const run = runList({
      client,
      addresses: this.survey.addresses,
      numbers,
      journal: indexedDbJournal(this.list.id),
      results: this.results,
      breathe: breather(),
      options: {
        listId: this.list.id,
        stop: attempt.stop.signal,
        signal: attempt.abort.signal,
        rounds,
        waitAtMostMs: WAIT_AT_MOST_MS,
        maxCredits,
      },
    });
    const tick = setInterval(() => {
      const { waiting, waitingMs, conflicts } = run.tally;
      this.spending.note(run.tally);
      attempt.conflicts = conflicts;
      attempt.putOff = waiting === 0 ? null : { addresses: waiting, untilMs: Date.now() + waitingMs };
      this.#show();
    }, SHOW_EVERY_MS);
    try {
      await run.gather();
    } finally {
      clearInterval(tick);
      attempt.conflicts = 0;
      attempt.putOff = null;
      this.spending.note(run.tally);
    }
  }

  /** Not of this tab alone to mend: another one may have the list, and this one then takes it up after it. */
  async #giveUp(error: unknown, phase: Phase): Promise<void> {
    this.trouble.value = troubleOfRun(error);
    this.phase.value = isInUse(error) ? 'elsewhere' : phase;
    if (!isInUse(error)) return;
    await indexedDbJournal(this.list.id).released();
    await this.open();
  }

  #keep(progress: Progress): Promise<void> {
    return keepProgress(this.list.id, {
      ...progress,
      answered: this.results.answered,
      verdicts: [...this.results.counts(this.survey).verdicts],
    });
  }

  #show(): void {
    this.attempt.note(performance.now(), this.results.answered, this.results.left);
    this.shown.value += 1;
  }
}
