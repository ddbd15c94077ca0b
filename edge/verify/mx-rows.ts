import type { Evidence } from '../../schema/evidence.ts';
import type { FleetLine } from '../base/fleet-protocol.ts';

type Line<T extends FleetLine['type']> = Extract<FleetLine, { type: T }>;

/** Puts evidence and its MX together again, which go through a Fleet object apart. */
export class MxRows {
  readonly #rows = new Map<number, Pick<Evidence, 'mx' | 'mxFound'>>();

  add({ n, mx, mxFound }: Line<'mx'>): void {
    if (!this.#rows.has(n)) this.#rows.set(n, { mx, mxFound });
  }

  /** @returns null for evidence whose row was never seen */
  join({ evidence: { mx: n, ...rest } }: Line<'evidence'>): Evidence | null {
    const row = this.#rows.get(n);
    return row === undefined ? null : { ...row, ...rest };
  }
}
