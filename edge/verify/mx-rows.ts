import type { Evidence } from '../../schema/evidence.ts';
import type { FleetLine } from '../base/fleet-protocol.ts';

type Line<T extends FleetLine['type']> = Extract<FleetLine, { type: T }>;

/** Joins evidence with its MX row again: the two travel through a Fleet object separately. */
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
