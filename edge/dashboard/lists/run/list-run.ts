import { signal } from '@preact/signals';
import { indexedDbJournal } from '../../../../schema/client/browser/indexed-db-journal.ts';
import type { Journal } from '../../../../schema/client/index.ts';
import { addCosts, type Cost, NO_COST } from '../../../../schema/client/journal/requests.ts';
import { type Trouble, troubleOf } from '../../session/api.ts';
import { refreshBalance, settleBalance } from '../../session/balance.ts';
import { me, view } from '../../session/me.ts';
import { Patience } from '../../session/patience.ts';
import { isInUse, isPassing, troubleOfRun } from '../../session/run-trouble.ts';
import { noteAnswer } from '../../session/service-state.ts';
import { ListResults } from './list-results.ts';
import { breather } from '../reading/breather.ts';
import { openFile, type Table } from '../reading/open-file.ts';
import {
  deleteList,
  keepProgress,
  NO_PROGRESS,
  type Progress,
  progressOf,
  type StoredList,
  storedLists,
} from '../kept/stored.ts';
import { Survey } from '../content/survey.ts';
import { Rate } from './rate.ts';
import { tellOtherTabs } from './other-tabs.ts';

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

const SHOW_EVERY_MS = 250;
const KEEP_EVERY_MS = 2_000;

/** One list of this browser: what is known of it, and its run, which goes on while other views are shown. */
export class ListRun {
  readonly list: StoredList;
  readonly phase = signal<Phase>('opening');
  readonly trouble = signal<Trouble | null>(null);
  readonly progress = signal<Progress | null>(null);
  /** Changes whenever the outcome does, a few times a second. */
  readonly shown = signal(0);
  /** What all runs have cost. */
  readonly cost = signal<Cost>(NO_COST);
  readonly patience = new Patience();
  /** Requests that wait until the service has ended an interrupted attempt. */
  conflicts = 0;
  rate = new Rate();
  /** When nothing is under way any more. */
  ended: Promise<void> = Promise.resolve();
  /** When the file has been read. */
  readonly opened: Promise<void>;
  results = new ListResults(0);
  survey: Survey;
  table: Table | null = null;
  #stop = new AbortController();
  #abort = new AbortController();
  /** In requests whose bill was not read, and those of them that have no answer. */
  #openEntries = 0;
  #openUnanswered = 0;

  constructor(list: StoredList) {
    this.list = list;
    this.survey = new Survey(list.choice);
    this.opened = this.open();
  }

  /** How many addresses have no answer yet. */
  get left(): number {
    return this.results.size - this.results.answered;
  }

  /** Reads the file, and what earlier runs have learnt. */
  async open(): Promise<void> {
    this.phase.value = 'opening';
    this.trouble.value = null;
    try {
      this.progress.value = await progressOf(this.list.id);
      this.table = await openFile(this.list.file, this.list.name, this.list.choice.sheet);
      this.survey = new Survey(this.list.choice);
      for await (const rows of this.table.rows()) this.survey.add(rows);
      this.results = new ListResults(this.survey.addresses.length);
      await this.#readJournal((journal) => this.#readResults(journal));
      this.phase.value = 'still';
      // All is answered, and the bill of a request was not read: asking for it again costs nothing.
      if (this.left === 0 && this.#openEntries > 0) void this.start();
    } catch (error) {
      this.#giveUp(error, 'closed');
    }
  }

  /** @throws RcptError */
  async #readJournal(read: (journal: Journal) => Promise<void>): Promise<void> {
    const journal = indexedDbJournal(this.list.id);
    await journal.open(null);
    try {
      await read(journal);
      await this.#readCost(journal);
    } finally {
      await journal.close();
    }
  }

