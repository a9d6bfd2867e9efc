/**
 * Findings of a check of a text or a record: where, how severe, and how to fix it.
 *
 * Checks are deterministic: the same content gives the same findings in the same order.
 */
import * as Schema from "effect/Schema"

/** `error`: do not use as is; `warning`: weak; `info`: could be better. */
export const FindingSeverity = Schema.Literals(["error", "warning", "info"])
export type FindingSeverity = typeof FindingSeverity.Type

/** One finding. */
export const Finding = Schema.Struct({
  path: Schema.String.annotate({ description: "The field, such as references[0].content" }),
  severity: FindingSeverity,
  code: Schema.String.annotate({ description: "Stable id of the rule, such as placeholder" }),
  message: Schema.String.annotate({ description: "What is wrong and how to fix it" })
})
export type Finding = typeof Finding.Type

const maxLength = 80

/** An excerpt of a checked text for a message: one line, at most 80 characters, in quotes. */
export const excerpt = (text: string): string => {
  const line = text
    .slice(0, maxLength * 2)
    .replaceAll(/\s+/g, " ")
    .trim()
  const cut = line.length > maxLength ? `${line.slice(0, maxLength - 1).trimEnd()}…` : line
  return `"${cut.toWellFormed()}"`
}
