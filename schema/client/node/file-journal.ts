import { constants, type FileHandle, open } from 'node:fs/promises';
import { Batches } from '../journal/batches.ts';
import { RcptError } from '../base/errors.ts';
import { journalOf, readRecord } from '../journal/journal.ts';
import type { Journal, JournalRecord, OpenedJournal } from '../journal/journal.ts';
import { addCosts, type Cost, type JournalRequest, NO_COST, readCost, readRequest } from '../journal/requests.ts';
import type { Requests } from '../journal/requests.ts';
import { parseRecord } from '../wire/read-line.ts';
import { type Lock, lock } from './lock.ts';

const VERSION = 1;
/** How the first line begins. */
const HEAD = `{"rcpt":"journal","version":${VERSION},"fingerprint":`;
const READ_BYTES = 1_048_576;
const LINE_FEED = 0x0a;
/** Not for appending: Windows would not let go of a torn end (nodejs/node#3177). */
const OPEN = constants.O_RDWR | constants.O_CREAT;

/** Read first for a record: most are shorter. */
const RECORD_BYTES = 1_024;
const RECORD_BYTES_MOST = 1_048_576;

/** A journal in a file. */
export type FileJournal = Journal & {
  /** Whether there is a record of this place. */
  readonly has: (index: number) => boolean;
  /** Whether it is empty: no record, no open request, and no credit spent. */
  readonly isEmpty: () => boolean;
  /** To be called before writing anything else that only one run may write. @throws RcptError JOURNAL_IN_USE */
  readonly check: () => Promise<void>;
  /** The run from which it was taken over, because nothing has been heard of it for a while; null: none. */
  readonly takenFrom: () => string | null;
};

/**
 * What the file holds: the offset of the last record of each place, its requests without a cost by their keys, the cost of
 * the others, and the end of its whole lines.
 */
type Contents = {
  fingerprint: string | null;
  isBegun: boolean;
  readonly offsets: Map<number, number>;
  readonly open: Map<string, JournalRequest>;
  spent: Cost;
  end: number;
};

/**
 * A journal in a file of mode 0600: one JSON line for each result and two for each request, written in batches and synced. It
 * survives a kill at any point: a torn last line is dropped, and its address asked again. A lock beside it keeps a second
 * process off.
 *
 * @param path of the file; created if missing
 * @param fingerprint of the list and of what else must not change; null: the records alone tell that the list has changed
 */
export function fileJournal(path: string, fingerprint: string | null = null): FileJournal {
  let opened: OpenJournal | null = null;
  const journal = journalOf(async () => (opened = await openJournal(path, fingerprint)));
  return {
    ...journal,
    has: (index) => opened?.has(index) ?? false,
    isEmpty: () => opened?.isEmpty ?? true,
    check: async () => opened?.check(),
    takenFrom: () => opened?.takenFrom ?? null,
  };
}

async function openJournal(path: string, fingerprint: string | null): Promise<OpenJournal> {
  const held = await lock(`${path}.lock`).catch((error: unknown) => {
    throw broken(path, error);
  });
  let file: FileHandle | null = null;
  try {
    file = await open(path, OPEN, 0o600);
    // Of a device, such as /dev/null, not even the mode is ours.
    if (!(await file.stat()).isFile()) throw foreign(path);
    const contents = await readContents(file, path);
    if (contents.fingerprint !== null && fingerprint !== null && contents.fingerprint !== fingerprint)
      throw new RcptError('LIST_CHANGED', 'The journal was started with another list.');
    await file.chmod(0o600);
    await file.truncate(contents.end);
    const journal = new OpenJournal(path, file, contents, held);
    if (!contents.isBegun) await journal.begun({ rcpt: 'journal', version: VERSION, fingerprint });
    return journal;
  } catch (error) {
    await file?.close();
    await held.release();
    throw broken(path, error);
  }
}

/** `index`: of the place that the line is about; null for a line about a request. */
type Line = { readonly text: string; readonly index: number | null };

