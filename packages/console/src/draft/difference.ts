/** What changed between two texts, by words. Pure. */

/** A run of words that both texts have, or only the old or the new one. */
interface Change {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** Words with the white space after them, so that what two texts share is words. */
const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+\s*|\s+/g) ?? []

/** Beyond this, the table would be slow: the whole text counts as changed. */
const maxCells = 1_000_000

/** The changes from one text to another, by their longest common subsequence of words. */
export const differenceOf = (before: string, after: string): ReadonlyArray<Change> => {
  const a = wordsOf(before)
  const b = wordsOf(after)
  if (a.length * b.length > maxCells) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after }
    ]
  }
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1))
    }
  }
  const changes: Array<Change> = []
  const push = (kind: Change["kind"], text: string) => {
    const last = changes.at(-1)
    if (last?.kind === kind) changes[changes.length - 1] = { kind, text: last.text + text }
    else changes.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push("same", a[i] ?? "")
      i++
      j++
    } else if (j >= b.length || (i < a.length && length(i + 1, j) >= length(i, j + 1))) push("removed", a[i++] ?? "")
    else push("added", b[j++] ?? "")
  }
  return changes
}
