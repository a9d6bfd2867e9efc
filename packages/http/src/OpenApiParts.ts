/** What the operations of the OpenAPI document are made of: shared schemas, refusals, parameters. Source: contract 1.1, 1.3. */
import { failureTable } from "@svc/core/Failure"
import type { JsonSchema } from "@svc/core/JsonSchema"

/** The operation id of a command. */
export const operationId = (id: string): string => id.replaceAll(/[^A-Za-z0-9]+/g, "_")

/** The properties of an object's schema. */
export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, unknown>> => {
  const { properties } = schema
  return typeof properties === "object" && properties !== null ? { ...properties } : {}
}

/** A reference to a schema of the document. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
/** A JSON body. */
export const content = (schema: unknown, examples?: unknown) => ({
  "application/json": { schema, ...(examples === undefined ? {} : { examples }) }
})

/** An object of exactly these properties. */
export const object = (
  properties: Readonly<Record<string, unknown>>,
  required = Object.keys(properties)
): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

const errorCode = {
  type: "string",
  description: "Stable code; new ones may be added",
  examples: Object.keys(failureTable)
}
/** A list of something. */
export const array = (items: unknown) => ({ type: "array", items })

const error = object({ message: { type: "string" }, code: errorCode })

const texts = (names: string): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, { type: "string" }]))

const textList = array({ type: "string" })

const descriptor = {
  ...texts("command_id title description summary visibility risk category default_permission when_to_use"),
  risk_notes: textList,
  output_notes: textList,
  related_commands: textList,
  related_resources: textList,
  examples: { type: "array", items: object(texts("title language code")) }
}

const jsonSchema = { type: "object", description: "A JSON Schema" }

/** The schemas that operations share. */
export const schemas = {
  Error: object({ error }),
  Meta: object({
    approval_required: { type: "boolean" },
    approval_request_id: { type: "string" },
    command_hash: { type: "string", description: "SHA-256 of organization, command and input" },
    warnings: { type: "array", items: { type: "string" } }
  }),
  FailedCommand: object({ ok: { const: false }, status: { type: "integer" }, error, meta: ref("Meta") }),
  CommandDescriptor: object(descriptor),
  CommandDescriptorWithSchemas: object({
    ...descriptor,
    input_schema: jsonSchema,
    output_schema: jsonSchema,
    approval_output_schema: jsonSchema
  }),
  ResourceEntry: object({ ...texts("uri name title description summary mimeType"), related_commands: textList })
}

const reason: Readonly<Record<number, string>> = {
  400: "The input is refused; the message names path and expectation",
  401: "The key is missing or not valid",
  403: "The key lacks a scope, or a policy forbids it",
  404: "There is no such thing in this organization",
  409: "The state of things does not allow it",
  412: "It changed since it was read",
  429: "Too many requests; Retry-After says when to come back",
  500: "Something failed that should not; the message names the request",
  502: "The provider refused or failed",
  503: "The service cannot answer right now"
}

const header = (description: string) => ({ description, schema: { type: "string" } })

/** Headers of answers, by what they belong to. */
export const answerHeaders = {
  always: { "Svc-Request-Id": header("Id of this request, for reports") },
  created: { Location: header("Address of what was created") },
  object: { ETag: header("Tag of the object in its full profile, for If-Match and If-None-Match") },
  replayed: { "Idempotency-Replayed": header("true when this is the stored answer of an earlier request") },
  written: {
    "Svc-Dry-Run": header("true when nothing was changed"),
    "Svc-Warnings": header("Warnings, as a JSON array of strings")
  }
} as const

const later = { "Retry-After": header("Seconds to wait before the next try") }
const challenge = { "WWW-Authenticate": header("Bearer") }

const refusalHeaders = (status: number) => ({
  ...answerHeaders.always,
  ...(status === 401 ? challenge : {}),
  ...(status === 409 || status === 429 || status >= 502 ? later : {})
})

/** Refusals by status, all with one body. */
export const refusals = (statuses: ReadonlyArray<number>, schema: unknown) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: reason[status] ?? "Refused", headers: refusalHeaders(status), content: content(schema) }
    ])
  )

/** What any operation may answer beside its own. */
export const anywhere = {
  ...refusals([429, 500, 503], ref("Error")),
  default: { description: "Refused before it was understood (405, 413, 415)", content: content(ref("Error")) }
}

/** A parameter, of the query unless told otherwise. */
export const parameter = (name: string, schema: unknown, description: string, required = false, place = "query") => ({
  name,
  in: place,
  required,
  description,
  schema
})

/** The execution option `response_profile`. */
export const profile = parameter(
  "response_profile",
  { type: "string", enum: ["full", "compact"], default: "full" },
  "compact shortens long optional parts; ids, states and required fields never change"
)
/** The execution option `dry_run`. */
export const dryRun = parameter(
  "dry_run",
  { type: "boolean", default: false },
  "Answer what would result and change nothing"
)
/** The execution option `Idempotency-Key`. */
export const idempotency = parameter(
  "Idempotency-Key",
  { type: "string", minLength: 1, maxLength: 255 },
  "Repeating a request with the same key has one effect and answers the same, for 24 hours",
  false,
  "header"
)

/** The header `If-Match`. */
export const ifMatch = parameter(
  "If-Match",
  { type: "string" },
  "The ETag that was read, or *: refused with 412 when the object is another by now",
  false,
  "header"
)
/** The header `If-None-Match`. */
export const ifNoneMatch = parameter(
  "If-None-Match",
  { type: "string" },
  "ETags that are known: 304 when the object is still one of them",
  false,
  "header"
)
