/** Commands as the command line needs them. */
import { type AnyCommand, type JsonSchema, jsonSchemaOf } from "@svc/core"
import type { PlainField } from "./flagsOf.ts"

/** A command as a subcommand needs it, of this program's catalogue or as a service lists it. */
export interface Listed {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly whenToUse: string
  readonly writes: boolean
  readonly schema: () => JsonSchema
  readonly examples: ReadonlyArray<{ readonly title: string; readonly input: Readonly<Record<string, unknown>> }>
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
 * identifier of one, or the id of the command's own noun.
 */
export const subjectOf = (
  id: string,
  schema: JsonSchema,
  fields: ReadonlyArray<PlainField>
): PlainField | undefined => {
  const texts = fields.filter(({ type }) => type === "string")
  const field = (name: string) => texts.find((known) => known.name === name)
  const must = required(schema)
  const subjects = texts.filter(({ name }) => /(^|_)(id|handle)$/.test(name) && must.includes(name))
  if (subjects.length > 0) return subjects.length === 1 ? subjects[0] : undefined
  if (id.startsWith("lead.") && field("email") !== undefined && field("linkedin_url") !== undefined) {
    return field("lead_id")
  }
  return must.length > 0 ? undefined : field(`${id.split(".").at(-2)}_id`)
}

/** Fields that identify a lead, by what a text looks like. */
export const identifierOf = (text: string): "lead_id" | "email" | "linkedin_url" | "sales_nav_id" => {
  if (/linkedin\.com\/sales\//i.test(text)) return "sales_nav_id"
  if (/linkedin\.com\//i.test(text)) return "linkedin_url"
  return /^[^\s/]+@[^\s/]+$/.test(text) ? "email" : "lead_id"
}
