/** Turns the outcome of a run into its result. */
import * as Predicate from "effect/Predicate"
import type { Failure } from "../../failure/Failure.ts"
import { Internal } from "../../failure/failures.ts"
import { hasStored } from "../../schema/Json.ts"
import type { AnyCommand } from "../Command.ts"
import type { Call, CommandResult } from "../Delegation.ts"
import { type Envelope, failureEnvelope, withWarnings } from "../Envelope.ts"

// Keeps lists in the compact profile short enough for a model's context, however long their texts are.
//
// Applied after a command's own compact form, if that is still too long: long texts and inner lists of every item are cut
// to the largest size that fits. Ids, cursors and URLs are kept whole or omitted, since half of one is useless. The result
// still matches the schema.

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

/** The result with an envelope. */
export const commandResult = (
  envelope: Envelope<unknown>,
  replayed = false,
  retryAfterSeconds?: number
): CommandResult => ({
  envelope,
  replayed,
  retryAfterSeconds
})

/** The result of a failure. */
export const failureResult = (failure: Failure, hash: string): CommandResult => ({
  ...commandResult(failureEnvelope(failure, hash), false, failure.retryAfterSeconds),
  failure
})

/** The result of a defect: only the request id. */
export const defectResult = (requestId: string, hash: string): CommandResult =>
  failureResult(
    new Internal({
      message: `Unexpected error in request ${requestId}. Report it with this id.`
    }),
    hash
  )

/** What turns a result of `perform` into the output of the call. `isSeen`: by hooks, which see values. */
export const presenterOf = (
  command: AnyCommand,
  { options, representation, writesJson }: Call,
  isSeen: boolean
): ((result: unknown) => unknown) => {
  const isCopied = writesJson === true && !isSeen && options?.responseProfile !== "compact"
  const show = (result: unknown) => (isCopied && hasStored(result) ? result : command.show(result))
  return (result) => (representation === undefined ? show(result) : representation.present(result, show))
}

/** The result in the requested profile; a replayed one warns that secrets were shown only once. */
export const present = (command: AnyCommand, call: Call, input: unknown, result: CommandResult): CommandResult => {
  const { envelope, replayed } = result
  if (!envelope.ok || envelope.meta.approval_required) return result
  if (replayed && command.shownOnce.length > 0) {
    const hint = `${command.shownOnce.join(", ")}: only returned by the first request with this idempotency key`
    return { ...result, envelope: withWarnings(envelope, [hint]) }
  }
  if (call.options?.responseProfile !== "compact") return result
  const { output, warnings } = (call.representation ?? command).compact(envelope.data)
  const fitted = Object.hasOwn(Object(input), "limit") ? fitList(output) : { output, warnings: [] }
  const hinted = withWarnings(envelope, [...warnings, ...fitted.warnings])
  return commandResult({ ...hinted, data: fitted.output }, replayed)
}
