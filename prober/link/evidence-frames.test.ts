import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../schema/evidence.ts';
import { REPORT_BYTES_MAX, toEdgeSchema } from '../../schema/link.ts';
import { ACCEPTED } from '../../schema/testing/evidence.ts';
import { evidenceFrames } from './evidence-frames.ts';

const longName = (seed: string): string => `${seed.padEnd(61, 'a')}.${`${'z'.repeat(63)}.`.repeat(3)}`.slice(0, 253);
const withMx = (mx: readonly string[], mxFound = true): Evidence => ({ ...ACCEPTED, mx: [...mx], mxFound });

describe('evidenceFrames', () => {
  it('sends each list of MX once, whichever domains share it, and distinguishes found from not found', () => {
    const rows = new Map<string, number>();
    const framesOf = (...all: readonly Evidence[]) =>
      evidenceFrames(
        'b.1',
        all.map((evidence, index) => ({ index, evidence })),
        rows,
      );
    const [first, ...others] = framesOf(
      withMx(['mx.a.test']),
      withMx(['mx.b.test', 'mx2.b.test']),
      withMx(['mx.a.test']),
    );
    expect(others).toEqual([]);
    expect(first?.mx).toEqual([
      { n: 0, mx: ['mx.a.test'], mxFound: true },
      { n: 1, mx: ['mx.b.test', 'mx2.b.test'], mxFound: true },
    ]);
    expect(first?.items.map(({ evidence }) => evidence.mx)).toEqual([0, 1, 0]);
    const [later] = framesOf(withMx(['mx.a.test']), withMx(['mx.a.test'], false));
    expect(later?.mx).toEqual([{ n: 2, mx: ['mx.a.test'], mxFound: false }]);
  });

  it("keeps every frame within the edge's limits, in the worst case", () => {
    const items = Array.from({ length: 500 }, (_, index) => ({
      index,
      evidence: {
        ...withMx(Array.from({ length: 10 }, (__, n) => longName(`m${n}-${index}`))),
        signals: { ...ACCEPTED.signals, typoOf: longName('typo') },
      },
    }));
    const frames = evidenceFrames('x'.repeat(64).concat('.999'), items, new Map());
    for (const frame of frames) {
      expect(JSON.stringify(frame).length).toBeLessThanOrEqual(REPORT_BYTES_MAX);
      expect(toEdgeSchema.safeParse(frame).success).toBe(true);
    }
    expect(frames.flatMap((frame) => frame.items)).toHaveLength(500);
  });

  it('loses and changes nothing, however it is split', () => {
    const evidence = fc
      .record({ mx: fc.array(fc.constantFrom('a.test', 'b.test', 'c.test'), { maxLength: 3 }), found: fc.boolean() })
      .map(({ mx, found }) => withMx(mx, found));
    fc.assert(
      fc.property(fc.array(fc.array(evidence, { maxLength: 250 }), { maxLength: 4 }), (turns) => {
        const sent = new Map<string, number>();
        const table = new Map<number, Pick<Evidence, 'mx' | 'mxFound'>>();
        for (const turn of turns) {
          const items = turn.map((one, index) => ({ index, evidence: one }));
          const back = evidenceFrames('b.1', items, sent).flatMap((frame) => {
            for (const { n, ...row } of frame.mx) table.set(n, row);
            return frame.items.map(({ index, evidence: { mx, ...rest } }) => ({
              index,
              evidence: { ...rest, ...table.get(mx) },
            }));
          });
          expect(back).toEqual(items);
        }
      }),
    );
  });
});
