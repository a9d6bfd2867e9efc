/** Fields of JSON schemas as tables, required ones first. */
import * as Predicate from "effect/Predicate"
import { type Html, html } from "../html.ts"

type Schema = Readonly<Record<string, unknown>>

/** Follows references into the components of the document. */
export type Resolve = (schema: unknown) => Schema

const deepest = 4

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : []

/** The schema of the items or of the only real alternative of a schema. */
const innerOf = (schema: Schema, resolve: Resolve): Schema => {
  if (Predicate.isObject(schema["items"])) return innerOf(resolve(schema["items"]), resolve)
  const anyOf: unknown = schema["anyOf"] ?? schema["oneOf"]
  if (!Array.isArray(anyOf)) return schema
  const objects = anyOf.map(resolve).filter((one) => one["type"] === "object" || one["items"] !== undefined)
  return objects[0] === undefined ? schema : innerOf(objects[0], resolve)
}

const typeOf = (schema: Schema, resolve: Resolve): string => {
  const { anyOf, const: only, enum: values, items, oneOf, type } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map((value) => String(value)).join(" | ")
  const choices: unknown = anyOf ?? oneOf
  if (Array.isArray(choices)) return [...new Set(choices.map((one) => typeOf(resolve(one), resolve)))].join(" or ")
  const names = Array.isArray(type) ? type.join(" or ") : String(type ?? "any")
  return items === undefined ? names : names.replace("array", `list of ${typeOf(resolve(items), resolve)}`)
}

const limitsOf = ({ default: usual, maximum, maxItems, maxLength, minimum }: Schema): string =>
  [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(minimum === undefined && maximum === undefined ? [] : [`${minimum ?? "…"} to ${maximum ?? "…"}`]),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`])
  ].join(", ")

/** The fields of an object schema; undefined if it has none. */
export const fieldsHtml = (given: unknown, resolve: Resolve, depth = 0): Html | undefined => {
  const schema = innerOf(resolve(given), resolve)
  const properties = Object.entries(Object(schema["properties"]))
  if (properties.length === 0 || depth > deepest) return undefined
  const required = new Set(textsIn(schema["required"]))
  const ordered = properties.toSorted(([one], [other]) => Number(required.has(other)) - Number(required.has(one)))
  const rows = ordered.map(([name, property]) => {
    const field = resolve(property)
    const inner = fieldsHtml(field, resolve, depth + 1)
    const limits = limitsOf(field)
    const description = typeof field["description"] === "string" ? field["description"] : ""
    return html`<tr><td><code>${name}</code>${required.has(name) ? html` <b>required</b>` : undefined}</td><td><i>${typeOf(field, resolve)}</i>${limits === "" ? "" : ` (${limits})`} ${description}${
      inner === undefined ? undefined : html`<details><summary>Fields of ${name}</summary>${inner}</details>`
    }</td></tr>`
  })
  return html`<table>${rows}</table>`
}
