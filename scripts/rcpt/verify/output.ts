import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { isBusy, replaceFile } from '../../base/replace-file.ts';
import { Failure, systemCode } from '../failure/failure.ts';
import type { Sink } from '../../../schema/lists/writing/sink.ts';

/** Where rows go. What has been written is there for others only after `commit`, unless it goes to a stream. */
export type Output = {
  readonly write: Sink;
  readonly commit: () => Promise<void>;
  readonly abandon: () => Promise<void>;
};

/**
 * A file that is there whole or not at all: it is written beside its place, synced and renamed.
 * @param path as the user names it
 * @param target where it really is: behind a link it is the file that is written, not the link
 * @throws Failure
 */
export async function fileOutput(path: string, target = path): Promise<Output> {
  const part = `${target}.rcpt-part`;
  const refuse = (error: unknown): Failure => {
    const why = systemCode(error) ?? String(error);
    return new Failure(
      'output',
      `${path} cannot be written (${why}): check the disk's free space and the permissions.`,
    );
  };
  let file: FileHandle;
  try {
    // Nobody else writes it, because its writer holds the journal's lock. An existing one was left by a run that was killed.
    await rm(part, { force: true });
    const mode = await modeOf(target);
    file = await open(part, 'wx', mode ?? 0o666);
    if (mode !== null) await file.chmod(mode);
  } catch (error) {
    throw refuse(error);
  }
  const { ino } = await file.stat();
  const abandon = async (): Promise<void> => {
    await file.close().catch(() => {});
    // By now it may be the part of a run that has taken over.
    const found = await stat(part).catch(() => null);
    if (found?.ino === ino) await rm(part, { force: true }).catch(() => {});
  };
  return {
    abandon,
    write: async (piece) => {
      await file.appendFile(piece).catch((error: unknown) => {
        throw refuse(error);
      });
    },
    commit: async () => {
      try {
        await file.sync();
        await file.close();
        await replaceFile(part, target);
      } catch (error) {
        await abandon();
        throw isBusy(error) ? unreplaced(path, error) : refuse(error);
      }
    },
  };
}

/** On Windows nobody replaces a file that a spreadsheet has open. */
function unreplaced(path: string, error: unknown): Failure {
  const why = systemCode(error) ?? String(error);
  return new Failure(
    'output',
    `${path} cannot be replaced (${why}): close it in other programs, check its permissions, and run the same command with --resume.`,
  );
}

/** Standard output. A reader who has seen enough ends the run. */
export function streamOutput(stream: NodeJS.WritableStream): Output {
  let broken: Error | null = null;
  stream.on('error', (error: Error) => {
    broken ??= error;
  });
  const write: Sink = (piece) =>
    new Promise((done, failed) => {
      stream.write(piece, (error) => {
        const failure = broken ?? error ?? null;
        if (failure === null) done();
        else failed(unwritable(failure));
      });
    });
  return { write, commit: async () => {}, abandon: async () => {} };
}

/** What is said of standard output that cannot be written. */
export function unwritable(error: Error): Failure {
  const code = systemCode(error) ?? error.message;
  if (code === 'EPIPE') return new Failure('output', 'The reader of standard output has closed it.');
  return new Failure('output', `Standard output cannot be written (${code}): check the disk's free space.`);
}

/** A file that is replaced keeps who may read it; null: there is none, and a new one is as the system makes it. */
async function modeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : found.mode & 0o777;
}
