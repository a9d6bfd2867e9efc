/** Parts that OpenAPI operations share: schemas, error responses, parameters. */

import {
  type AnyCommand,
  ApprovalOutput,
  ApprovalPolicy,
  codesOf,
  commonFailures,
  type FailureCode,
  failureTable,
  IdempotencyInProgress,
  IdempotencyMismatch,
  InvalidJson,
  type JsonSchema,
  jsonSchemaOf,
  KeyExpired,
  KeyRevoked,
  RateLimited,
  Unauthenticated,
  UnknownCommand,
  VersionConflict
} from "@svc/core"

/** The operation id of a command. */
export const operationId = (id: string): string => id.replaceAll(/[^A-Za-z0-9]+/g, "_")

/** The operation id of a REST endpoint: several may run one command. */
export const restOperationId = (method: string, path: string): string =>
  operationId(`rest.${method.toLowerCase()}${path.replace("/api/v1", "").replaceAll(/[{}]/g, "")}`)

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

const described = (status: number, codes: ReadonlyArray<FailureCode>): string => {
  const here = codes.filter((code) => failureTable[code].status === status)
  const text = reason[status] ?? "Failed"
  return here.length === 0 ? text : `${text}: ${here.join(", ")}`
}

/** A text header. */
export const header = (description: string) => ({ description, schema: { type: "string" } })

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

const retryAfter = { "Retry-After": header("Seconds to wait before retrying") }
const challenge = { "WWW-Authenticate": header("Bearer") }

const errorHeaders = (status: number) => ({
  ...responseHeaders.always,
  ...(status === 401 ? challenge : {}),
  ...(status === 409 || status === 429 || status >= 502 ? retryAfter : {})
})

/** Error responses by status, all with one body. Each of the `codes` is named at its status. */
export const errorResponses = (
  statuses: ReadonlyArray<number>,
  schema: unknown,
  codes: ReadonlyArray<FailureCode> = []
) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: described(status, codes), headers: errorHeaders(status), content: content(schema) }
    ])
  )

/** Error responses that any operation may return, with the `codes` of a command. */
export const commonResponsesOf = (codes: ReadonlyArray<FailureCode>) => ({
  ...errorResponses([429, 500, 503], ref("Error"), codes),
  default: { description: "Rejected before processing (405, 413, 415)", content: content(ref("Error")) }
})

/** As {@link commonResponsesOf}, for an operation without a command. */
export const commonResponses = commonResponsesOf([])

/** Failures of key and rate limit, before the command. */
const keyFailures = [Unauthenticated, KeyExpired, KeyRevoked, RateLimited]

/** Every code that a command's endpoint can return: its `own`, and those of every command. */
export const commandCodes = (own: AnyCommand["failures"]): ReadonlyArray<FailureCode> =>
  codesOf([...own, ...commonFailures, ...keyFailures])

/** Failures of changes only. */
const changeFailures: AnyCommand["failures"] = [
  InvalidJson,
  ApprovalPolicy,
  IdempotencyMismatch,
  IdempotencyInProgress,
  VersionConflict
]

/** As {@link commandCodes}, for a REST endpoint. */
export const restCodes = (own: AnyCommand["failures"], isChange: boolean): ReadonlyArray<FailureCode> => {
  const here = commonFailures.filter((one) => one !== UnknownCommand && (isChange || !changeFailures.includes(one)))
  return codesOf([...own, ...here, ...keyFailures])
}

/** The error responses of a REST endpoint, with its codes. */
export const restErrorResponses = (codes: ReadonlyArray<FailureCode>) => ({
  ...errorResponses(
    codes.map((code) => failureTable[code].status).filter((status) => status < 429 || status === 502),
    ref("Error"),
    codes
  ),
  ...commonResponsesOf(codes)
})

/** A parameter, by default of the query. */
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
  "compact shortens long optional fields; ids, states and required fields never change"
)
/** The execution option `dry_run`. */
export const dryRun = parameter("dry_run", { type: "boolean", default: false }, "Preview without saving")
/** The execution option `Idempotency-Key`. */
export const idempotency = parameter(
  "Idempotency-Key",
  { type: "string", minLength: 1, maxLength: 255 },
  "Retries with the same key take effect once and return the same response, for 24 hours",
  false,
  "header"
)

/** The header `If-Match`. */
export const ifMatch = parameter(
  "If-Match",
  { type: "string" },
  "The ETag you read, or *; fails with 412 if the object has changed",
  false,
  "header"
)
/** The header `If-None-Match`. */
export const ifNoneMatch = parameter(
  "If-None-Match",
  { type: "string" },
  "Known ETags; returns 304 if the object still has one of them",
  false,
  "header"
)

/** The REST response to a change that a policy holds for approval. */
export const approvalResponses = {
  202: {
    description: "Held for a person's approval; approval.resolve runs it",
    headers: {
      ...responseHeaders.always,
      "Svc-Approval-Request-Id": { description: "Id of the request, for approval.get", schema: { type: "string" } }
    },
    content: content(object({ data: jsonSchemaOf(ApprovalOutput) }))
  }
}
