import { useEffect, useState } from 'preact/hooks';
import { breather } from '../reading/breather.ts';
import type { Findings, Group } from './groups.ts';

/** Rows of a table that are shown at once. */
export const ROWS_SHOWN = 50;

export type Filter = {
  /** `all`, a status, or `none`: without an answer. */
  readonly status: string;
  /** The words of one group; null: any. */
  readonly title: string | null;
  /** Part of an address, in any case. */
  readonly query: string;
};
export const NO_FILTER: Filter = { status: 'all', title: null, query: '' };

/** What is looked for: the addresses that pass the filter, from the one at this place among them on. */
export type Wanted = {
  readonly findings: Findings;
  readonly filter: Filter;
  readonly from: number;
  /** As many as a table shows, if nothing is said. */
  readonly most?: number;
};

export type Found = {
  /** How many pass in all. */
  readonly all: number;
  /** Where the rows shown begin among them, and their indexes. */
  readonly from: number;
  readonly shown: readonly number[];
};

export function passes({ status, title }: Group, filter: Filter): boolean {
  if (filter.status !== 'all' && (status ?? 'none') !== filter.status) return false;
  return filter.title === null || filter.title === title;
}

/**
 * Looks for addresses. A list may have a million, so the page can do something else in between.
 * @param isOver asked now and then: whether nobody wants it any more
 * @returns null if it was over
 */
export async function find(wanted: Wanted, isOver: () => boolean): Promise<Found | null> {
  const { findings, filter, from, most = ROWS_SHOWN } = wanted;
  const { groups, size, groupOf, addressOf } = findings;
  const isIn = groups.map((group) => passes(group, filter));
  const query = filter.query.trim().toLowerCase();
  const known = groups.reduce((sum, group, number) => sum + (isIn[number] === true ? group.size : 0), 0);
  const shown: number[] = [];
  const breathe = breather();
  let all = 0;
  for (let index = 0; index < size; index += 1) {
    // Who searches for no text knows the number beforehand, and is through with the last row shown.
    if (query === '' && (shown.length === most || known === 0)) break;
    if (isIn[groupOf(index)] === true && (query === '' || addressOf(index).toLowerCase().includes(query))) {
      if (all >= from && shown.length < most) shown.push(index);
      all += 1;
    }
    if (index % 256 === 255) {
      await breathe();
      if (isOver()) return null;
    }
  }
  return { all: query === '' ? known : all, from, shown };
}

/** What was found last; it stays while something else is looked for. */
export function useFound({ findings, filter, from }: Wanted): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isOver = false;
    const look = async (): Promise<void> => {
      const result = await find({ findings, filter, from }, () => isOver);
      if (result !== null && !isOver) setFound(result);
    };
    void look();
    return () => {
      isOver = true;
    };
  }, [findings, filter, from]);
  return found;
}
