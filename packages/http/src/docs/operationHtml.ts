/** One operation of the OpenAPI document as a section of the page. */
import { type Html, html, prose } from "../responses.ts"

/** A JSON schema without references. */
type Schema = Readonly<Record<string, unknown>>

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
const fieldsHtml = (given: Schema, depth = 0): Html | undefined => {
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

/** Stands for the URL of the server until it is known. */
export const serverMark = "{{server}}"

/** A request that a sample sends. */
interface SampleRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** The command, if the request runs one. */
  readonly command: string | undefined
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = ({ body, method, path }: SampleRequest): string =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}${serverMark}${path}`,
    '-H "Authorization: Bearer $SVC_API_KEY"',
    ...(body ? ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, undefined, 2))}`] : [])
  ].join(" \\\n  ")

const typescriptOf = ({ body, command, method, path }: SampleRequest): string => {
  const input = JSON.stringify(body ?? {}, undefined, 2)
  if (command !== undefined) {
    return `import { createClient } from "@svc/client"

const svc = createClient({ url: "${serverMark}", key: process.env.SVC_API_KEY })

const { data } = await svc.commands.run("${command}", ${input})`
  }
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    `headers: {
    authorization: \`Bearer \${process.env.SVC_API_KEY}\`,${body ? '\n    "content-type": "application/json"' : ""}
  }`,
    ...(body ? [`body: JSON.stringify(${input.replaceAll("\n", "\n  ")})`] : [])
  ]
  return `const response = await fetch("${serverMark}${path}", {
  ${options.join(",\n  ")}
})

const { data, error } = await response.json()`
}

/** The samples. */
export const samplesHtml = (request: SampleRequest): Html =>
  html`<div class="s"><h3>curl</h3><pre tabindex="0"><code>${curlOf(request)}</code></pre><h3>TypeScript</h3><pre tabindex="0"><code>${typescriptOf(request)}</code></pre></div>`

/** An operation with its place. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** The command that it runs, if it is an endpoint of a command. */
  readonly command: string | undefined
  readonly details: Readonly<Record<string, unknown>>
}

/** Parameters that every request takes; the guide says what they do. */
const everywhere = new Set(["response_profile", "dry_run", "Idempotency-Key"])

const contentOf = (body: unknown): { readonly schema?: Schema; readonly examples?: Readonly<Record<string, object>> } =>
  Object(Object(Object(body).content)["application/json"])

/** An example value for a schema: what it says itself, otherwise its required fields. */
const exampleOf = (schema: Schema, depth = 0): unknown => {
  const { anyOf, const: only, default: usual, enum: values, examples, items, properties, required, type } = schema
  if (only !== undefined) return only
  for (const known of [examples, values]) if (Array.isArray(known)) return known[0]
  if (usual !== undefined) return usual
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], depth)
  const [name] = [type].flat()
  if (name === "object") {
    const wanted: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
    const fields = Object.entries<Schema>(Object(properties)).filter(([field], index) =>
      wanted.length === 0 ? depth === 0 && index === 0 : wanted.includes(field)
    )
    return Object.fromEntries(fields.map(([field, inner]) => [field, exampleOf(inner, depth + 1)]))
  }
  if (name === "array") return items === undefined ? [] : [exampleOf(Object(items), depth + 1)]
  if (name === "integer" || name === "number") return 1
  return name === "boolean" ? true : "…"
}

const samplePath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.replaceAll(/([A-Z])/g, "_$1").toUpperCase())

const parametersHtml = (details: Operation["details"]): Html | undefined => {
  const given: unknown = details["parameters"]
  const shown = Array.isArray(given) ? given.filter(({ name }) => !everywhere.has(name)) : []
  if (shown.length === 0) return undefined
  const properties = Object.fromEntries(
    shown.map(({ description, name, schema }) => [name, { ...schema, description }])
  )
  const required = shown.filter((one) => one.required).map(({ name }) => name)
  return html`<h3>Parameters</h3>${fieldsHtml({ properties, required })}`
}

const resultHtml = (details: Operation["details"]): Html => {
  const responses = Object.entries(Object(details["responses"]))
  const { schema = {} } = contentOf(responses.find(([status]) => status.startsWith("2"))?.[1])
  const fields = fieldsHtml(Object(schema["properties"]).data ?? schema, 1)
  const others = responses.map(([status]) => status).filter((status) => /^[45]/.test(status))
  return html`${
    fields && html`<details><summary>Returns</summary>${fields}</details>`
  }<p class="e">Errors: ${others.join(", ")}. See <a href="#errors">Errors</a>.</p>`
}

/** The section. */
export const operationHtml = ({ command, details, id, method, path, summary }: Operation): Html => {
  const { examples, schema } = contentOf(details["requestBody"])
  const [example] = Object.values<Schema>(Object(examples))
  const body = schema && (example?.["value"] ?? exampleOf(schema))
  const fields = schema && fieldsHtml(schema)
  const text = String(details["description"] ?? "").replace(`${summary}\n\n`, "")
  return html`<section id="${id}"><h2>${summary} <a href="#${id}" aria-label="Link to ${summary}">#</a></h2><p><code class="m ${method}">${method.toUpperCase()}</code> <code>${path}</code>${
    command && html` <span>command <code>${command}</code></span>`
  }</p>${prose(text === summary ? "" : text)}${parametersHtml(details)}${
    fields && html`<h3>Body</h3>${fields}`
  }${resultHtml(details)}${samplesHtml({ method: method.toUpperCase(), path: samplePath(path), body, command })}</section>`
}
