import type { WordTable } from './word-table.ts';
export const SLAVIC = {} as const satisfies WordTable;