class OpenJournal implements OpenedJournal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #contents: Contents;
  readonly #lock: Lock;
  readonly #lines = new Batches<Line>((lines) => this.#write(lines));

  constructor(path: string, file: FileHandle, contents: Contents, held: Lock) {
    this.#path = path;
    this.#file = file;
    this.#contents = contents;
    this.#lock = held;
  }

  get isEmpty(): boolean {
    const { offsets, open: begun, spent } = this.#contents;
    return offsets.size === 0 && begun.size === 0 && spent.charged + spent.unconfirmed === 0;
  }

  get takenFrom(): string | null {
    return this.#lock.takenFrom;
  }

  has(index: number): boolean {
    return this.#contents.offsets.has(index);
  }

  check(): Promise<void> {
    return this.#lock.check();
  }

  async known(index: number): Promise<JournalRecord | null> {
    const at = this.#contents.offsets.get(index);
    if (at === undefined) return null;
    for (let bytes = RECORD_BYTES; bytes <= RECORD_BYTES_MOST; bytes *= 8) {
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(bytes), 0, bytes, at);
      const end = buffer.subarray(0, bytesRead).indexOf(LINE_FEED);
      if (end !== -1) return readRecord(parseRecord(buffer.toString('utf8', 0, end)));
    }
    return null;
  }

  append(record: JournalRecord): Promise<void> {
    return this.#lines.add({ text: `${JSON.stringify(record)}\n`, index: record.index });
  }

  async requests(): Promise<Requests> {
    return { open: [...this.#contents.open.values()], spent: this.#contents.spent };
  }

  begin(request: JournalRequest): Promise<void> {
    this.#contents.open.set(request.key, request);
    return this.#lines.add({ text: `${JSON.stringify({ request })}\n`, index: null });
  }

  end(key: string, cost: Cost): Promise<void> {
    noteEnd(this.#contents, key, cost);
    return this.#lines.add({ text: `${JSON.stringify({ ended: key, ...cost })}\n`, index: null });
  }

  /** @throws RcptError JOURNAL_BROKEN */
  begun(head: object): Promise<void> {
    return this.#write([{ text: `${JSON.stringify(head)}\n`, index: null }]);
  }

  async #write(lines: readonly Line[]): Promise<void> {
    try {
      await this.#lock.check();
      await writeAll(this.#file, Buffer.from(lines.map(({ text }) => text).join('')), this.#contents.end);
      await this.#file.datasync();
      for (const { text, index } of lines) {
        if (index !== null) this.#contents.offsets.set(index, this.#contents.end);
        this.#contents.end += Buffer.byteLength(text);
      }
    } catch (error) {
      throw broken(this.#path, error);
    }
  }

  async close(): Promise<void> {
    await this.#lines.end();
    try {
      await this.#file.close();
    } finally {
      await this.#lock.release();
    }
  }
}

/** The system may take less than it is given. */
async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** Reads the file once from its beginning, in pieces. */
async function readContents(file: FileHandle, path: string): Promise<Contents> {
  const contents: Contents = {
    fingerprint: null,
    isBegun: false,
    offsets: new Map(),
    open: new Map(),
    spent: NO_COST,
    end: 0,
  };
  const piece = Buffer.alloc(READ_BYTES);
  let rest = Buffer.alloc(0);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) {
      if (!contents.isBegun && !isTornHead(rest.toString('utf8'))) throw foreign(path);
      return contents;
    }
    at += bytesRead;
    const text = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = text.indexOf(LINE_FEED); end >= 0; end = text.indexOf(LINE_FEED, start)) {
      takeLine(contents, text.toString('utf8', start, end), end - start, path);
      start = end + 1;
    }
    rest = text.subarray(start);
  }
}

/** Whether a file without a whole line is ours: empty, or cut off in its first line. */
function isTornHead(text: string): boolean {
  return text.startsWith(HEAD) || HEAD.startsWith(text);
}

function foreign(path: string): RcptError {
  return new RcptError('JOURNAL_BROKEN', `${path} is not a journal of this client and was left unchanged.`);
}

function takeLine(contents: Contents, line: string, length: number, path: string): void {
  if (!contents.isBegun) {
    const head = parseRecord(line);
    if (head === null || !line.startsWith(HEAD)) throw foreign(path);
    contents.isBegun = true;
    contents.fingerprint = typeof head['fingerprint'] === 'string' ? head['fingerprint'] : null;
  } else {
    const kept = parseRecord(line);
    const record = readRecord(kept);
    if (record !== null) contents.offsets.set(record.index, contents.end);
    else if (kept !== null) takeRequest(contents, kept);
  }
  contents.end += length + 1;
}

function takeRequest(contents: Contents, kept: Readonly<Record<string, unknown>>): void {
  const request = readRequest(kept['request']);
  if (request !== null) contents.open.set(request.key, request);
  const cost = readCost(kept);
  if (cost !== null && typeof kept['ended'] === 'string') noteEnd(contents, kept['ended'], cost);
}

function noteEnd(contents: Contents, key: string, cost: Cost): void {
  contents.open.delete(key);
  contents.spent = addCosts(contents.spent, cost);
}

function broken(path: string, error: unknown): RcptError {
  if (error instanceof RcptError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new RcptError('JOURNAL_BROKEN', `The journal ${path} cannot be read or written: ${words}`, { cause: error });
}
