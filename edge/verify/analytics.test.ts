import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { judge } from '../../schema/verdict.ts';
import { notAnAddress } from '../../schema/words/result.ts';
import { ACCEPTED, POLICY } from '../../schema/testing/evidence.ts';
import { countReasons, PLACES, pointsOf, writePoint } from './analytics.ts';

const ANN = { email: 'ann@a.test', local: 'ann' };
const FIGURES = { accountId: 'acme', charged: 2, addresses: 3, elapsedMs: 412 };

describe('the point of a batch', () => {
  it('counts results by reason, and what is not a result nowhere', () => {
    const elements = [judge(ANN, ACCEPTED), judge(ANN, POLICY), judge(ANN, POLICY), notAnAddress('no address')];
    const reasons = countReasons([{ email: 7, error: 'invalid' }], countReasons(elements));
    expect(reasons).toEqual({ none: 1, policy_rejected: 2, invalid_syntax: 1 });
    expect(pointsOf({ ...FIGURES, reasons })).toEqual([
      {
        indexes: ['acme'],
        blobs: ['batch-1'],
        doubles: [2, 3, 412, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0],
      },
    ]);
  });

  it('keeps every place that was ever given: rows of a year ago are read by them', () => {
    const given = [
      'none',
      'accept_all',
      'connection_error',
      'ehlo_rejected',
      'greylisting',
      'invalid_syntax',
      'mail_from_rejected',
      'mailbox_full',
      'mx_private_ip',
      'mx_unresolved',
      'no_banner',
      'no_mx',
      'policy_rejected',
      'protocol_error',
      'provider_blocks_probe',
      'timeout',
      'unexpected_code',
    ];
    expect(PLACES).toMatchObject(Object.fromEntries(given.map((reason, nth) => [reason, ['batch-1', 4 + nth]])));
  });

  it('gives each reason a place of its own that a dataset has, and the README says which', async () => {
    const places = Object.entries(PLACES).map(([reason, [form, double]]) => ({ reason, form, double }));
    expect(new Set(places.map(({ form, double }) => `${form} ${double}`)).size).toBe(places.length);
    for (const { form, double } of places) {
      expect(double).toBeGreaterThanOrEqual(form === 'batch-1' ? 4 : 1);
      expect(double).toBeLessThanOrEqual(20);
    }
    const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
    for (const { reason, form, double } of places) expect(readme).toContain(`| \`${reason}\` | ${form} | ${double} |`);
  });

  it('has no address and no domain', () => {
    const reasons = countReasons([judge(ANN, ACCEPTED)]);
    expect(JSON.stringify(pointsOf({ ...FIGURES, reasons }))).not.toMatch(/@|\.test|ann/);
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
