import { makeEntry, identityOf, type Entry, type Place } from './entry.ts';
import { RcptError } from '../base/errors.ts';

/** An entry of a list: an address, or an object with one, which is returned with the result. */
export type Listed = string | { readonly email: string };
/** In a stream, null is a place without an address. */
export type List<Input extends Listed> = Iterable<Input> | AsyncIterable<Input | null>;

/** A list as it is read: each address once for an array, as it comes for a stream. */
export type Source<Input> = {
  /** The number of addresses; null: unknown before it ends. */
  readonly size: number | null;
  /** The next address; null when the list has ended. @throws what the list throws; RcptError INVALID_INPUT */
  readonly next: () => Promise<Entry<Input> | null>;
  /** Stops reading. */
  readonly close: () => void;
};

/** @throws TypeError for what is no list: a caller in JavaScript may pass one address */
export function sourceOf<Input extends Listed>(list: List<Input>): Source<Input> {
  if (!isIterable(list)) throw new TypeError('The list must be an array of addresses, or another iterable of them.');
  return isArray(list) ? arraySource(list) : streamSource(list);
}

function isIterable(list: unknown): boolean {
  return typeof list === 'object' && list !== null && (Symbol.iterator in list || Symbol.asyncIterator in list);
}

export function isArray<Input extends Listed>(list: List<Input>): list is readonly Input[] {
  return Array.isArray(list);
}

/** @throws RcptError INVALID_INPUT */
export function emailOf(input: Listed, index: number): string {
  const email: unknown = typeof input === 'object' && input !== null ? input.email : input;
  if (typeof email === 'string') return email;
  throw new RcptError(
    'INVALID_INPUT',
    `Entry ${index} of the list is not a string, nor an object with a string "email".`,
  );
}

/** The array is in memory anyway, so all duplicates are found. */
function arraySource<Input extends Listed>(list: readonly Input[]): Source<Input> {
  const places = new Map<string, Place<Input>[]>();
  for (const [index, input] of list.entries()) {
    const identity = identityOf(emailOf(input, index));
    const others = places.get(identity);
    if (others === undefined) places.set(identity, [{ index, input }]);
    else others.push({ index, input });
  }
  const addresses = places.values();
  const next = async (): Promise<Entry<Input> | null> => {
    const [first, ...copies] = addresses.next().value ?? [];
    return first === undefined ? null : makeEntry(first, emailOf(first.input, first.index), copies);
  };
  return { size: places.size, next, close: () => {} };
}

function streamSource<Input extends Listed>(list: List<Input>): Source<Input> {
  const iterator = Symbol.asyncIterator in list ? list[Symbol.asyncIterator]() : list[Symbol.iterator]();
  let index = -1;
  const next = async (): Promise<Entry<Input> | null> => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) return null;
      index += 1;
      if (value !== null) return makeEntry({ index, input: value }, emailOf(value, index), []);
    }
  };
  // Not awaited: a generator that is busy with its next value ends after it.
  const end = async (): Promise<void> => {
    await iterator.return?.();
  };
  return { size: null, next, close: () => void end().catch(() => {}) };
}
