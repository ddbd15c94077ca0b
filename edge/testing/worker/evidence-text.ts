import type { Evidence } from '../../../schema/evidence.ts';
import type { FleetLine } from '../../base/fleet-protocol.ts';

/** Evidence of address `i` as a Fleet object writes it: a line for its MX and one for the rest. */
export function evidenceText(i: number, { mx, mxFound, ...rest }: Evidence): string {
  const lines: readonly FleetLine[] = [
    { type: 'mx', n: i, mx, mxFound },
    { type: 'evidence', i, evidence: { ...rest, mx: i } },
  ];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
