import type { Evidence } from '../../schema/evidence.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { type BatchIndex, isBatchIndex } from '../base/indexes.ts';
import { type FleetLine, fleetLineSchema, type Lack } from '../base/fleet-protocol.ts';
import { MxRows } from './mx-rows.ts';
import { isOurFault } from '../../schema/outcomes.ts';

export type Found = { readonly index: BatchIndex; readonly evidence: Evidence };

/** A line is a few hundred bytes; ten host names of maximum length are some 3 kB. */
const LINE_LENGTH_MAX = 65_536;

/** Parses a Fleet object's answer. Lines of an unknown form (from a newer object) are dropped and counted. */
export class FleetLines {
  readonly #size: number;
  readonly #known = new Set<BatchIndex>();
  #unprobed = 0;
  #dropped = 0;
  #end: Extract<FleetLine, { type: 'end' }> | null = null;
  readonly #rows = new MxRows();
  readonly #utf8 = new TextDecoder();
  #rest = '';

  /** @param size how many addresses the batch has */
  constructor(size: number) {
    this.#size = size;
  }

  /** How many addresses have evidence that only says they were not probed, through a fault of ours. */
  get unprobed(): number {
    return this.#unprobed;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** The cause given in the last line, after which there is no more; null before it. */
  get end(): Extract<FleetLine, { type: 'end' }>['cause'] | null {
    return this.#end?.cause ?? null;
  }

  /** Why the batch was not begun; null if it was. */
  get lack(): Lack | null {
    const cause = this.end;
    return cause === 'full' || cause === 'share' ? cause : null;
  }

  /** The hosts that had a job of the batch and the number of jobs, from the last line. */
  get figures(): { readonly hosts: readonly string[]; readonly jobs: number } {
    return { hosts: this.#end?.hosts ?? [], jobs: this.#end?.jobs ?? 0 };
  }

  /**
   * Takes a chunk, cut anywhere.
   * @returns evidence of addresses that had none
   * @throws Error for a line that is far too long
   */
  feed(chunk: Uint8Array): readonly Found[] {
    const lines = (this.#rest + this.#utf8.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LINE_LENGTH_MAX) throw new Error('a line from the fleet is too long');
    return lines.flatMap((text) => {
      if (this.#end !== null) return [];
      const line = fleetLineSchema.safeParse(parseJson(text));
      if (line.success) return this.take([line.data]);
      this.#dropped += 1;
      return [];
    });
  }

  /** Takes lines as they are. @returns evidence of addresses that had none */
  take(lines: readonly FleetLine[]): readonly Found[] {
    return lines.flatMap((line) => {
      if (line.type === 'evidence') return this.#find(line);
      if (line.type === 'mx') this.#rows.add(line);
      else this.#end = line;
      return [];
    });
  }

  #find(line: Extract<FleetLine, { type: 'evidence' }>): readonly Found[] {
    const { i } = line;
    const index = isBatchIndex(i, this.#size) ? i : null;
    const evidence = this.#rows.join(line);
    if (index === null || evidence === null) {
      this.#dropped += 1;
      return [];
    }
    if (this.#known.has(index)) return [];
    this.#known.add(index);
    if (isOurFault(evidence.outcome)) this.#unprobed += 1;
    return [{ index, evidence }];
  }
}
