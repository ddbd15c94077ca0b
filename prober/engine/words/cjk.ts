import type { WordTable } from './word-table.ts';
export const CJK = {} as const satisfies WordTable;
