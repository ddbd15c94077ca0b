import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../failure/failure.ts';
import type { VerifyRequest } from './request.ts';

/** Beside the output: what is known, and what it cost, survives there until the output is whole. */
export function journalPath({ output, journal }: Pick<VerifyRequest, 'output' | 'journal'>): string | null {
  return output === '-' ? journal : `${output}.rcpt-journal`;
}

/**
 * Refuses what would destroy something: an output that is there, the input itself, what an earlier run has paid for.
 * @throws Failure
 */
export async function checkPlaces(request: VerifyRequest): Promise<void> {
  const { input, output, isForced, isResumed } = request;
  const journal = journalPath(request);
  const [hasOutput, hasJournal] = [
    output !== '-' && (await exists(output)),
    journal !== null && (await exists(journal)),
  ];
  // Renaming a file onto a device would replace the device.
  if (hasOutput && !(await stat(output)).isFile())
    throw new Failure('usage', `-o ${output} is not a file: name one, or - for standard output.`);
  if (hasOutput && (await isSameFile(input, output)))
    throw new Failure('usage', `-o ${output} is the input itself: name another file.`);
  if (output !== '-' && !(await exists(dirname(output))))
    throw new Failure('usage', `-o ${output}: there is no folder ${dirname(output)}.`);
  if (isResumed) {
    if (hasOutput && !hasJournal && !isForced)
      throw new Failure(
        'usage',
        `${output} is complete: nothing is left to resume. Use --force to verify the list again.`,
      );
    return;
  }
  if (hasJournal)
    throw new Failure(
      'usage',
      `${journal} holds the results of an earlier run: continue with --resume, or delete it to start, and pay, again.`,
    );
  if (hasOutput && !isForced) throw new Failure('usage', `${output} already exists: use --force to overwrite it.`);
}

/**
 * The same once the journal is ours: another run may have ended while this one read its list, and left it to us.
 * @throws Failure
 */
export async function checkNotDone({ output, isForced }: VerifyRequest, isJournalEmpty: boolean): Promise<void> {
  if (isJournalEmpty && output !== '-' && !isForced && (await exists(output)))
    throw new Failure('usage', `${output} was completed by another run. Use --force to verify the list again.`);
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function isSameFile(input: string, output: string): Promise<boolean> {
  if (input === '-') return false;
  const [one, other] = await Promise.all([input, output].map((path) => realpath(path).catch(() => null)));
  return one !== null && one === other;
}
