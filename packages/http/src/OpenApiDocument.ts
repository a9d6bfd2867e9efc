/**
 * The OpenAPI 3.1 document, generated from the catalogue and the REST bindings.
 *
 * Each command is an operation with its own schemas, so generated clients are typed. Every status of a route is declared;
 * statuses that any route may return are the `default`.
 */

import {
  type AnyCommand,
  type Catalog,
  codesOf,
  describe,
  type JsonSchema,
  jsonSchemaOf,
  PreconditionFailed,
  publicCommands
} from "@svc/core"
import type { HttpSettings } from "./HttpSettings.ts"
import { importOperations } from "./OpenApiImports.ts"
import {
  approvalResponses,
  array,
  commandCodes,
  commonResponsesOf,
  content,
  dryRun,
  errorResponses,
  idempotency,
  ifMatch,
  ifNoneMatch,
  object,
  operationId,
  parameter,
  profile,
  propertiesOf,
  ref,
  responseHeaders,
  restCodes,
  restErrorResponses,
  restOperationId,
  schemas
} from "./OpenApiParts.ts"
import { constant, healthPaths, plain, servicePaths } from "./OpenApiService.ts"
import { type BoundCommand, bind, type RestBinding, readerOf, writes } from "./RestBinding.ts"

const examplesOf = (command: AnyCommand) =>
  Object.fromEntries(
    command.examples.map(({ input, title }, index) => [`example${index + 1}`, { summary: title, value: input }])
  )

const commandOperation = (command: AnyCommand) => {
  const { category, description, examples, risk, summary, when_to_use } = describe(command)
  const data = jsonSchemaOf(command.output)
  const codes = commandCodes(command.failures)
  return {
    operationId: operationId(command.id),
    tags: [category],
    summary,
    description: `${description}\n\n${when_to_use}`,
    parameters: [profile, dryRun, idempotency],
    requestBody: { required: true, content: content(jsonSchemaOf(command.input), examplesOf(command)) },
    responses: {
      200: {
        description: "Done",
        headers: { ...responseHeaders.always, ...responseHeaders.replayed },
        content: content(object({ ok: { const: true }, status: { const: 200 }, data, meta: ref("Meta") }))
      },
      ...errorResponses([400, 404, 409, 502], ref("FailedCommand"), codes),
      ...errorResponses(codes.includes("PAYLOAD_TOO_LARGE") ? [401, 403, 413] : [401, 403], ref("Error"), codes),
      ...commonResponsesOf(codes)
    },
    "x-svc-risk": risk,
    "x-svc-failures": codesOf(command.failures),
    "x-codeSamples": examples
      .filter(({ language }) => language === "bash")
      .map(({ code, title: label }) => ({
        lang: "shell",
        label: label.replace(", on the command line", ""),
        source: code
      }))
  }
}

const without = (schema: JsonSchema, names: ReadonlyArray<string>): JsonSchema => {
  const properties = Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name)))
  const required = Array.isArray(schema["required"]) ? schema["required"].filter((name) => !names.includes(name)) : []
  const { required: _required, ...rest } = schema
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) }
}

const pathParameters = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name]) => name ?? "")

/** The output properties that are sent as headers. */
const movedHeaders = (binding: RestBinding, output: JsonSchema) =>
  Object.fromEntries(
    Object.entries(binding.headers ?? {}).map(([name, header]) => [
      header.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()),
      { description: `The output's ${name}`, schema: propertiesOf(output)[name] ?? {} }
    ])
  )

const restOperation = ({ binding, command, form }: BoundCommand, isTagged: boolean) => {
  const input = jsonSchemaOf(form.input)
  const whole = jsonSchemaOf(form.output)
  const names = pathParameters(binding.path)
  const query = Object.keys(binding.parameters ?? {})
  const output = without(whole, Object.keys(binding.headers ?? {}))
  const takesBody = binding.method === "POST" || binding.method === "PATCH"
  const created = binding.location !== undefined
  const schemaOf = (name: string) => propertiesOf(input)[name] ?? { type: "string" }
  const isConditional = binding.object !== undefined && binding.method === "GET"
  const isChange = isTagged && writes(binding) && binding.method !== "POST"
  const own = isChange ? [...command.failures, PreconditionFailed] : command.failures
  const codes = restCodes(own, writes(binding))
  const headers = {
    ...responseHeaders.always,
    ...(binding.object === undefined ? {} : responseHeaders.object),
    ...(writes(binding) ? { ...responseHeaders.replayed, ...responseHeaders.written } : {}),
    ...movedHeaders(binding, whole)
  }
  const ok = { description: "Done", headers, content: content(object({ data: output })) }
  const createdNow = { ...ok, description: "Created", headers: { ...headers, ...responseHeaders.created } }
  return {
    operationId: restOperationId(binding.method, binding.path),
    tags: [command.category],
    summary: command.title,
    description: `${command.summary}\n\n${command.description}`,
    parameters: [
      ...names.map((name) => parameter(name, schemaOf(name), "Path parameter", true, "path")),
      ...query.map((name) => parameter(name, schemaOf(name), `See ${command.id}`)),
      profile,
      ...(writes(binding) ? [dryRun, idempotency] : []),
      ...(isChange ? [ifMatch] : []),
      ...(isConditional ? [ifNoneMatch] : [])
    ],
    ...(takesBody
      ? {
          requestBody: {
            required: binding.method === "POST" && binding.bodyOptional !== true,
            content: content(without(input, [...names, ...query]))
          }
        }
      : {}),
    responses: {
      ...(created
        ? { 200: { ...ok, description: "What would have been created (dry run)" }, 201: createdNow }
        : { 200: ok }),
      ...(writes(binding) ? approvalResponses : {}),
      ...(isConditional ? { 304: { description: "Not changed", headers } } : {}),
      ...restErrorResponses(codes)
    },
    "x-svc-failures": codesOf(own)
  }
}

/** The document as plain JSON, without its servers. */
export const openApiDocument = (
  catalog: Catalog<AnyCommand>,
  bindings: ReadonlyArray<RestBinding>,
  { health, version }: HttpSettings["Service"]
): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {
    ...servicePaths,
    ...(health ? healthPaths : {}),
    "/api/v1/commands": {
      get: constant(
        plain("commands_list", "catalogue", "List commands", object({ commands: array(ref("CommandDescriptor")) }))
      )
    },
    "/api/v1/commands/{commandId}/schema": {
      get: constant(
        plain(
          "commands_schema",
          "catalogue",
          "Read a command with its schemas",
          object({ command: ref("CommandDescriptorWithSchemas") }),
          [parameter("commandId", { type: "string" }, "Id of the command", true, "path")]
        )
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
        [parameter("uri", { type: "string", examples: ["svc://status"] }, "Resource URI", true), profile]
      )
    }
  }
  for (const command of publicCommands(catalog)) {
    paths[`/api/v1/commands/${command.id}`] = { post: commandOperation(command) }
  }
  const bound = bindings.map((binding) => bind(catalog, binding))
  for (const one of bound) {
    const { method, path } = one.binding
    const operation = restOperation(one, readerOf(path, bound) !== undefined)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const { method, operation, path } of importOperations(catalog)) {
    paths[path] = { ...paths[path], [method]: operation }
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
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key, created with svc keys create. The header Svc-Actor-Kind: AI_AGENT restricts a person's key to an AI " +
            "agent's rights; Svc-Client: NAME/VERSION names the program that calls."
        }
      },
      schemas
    }
  }
}
