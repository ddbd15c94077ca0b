import { rm } from 'node:fs/promises';
import type { Journal } from '../../../schema/client/index.ts';
import { fileJournal, type FileJournal } from '../../../schema/client/node/file-journal.ts';

/** A journal that is open before the run, so that the price can be told of what is not known yet. */
export type OpenJournal = Pick<FileJournal, 'has' | 'check' | 'isEmpty'> & {
  readonly path: string;
  /** For the client, which opens and closes it as it likes. */
  readonly journal: Journal;
  /** Gives it up, and removes it if the run is done or nothing stands in it. */
  readonly end: (isDone: boolean) => Promise<void>;
};

/** @throws RcptError LIST_CHANGED, JOURNAL_IN_USE, JOURNAL_BROKEN */
export async function openJournal(path: string, fingerprint: string): Promise<OpenJournal> {
  const journal = fileJournal(path);
  await journal.open(fingerprint);
  const end = async (isDone: boolean): Promise<void> => {
    // Removed while it is still ours, so that nobody else has begun with it.
    const isOurs = await journal.check().then(
      () => true,
      () => false,
    );
    if (isOurs && (isDone || journal.isEmpty())) await rm(path, { force: true });
    await journal.close();
  };
  const { has, check, isEmpty } = journal;
  return { path, journal: { ...journal, open: async () => {}, close: async () => {} }, has, check, isEmpty, end };
}
