// An address has four numbers on its way, each counted from 0: the places of its entries in the request, its place
// among the request's addresses, its place in the batch sent to a Fleet object, and one in each job of a host. Each is
// a type of its own: mixing them up is a compile error.

declare const list: unique symbol;

/** A place in one kind of list. */
type IndexIn<List extends string> = number & { readonly [list]: List };

/** The place of an entry in its request: `index` on the lines of an answer. */
export type SlotIndex = IndexIn<'request'>;
/** The place of an address among those of its request, each counted once. */
export type AddressIndex = IndexIn<'addresses'>;
/** The place of an address in its batch, without those that opted out: in `FleetJob.addresses`, and `i` on the lines that answer it. */
export type BatchIndex = IndexIn<'batch'>;
/** The place of an address in one job: hosts name it by this number. */
export type JobIndex = IndexIn<'job'>;

/** @throws RangeError for a number that is no place in a list */
export function slotIndex(place: number): SlotIndex {
  if (!isSlotIndex(place)) throw new RangeError(`${place} is no place in a request`);
  return place;
}

/** @throws RangeError for a number that is no place in a list */
export function addressIndex(place: number): AddressIndex {
  if (!isAddressIndex(place)) throw new RangeError(`${place} is no place among addresses`);
  return place;
}

/** @param size how many addresses the batch has */
export function isBatchIndex(index: number, size: number): index is BatchIndex {
  return isPlace(index, size);
}

/** @param size how many addresses the job has */
export function isJobIndex(index: number, size: number): index is JobIndex {
  return isPlace(index, size);
}

/** All of a job, in its order. */
export function jobIndexes(size: number): readonly JobIndex[] {
  return Array.from({ length: size }, (_, index) => index).filter((index) => isJobIndex(index, size));
}

function isSlotIndex(place: number): place is SlotIndex {
  return isPlace(place, Infinity);
}

function isAddressIndex(place: number): place is AddressIndex {
  return isPlace(place, Infinity);
}

function isPlace(place: number, size: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < size;
}
