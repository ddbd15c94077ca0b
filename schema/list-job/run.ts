import type { Journal, Rcpt, Tally } from '../client/index.ts';
import type { VerifyOptions } from '../client/run/options.ts';
import type { RowResult } from '../lists/columns/result-columns.ts';
import type { Results } from './results.ts';
import { partOf } from './sample.ts';

export type Run = {
  readonly client: Rcpt;
  /** Of the list, each once. */
  readonly addresses: readonly string[];
  /** Those that are asked, of a sample; null: all of them. */
  readonly numbers: readonly number[] | null;
  readonly journal: Journal | null;
  /** Gets what is learnt, and what the journal knew. */
  readonly results: Results;
  readonly options: Omit<VerifyOptions, 'journal'>;
  /** Lets the page do something else, now and then. */
  readonly breathe?: () => Promise<void>;
};

/** A run of a list. */
export type Running = {
  /** How far it is. */
  readonly tally: Tally;
  /** Asks, to the end. To be called once. @throws what the client throws; the reason of the signals */
  readonly gather: () => Promise<void>;
};

/** Asks for the addresses of a list. @param onResult hears of each result, with the number of its address */
export function runList(run: Run, onResult: (number: number, result: RowResult) => void = () => {}): Running {
  const { client, results, options, breathe } = run;
  const asked = run.numbers === null ? null : new Set(run.numbers);
  const journal = run.journal === null || asked === null ? run.journal : partOf(run.journal, asked);
  const verification = client.verifyAll(streamOf(run, asked), { ...options, journal: journal ?? undefined });
  const gather = async (): Promise<void> => {
    for await (const item of verification) {
      results.set(item.index, item);
      onResult(item.index, item);
      await breathe?.();
    }
  };
  return {
    gather,
    get tally() {
      return verification.tally;
    },
  };
}

/** Each address stands in it once, so that the client need not look for duplicates again; null for one that is not asked. */
async function* streamOf(
  { addresses, breathe }: Run,
  asked: ReadonlySet<number> | null,
): AsyncGenerator<string | null, undefined> {
  for (const [number, email] of addresses.entries()) {
    yield asked === null || asked.has(number) ? email : null;
    await breathe?.();
  }
}