  async #readResults(journal: Journal): Promise<void> {
    const breathe = breather();
    for (let index = 0; index < this.results.size; index += 1) {
      const record = await journal.known(index);
      if (record !== null) this.results.set(index, record.result);
      await breathe();
    }
  }

  async #readCost(journal: Journal): Promise<void> {
    const { earlier } = this.progress.value ?? NO_PROGRESS;
    const { open, spent } = await journal.requests();
    const entries = open.flatMap((request) => request.entries);
    this.#openEntries = entries.length;
    this.#openUnanswered = entries.filter(({ index }) => this.results.kindOf(index) === null).length;
    this.cost.value = {
      charged: earlier.charged + spent.charged,
      returned: earlier.returned + spent.returned,
      unsure: earlier.unsure + spent.unsure + entries.length,
    };
  }

  /** Asks what has no answer yet; costs one credit for each at most. */
  start(): Promise<void> {
    return (this.ended = this.#run(this.progress.value?.rounds ?? 1, 0));
  }

  /** Asks those again that were put off, once their wait is over; costs one credit for each at most. */
  askAgain(): Promise<void> {
    return (this.ended = this.#run((this.progress.value?.rounds ?? 1) + 1, this.results.waiting));
  }

  /** Requests in progress are finished: they are paid for. */
  pause(): void {
    if (this.isGoing) this.phase.value = 'pausing';
    this.#stop.abort();
  }

  /** Ends it at once. What was in progress is taken up by the next run, and not paid for again. */
  abort(): void {
    this.pause();
    this.#abort.abort();
  }

  get isGoing(): boolean {
    return this.phase.value === 'running' || this.phase.value === 'waiting' || this.phase.value === 'pausing';
  }

  /** @param again how many are asked again */
  async #run(rounds: number, again: number): Promise<void> {
    const before = this.progress.value;
    if (before === null || this.phase.value !== 'still' || this.list.accountId !== accountShown()) return;
    const stop = (this.#stop = new AbortController());
    this.#abort = new AbortController();
    this.phase.value = 'running';
    this.trouble.value = null;
    this.rate = new Rate();
    const progress = { ...before, rounds };
    const keep = setInterval(() => void this.#keep(progress).catch(() => {}), KEEP_EVERY_MS);
    try {
      await this.#keep(progress);
      await this.#readJournal(() => Promise.resolve());
      const { charged, unsure } = this.cost.value;
      const { earlier } = before;
      // The price of the whole list: what it has cost, what is in open requests, and what was never asked.
      const maxCredits = charged - earlier.charged + unsure - earlier.unsure + this.left - this.#openUnanswered + again;
      await this.#runUntilServed(rounds, maxCredits, stop.signal);
      this.phase.value = 'still';
    } catch (error) {
      // What it is told beside.
      if (troubleOfRun(error).status === 402) await refreshBalance();
      this.#giveUp(error, 'still');
    } finally {
      clearInterval(keep);
      this.#show();
      await this.#keep(progress).catch((error: unknown) => (this.trouble.value ??= troubleOf(error)));
      void settleBalance();
    }
  }

  /** While the service cannot verify the list waits, and goes on by itself. @throws what is for the reader to mend */
  async #runUntilServed(rounds: number, maxCredits: number, stop: AbortSignal): Promise<void> {
    for (;;) {
      const { answered } = this.results;
      try {
        await this.#runOnce(rounds, maxCredits);
        return;
      } catch (error) {
        if (stop.aborted) return;
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
  async #runOnce(rounds: number, maxCredits: number): Promise<void> {
    const { client } = await import('../../session/client.ts');
    const run = client.verifyAll(this.#addresses(), {
      journal: indexedDbJournal(this.list.id),
      fingerprint: this.list.id,
      stop: this.#stop.signal,
      signal: this.#abort.signal,
      rounds,
      maxCredits,
    });
    const { earlier } = this.progress.value ?? NO_PROGRESS;
    const tick = setInterval(() => {
      // Before it has read its journal a run has spent nothing.
      if (run.tally.read > 0) this.cost.value = addCosts(earlier, run.tally);
      this.conflicts = run.tally.conflicts;
      this.#show();
    }, SHOW_EVERY_MS);
    try {
      const breathe = breather();
      for await (const { index, result } of run) {
        this.results.set(index, result);
        await breathe();
      }
    } finally {
      clearInterval(tick);
      this.conflicts = 0;
      if (run.tally.read > 0) this.cost.value = addCosts(earlier, run.tally);
    }
  }

  /** Not of this tab alone to mend: another one may have the list, and this one then takes it up after it. */
  #giveUp(error: unknown, phase: Phase): void {
    this.trouble.value = troubleOfRun(error);
    this.phase.value = isInUse(error) ? 'elsewhere' : phase;
    if (isInUse(error)) void this.#openAfterOther();
  }

  async #openAfterOther(): Promise<void> {
    await indexedDbJournal(this.list.id).released();
    await this.open();
  }

  /** A stream: each address stands in it once, so that nobody need look for duplicates again. */
  async *#addresses(): AsyncGenerator<string, undefined> {
    const breathe = breather();
    for (const address of this.survey.addresses) {
      yield address;
      await breathe();
    }
  }

  #keep(progress: Progress): Promise<void> {
    return keepProgress(this.list.id, { ...progress, answered: this.results.answered });
  }

  #show(): void {
    const { answered, size } = this.results;
    this.rate.addSample(performance.now(), answered);
    this.shown.value += 1;
    tellOtherTabs(this.list.id, { answered, size });
  }
}

const runs = new Map<string, ListRun>();

/** The run of a list: the one that is under way, or a new one that reads the file first. */
export function runOf(list: StoredList): ListRun {
  const known = runs.get(list.id);
  if (known !== undefined) return known;
  // What is not under way is let go: a list of a million takes some 200 MB.
  for (const [id, { phase }] of runs) if (phase.value === 'still' || phase.value === 'closed') runs.delete(id);
  const run = new ListRun(list);
  runs.set(list.id, run);
  return run;
}

/** Lets go of a list that was deleted. */
export function forgetRun(id: string): void {
  runs.delete(id);
}

/** Ends what is under way in this tab for these accounts, and forgets their lists in this browser with all results. */
export async function deleteListsOf(accountIds: readonly string[]): Promise<void> {
  const kept = await Promise.all(accountIds.map((id) => storedLists(id)));
  for (const { id } of kept.flat()) {
    const run = runs.get(id);
    run?.abort();
    await run?.ended;
    runs.delete(id);
    await deleteList(id);
  }
}

/** Whether it is being verified in this tab now. */
export function isUnderWay(id: string): boolean {
  return runs.get(id)?.isGoing ?? false;
}

function accountShown(): string | null {
  return me.value.state === 'ready' && me.value.value.signedIn ? me.value.value.account.id : null;
}

// An account pays for its own lists alone.
view.subscribe((shown) => {
  if (shown === null) return;
  for (const run of runs.values()) if (run.list.accountId !== accountShown()) run.abort();
});

// A tab that is closed by mistake: what is known is kept, but the reader should know that nothing goes on.
addEventListener('beforeunload', (event) => {
  if ([...runs.values()].some(({ isGoing }) => isGoing)) event.preventDefault();
});
