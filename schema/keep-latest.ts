/**
 * Puts an entry last, and lets go of the first one if there are more than `max`.
 * @returns the key that was dropped; null if none was
 */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, max: number): K | null {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size <= max || first === undefined) return null;
  map.delete(first);
  return first;
}
