import type { FleetJob } from '../../base/fleet-protocol.ts';
import { type BatchIndex, batchIndexes, isBatchIndex } from '../../base/indexes.ts';
import { WHOLE } from './job.ts';

/** Addresses that a host was asked about under a number, before this object or this answer was. */
export type HeldPart = { readonly n: number; readonly indexes: readonly BatchIndex[]; readonly lanes: number };

/**
 * What hosts may have of a batch that was asked for before: the parts that the Worker was told of, or the whole if there are
 * none. Of an address that was given out twice the later host has it; a part that shares one with a later one is left out,
 * and one of which all is known. Pure.
 * @param lanes of a batch that was not cut
 */
export function heldParts({ addresses, known = [], parts = [] }: FleetJob, lanes: number): readonly HeldPart[] {
  const size = addresses.length;
  if (parts.length === 0) return [{ n: WHOLE, indexes: batchIndexes(size), lanes }];
  const [given, isKnown] = [new Set<number>(), new Set(known)];
  return parts
    .toSorted((a, b) => b.n - a.n)
    .flatMap((part): HeldPart[] => {
      const indexes = part.indexes.filter((index) => isBatchIndex(index, size));
      const isLater = indexes.some((index) => given.has(index));
      for (const index of indexes) given.add(index);
      return isLater || indexes.every((index) => isKnown.has(index)) ? [] : [{ ...part, indexes }];
    });
}
