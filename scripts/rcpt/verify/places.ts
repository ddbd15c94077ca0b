import { readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Journal } from '../../../schema/client/index.ts';
import { fileJournal, type FileJournal } from '../../../schema/client/node/file-journal.ts';
import { Failure, systemCode } from '../failure/failure.ts';
import type { VerifyRequest } from './request.ts';

/** Where the output of a run really is, links resolved, with its journal beside it; null: standard output. */
export type Place = { readonly file: string; readonly journal: string };

/**
 * Refuses what would destroy something: an output that is there, the input itself, what an earlier run has paid for.
 * @throws Failure
 */
export async function placeOf(request: VerifyRequest): Promise<Place | null> {
  const { input, output, force = false, resume = false } = request;
  if (output === '-') return null;
  const file = await realPlace(output);
  const place = { file, journal: `${file}.rcpt-journal` };
  const [hasOutput, hasJournal] = [await exists(file), await exists(place.journal)];
  // Renaming a file onto a device would replace the device. A pipe has no name to resolve, as in /dev/stdout.
  if ((await stat(output).catch(() => null))?.isFile() === false)
    throw usage(`-o ${output} is not a file: name one, or - for standard output.`);
  if (hasOutput && input !== '-' && (await realpath(input).catch(() => null)) === file)
    throw usage(`-o ${output} is the input itself: name another file.`);
  if (!(await exists(dirname(file)))) throw usage(`-o ${output}: there is no folder ${dirname(output)}.`);
  if (resume && hasOutput && !hasJournal && !force)
    throw usage(`${output} is complete: nothing is left to resume. Use --force to verify the list again.`);
  if (resume) return place;
  if (hasJournal)
    throw usage(
      `${place.journal} holds the results of an earlier run: continue with --resume, or delete it to start, and pay, again.`,
    );
  if (hasOutput && !force) throw usage(`${output} already exists: use --force to overwrite it.`);
  return place;
}

/** What a path leads to, even if that is not there yet: two names of one file are one place. */
async function realPlace(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const place = join(folder, basename(path));
  try {
    return await realpath(place);
  } catch (error) {
    // A circle of links leads nowhere.
    if (systemCode(error) !== 'ENOENT') return place;
  }
  // The link may be there before the file is.
  const target = await readlink(place).catch(() => null);
  return target === null ? place : realPlace(resolve(folder, target));
}

/**
 * The same once the journal is ours: another run may have ended while this one read its list, and left it to us.
 * @throws Failure
 */
export async function checkNotDone(request: VerifyRequest, place: Place, isJournalEmpty: boolean): Promise<void> {
  if (isJournalEmpty && request.force !== true && (await exists(place.file)))
    throw usage(`${request.output} was completed by another run. Use --force to verify the list again.`);
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

function usage(message: string): Failure {
  return new Failure('usage', message);
}

/** A journal that is open before the run, so that the price of the unanswered rows can be shown. */
export type OpenJournal = Pick<FileJournal, 'has' | 'check' | 'isEmpty' | 'takenFrom'> & {
  readonly path: string;
  /** For the client, which opens and closes it as it likes. */
  readonly journal: Journal;
  /** Gives it up, and removes it if the run is done or nothing stands in it. */
  readonly end: (isDone: boolean) => Promise<void>;
};

/** @throws RcptError LIST_CHANGED, JOURNAL_IN_USE, JOURNAL_BROKEN */
export async function openJournal(path: string, fingerprint: string): Promise<OpenJournal> {
  const journal = fileJournal(path, fingerprint);
  await journal.open();
  const end = async (isDone: boolean): Promise<void> => {
    // Removed while it is still ours, so that nobody else has begun with it.
    const isOurs = await journal.check().then(
      () => true,
      () => false,
    );
    if (isOurs && (isDone || journal.isEmpty())) await rm(path, { force: true });
    await journal.close();
  };
  const { has, check, isEmpty, takenFrom } = journal;
  const open: Journal = { ...journal, open: async () => {}, close: async () => {} };
  return { path, journal: open, has, check, isEmpty, takenFrom, end };
}
