/**
 * What a check of a text or a record found: where, how bad, and what to do about it.
 *
 * Checks are deterministic: the same content gives the same findings in the same order. Source: catalogue 4.1
 * (offer.check, linkedin.draft.check).
 */
import * as Schema from "effect/Schema"

/** `error` should stop the use, `warning` should be looked at, `info` could be better. */
export const FindingSeverity = Schema.Literals(["error", "warning", "info"])
export type FindingSeverity = typeof FindingSeverity.Type

/** One finding. */
export const Finding = Schema.Struct({
  path: Schema.String.annotate({ description: "The field it is about, such as references[0].content" }),
  severity: FindingSeverity,
  code: Schema.String.annotate({ description: "Which rule found it, such as placeholder; stable" }),
  message: Schema.String.annotate({ description: "What is wrong and what to do" })
})
export type Finding = typeof Finding.Type

const most = 80

/** A part of a checked text for a message: one line, at most 80 characters, in quotes. */
export const excerpt = (text: string): string => {
  const line = text
    .slice(0, most * 2)
    .replaceAll(/\s+/g, " ")
    .trim()
  const cut = line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
  return `"${cut.toWellFormed()}"`
}
