/** Keeps at most `max` entries of a map: the oldest makes room for a new one. */
export const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void => {
  if (map.size >= max && !map.has(key)) map.delete(map.keys().next().value!)
  map.set(key, value)
}
