import { expect, it } from 'vitest';
import { fileName } from './export.ts';

it('names the file after the list', () => {
  expect(fileName('customers.2026.xlsx', 'verified', 'csv')).toBe('customers.2026-verified.csv');
  expect(fileName('customers', 'valid', 'xlsx')).toBe('customers-valid.xlsx');
  expect(fileName('customers.tsv', 'valid', 'tsv')).toBe('customers-valid.tsv');
});
