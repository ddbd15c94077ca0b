import { join } from 'node:path';
import { RcptError } from '../../schema/client/base/errors.ts';
import { lock, type Lock } from '../../schema/client/node/lock.ts';
import { StartError } from './start-error.ts';

/**
 * Takes a state folder for this process alone. A lock whose process was killed is taken over at once, on every system.
 * @throws StartError if another process has it, or no file can be written there
 */
export async function lockFolder(folder: string): Promise<Pick<Lock, 'release'>> {
  const what = `The state folder ${folder}`;
  try {
    return await lock(join(folder, 'lock'), what);
  } catch (error) {
    if (error instanceof RcptError) throw new StartError(`${error.message} --state names another folder.`, error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new StartError(`${what} cannot be written to (${code}): name another with --state.`, error);
  }
}
