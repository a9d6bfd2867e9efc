/** Parts that OpenAPI operations share: schemas, error responses, parameters. */
import * as Core from "@svc/core"
import { ApprovalOutput, codesOf } from "@svc/core/internal"
import type { Method } from "./Route.ts"

/** The operation id of a command. */
export const operationId = (id: string): string => id.replaceAll(/[^A-Za-z0-9]+/g, "_")

/** The properties of an object's schema. */
export const propertiesOf = ({ properties }: Core.JsonSchema): Readonly<Record<string, unknown>> => Object(properties)

/** The schema of an object without some of its properties. */
export const without = (schema: Core.JsonSchema, names: ReadonlyArray<string>): Core.JsonSchema => {
  const { required, ...rest } = schema
  const properties = Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name)))
  const left = Array.isArray(required) ? required.filter((name) => !names.includes(name)) : []
  return { ...rest, properties, ...(left.length > 0 ? { required: left } : {}) }
}

/** A reference to a schema of the document. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A JSON body. */
export const content = (schema: unknown, examples?: unknown) => ({
  "application/json": { schema, ...(examples === undefined ? {} : { examples }) }
})

/** An object of exactly these properties. */
export const object = (properties: Readonly<Record<string, unknown>>): Core.JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

/** A text. */
export const string = { type: "string" }

/** A text in a header or query, which servers limit to 16 KiB together. */
export const shortText = { ...string, maxLength: 16_384 }

/** A list of something. */
export const array = (items: unknown) => ({ type: "array", items })

/** Texts by their names, separated by spaces. */
export const texts = (names: string): Readonly<Record<string, Core.JsonSchema>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, string]))

const textList = array(string)

const errorCode = {
  ...string,
  description: "Stable code; new ones may be added, and HOST_ begins those of a host program",
  examples: Object.keys(Core.failureTable)
}
const error = object({ message: string, code: errorCode })

const descriptor = {
  ...texts("command_id title description summary visibility risk category default_permission when_to_use"),
  risk_notes: textList,
  output_notes: textList,
  related_commands: textList,
  related_resources: textList,
  examples: array(object(texts("title language code")))
}

const jsonSchema = { type: "object", description: "A JSON Schema" }

/** The schemas that operations share. */
export const schemas = {
  Error: object({ error }),
  Meta: object({
    approval_required: { type: "boolean" },
    approval_request_id: string,
    command_hash: { ...string, description: "SHA-256 of organization, command and input" },
    warnings: textList
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
  400: "Invalid input; the message names the field and what is expected",
  401: "The API key is missing or not valid",
  403: "The key lacks a scope, or a policy forbids it",
  404: "Not found in this organization",
  409: "The current state does not allow this",
  412: "It has changed since it was read",
  413: "The body is too large",
  429: "Too many requests; see Retry-After",
  500: "Unexpected error; the message names the request id",
  502: "The provider rejected the request or failed",
  503: "The service is unavailable"
}

const described = (status: number, codes: ReadonlyArray<Core.FailureCode>): string => {
  const here = codes.filter((code) => Core.failureTable[code].status === status)
  const text = reason[status] ?? "Failed"
  return here.length === 0 ? text : `${text}: ${here.join(", ")}`
}

/** A text header. */
export const header = (description: string) => ({ description, schema: string })

/** Response headers, by what they belong to. */
export const responseHeaders = {
  always: { "Svc-Request-Id": header("Id of this request, for support") },
  created: { Location: header("URL of the created object") },
  object: { ETag: header("ETag of the object in its full profile, for If-Match and If-None-Match") },
  replayed: { "Idempotency-Replayed": header("true when this is the stored response of an earlier request") },
  written: {
    "Svc-Dry-Run": header("true when nothing was saved"),
    "Svc-Warnings": header("Warnings, as a JSON array of strings")
  }
} as const

const errorHeaders = (status: number) => ({
  ...responseHeaders.always,
  ...(status === 401 ? { "WWW-Authenticate": header("Bearer") } : {}),
  ...(status === 409 || status === 429 || status >= 502
    ? { "Retry-After": header("Seconds to wait before retrying") }
    : {})
})

/** Error responses by status, and what is rejected before that. Each of the `codes` is named at its status. */
export const errorResponses = (
  statuses: ReadonlyArray<number>,
  codes: ReadonlyArray<Core.FailureCode> = [],
  schema: keyof typeof schemas = "Error"
) => ({
  ...Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: described(status, codes), headers: errorHeaders(status), content: content(ref(schema)) }
    ])
  ),
  default: { description: "Rejected before processing (405, 413, 415)", content: content(ref("Error")) }
})

