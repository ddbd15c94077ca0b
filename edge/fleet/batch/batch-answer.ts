import type { MxRow } from '../../../schema/link.ts';
import type { FleetLine } from '../../base/fleet-protocol.ts';
import { NO_MX } from '../trust/rules.ts';
import type { Final } from './addresses.ts';

/** Where the lines of one batch go. */
export type Sink = {
  write(lines: readonly FleetLine[]): void;
  /** The last line was written. */
  end(): void;
  /** Bytes written that the reader has not taken yet. */
  readonly unread: number;
};

export type End = Extract<FleetLine, { type: 'end' }>;
export type Cause = End['cause'];

/** The lines of one batch that go to the Worker. */
export class BatchAnswer {
  readonly #sink: Sink;
  /** Whether the row without MX was written. */
  #hasNoMx = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Bytes written that the Worker has not taken yet. */
  get unread(): number {
    return this.#sink.unread;
  }

  writeRows(rows: readonly MxRow[]): void {
    if (rows.length > 0) this.#sink.write(rows.map((row) => ({ ...row, type: 'mx' }) as const));
  }

  writeEvidence(final: readonly Final[]): void {
    if (final.length === 0) return;
    if (!this.#hasNoMx && final.some(({ evidence: { mx } }) => mx === NO_MX)) {
      this.#hasNoMx = true;
      this.#sink.write([{ type: 'mx', n: NO_MX, mx: [], mxFound: false }]);
    }
    this.#sink.write(final.map(({ index, evidence }) => ({ type: 'evidence', i: index, evidence }) as const));
  }

  writeEnd(end: Omit<End, 'type'>): void {
    this.#sink.write([{ ...end, type: 'end' }]);
  }

  /** After the last line. */
  end(): void {
    this.#sink.end();
  }
}
