import { rm } from 'node:fs/promises';
import type { Journal } from '../../../schema/client/index.ts';
import { fileJournal } from '../../../schema/client/node/file-journal.ts';

/** A journal that is open before the run, so that the price can be told of what is not known yet. */
export type OpenJournal = {
  readonly path: string;
  /** For the client, which opens and closes it as it likes. */
  readonly journal: Journal;
  /** Whether there is a result of this place. */
  readonly has: (place: number) => boolean;
  /** Whether it is still ours. @throws RcptError JOURNAL_IN_USE */
  readonly check: () => Promise<void>;
  /** Nothing that was looked up or added stands in it. */
  readonly isEmpty: () => boolean;
  /** Gives it up, and removes it if the run is done or nothing stands in it. */
  readonly end: (isDone: boolean) => Promise<void>;
};

/** @throws RcptError LIST_CHANGED, JOURNAL_IN_USE, JOURNAL_BROKEN */
export async function openJournal(path: string, fingerprint: string): Promise<OpenJournal> {
  const inner = fileJournal(path);
  await inner.open(fingerprint);
  let isEmpty = true;
  /** Requests that are charged, or may be, before any of their results is here. */
  let open = 0;
  const journal: Journal = {
    open: async () => {},
    close: async () => {},
    known: async (index) => {
      const record = await inner.known(index);
      if (record !== null) isEmpty = false;
      return record;
    },
    append: (record) => {
      isEmpty = false;
      return inner.append(record);
    },
    requests: async () => {
      const left = await inner.requests();
      open = left.open.length;
      return left;
    },
    begin: (request) => {
      open += 1;
      return inner.begin(request);
    },
    end: (key, cost) => {
      open -= 1;
      if (cost.charged + cost.unsure > 0) isEmpty = false;
      return inner.end(key, cost);
    },
  };
  const end = async (isDone: boolean): Promise<void> => {
    // Removed while it is still ours, so that nobody else has begun with it.
    const isOurs = await inner.check().then(
      () => true,
      () => false,
    );
    if (isOurs && (isDone || (isEmpty && open === 0))) await rm(path, { force: true });
    await inner.close();
  };
  const has = (place: number): boolean => {
    const isKnown = inner.has(place);
    if (isKnown) isEmpty = false;
    return isKnown;
  };
  return { path, journal, has, check: inner.check, isEmpty: () => isEmpty && open === 0, end };
}
