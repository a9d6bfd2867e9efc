const longestName = 64

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The name in `known` closest to `name`, if it is close enough to suggest: some of its letters are right. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const wanted = plain(name.slice(0, longestName))
  const far = Math.min(wanted.length, Math.max(2, Math.floor(wanted.length / 3)) + 1)
  let best: { readonly name: string | undefined; readonly distance: number } = { name: undefined, distance: far }
  for (const candidate of known) {
    const letters = plain(candidate.slice(0, longestName))
    // The distance is at least the difference of the lengths.
    if (Math.abs(letters.length - wanted.length) >= best.distance) continue
    const distance = editDistance(wanted, letters)
    if (distance < best.distance) best = { name: candidate, distance }
  }
  return best.name
}

/** A question that names the closest known name to go after a message; "" if none is close. */
export const didYouMean = (name: string, known: ReadonlyArray<string>): string => {
  const nearest = nearestName(name, known)
  return nearest === undefined ? "" : ` Did you mean ${nearest}?`
}

/**
 * What is wrong with an object of options, such as `createSvc: hook is unknown. Did you mean hooks?`; undefined if it has
 * known names only. A field that is undefined is absent.
 */
export const unknownName = (what: string, given: unknown, known: ReadonlyArray<string>): string | undefined => {
  const list = known.join(", ")
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return `${what} must be an object with ${list}.`
  const unknown = Object.entries(given).find(([name, value]) => value !== undefined && !known.includes(name))
  if (unknown === undefined) return undefined
  const [name] = unknown
  return `${what}: ${name.slice(0, longestName)} is unknown.${didYouMean(name, known) || ` Known are ${list}.`}`
}

const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}
