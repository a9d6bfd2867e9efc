/**
 * How REST spells a command: fields in camelCase, `nextCursor` in the output, unless a binding differs. The schemas are the
 * command's own.
 */
import type { AnyCommand, AnySchema, Representation } from "@svc/core"
import { camelCase } from "@svc/core/internal"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"

/** Where REST differs from the plain camelCase of a command. */
export interface Spelling {
  /** The only fields that REST accepts; default all. */
  readonly only?: ReadonlyArray<string>
  /** Fields that REST does not accept. */
  readonly without?: ReadonlyArray<string>
  /** REST names, by the command's names, that are not their camelCase. */
  readonly names?: Readonly<Record<string, string>>
  /** Whether names stay in snake_case. */
  readonly isSnakeCase?: boolean
  /** Schemas that differ from the command's, by REST name. */
  readonly schemas?: Readonly<Record<string, AnySchema>>
  /** REST names of fields that only REST requires. */
  readonly required?: ReadonlyArray<string>
  /** Completes the input after renaming. */
  readonly complete?: (input: Readonly<Record<string, unknown>>) => unknown
  /** Phrases in messages that REST words differently. */
  readonly phrases?: Readonly<Record<string, string>>
  /** Whether REST returns the command's whole record. */
  readonly showsRecord?: boolean
  /** Another shape of the output. */
  readonly output?: { readonly schema: AnySchema; show(output: unknown): unknown }
  /** The compact profile of that shape. */
  readonly compact?: Representation["compact"]
}

const fieldsOf = (schema: AnySchema): Readonly<Record<string, AnySchema>> => ({ ...Reflect.get(schema, "fields") })

/** The schema of an optional field as a required one. */
const withoutOptional = (field: AnySchema): AnySchema => Reflect.get(field, "schema") ?? field

const renamed = <A>(from: Readonly<Record<string, A>>, nameOf: (name: string) => string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [nameOf(name), value]))

const cursorName = (name: string): string => (name === "next_cursor" ? "nextCursor" : name)

const asIs: Representation["compact"] = (output) => ({ output, warnings: [] })

/** The REST form of a command. */
export const restForm = (command: AnyCommand, spelling: Spelling = {}): Representation => {
  const { complete, only, output, required, without } = spelling
  const nameOf = (field: string): string =>
    spelling.names?.[field] ?? (spelling.isSnakeCase === true ? field : camelCase(field))
  const fields = Object.entries(fieldsOf(command.input)).filter(
    ([field]) => only?.includes(field) ?? !without?.includes(field)
  )
  const fieldOf = new Map(fields.map(([field]) => [nameOf(field), field]))
  const record = spelling.showsRecord === true ? command.record : undefined
  const shape = record?.schema ?? command.output
  const taken = { ...renamed(Object.fromEntries(fields), nameOf), ...spelling.schemas }
  return {
    input: Schema.Struct(
      Record.map(taken, (field, name) => (required?.includes(name) === true ? withoutOptional(field) : field))
    ),
    output: output?.schema ?? Schema.Struct(renamed(fieldsOf(shape), cursorName)),
    toInput: (given) => {
      const input = renamed(given, (name) => fieldOf.get(name) ?? name)
      return complete === undefined ? input : complete(input)
    },
    present: (result, show = command.show) => {
      const shown = record === undefined ? show(result) : record.show(result)
      return output === undefined ? renamed({ ...Object(shown) }, cursorName) : output.show(shown)
    },
    fieldName: (text) => spelling.phrases?.[text] ?? (fieldOf.has(nameOf(text)) ? nameOf(text) : text),
    compact: spelling.compact ?? (record === undefined ? (shown) => command.compact(shown) : asIs)
  }
}
