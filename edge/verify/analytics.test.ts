import { describe, expect, it, vi } from 'vitest';
import { judge } from '../../schema/verdict.ts';
import { REASONS } from '../../schema/words/reasons.ts';
import { notAnAddress } from '../../schema/words/result.ts';
import { ACCEPTED, POLICY } from '../../schema/testing/evidence.ts';
import { countReasons, pointOf, writePoint } from './analytics.ts';

const ANN = { email: 'ann@a.test', local: 'ann' };
const FIGURES = { accountId: 'acme', charged: 2, addresses: 3, elapsedMs: 412 };

describe('the point of a batch', () => {
  it('counts results by reason, and what is not a result nowhere', () => {
    const elements = [judge(ANN, ACCEPTED), judge(ANN, POLICY), judge(ANN, POLICY), notAnAddress('no address')];
    const reasons = countReasons([{ email: 7, error: 'invalid' }], countReasons(elements));
    expect(reasons).toEqual({ none: 1, policy_rejected: 2, invalid_syntax: 1 });
    const { doubles } = pointOf({ ...FIGURES, reasons });
    expect(doubles.slice(0, 4)).toEqual([2, 3, 412, 1]);
    expect(doubles[4 + REASONS.indexOf('policy_rejected')]).toBe(2);
    expect(doubles[4 + REASONS.indexOf('invalid_syntax')]).toBe(1);
  });

  it('fits a dataset: one index of 96 bytes, 20 doubles', () => {
    const point = pointOf({ ...FIGURES, accountId: 'a'.repeat(32), reasons: {} });
    expect(point.indexes).toHaveLength(1);
    expect(point.doubles).toHaveLength(4 + REASONS.length);
    expect(point.doubles.length).toBeLessThanOrEqual(20);
  });

  it('has no address and no domain', () => {
    const reasons = countReasons([judge(ANN, ACCEPTED)]);
    expect(JSON.stringify(pointOf({ ...FIGURES, reasons }))).not.toMatch(/@|\.test|ann/);
  });
});

describe('writing it', () => {
  it('is nothing without a dataset, and a dataset that fails fails nothing', () => {
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
