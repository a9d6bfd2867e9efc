/** Fields of JSON schemas as tables, required ones first. */
import { type Html, html } from "../html.ts"

/** A JSON schema without references. */
export type Schema = Readonly<Record<string, unknown>>

const deepest = 4

/** The schema of the items or of the only real alternative of a schema. */
const innerOf = (schema: Schema): Schema => {
  const { anyOf, items } = schema
  if (items !== undefined) return innerOf(Object(items))
  const found = Array.isArray(anyOf) ? anyOf.find((one) => one.type === "object" || one.items !== undefined) : undefined
  return found === undefined ? schema : innerOf(found)
}

const typeOf = ({ anyOf, const: only, enum: values, items, type = "any" }: Schema): string => {
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map(String).join(" | ")
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeOf))].join(" or ")
  const names = [type].flat().join(" or ")
  return items === undefined ? names : names.replace("array", `list of ${typeOf(Object(items))}`)
}

const limitsOf = ({ default: usual, maximum, maxItems, maxLength, minimum }: Schema): string =>
  [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(minimum === undefined && maximum === undefined ? [] : [`${minimum ?? "…"} to ${maximum ?? "…"}`]),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`])
  ].join(", ")

/** The fields of an object schema; undefined if it has none. */
export const fieldsHtml = (given: Schema, depth = 0): Html | undefined => {
  const { properties, required = [] } = innerOf(given)
  const fields = Object.entries<Schema>(Object(properties))
  if (fields.length === 0 || depth > deepest) return undefined
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const ordered = fields.toSorted(([one], [other]) => Number(isRequired(other)) - Number(isRequired(one)))
  const rows = ordered.map(([name, field]) => {
    const inner = fieldsHtml(field, depth + 1)
    const limits = limitsOf(field)
    return html`<tr><td><code>${name}</code>${isRequired(name) ? html` <b>required</b>` : undefined}</td><td><i>${typeOf(field)}</i>${limits === "" ? "" : ` (${limits})`} ${String(field["description"] ?? "")}${
      inner && html`<details><summary>Fields of ${name}</summary>${inner}</details>`
    }</td></tr>`
  })
  return html`<table>${rows}</table>`
}
