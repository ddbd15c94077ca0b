import type { WordTable } from './word-table.ts';
export const GERMANIC = {} as const satisfies WordTable;
