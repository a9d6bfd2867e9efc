/**
 * Decodes an untrusted value into a command's input, with errors that say how to fix it.
 *
 * Unknown fields are refused, with the nearest known field as a suggestion. All problems are counted; the message has the
 * first five. Values are never echoed. Refusing costs no more than accepting: sizes are checked before decoding, and only
 * the problems shown are formatted.
 */

import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import type { AnySchema } from "../command/Command.ts"
import { InvalidInput, UnknownField } from "../failure/failures.ts"
import { checkJson } from "./Json.ts"
import { type JsonSchema, jsonSchemaOf, publishAs, type SizeProblem, shownProblems, sizeProblem } from "./JsonSchema.ts"
import { didYouMean } from "./nearestName.ts"
import { formatPath } from "./plainJson.ts"

const maxMessageLength = 500

const unexpected = "\u0001"

const knownNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []

const messageOf: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "is required"
  // The refused field is known only with its path, so the message carries the known names until then.
  if (issue._tag === "UnexpectedKey") return unexpected + knownNames(issue.ast).join(unexpected)
  return SchemaIssue.defaultLeafHook(issue)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: messageOf })

/** As many lines as fit into a message, at least one, and the number of further problems. */
const messageOfLines = (lines: ReadonlyArray<string>, problems: number): string => {
  let text = lines[0] ?? ""
  let count = 1
  for (const line of lines.slice(1, shownProblems)) {
    if (text.length + line.length > maxMessageLength) break
    text += `; ${line}`
    count++
  }
  if (problems > count) text += `; and ${problems - count} more`
  return text.endsWith("?") ? text : `${text}.`
}

const unknownFieldLine = (path: ReadonlyArray<PropertyKey>, known: ReadonlyArray<string>): string => {
  const where = formatPath(path)
  const guess = didYouMean(String(path.at(-1) ?? ""), known)
  if (guess !== "") return `${where} is not a known field.${guess}`
  return `${where} is not a known field. Known fields: ${known.slice(0, 12).join(", ")}${known.length > 12 ? ", …" : ""}`
}

interface Problem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: SchemaIssue.Issue
}

/** The single problems of an issue, in order. */
const problemsOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = []): ReadonlyArray<Problem> => {
  if (issue._tag === "Pointer") return problemsOf(issue.issue, [...path, ...issue.path])
  if (issue._tag === "Encoding") return problemsOf(issue.issue, path)
  const isGroup = issue._tag === "Composite" || (issue._tag === "AnyOf" && issue.issues.length > 0)
  return isGroup ? issue.issues.flatMap((member) => problemsOf(member, path)) : [{ path, issue }]
}

/** The failure for all problems of a schema issue: UNKNOWN_FIELD if a field is unknown, otherwise INVALID_INPUT. */
const failureOfIssue = (root: SchemaIssue.Issue): InvalidInput | UnknownField => {
  const problems = problemsOf(root)
  const shown = problems.slice(0, shownProblems)
  const lines = shown
    .flatMap(({ issue, path }) => format(new SchemaIssue.Pointer(path, issue)).issues)
    .map(({ message, path = [] }) => {
      const steps = path.map((step) => (typeof step === "object" ? step.key : step))
      if (!message.startsWith(unexpected)) return `${formatPath(steps) || "The input"} ${requirementOf(message)}`
      const known = message.slice(1).split(unexpected)
      return unknownFieldLine(
        steps,
        known.filter((name) => name !== "")
      )
    })
  const message = messageOfLines(lines, problems.length)
  return problems.some(({ issue }) => issue._tag === "UnexpectedKey")
    ? new UnknownField({ message })
    : new InvalidInput({ message })
}

/** The failure for input that is too large, or that has unknown fields. */
const failureOfSize = (problem: SizeProblem): InvalidInput | UnknownField => {
  if (problem._tag === "Size") {
    const { max, path, size, unit } = problem
    return new InvalidInput({ message: `${formatPath(path)} must have at most ${max} ${unit}, got ${size}.` })
  }
  const { known, more, path, unknown } = problem
  const lines = unknown.map((name) => unknownFieldLine([...path, name], known))
  return new UnknownField({ message: messageOfLines(lines, unknown.length + more) })
}

const shownChoices = 8

/** Cuts a long list of literals, as the formatter writes it, to the first ones. */
const shortened = (message: string): string => {
  const choices = message.replace(/\.$/, "").split(" | ")
  return choices.length <= shownChoices + 1
    ? message
    : `${choices.slice(0, shownChoices).join(" | ")} or one of ${choices.length - shownChoices} others`
}

