import { describe, expect, it, vi } from 'vitest';
import { judge } from '../../schema/verdict.ts';
import { notAnAddress } from '../../schema/words/result.ts';
import { ACCEPTED, POLICY } from '../../schema/testing/evidence.ts';
import { countReasons, pointsOf, writePoint } from './analytics.ts';

const ANN = { email: 'ann@a.test', local: 'ann' };
const FIGURES = { accountId: 'acme', charged: 2, addresses: 3, elapsedMs: 412 };

describe('the points of a batch', () => {
  it('count results by reason, and leave out elements that are not results', () => {
    const elements = [judge(ANN, ACCEPTED), judge(ANN, POLICY), judge(ANN, POLICY), notAnAddress('no address')];
    const reasons = countReasons([{ email: 7, error: 'invalid' }], countReasons(elements));
    expect(reasons).toEqual({ none: 1, policy_rejected: 2, invalid_syntax: 1 });
    expect(pointsOf({ ...FIGURES, reasons })).toEqual([
      { indexes: ['acme'], blobs: ['batch'], doubles: [2, 3, 412] },
      { indexes: ['acme'], blobs: ['none'], doubles: [1] },
      { indexes: ['acme'], blobs: ['policy_rejected'], doubles: [2] },
      { indexes: ['acme'], blobs: ['invalid_syntax'], doubles: [1] },
    ]);
  });

  it('contain no address and no domain', () => {
    const reasons = countReasons([judge(ANN, ACCEPTED)]);
    expect(JSON.stringify(pointsOf({ ...FIGURES, reasons }))).not.toMatch(/@|\.test|ann/);
  });
});

describe('writing a point', () => {
  it('does nothing without a dataset, and survives one that fails', () => {
    const line = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      writePoint(undefined, { ...FIGURES, reasons: {} });
      expect(line).not.toHaveBeenCalled();
      const broken = {
        writeDataPoint: () => {
          throw new Error('too many points');
        },
      };
      writePoint(broken, { ...FIGURES, reasons: {} });
      expect(String(line.mock.calls[0])).toContain('"event":"point_lost"');
    } finally {
      line.mockRestore();
    }
  });
});
