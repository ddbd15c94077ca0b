import { signal } from '@preact/signals';
import { indexedDbJournal } from '../../../../schema/client/browser/indexed-db-journal.ts';
import type { Verification } from '../../../../schema/client/index.ts';
import { type Trouble, troubleOf } from '../../session/api.ts';
import { refreshBalance } from '../../session/balance.ts';
import { me, view } from '../../session/me.ts';
import { troubleOfRun } from '../../session/run-trouble.ts';
import { ListResults } from './list-results.ts';
import { breather } from '../reading/breather.ts';
import { openFile, type Table } from '../reading/open-file.ts';
import { keepProgress, type Progress, progressOf, type StoredList } from '../kept/stored.ts';
import { Survey } from '../content/survey.ts';
import { Rate } from './rate.ts';

export type Phase =
  /** The file and what is known of it are read. */
  | 'opening'
  /** They could not be read: `open` tries again. */
  | 'closed'
  /** Nothing is being asked. */
  | 'still'
  | 'running'
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
  readonly rate = new Rate();
  /** When the file has been read. */
  readonly opened: Promise<void>;
  results = new ListResults(0);
  survey: Survey;
  table: Table | null = null;
  #stop = new AbortController();

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
      await this.#readJournal();
      this.phase.value = 'still';
    } catch (error) {
      this.trouble.value = troubleOfRun(error);
      this.phase.value = 'closed';
    }
  }

  async #readJournal(): Promise<void> {
    const journal = indexedDbJournal(this.list.id);
    await journal.open(null);
    try {
      const breathe = breather();
      for (let index = 0; index < this.results.size; index += 1) {
        const record = await journal.known(index);
        if (record !== null) this.results.set(index, record.result);
        await breathe();
      }
    } finally {
      await journal.close();
    }
  }

  /** Asks what has no answer yet; costs one credit for each at most. */
  start(): Promise<void> {
    return this.#run(this.progress.value?.rounds ?? 1, this.left);
  }

  /** Asks those again that were put off, once their wait is over; costs one credit for each at most. */
  askAgain(): Promise<void> {
    return this.#run((this.progress.value?.rounds ?? 1) + 1, this.results.waiting + this.left);
  }

  /** What was not answered yet costs nothing. */
  pause(): void {
    if (this.phase.value === 'running') this.phase.value = 'pausing';
    this.#stop.abort();
  }

  async #run(rounds: number, maxCredits: number): Promise<void> {
    const before = this.progress.value;
    if (before === null || this.phase.value !== 'still' || this.list.accountId !== accountShown()) return;
    const stop = (this.#stop = new AbortController());
    this.phase.value = 'running';
    this.trouble.value = null;
    let run: Verification<string> | null = null;
    const tell = (): Progress => {
      const { charged = 0, returned = 0, unsure = 0 } = run?.tally ?? {};
      return {
        answered: this.results.answered,
        rounds,
        charged: before.charged + charged,
        returned: before.returned + returned,
        unsure: before.unsure + unsure,
      };
    };
    const tick = setInterval(() => this.#show(tell()), SHOW_EVERY_MS);
    const keep = setInterval(() => void keepProgress(this.list.id, tell()).catch(() => {}), KEEP_EVERY_MS);
    try {
      await keepProgress(this.list.id, { ...before, rounds });
      const { client } = await import('../../session/client.ts');
      run = client.verifyAll(this.#addresses(), {
        journal: indexedDbJournal(this.list.id),
        fingerprint: this.list.id,
        signal: stop.signal,
        rounds,
        maxCredits,
      });
      const breathe = breather();
      for await (const { index, result } of run) {
        this.results.set(index, result);
        await breathe();
      }
    } catch (error) {
      if (!stop.signal.aborted) this.trouble.value = troubleOfRun(error);
    } finally {
      clearInterval(tick);
      clearInterval(keep);
      this.#show(tell());
      await keepProgress(this.list.id, tell()).catch((error: unknown) => (this.trouble.value = troubleOf(error)));
      this.phase.value = 'still';
      void refreshBalance();
    }
  }

  /** A stream: each address stands in it once, so that nobody need look for duplicates again. */
  async *#addresses(): AsyncGenerator<string, undefined> {
    const breathe = breather();
    for (const address of this.survey.addresses) {
      yield address;
      await breathe();
    }
  }

  #show(progress: Progress): void {
    this.rate.addSample(performance.now(), progress.answered);
    this.progress.value = progress;
    this.shown.value += 1;
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

/** Whether it is being verified in this tab now. */
export function isUnderWay(id: string): boolean {
  const phase = runs.get(id)?.phase.value;
  return phase === 'running' || phase === 'pausing';
}

function accountShown(): string | null {
  return me.value.state === 'ready' && me.value.value.signedIn ? me.value.value.account.id : null;
}

// An account pays for its own lists alone.
view.subscribe((shown) => {
  if (shown === null) return;
  for (const run of runs.values()) if (run.list.accountId !== accountShown()) run.pause();
});

// A run that the network has ended goes on with the network.
addEventListener('online', () => {
  for (const run of runs.values())
    if (run.phase.value === 'still' && run.trouble.value?.status === null && run.left > 0) void run.start();
});

// A tab that is closed by mistake: what is known is kept, but the reader should know that nothing goes on.
addEventListener('beforeunload', (event) => {
  if ([...runs.values()].some(({ phase }) => phase.value === 'running')) event.preventDefault();
});
