/** The value of a key in a map or a weak map, made and kept there when it is first asked for. */
export const remembered = <K, V>(
  known: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  make: (key: K) => V
): V => {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make(key)
  known.set(key, made)
  return made
}
