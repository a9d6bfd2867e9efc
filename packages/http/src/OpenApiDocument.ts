/**
 * The OpenAPI 3.1 document, read off the catalogue and the REST bindings.
 *
 * Each command is an operation of its own with its own schemas, so generated clients are typed. Every status that a route
 * answers is declared; what any route may answer beside is the `default`. Source: issue, "HTTP"; contract 7 "HTTP".
 */
import { type Catalog, describe, publicCommands } from "@svc/core/Catalog"
import type { AnyCommand } from "@svc/core/Command"
import { failureTable } from "@svc/core/Failure"
import { type JsonSchema, jsonSchemaOf } from "@svc/core/JsonSchema"
import { type RestBinding, writes } from "./RestBinding.ts"

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const content = (schema: unknown, examples?: unknown) => ({
  "application/json": { schema, ...(examples === undefined ? {} : { examples }) }
})

const object = (properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)): JsonSchema => ({
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
const error = object({ message: { type: "string" }, code: errorCode })

const descriptor = {
  type: "object",
  properties: Object.fromEntries(
    [
      "command_id",
      "title",
      "description",
      "summary",
      "visibility",
      "risk",
      "category",
      "default_permission",
      "when_to_use"
    ].map((name) => [name, { type: "string" }])
  ),
  required: ["command_id", "title", "description", "summary", "visibility", "risk", "category"]
}

const resourceEntry = object({
  ...Object.fromEntries(
    ["uri", "name", "title", "description", "summary", "mimeType"].map((name) => [name, { type: "string" }])
  ),
  related_commands: { type: "array", items: { type: "string" } }
})

const schemas = {
  Error: object({ error }),
  Meta: object({
    approval_required: { type: "boolean" },
    approval_request_id: { type: "string" },
    command_hash: { type: "string", description: "SHA-256 of organization, command and input" },
    warnings: { type: "array", items: { type: "string" } }
  }),
  FailedCommand: object({ ok: { const: false }, status: { type: "integer" }, error, meta: ref("Meta") }),
  CommandDescriptor: descriptor,
  ResourceEntry: resourceEntry
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

const refusals = (statuses: ReadonlyArray<number>, schema: unknown) =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: reason[status] ?? "Refused", content: content(schema) }])
  )

const anywhere = {
  ...refusals([429, 500, 503], ref("Error")),
  default: { description: "Refused before it was understood (405, 413, 415)", content: content(ref("Error")) }
}

const parameter = (name: string, schema: unknown, description: string, required = false, place = "query") => ({
  name,
  in: place,
  required,
  description,
  schema
})

const profile = parameter(
  "response_profile",
  { type: "string", enum: ["full", "compact"], default: "full" },
  "compact shortens long optional parts; ids, states and required fields never change"
)
const dryRun = parameter("dry_run", { type: "boolean", default: false }, "Answer what would result and change nothing")
const idempotency = parameter(
  "Idempotency-Key",
  { type: "string", minLength: 1, maxLength: 255 },
  "Repeating a request with the same key has one effect and answers the same, for 24 hours",
  false,
  "header"
)

const operationId = (id: string): string => id.replaceAll(/[^A-Za-z0-9]+/g, "_")

const examplesOf = (command: AnyCommand) =>
  Object.fromEntries(
    command.examples.map(({ input, title }, index) => [`example${index + 1}`, { summary: title, value: input }])
  )

const commandOperation = (command: AnyCommand) => {
  const { category, description, summary, title, when_to_use, risk } = describe(command)
  const data = jsonSchemaOf(command.output)
  return {
    operationId: operationId(command.id),
    tags: [category],
    summary: title,
    description: `${summary}\n\n${description}\n\n${when_to_use}`,
    parameters: [profile, dryRun, idempotency],
    requestBody: { required: true, content: content(jsonSchemaOf(command.input), examplesOf(command)) },
    responses: {
      200: {
        description: "It was done",
        content: content(object({ ok: { const: true }, status: { const: 200 }, data, meta: ref("Meta") }))
      },
      ...refusals([400, 404, 409, 502], ref("FailedCommand")),
      ...refusals([401, 403], ref("Error")),
      ...anywhere
    },
    "x-svc-risk": risk
  }
}

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, unknown>> => {
  const { properties } = schema
  return typeof properties === "object" && properties !== null ? { ...properties } : {}
}

const without = (schema: JsonSchema, names: ReadonlyArray<string>): JsonSchema => {
  const properties = Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name)))
  const required = Array.isArray(schema["required"]) ? schema["required"].filter((name) => !names.includes(name)) : []
  const { required: _required, ...rest } = schema
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) }
}

const pathParameters = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name ?? "")

