import type { WordTable } from './word-table.ts';
export const ROMANCE = {} as const satisfies WordTable;
