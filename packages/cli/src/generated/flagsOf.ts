/**
 * Flags for the input schema of a command, and the input for the flags.
 *
 * A field of a plain type is a flag of the same name in kebab case; lists of texts are repeatable flags. So are the fields of
 * an object that has only plain ones. What has a text form is one flag; everything else is given with `--input-json`. The
 * service validates the input.
 */

import { type AnyCommand, type JsonSchema, jsonSchemaOf } from "@svc/core"
import { hoursExample, hoursOf, hoursText } from "@svc/core/agents"
import * as CliError from "effect/cli/CliError"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { wordFlag } from "../commands/flags.ts"
import type { Json } from "../Output.ts"

/** A field of an input that a flag can hold. */
export interface PlainField {
  /** The name of the field in the input; `limits.message_day` inside of an object. */
  readonly name: string
  /** The name of the flag, without its dashes. */
  readonly flag: string
  readonly type: "string" | "integer" | "number" | "boolean" | "texts" | "hours"
  /** Allowed values, if it is an enum. */
  readonly choices: ReadonlyArray<string>
  readonly description: string
}

/** The working hours, which a person writes as a text. */
const hoursField: PlainField = {
  name: "working_hours",
  flag: "hours",
  type: "hours",
  choices: [],
  description: `Working hours, such as "${hoursExample}"; days that are not named are closed`
}

/** Flags whose fields read better in other words. */
const flagNames: Readonly<Record<string, string>> = {
  message_day: "messages-per-day",
  invitation_day: "invitations-per-day",
  invitation_week: "invitations-per-week",
  invitation_with_note_day: "invitations-with-note-per-day",
  invitation_with_note_week: "invitations-with-note-per-week",
  withdrawal_day: "withdrawals-per-day",
  profile_view_day: "profile-views-per-day",
  search_day: "searches-per-day"
}

const member = (node: unknown, name: string): unknown =>
  Predicate.isObject(node) ? Reflect.get(node, name) : undefined

const typesOf = (node: unknown): ReadonlyArray<unknown> => {
  const type = member(node, "type")
  return (Array.isArray(type) ? type : [type]).filter((name) => name !== "null")
}

const isText = (node: unknown): boolean => {
  const anyOf = member(node, "anyOf")
  return Array.isArray(anyOf) ? anyOf.some(isText) : typesOf(node).includes("string")
}

const choicesOf = (node: unknown): ReadonlyArray<string> => {
  const values = member(node, "enum")
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : []
}

const firstSentence = (text: unknown): string => {
  const line = typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim() : ""
  return (/^.*?[^.][.](?= [A-Z])/.exec(line)?.[0] ?? line).replace(/[^.]\.$/, (end) => end.slice(0, 1))
}

const plainField = (name: string, node: unknown): PlainField | undefined => {
  const [type, ...others] = typesOf(node)
  if (others.length > 0) return undefined
  const flag = flagNames[name] ?? name.replaceAll("_", "-")
  const description = firstSentence(member(node, "description"))
  if (type === "string" || type === "integer" || type === "number" || type === "boolean") {
    return { name, flag, type, choices: choicesOf(node), description }
  }
  const items = member(node, "items")
  if (type !== "array" || !isText(items)) return undefined
  return { name, flag, type: "texts", choices: choicesOf(items), description }
}

/** The fields of a nested object: one, as a text, or each, if all are plain and none is a field of the input as well. */
const fieldsIn = (name: string, node: unknown, beside: JsonSchema): ReadonlyArray<PlainField> => {
  if (name === hoursField.name && typesOf(node).includes("object")) return [hoursField]
  const inner = Object.entries(Object(member(node, "properties")))
  const plain = inner.flatMap(([key, one]) => (key in Object(beside["properties"]) ? [] : (plainField(key, one) ?? [])))
  return plain.length < inner.length ? [] : plain.map((field) => ({ ...field, name: `${name}.${field.name}` }))
}

const entries = (schema: JsonSchema): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(Object(schema["properties"]))

const isSecret = (node: unknown): boolean => member(node, "format") === "password"

/** The field with a secret, which is no flag: every process of the machine sees the arguments of others. */
export const secretField = (schema: JsonSchema): PlainField | undefined =>
  entries(schema).flatMap(([name, node]) => (isSecret(node) ? (plainField(name, node) ?? []) : []))[0]

/** The fields of an input that flags can hold, in the schema's order. */
export const plainFields = (schema: JsonSchema): ReadonlyArray<PlainField> =>
  entries(schema).flatMap(([name, node]) =>
    isSecret(node) ? [] : (plainField(name, node) ?? fieldsIn(name, node, schema))
  )

/** The fields of an input that only `--input-json` can hold. */
export const nestedFields = (schema: JsonSchema): ReadonlyArray<string> => {
  const plain = new Set(plainFields(schema).map(({ name }) => name.split(".")[0]))
  return entries(schema).flatMap(([name, node]) => (plain.has(name) || isSecret(node) ? [] : [name]))
}

const hoursFlag = (option: string): Flag.Flag<unknown> =>
  Flag.mapEffect(Flag.String(option), (value) =>
    Effect.mapError(Effect.fromResult(hoursOf(value)), (word) => {
      const expected = `written like ${hoursExample.split(",", 1)}${word && ` (what is ${word}?)`}`
      return new CliError.InvalidValue({ option, value, expected, kind: "flag" })
    })
  )