const restOperation = (binding: RestBinding, command: AnyCommand) => {
  const input = jsonSchemaOf(command.input)
  const names = pathParameters(binding.path)
  const query = Object.keys(binding.parameters ?? {})
  const output = without(jsonSchemaOf(command.output), Object.keys(binding.headers ?? {}))
  const takesBody = binding.method === "POST" || binding.method === "PATCH"
  const created = binding.location !== undefined
  const schemaOf = (name: string) => propertiesOf(input)[name] ?? { type: "string" }
  const ok = { description: created ? "Created" : "Done", content: content(object({ data: output })) }
  return {
    operationId: operationId(command.id),
    tags: [command.category],
    summary: command.title,
    description: `${command.summary}\n\n${command.description}`,
    parameters: [
      ...names.map((name) => parameter(name, schemaOf(name), "Part of the path", true, "path")),
      ...query.map((name) => parameter(name, schemaOf(name), `See ${command.id.replace("rest.", "")}`)),
      profile,
      ...(writes(binding) ? [dryRun, idempotency] : [])
    ],
    ...(takesBody
      ? {
          requestBody: {
            required: binding.method === "POST",
            content: content(without(input, [...names, ...query, "ifMatch"]))
          }
        }
      : {}),
    responses: {
      ...(created ? { 200: { ...ok, description: "What a dry run would have created" }, 201: ok } : { 200: ok }),
      ...(binding.method === "GET" && binding.object !== undefined ? { 304: { description: "Not changed" } } : {}),
      ...refusals(
        [400, 401, 403, 404, ...(writes(binding) ? [409] : []), ...(writes(binding) && names.length > 0 ? [412] : [])],
        ref("Error")
      ),
      ...anywhere
    }
  }
}

const plain = (id: string, tag: string, summary: string, data: unknown, parameters: ReadonlyArray<unknown> = []) => ({
  operationId: id,
  tags: [tag],
  summary,
  parameters,
  responses: {
    200: { description: "Done", content: content(object({ data })) },
    ...refusals([400, 401, 403, 404], ref("Error")),
    ...anywhere
  }
})

const openGet = (id: string, summary: string, schema: unknown, statuses: ReadonlyArray<number> = []) => ({
  operationId: id,
  tags: ["service"],
  summary,
  security: [],
  responses: {
    200: { description: "Done", content: content(schema) },
    ...refusals(statuses, ref("Error")),
    default: anywhere.default
  }
})

const array = (items: unknown) => ({ type: "array", items })

/** The document as plain JSON. */
export const openApiDocument = (
  catalog: Catalog<AnyCommand>,
  bindings: ReadonlyArray<RestBinding>,
  publicUrl: string,
  version: string
): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {
    "/api/v1/commands": {
      get: plain("commands_list", "catalogue", "List commands", object({ commands: array(ref("CommandDescriptor")) }))
    },
    "/api/v1/commands/{commandId}/schema": {
      get: plain(
        "commands_schema",
        "catalogue",
        "Read a command with its schemas",
        object({ command: ref("CommandDescriptor") }),
        [parameter("commandId", { type: "string" }, "Id of the command", true, "path")]
      )
    },
    "/api/v1/resources": {
      get: plain("resources_list", "catalogue", "List resources", object({ resources: array(ref("ResourceEntry")) }))
    },
    "/api/v1/resources/read": {
      get: plain(
        "resources_read",
        "catalogue",
        "Read a resource",
        object({ resource: object({ uri: { type: "string" }, payload: { type: "object" } }) }),
        [parameter("uri", { type: "string", examples: ["svc://status"] }, "URI of the resource", true), profile]
      )
    },
    "/api/v1/me": {
      get: plain(
        "me",
        "service",
        "Who the key says you are",
        object({
          organization_id: { type: "string" },
          user_id: { type: "string" },
          key_id: { type: ["string", "null"] },
          actor_kind: { type: "string", enum: ["USER", "AI_AGENT"] },
          mode: { type: "string", enum: ["full", "draft_only"] },
          scopes: array({ type: "string" })
        })
      )
    },
    "/healthz": { get: openGet("healthz", "Whether the process lives", object({ status: { type: "string" } })) },
    "/readyz": {
      get: openGet("readyz", "Whether requests can be served", object({ status: { type: "string" } }), [503])
    }
  }
  for (const command of publicCommands(catalog)) {
    paths[`/api/v1/commands/${command.id}`] = { post: commandOperation(command) }
  }
  for (const binding of bindings) {
    const command = catalog.find(binding.command)
    if (command === undefined) throw new Error(`no command ${binding.command} for ${binding.method} ${binding.path}`)
    paths[binding.path] = { ...paths[binding.path], [binding.method.toLowerCase()]: restOperation(binding, command) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version,
      description:
        "Outreach workspace: offers, leads, missions, agents, imports and LinkedIn message drafts, written, reviewed, " +
        "approved and sent within safe limits. Every call belongs to the organization of its API key.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" }
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key, made with svc keys create" }
      },
      schemas
    }
  }
}
