/**
 * The small notation of phrases, which are rows of words.
 *
 * `(a|b c)` is one of these, `[a|b]` may be missing, `*` ends a word in any way, `~` stands for up to four words, and `$` for the
 * end of a clause.
 */

/** Matches nothing, and may be repeated. */
const never = "(?:(?!))"

const tokensOf = (phrase: string): ReadonlyArray<string> => phrase.match(/\[[^\]]*\]|\([^)]*\)|[^\s[\]()]+/gu) ?? []

const inner = (token: string): string => token.replaceAll(/^[[(]|[\])]$/g, "")

/** A phrase as the source of a regular expression. `~` does not reach across what `denials` matches. */
export const sourceOf = (phrase: string, spaced: boolean, denials = never): string => {
  const gap = spaced ? ",? " : ""
  const words = (text: string) =>
    text
      .replaceAll(/[.+?^{}\\]/g, "\\$&")
      .replaceAll(" ", gap)
      .replaceAll("*", spaced ? "[^ ,]*" : "[^,]*")
  return tokensOf(phrase)
    .map((token) => {
      if (token === "~") return spaced ? `(?:(?!${denials})[^ ,]+ ){0,4}` : "[^,]{0,8}"
      const end = spaced ? "(?:(?<=, )|$)" : "(?=,|$)"
      if (token === "$") return end
      const one = `(?:${words(inner(token).replace("|$", ""))})${gap}`
      if (token.startsWith("[")) return `(?:${one})?`
      return inner(token).endsWith("|$") ? `(?:${one}|${end})` : one
    })
    .join("")
}

/** One of the sources. */
export const oneOf = (sources: ReadonlyArray<string>): string =>
  sources.length === 0 ? never : `(?:${sources.join("|")})`

/** So many letters are known of a word of which the rest is open. */
const edge = 3

const keyOf = (word: string, spaced: boolean): string | undefined => {
  if (!spaced) return [...word].find((letter) => letter !== "*" && letter !== " ")
  if (!word.includes("*")) return word
  const head = word.slice(0, word.indexOf("*"))
  const tail = word.slice(word.lastIndexOf("*") + 1)
  if (head.length >= edge) return `${head.slice(0, edge)}*`
  return tail.length >= edge ? `*${tail.slice(-edge)}` : undefined
}

const longest = (keys: ReadonlyArray<string>): string => keys.toSorted((a, b) => b.length - a.length)[0] ?? ""

/**
 * What the words of texts are looked up by: whole, by how they begin and by how they end; without spaces, by their letters.
 * In Arabic, "and" and "so" are written together with the word that they precede.
 */
export const keysOf = (texts: ReadonlyArray<string>, spaced: boolean): ReadonlySet<string> => {
  if (!spaced) return new Set(texts.flatMap((text) => [...text]))
  const words = new Set(texts.flatMap((text) => text.split(/[ ,]+/)))
  const alone = [...words].flatMap((word) => (/^[وف]/.test(word) ? [word, word.slice(1)] : word))
  return new Set(alone.flatMap((word) => [word, `${word.slice(0, edge)}*`, `*${word.slice(-edge)}`]))
}

/**
 * Keys of which every text with the phrase has one: those of the place with the longest words and the fewest to choose from.
 * Undefined where any text may have it.
 */
export const requiredKeys = (phrase: string, spaced: boolean): ReadonlyArray<string> | undefined => {
  const places = tokensOf(phrase)
    .filter((token) => !/^[~[]/.test(token) && !token.includes("$"))
    .map((token) =>
      inner(token)
        .split("|")
        .map((words) => longest((spaced ? words.split(" ") : [words]).flatMap((word) => keyOf(word, spaced) ?? [])))
    )
    .filter((keys) => !keys.includes(""))
  const shortest = (keys: ReadonlyArray<string>) => Math.min(...keys.map(({ length }) => length))
  return places.toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0]
}
