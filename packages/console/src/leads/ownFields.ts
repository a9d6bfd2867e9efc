/** The organization's own fields of leads, as fields of forms and filters. Pure. */
import { choice, type Field, line, type Values } from "../form/values.ts"
import type { ResultOf } from "../service/shapes.ts"

export type OwnField = ResultOf<"lead.field.list">["fields"][number]

/** What the name of such a field begins with, here and in the mapping of an import. */
export const ownPrefix = "fields."

/** Those that take values. */
export const active = (own: ReadonlyArray<OwnField>) => own.filter(({ archived }) => !archived)

/** The field of a form; `none` is what an empty choice says. */
export const ownFormField = ({ choices, key, label, type }: OwnField, none = "Not set"): Field => {
  const name = ownPrefix + key
  if (type === "text") return line(name, label, { maxLength: 500 })
  if (type === "boolean") return choice(name, label, { "": none, true: "Yes", false: "No" })
  if (type !== "choice") return line(name, label, { kind: type, step: "any" })
  return { name, label, kind: type, options: [["", none], ...choices.map((one) => [one, one] as const)] }
}

const valueOf = (text: string, type: OwnField["type"] | undefined) => {
  if (text === "") return null
  if (type === "number") return Number(text)
  return type === "boolean" ? text === "true" : text
}

/** What the service takes for the own fields among values: `fields`, if there are any. An empty one is null. */
export const ownInput = (values: Values, own: ReadonlyArray<OwnField>) => {
  const given = Object.entries(values).flatMap(([name, text]) => {
    const key = name.slice(ownPrefix.length)
    const type = own.find((one) => one.key === key)?.type
    return name.startsWith(ownPrefix) ? [[key, valueOf(String(text), type)] as const] : []
  })
  return given.length === 0 ? {} : { fields: Object.fromEntries(given) }
}
