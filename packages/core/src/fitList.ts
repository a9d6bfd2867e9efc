/**
 * Keeps the answers of lists within what a model can read at once, however long the texts in them are.
 *
 * Applied after a command's own compact form, and only where that is still too long: then long texts and inner lists of
 * every item are cut to one length, the largest that fits. Ids, cursors and addresses are kept whole or left out, since
 * half of one is of no use. The result is a value of the same schema. Source: contract 1.1; issue 3 (25,000 tokens).
 */
import * as Predicate from "effect/Predicate"

/** The most characters of a compact list as JSON; a token is about four. */
export const longestList = 96_000

/** Lengths of texts and of inner lists that are tried one after the other; no name of a state and no instant is longer. */
const measures: ReadonlyArray<readonly [text: number, items: number]> = [
  [2_000, 100],
  [1_000, 50],
  [500, 20],
  [280, 10],
  [160, 5],
  [80, 3],
  [40, 1]
]

const isReference = /(?:^|_)(?:ids?|cursor)$|(?:Ids?|Cursor)$/
const isAddress = /^https?:\/\//i

/** Addresses up to this length are kept whole. */
const shortAddress = 120

const cutText = (name: string, text: string, longest: number): string => {
  if (text.length <= longest || isReference.test(name)) return text
  if (isAddress.test(text)) return text.length <= Math.max(longest, shortAddress) ? text : ""
  return `${text.slice(0, longest - 1).trimEnd()}…`.toWellFormed()
}

const cut = (name: string, value: unknown, [text, items]: readonly [number, number], depth: number): unknown => {
  if (typeof value === "string") return cutText(name, value, text)
  if (Array.isArray(value)) {
    // The list itself keeps its items: pages would lose some otherwise.
    const kept = depth <= 1 ? value : value.slice(0, items)
    return kept.map((item) => cut(name, item, [text, items], depth + 1))
  }
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cut(key, inner, [text, items], depth + 1)])
  )
}

/** The output of a list, short enough, with a warning where something was cut. */
export const fitList = <A>(output: A): { readonly output: unknown; readonly warnings: ReadonlyArray<string> } => {
  if (JSON.stringify(output).length <= longestList) return { output, warnings: [] }
  let fitted: unknown = output
  let longest = 0
  for (const measure of measures) {
    fitted = cut("", output, measure, 0)
    longest = measure[0]
    if (JSON.stringify(fitted).length <= longestList) break
  }
  return {
    output: fitted,
    warnings: [
      `compact: texts are cut after ${longest} characters; ask for fewer with limit, or for response_profile full`
    ]
  }
}
