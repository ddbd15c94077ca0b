import { expect, it } from 'vitest';
import { exportName } from './export.ts';

it('names the file after the list', () => {
  expect(exportName('customers.2026.xlsx')).toBe('customers.2026-verified.csv');
  expect(exportName('customers')).toBe('customers-verified.csv');
});
