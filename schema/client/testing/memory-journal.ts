import type { Journal, JournalRecord } from '../journal/journal.ts';
import { addCosts, type JournalRequest, NO_COST } from '../journal/requests.ts';

/** A journal that lives as long as the process. */
export function memoryJournal(): Journal {
  const records = new Map<number, JournalRecord>();
  const open = new Map<string, JournalRequest>();
  let spent = NO_COST;
  return {
    open: async () => {},
    known: async (index) => records.get(index) ?? null,
    append: async (record) => {
      records.set(record.index, record);
    },
    requests: async () => ({ open: [...open.values()], spent }),
    begin: async (request) => void open.set(request.key, request),
    end: async (key, cost) => {
      open.delete(key);
      spent = addCosts(spent, cost);
    },
    close: async () => {},
  };
}
