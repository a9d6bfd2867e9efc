/**
 * Keeps lists in the compact profile short enough for a model's context, however long their texts are.
 *
 * Applied after a command's own compact form, if that is still too long: long texts and inner lists of every item are cut
 * to the largest size that fits. Ids, cursors and URLs are kept whole or omitted, since half of one is useless. The result
 * still matches the schema.
 */
import * as Predicate from "effect/Predicate"

/** Maximum characters of an item of a compact list as JSON, on average; a token is about four. */
export const maxItemLength = 1_600

/** What a list may have beside its items: counts and a cursor. */
const maxRest = 1_600

const countItems = (output: unknown): number =>
  Math.max(0, ...Object.values(Object(output)).map((value) => (Array.isArray(value) ? value.length : 0)))

/** Sizes of texts and inner lists, tried in turn; even the last leaves state names and instants whole. */
const sizes: ReadonlyArray<readonly [text: number, items: number]> = [
  [2_000, 100],
  [1_000, 50],
  [500, 20],
  [280, 10],
  [160, 5],
  [80, 3],
  [40, 1]
]

const isReference = /(?:^|_)(?:ids?|cursor)$|(?:Ids?|Cursor)$/
const isUrl = /^https?:\/\//i

/** URLs up to this length are kept whole. */
const shortUrl = 120

const cutText = (name: string, text: string, max: number): string => {
  if (text.length <= max || isReference.test(name)) return text
  if (isUrl.test(text)) return text.length <= Math.max(max, shortUrl) ? text : ""
  return `${text.slice(0, max - 1).trimEnd()}…`.toWellFormed()
}

const cut = (name: string, value: unknown, [text, items]: readonly [number, number], depth: number): unknown => {
  if (typeof value === "string") return cutText(name, value, text)
  if (Array.isArray(value)) {
    // The list itself keeps all of its items, or pages would lose some.
    const kept = depth <= 1 ? value : value.slice(0, items)
    return kept.map((item) => cut(name, item, [text, items], depth + 1))
  }
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cut(key, inner, [text, items], depth + 1)])
  )
}

/** The output of a list, cut to fit, with a warning if anything was cut. */
export const fitList = <A>(output: A): { readonly output: unknown; readonly warnings: ReadonlyArray<string> } => {
  const maxLength = countItems(output) * maxItemLength + maxRest
  if (JSON.stringify(output).length <= maxLength) return { output, warnings: [] }
  let fitted: unknown = output
  let textSize = 0
  for (const size of sizes) {
    fitted = cut("", output, size, 0)
    textSize = size[0]
    if (JSON.stringify(fitted).length <= maxLength) break
  }
  return {
    output: fitted,
    warnings: [
      `compact: texts are cut to ${textSize} characters; lower limit or use response_profile full for the rest`
    ]
  }
}
