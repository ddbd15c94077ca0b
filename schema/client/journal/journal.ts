import { type Cost, type JournalRequest, NO_COST, type Requests } from './requests.ts';
import { isCount, isRecord, readResult } from '../wire/read-line.ts';
import type { OpenResult } from '../../words/result.ts';

/** The result of one place of a list. */
export type JournalRecord = {
  readonly index: number;
  /** How many times it was asked. */
  readonly asked: number;
  /** When it was answered last, in milliseconds since 1970. */
  readonly atMs: number;
  readonly result: OpenResult;
};

/**
 * Where results survive the process, so that the next run neither asks nor pays for them again. One run uses it at a time.
 * Duplicates in an array have one record, at the first place.
 */
export type Journal = {
  /** Called once, before anything else. @throws RcptError LIST_CHANGED, JOURNAL_IN_USE, JOURNAL_BROKEN */
  readonly open: () => Promise<void>;
  /** The latest record of this place. */
  readonly known: (index: number) => Promise<JournalRecord | null>;
  /** Resolves when the record will survive. */
  readonly append: (record: JournalRecord) => Promise<void>;
  /** Called once, before the first request. */
  readonly requests: () => Promise<Requests>;
  /** Resolves when the request will survive; it is sent after that. */
  readonly begin: (request: JournalRequest) => Promise<void>;
  /** The request of this key has ended at this cost. Called after its results. */
  readonly end: (key: string, cost: Cost) => Promise<void>;
  /** Called after the last record, however the run ended. */
  readonly close: () => Promise<void>;
};

/** A journal between its opening and its closing. */
export type OpenedJournal = Omit<Journal, 'open'>;

/** A journal that is used only while it is open. */
export function journalOf(open: () => Promise<OpenedJournal>): Journal {
  let opened: OpenedJournal | null = null;
  const use = (): OpenedJournal => {
    if (opened === null) throw new Error('The journal is not open.');
    return opened;
  };
  return {
    open: async () => {
      opened = await open();
    },
    known: (index) => use().known(index),
    append: (record) => use().append(record),
    requests: () => use().requests(),
    begin: (request) => use().begin(request),
    end: (key, cost) => use().end(key, cost),
    close: async () => {
      await opened?.close();
      opened = null;
    },
  };
}

/** In place of a missing journal: keeps nothing. */
export const NO_JOURNAL: Journal = {
  open: async () => {},
  known: async () => null,
  append: async () => {},
  requests: async () => ({ open: [], spent: NO_COST }),
  begin: async () => {},
  end: async () => {},
  close: async () => {},
};

/** A record from a journal, checked; null for anything else. */
export function readRecord(kept: unknown): JournalRecord | null {
  if (!isRecord(kept)) return null;
  const { index, asked, atMs } = kept;
  const result = readResult(kept['result']);
  if (!isCount(index) || !isCount(asked) || !isCount(atMs) || result === null) return null;
  return { index, asked, atMs, result };
}
