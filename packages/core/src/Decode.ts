/**
 * From an untrusted value to a command's input, with errors a stranger can act on.
 *
 * Unknown fields are refused and the nearest known field is named. Every problem is found; the message holds the first
 * five. Values are never echoed. Source: contract section 1.4 and 1.6, gap decision G25.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { type Failure, fail } from "./Failure.ts"
import { checkJson, formatPath } from "./Json.ts"

const shown = 5
const longestMessage = 500
const unexpected = "\u0001"

/** The name among `known` closest to `name`, when it is close enough to be what was meant. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
  const wanted = plain(name.slice(0, 64))
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate))
    if (best === undefined || distance < best.distance) best = { name: candidate, distance }
  }
  return best !== undefined && best.distance <= Math.max(2, Math.floor(wanted.length / 3)) ? best.name : undefined
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

const knownNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []

const messageOf: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "is required"
  // The name of the refused field is known only with its path, so the known names travel in the message until then.
  if (issue._tag === "UnexpectedKey") return unexpected + knownNames(issue.ast).join(unexpected)
  return SchemaIssue.defaultLeafHook(issue)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: messageOf })

/** As many lines as a message has room for, at least one, and how many there are beyond. */
const firstOf = (lines: ReadonlyArray<string>): string => {
  let text = lines[0] ?? ""
  let count = 1
  for (const line of lines.slice(1, shown)) {
    if (text.length + line.length > longestMessage) break
    text += `; ${line}`
    count++
  }
  return lines.length > count ? `${text}; and ${lines.length - count} more` : text
}

/** One refusal for all problems of a schema issue: UNKNOWN_FIELD when a field is unknown, INVALID_INPUT otherwise. */
export const failureOfIssue = (issue: SchemaIssue.Issue): Failure => {
  let unknownField = false
  const lines = format(issue).issues.map(({ message, path = [] }) => {
    const steps = path.map((step) => (typeof step === "object" ? step.key : step))
    const where = formatPath(steps)
    if (!message.startsWith(unexpected)) return `${where || "The input"} ${tidy(message)}`
    unknownField = true
    const known = message
      .slice(1)
      .split(unexpected)
      .filter((name) => name !== "")
    const nearest = nearestName(String(steps.at(-1) ?? ""), known)
    if (nearest !== undefined) return `${where} is not a known field; did you mean ${nearest}?`
    return `${where} is not a known field; known are ${known.slice(0, 12).join(", ")}${known.length > 12 ? ", …" : ""}`
  })
  const text = firstOf(lines)
  return fail(unknownField ? "UNKNOWN_FIELD" : "INVALID_INPUT", text.endsWith("?") ? text : `${text}.`)
}

const shownChoices = 8

/** A long choice of literals, as the formatter writes one, cut to its first ones. */
const shortened = (message: string): string => {
  const choices = message.replace(/\.$/, "").split(" | ")
  return choices.length <= shownChoices + 1
    ? message
    : `${choices.slice(0, shownChoices).join(" | ")} or one of ${choices.length - shownChoices} others`
}

const tidy = (long: string): string => {
  const message = shortened(long)
  if (message.startsWith("Expected ")) return `must be ${message.slice("Expected ".length).replace(/\.$/, "")}`
  return message.startsWith("must ") || message.startsWith("is ")
    ? message.replace(/\.$/, "")
    : `is refused: ${message}`
}

/** A struct without fields takes every object in Effect; here it takes the empty one, as its published schema says. */
const takesNothing = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(ast) && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

const unexpectedField = (input: unknown): Failure | undefined => {
  const name = typeof input === "object" && input !== null ? Object.keys(input)[0] : undefined
  return name === undefined
    ? undefined
    : fail("UNKNOWN_FIELD", `${formatPath([name])} is not a known field; this takes none. Send {}.`)
}

/** Decodes an untrusted value. Fails with INVALID_INPUT or UNKNOWN_FIELD; the message names every path. */
export type Decoder<T> = (input: unknown) => Result.Result<T, Failure>

/** Compiles a decoder for a schema; keep it, as compiling costs more than decoding. */
export const decoder = <S extends Schema.Codec<unknown, unknown>>(schema: S): Decoder<S["Type"]> => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const isEmpty = takesNothing(schema.ast)
  return (input) => {
    const json = checkJson(input)
    if (Result.isFailure(json)) return Result.fail(json.failure)
    const extra = isEmpty ? unexpectedField(input) : undefined
    if (extra !== undefined) return Result.fail(extra)
    return Result.mapError(decode(input), (error) => failureOfIssue(error.issue))
  }
}