/** Statuses that any operation with a key may return. */
export const commonStatuses = [429, 500, 503]

/** Failures of key and rate limit, before the command. */
const keyFailures = [Core.Unauthenticated, Core.KeyExpired, Core.KeyRevoked, Core.RateLimited]

/** Every code that a command's endpoint can return: its `own`, and those of every command. */
export const commandCodes = (own: Core.AnyCommand["failures"]): ReadonlyArray<Core.FailureCode> =>
  codesOf([...own, ...Core.commonFailures, ...keyFailures])

/** Failures of changes only. */
const changeFailures: Core.AnyCommand["failures"] = [
  Core.InvalidJson,
  Core.ApprovalPolicy,
  Core.IdempotencyMismatch,
  Core.IdempotencyInProgress,
  Core.VersionConflict
]

/** A parameter, by default of the query. */
export const parameter = (name: string, schema: unknown, description: string, required = false, place = "query") => ({
  name,
  in: place,
  required,
  description,
  schema
})

/** A parameter in a header. */
export const headerParameter = (name: string, description: string, schema: unknown = shortText) =>
  parameter(name, schema, description, false, "header")

/** The parameters in a path, as `fields` describes them. */
export const pathParameters = (path: string, fields: Readonly<Record<string, unknown>>) =>
  [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = ""]) =>
    parameter(name, fields[name] ?? string, "Path parameter", true, "path")
  )

/** The execution option `response_profile`. */
export const profile = parameter(
  "response_profile",
  { ...string, enum: ["full", "compact"], default: "full" },
  "compact shortens long optional fields; ids, states and required fields never change"
)

/** The execution options of a change. */
export const changeOptions = [
  profile,
  parameter("dry_run", { type: "boolean", default: false }, "Preview without saving"),
  headerParameter(
    "Idempotency-Key",
    "Retries with the same key take effect once and return the same response, for 24 hours",
    { ...string, minLength: 1, maxLength: 255 }
  )
]

/** The header `If-None-Match`. */
export const ifNoneMatch = headerParameter(
  "If-None-Match",
  "Known ETags; returns 304 if the object still has one of them"
)

/** The response to a change that a policy holds for approval. */
const heldForApproval = {
  description: "Held for a person's approval; approval.resolve runs it",
  headers: { ...responseHeaders.always, "Svc-Approval-Request-Id": header("Id of the request, for approval.get") },
  content: content(object({ data: Core.jsonSchemaOf(ApprovalOutput) }))
}

/** What a REST operation has of its own, beside its command. */
interface RestParts {
  readonly parameters: ReadonlyArray<unknown>
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<number, unknown>>
}

/** The operation of a REST endpoint, with every code that it can return. */
export const restOperationOf = (
  { category, description, summary, title }: Core.AnyCommand,
  method: Method,
  path: string,
  failures: Core.AnyCommand["failures"],
  { responses, ...parts }: RestParts
) => {
  const isChange = method !== "GET"
  const here = Core.commonFailures.filter(
    (one) => one !== Core.UnknownCommand && (isChange || !changeFailures.includes(one))
  )
  const codes = codesOf([...failures, ...here, ...keyFailures])
  const statuses = codes
    .map((code) => Core.failureTable[code].status)
    .filter((status) => status < 429 || status === 502)
  return {
    // Several endpoints may run one command.
    operationId: operationId(`rest.${method.toLowerCase()}${path.replace("/api/v1", "").replaceAll(/[{}]/g, "")}`),
    tags: [category],
    summary: title,
    description: `${summary}\n\n${description}`,
    ...parts,
    responses: {
      ...responses,
      ...(isChange ? { 202: heldForApproval } : {}),
      ...errorResponses([...statuses, ...commonStatuses], codes)
    },
    "x-svc-failures": codesOf(failures)
  }
}
