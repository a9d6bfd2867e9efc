/** One operation of the OpenAPI document as a section of the page. */

import { type Html, html, prose } from "../html.ts"
import { fieldsHtml, type Resolve } from "./fieldsHtml.ts"
import { type SampleRequest, samplesHtml } from "./samples.ts"

type Row = Readonly<Record<string, unknown>>

/** An operation with its place. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** The command that it runs, if it is an endpoint of a command. */
  readonly command: string | undefined
  readonly details: Row
}

/** Parameters that every request takes; the guide says what they do. */
const everywhere = new Set(["response_profile", "dry_run", "Idempotency-Key"])

const contentOf = (body: unknown): Row => Object(Object(Object(body).content)["application/json"])

/** An example value for a schema: what it says itself, otherwise its required fields. */
const exampleOf = (given: unknown, resolve: Resolve, depth = 0): unknown => {
  const schema = resolve(given)
  const { anyOf, const: only, default: usual, enum: values, examples, items, properties, required, type } = schema
  if (only !== undefined) return only
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(values)) return values[0]
  if (usual !== undefined) return usual
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], resolve, depth)
  const name = Array.isArray(type) ? type[0] : type
  if (name === "object") {
    const wanted: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
    const fields = Object.entries(Object(properties)).filter(([field], index) =>
      wanted.length === 0 ? depth === 0 && index === 0 : wanted.includes(field)
    )
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, resolve, depth + 1)]))
  }
  if (name === "array") return items === undefined ? [] : [exampleOf(items, resolve, depth + 1)]
  if (name === "integer" || name === "number") return 1
  return name === "boolean" ? true : "…"
}

const samplePath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.replaceAll(/([A-Z])/g, "_$1").toUpperCase())

const sampleOf = ({ command, details, method, path }: Operation, resolve: Resolve): SampleRequest => {
  const { examples, schema } = contentOf(details["requestBody"])
  const [first] = Object.values(Object(examples))
  const body = schema === undefined ? undefined : (Object(first).value ?? exampleOf(schema, resolve))
  return { method: method.toUpperCase(), path: samplePath(path), body, command }
}

const parametersHtml = (details: Row, resolve: Resolve): Html | undefined => {
  const given: unknown = details["parameters"]
  const shown = (Array.isArray(given) ? given : []).map(resolve).filter(({ name }) => !everywhere.has(String(name)))
  if (shown.length === 0) return undefined
  const properties = Object.fromEntries(
    shown.map(({ description, name, schema }) => [String(name), { ...resolve(schema), description }])
  )
  const required = shown.filter((one) => one["required"] === true).map(({ name }) => name)
  return html`<h3>Parameters</h3>${fieldsHtml({ type: "object", properties, required }, resolve)}`
}

const resultHtml = (details: Row, resolve: Resolve): Html | undefined => {
  const responses = Object.entries(Object(details["responses"]))
  const done = responses.find(([status]) => status.startsWith("2"))?.[1]
  const { schema } = contentOf(done)
  const data: unknown = Object(Object(resolve(schema)).properties).data
  const fields = fieldsHtml(data ?? schema, resolve, 1)
  const others = responses.map(([status]) => status).filter((status) => /^[45]/.test(status))
  return html`${
    fields === undefined ? undefined : html`<details><summary>Returns</summary>${fields}</details>`
  }<p class="e">Errors: ${others.join(", ")}. See <a href="#errors">Errors</a>.</p>`
}

/** The section. */
export const operationHtml = (operation: Operation, resolve: Resolve): Html => {
  const { command, details, id, method, path, summary } = operation
  const { schema } = contentOf(details["requestBody"])
  const fields = schema === undefined ? undefined : fieldsHtml(schema, resolve)
  const text = String(details["description"] ?? "").replace(`${summary}\n\n`, "")
  return html`<section id="${id}"><h2>${summary} <a href="#${id}" aria-label="Link to ${summary}">#</a></h2><p><code class="m ${method}">${method.toUpperCase()}</code> <code>${path}</code>${
    command === undefined ? undefined : html` <span>command <code>${command}</code></span>`
  }</p>${prose(text === summary ? "" : text)}${parametersHtml(details, resolve)}${
    fields === undefined ? undefined : html`<h3>Body</h3>${fields}`
  }${resultHtml(details, resolve)}${samplesHtml(sampleOf(operation, resolve))}</section>`
}