const typed = ({ choices, flag, type }: PlainField): Flag.Flag<unknown> => {
  if (type === "hours") return hoursFlag(flag)
  if (choices.length > 0) return wordFlag(flag, choices)
  if (type === "integer") return Flag.Int(flag)
  if (type === "number") return Flag.Finite(flag)
  return type === "boolean" ? Flag.Boolean(flag) : Flag.String(flag)
}

/** The flag of a field. */
export const flagOf = (field: PlainField): Flag.Flag<unknown> => {
  const described = Flag.withDescription(typed(field), field.description)
  if (field.type !== "texts") return Flag.withDefault(described, undefined)
  return Flag.atLeast(described, 0).pipe(
    Flag.withDescription(`${field.description.replace(/[^.]$/, "$&.")} Repeatable.`.trim()),
    Flag.map((values) => (values.length === 0 ? undefined : values))
  )
}

/** The input from `--input-json`, with the flags on top. */
export const inputOf = (fields: ReadonlyArray<PlainField>, given: Json, base: Json): Json => {
  const input: Record<string, unknown> = { ...base }
  for (const { flag, name: path } of fields) {
    const [name = "", inner] = path.split(".")
    if (given[flag] === undefined) continue
    input[name] = inner === undefined ? given[flag] : { ...Object(input[name]), [inner]: given[flag] }
  }
  return input
}

/** The word, quoted for a POSIX shell if necessary. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const wordsOf = (field: PlainField, given: unknown): ReadonlyArray<string> | undefined => {
  const { flag, type } = field
  const value = type === "hours" && Predicate.isObject(given) ? hoursText(given) : given
  if (type === "boolean" && typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`]
  if (type === "texts") {
    if (!Array.isArray(value) || value.length === 0 || value.some((item) => typeof item !== "string")) return undefined
    return value.flatMap((item) => wordsOf({ ...field, type: "string" }, item) ?? [])
  }
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const text = String(value)
  // A separate word that starts with a dash would be parsed as a flag.
  return text.startsWith("-") ? [`--${flag}=${text}`] : [`--${flag}`, text]
}

/**
 * The words after the command: a flag for each plain field, and the rest as `--input-json`. `subject` is the field of the
 * argument.
 */
export const argumentsOf = (fields: ReadonlyArray<PlainField>, input: Json, subject?: string) => {
  const words: Array<string> = []
  const flags: Array<string> = []
  const rest: Record<string, unknown> = {}
  const wordsFor = (name: string, value: unknown): ReadonlyArray<string> | undefined => {
    const field = fields.find((known) => known.name === name)
    if (field !== undefined) return wordsOf(field, value)
    const inner = Predicate.isObject(value) ? Object.entries(value) : []
    const each = inner.flatMap(([key, one]): ReadonlyArray<string | undefined> => {
      const known = fields.find((candidate) => candidate.name === `${name}.${key}`)
      return (known && wordsOf(known, one)) ?? [undefined]
    })
    return each.length > 0 && each.every(Predicate.isString) ? each : undefined
  }
  for (const [name, value] of Object.entries(input)) {
    const fieldWords = wordsFor(name, value)
    if (fieldWords === undefined) rest[name] = value
    else if (name === subject && typeof value === "string" && !value.startsWith("-")) words.push(value)
    else flags.push(...fieldWords)
  }
  return [...words, ...flags, ...(Object.keys(rest).length === 0 ? [] : ["--input-json", JSON.stringify(rest)])]
}

/** A command as a subcommand needs it, of this program's catalogue or as a service lists it. */
export interface Listed extends Pick<AnyCommand, "id" | "summary" | "description" | "whenToUse"> {
  readonly writes: boolean
  readonly schema: () => JsonSchema
  readonly examples: ReadonlyArray<{ readonly title: string; readonly input: Json }>
}

/** A command of a catalogue. */
export const listedOf = ({ input, risk, ...command }: AnyCommand): Listed => ({
  ...command,
  writes: risk !== "read",
  schema: () => jsonSchemaOf(input)
})

const required = (schema: JsonSchema): ReadonlyArray<string> => {
  const names: unknown = schema["required"]
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
}

/**
 * The field that may be given as a word: the only required id or handle; otherwise the lead, of a command that takes any
 * identifier of one; the only required text; what is searched for; or the id of the command's own noun.
 */
export const subjectOf = (id: string, schema: JsonSchema, fields: ReadonlyArray<PlainField>) => {
  const texts = fields.filter(({ type }) => type === "string")
  const field = (name: string) => texts.find((known) => known.name === name)
  const must = required(schema)
  const subjects = texts.filter(({ name }) => /(^|_)(id|handle)$/.test(name) && must.includes(name))
  if (subjects.length > 0) return subjects.length === 1 ? subjects[0] : undefined
  if (id.startsWith("lead.") && field("email") !== undefined && field("linkedin_url") !== undefined) {
    return field("lead_id")
  }
  if (must.length > 0) return must.length === 1 ? field(must[0] ?? "") : undefined
  return field("query") ?? field(`${id.split(".").at(-2)}_id`)
}