const requirementOf = (long: string): string => {
  const message = shortened(long)
  if (message.startsWith("Expected ")) return `must be ${message.slice("Expected ".length).replace(/\.$/, "")}`
  return message.startsWith("must ") || message.startsWith("is ")
    ? message.replace(/\.$/, "")
    : `is not valid: ${message}`
}

/** In Effect a struct without fields accepts any object; here only the empty one, as its published schema says. */
const hasNoFields = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(ast) && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

const unexpectedField = (input: unknown): UnknownField | undefined => {
  const name = typeof input === "object" && input !== null ? Object.keys(input)[0] : undefined
  return name === undefined
    ? undefined
    : new UnknownField({ message: `${formatPath([name])} is not a known field. There are no input fields: send {}.` })
}

/** Decodes an untrusted value. Fails with INVALID_INPUT or UNKNOWN_FIELD; the message names every path. */
type Decoder<T> = (input: unknown) => Result.Result<T, InvalidInput | UnknownField>

/** Compiles a decoder of accepted JSON; reuse it, since compiling costs more than decoding. */
const jsonDecoder = <S extends Schema.Codec<unknown, unknown>>(schema: S): Decoder<S["Type"]> => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const isEmpty = hasNoFields(schema.ast)
  let sizes: ReturnType<typeof sizeProblem> | undefined
  return (input) => {
    const extra = isEmpty ? unexpectedField(input) : undefined
    if (extra !== undefined) return Result.fail(extra)
    sizes ??= sizeProblem(jsonSchemaOf(schema))
    const size = sizes(input)
    if (size !== undefined) return Result.fail(failureOfSize(size))
    return Result.mapError(decode(input), (error) => failureOfIssue(error.issue))
  }
}

/** Compiles a decoder of any value. */
export const decoder = <S extends Schema.Codec<unknown, unknown>>(schema: S): Decoder<S["Type"]> => {
  const decode = jsonDecoder(schema)
  return (given) => Result.flatMap(checkJson(given), decode)
}

/** Why a value is not valid. */
interface Issue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** What a validation found: the value as it was parsed, or issues. */
type Validated<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** A Standard Schema, version 1, of any library; `jsonSchema` is its extension StandardJSONSchema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>
    }
  }
}

type Validate = StandardSchema["~standard"]["validate"]

const validators = new WeakMap<AnySchema, Validate>()

/** Whether a schema was made by {@link standardInput}: what it decodes may be no JSON. */
export const isStandardInput = (schema: AnySchema): boolean => validators.has(schema)

/** A command's input that a Standard Schema validates, published as a JSON Schema. Fields that this does not name are refused. */
export const standardInput = (schema: StandardSchema, json: JsonSchema): AnySchema => {
  const input: AnySchema = Schema.Unknown.annotate({})
  validators.set(input, (value) => schema["~standard"].validate(value))
  return publishAs(input, json)
}

const failureOf = (issues: ReadonlyArray<Issue>): InvalidInput => {
  const lines = issues.map(({ message, path = [] }) => {
    const steps = path.map((step) => (typeof step === "object" ? step.key : step))
    return `${formatPath(steps) || "The input"}: ${message.replace(/\.$/, "")}`
  })
  return new InvalidInput({ message: messageOfLines(lines, lines.length) })
}

/** Decodes JSON that {@link checkJson} accepted; a Standard Schema may do so asynchronously. */
type InputDecoder = (input: unknown) => Effect.Effect<unknown, InvalidInput | UnknownField>

const standardDecoder = (validate: Validate, json: JsonSchema): InputDecoder => {
  const sizes = sizeProblem(json, 0)
  return (input) =>
    Effect.gen(function* () {
      const size = sizes(input)
      if (size !== undefined) return yield* failureOfSize(size)
      const validated = validate(input)
      const result = validated instanceof Promise ? yield* Effect.promise(() => validated) : validated
      return result.issues === undefined ? result.value : yield* failureOf(result.issues)
    })
}

/** The decoder of an input, whatever library described it. */
const inputDecoder = (schema: AnySchema): InputDecoder => {
  const validate = validators.get(schema)
  if (validate !== undefined) return standardDecoder(validate, jsonSchemaOf(schema))
  const decode = jsonDecoder(schema)
  return (input) => Effect.fromResult(decode(input))
}

/** The decoders of inputs, each made on first use. */
export const makeInputDecoders = (): ((schema: AnySchema) => InputDecoder) => memoize(inputDecoder)
