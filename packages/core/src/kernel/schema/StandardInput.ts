/** Inputs described by any library of Standard Schemas (https://standardschema.dev). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AnySchema } from "../command/Command.ts"
import { InvalidInput, type UnknownField } from "../failure/failures.ts"
import { decoder, failureOfSize, messageOfLines } from "./Decode.ts"
import { checkJson, formatPath } from "./Json.ts"
import { type JsonSchema, jsonSchemaOf, publishAs } from "./JsonSchema.ts"
import { sizeProblem } from "./sizeProblem.ts"

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

/** Decodes an untrusted value; a Standard Schema may do so asynchronously. */
type InputDecoder = (input: unknown) => Effect.Effect<unknown, InvalidInput | UnknownField>

const standardDecoder = (validate: Validate, json: JsonSchema): InputDecoder => {
  const sizes = sizeProblem(json, 0)
  return (given) =>
    Effect.gen(function* () {
      const input = yield* Effect.fromResult(checkJson(given))
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
  const decode = decoder(schema)
  return (input) => Effect.fromResult(decode(input))
}

/** The decoders of inputs, each made on first use. */
export const makeInputDecoders = (): ((schema: AnySchema) => InputDecoder) => {
  const decoders = new Map<AnySchema, InputDecoder>()
  return (schema) => {
    const known = decoders.get(schema)
    if (known !== undefined) return known
    const made = inputDecoder(schema)
    decoders.set(schema, made)
    return made
  }
}
