import { answer } from '../../../schema/client/browser/answer.ts';
import { Trouble } from './api.ts';

const BLOCKED =
  'This browser does not let the page keep anything. Allow site data for this site, or use a window that is not private.';

/**
 * Opens a database of this browser.
 * @param make what is in it, the first time
 * @throws Trouble if the browser keeps nothing, as some private windows do
 */
export async function openDatabase(name: string, make: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  try {
    // Some browsers throw where others answer with an error.
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => make(request.result));
    return await answer(request);
  } catch {
    throw new Trouble(BLOCKED, 0);
  }
}
