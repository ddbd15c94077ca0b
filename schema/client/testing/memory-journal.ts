import { checkFingerprint, type Journal, type JournalRecord } from '../journal/journal.ts';
import { OpenRequests } from '../journal/requests.ts';

/** A journal that lives as long as the process. */
export function memoryJournal(): Journal {
  const records = new Map<number, JournalRecord>();
  const requests = new OpenRequests();
  let known: string | null = null;
  return {
    open: async (fingerprint) => {
      checkFingerprint(known, fingerprint);
      known = fingerprint ?? known;
    },
    known: async (index) => records.get(index) ?? null,
    append: async (record) => {
      records.set(record.index, record);
    },
    requests: async () => requests.left,
    begin: async (request) => requests.begin(request),
    end: async (key, cost) => requests.end(key, cost),
    close: async () => {},
  };
}
