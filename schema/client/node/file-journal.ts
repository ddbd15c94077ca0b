import { type FileHandle, open } from 'node:fs/promises';
import { Batches } from '../journal/batches.ts';
import { RcptError } from '../base/errors.ts';
import { checkFingerprint, journalOf, readRecord } from '../journal/journal.ts';
import type { Journal, JournalRecord, OpenedJournal } from '../journal/journal.ts';
import {
  type Cost,
  type JournalRequest,
  OpenRequests,
  readCost,
  readRequest,
  type Requests,
} from '../journal/requests.ts';
import { parseRecord } from '../wire/read-line.ts';
import { type Clock, SYSTEM_CLOCK } from '../base/clock.ts';
import { type Lock, lock } from './lock.ts';

const VERSION = 1;
const READ_BYTES = 1_048_576;
const LINE_FEED = 0x0a;

/** What the file holds: where the last record of each place begins and ends, its requests, and how far its whole lines reach. */
type Contents = {
  fingerprint: string | null;
  isBegun: boolean;
  readonly places: Map<number, Span>;
  readonly requests: OpenRequests;
  end: number;
};
type Span = { readonly at: number; readonly length: number };

/**
 * A journal in a file of the caller's, mode 0600: one JSON line for each result and two for each request, written in batches
 * and synced. It
 * outlives a kill at any point: a torn last line is dropped, and its address asked again. A lock beside it keeps a
 * second process off.
 *
 * @param path of the file; it is made if it is not there
 * @param clock by which a lock that a killed process left is told from a living one's: that takes some seconds
 */
export function fileJournal(path: string, clock = SYSTEM_CLOCK): Journal {
  return journalOf((fingerprint) => openJournal(path, fingerprint, clock));
}

async function openJournal(path: string, fingerprint: string | null, clock: Clock): Promise<OpenJournal> {
  const held = await lock(`${path}.lock`, clock).catch((error: unknown) => {
    throw broken(path, error);
  });
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'a+', 0o600);
    await file.chmod(0o600);
    const contents = await readContents(file, path);
    checkFingerprint(contents.fingerprint, fingerprint);
    await file.truncate(contents.end);
    const journal = new OpenJournal(path, file, contents, held);
    if (!contents.isBegun)
      await journal.write(`${JSON.stringify({ rcpt: 'journal', version: VERSION, fingerprint })}\n`);
    return journal;
  } catch (error) {
    await file?.close();
    await held.release();
    throw broken(path, error);
  }
}

class OpenJournal implements OpenedJournal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #places: Map<number, Span>;
  readonly #requests: OpenRequests;
  readonly #lock: Lock;
  readonly #lines = new Batches<string>((lines) => this.write(lines.join('')));
  #end: number;
  /** After a write that failed nobody knows what stands at the end of the file. */
  #failure: RcptError | null = null;

  constructor(path: string, file: FileHandle, { places, requests, end }: Contents, held: Lock) {
    this.#path = path;
    this.#file = file;
    this.#places = places;
    this.#requests = requests;
    this.#end = end;
    this.#lock = held;
  }

  async known(index: number): Promise<JournalRecord | null> {
    const span = this.#places.get(index);
    if (span === undefined) return null;
    const { buffer } = await this.#file.read(Buffer.alloc(span.length), 0, span.length, span.at);
    return readRecord(parseRecord(buffer.toString('utf8')));
  }

  append(record: JournalRecord): Promise<void> {
    return this.#lines.add(`${JSON.stringify(record)}\n`);
  }

  async requests(): Promise<Requests> {
    return this.#requests.left;
  }

  begin(request: JournalRequest): Promise<void> {
    return this.#lines.add(`${JSON.stringify({ request })}\n`);
  }

  end(key: string, cost: Cost): Promise<void> {
    return this.#lines.add(`${JSON.stringify({ ended: key, ...cost })}\n`);
  }

  /** @throws RcptError JOURNAL_BROKEN */
  async write(text: string): Promise<void> {
    try {
      await this.#lock.check();
      await this.#file.appendFile(text);
      await this.#file.datasync();
      this.#end += Buffer.byteLength(text);
    } catch (error) {
      this.#failure = broken(this.#path, error);
      throw this.#failure;
    }
  }

  async close(): Promise<void> {
    await this.#lines.end();
    try {
      // Half a batch is dropped now rather than by the next run. Who has lost the lock touches nothing.
      if (this.#failure?.code === 'JOURNAL_BROKEN') await this.#file.truncate(this.#end).catch(() => {});
      await this.#file.close();
    } finally {
      await this.#lock.release();
    }
  }
}

/** Reads the file once from its beginning, in pieces. */
async function readContents(file: FileHandle, path: string): Promise<Contents> {
  const contents: Contents = {
    fingerprint: null,
    isBegun: false,
    places: new Map(),
    requests: new OpenRequests(),
    end: 0,
  };
  const piece = Buffer.alloc(READ_BYTES);
  let rest = Buffer.alloc(0);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return contents;
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

function takeLine(contents: Contents, line: string, length: number, path: string): void {
  if (!contents.isBegun) {
    const head = parseRecord(line);
    if (head?.['rcpt'] !== 'journal' || head['version'] !== VERSION)
      throw new RcptError('JOURNAL_BROKEN', `${path} is not a journal of this client and was left unchanged.`);
    contents.isBegun = true;
    contents.fingerprint = typeof head['fingerprint'] === 'string' ? head['fingerprint'] : null;
  } else {
    const kept = parseRecord(line);
    const record = readRecord(kept);
    if (record !== null) contents.places.set(record.index, { at: contents.end, length });
    else if (kept !== null) takeRequest(contents.requests, kept);
  }
  contents.end += length + 1;
}

function takeRequest(requests: OpenRequests, kept: Readonly<Record<string, unknown>>): void {
  const request = readRequest(kept['request']);
  if (request !== null) requests.begin(request);
  const cost = readCost(kept);
  if (cost !== null && typeof kept['ended'] === 'string') requests.end(kept['ended'], cost);
}

function broken(path: string, error: unknown): RcptError {
  if (error instanceof RcptError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new RcptError('JOURNAL_BROKEN', `The journal ${path} cannot be read or written: ${words}`, { cause: error });
}
