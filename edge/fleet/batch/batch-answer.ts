import type { MxRow } from '../../../schema/link.ts';
import type { FleetLine, FleetPart } from '../../base/fleet-protocol.ts';
import { NO_MX } from '../trust/doubt.ts';
import type { Final } from './batch-book.ts';

/** Where the lines of one batch go. */
export type Sink = {
  write(lines: readonly FleetLine[]): void;
  /** The last line was written. */
  end(): void;
  /** Breaks the stream off without its last line. */
  abandon(): void;
  /** Bytes written that the reader has not taken. */
  readonly unread: number;
};

export type Cause = Extract<FleetLine, { type: 'end' }>['cause'];

/** What the Worker is told of one batch, on the stream that it asked with last. */
export class BatchAnswer {
  #sink: Sink;
  /** Whether the row without MX was written. */
  #hasNoMx = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** What the Worker has not taken yet of what was written. */
  get unread(): number {
    return this.#sink.unread;
  }

  isOn(sink: Sink): boolean {
    return sink === this.#sink;
  }

  /** The Worker asked again: its old stream breaks off. */
  moveTo(sink: Sink): void {
    this.#sink.abandon();
    this.#sink = sink;
    this.#hasNoMx = false;
  }

  writeRows(rows: readonly MxRow[]): void {
    if (rows.length > 0) this.#sink.write(rows.map((row) => ({ ...row, type: 'mx' }) as const));
  }

  writePart(part: FleetPart): void {
    this.#sink.write([{ ...part, type: 'part' }]);
  }

  writeEvidence(final: readonly Final[]): void {
    if (final.length === 0) return;
    if (!this.#hasNoMx && final.some(([, { mx }]) => mx === NO_MX)) {
      this.#hasNoMx = true;
      this.#sink.write([{ type: 'mx', n: NO_MX, mx: [], mxFound: false }]);
    }
    this.#sink.write(final.map(([index, evidence]) => ({ type: 'evidence', i: index, evidence }) as const));
  }

  writeEnd(cause: Cause): void {
    this.#sink.write([{ type: 'end', cause }]);
  }

  /** After the last line. */
  end(): void {
    this.#sink.end();
  }
}
