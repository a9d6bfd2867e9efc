/**
 * The OpenAPI 3.1 document, read off the catalogue and the REST bindings.
 *
 * Each command is an operation of its own with its own schemas, so generated clients are typed. Every status that a route
 * answers is declared; what any route may answer beside is the `default`. Source: issue, "HTTP"; contract 7 "HTTP".
 */
import { type Catalog, describe, publicCommands } from "@svc/core/Catalog"
import type { AnyCommand } from "@svc/core/Command"
import { type JsonSchema, jsonSchemaOf } from "@svc/core/JsonSchema"
import { importOperations } from "./OpenApiImports.ts"
import {
  answerHeaders,
  anywhere,
  array,
  content,
  dryRun,
  idempotency,
  ifMatch,
  ifNoneMatch,
  object,
  operationId,
  parameter,
  profile,
  propertiesOf,
  ref,
  refusals,
  schemas
} from "./OpenApiParts.ts"
import { plain, servicePaths } from "./OpenApiService.ts"
import { type RestBinding, writes } from "./RestBinding.ts"

const examplesOf = (command: AnyCommand) =>
  Object.fromEntries(
    command.examples.map(({ input, title }, index) => [`example${index + 1}`, { summary: title, value: input }])
  )

const commandOperation = (command: AnyCommand) => {
  const { category, description, examples, risk, summary, title, when_to_use } = describe(command)
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
        headers: { ...answerHeaders.always, ...answerHeaders.replayed },
        content: content(object({ ok: { const: true }, status: { const: 200 }, data, meta: ref("Meta") }))
      },
      ...refusals([400, 404, 409, 502], ref("FailedCommand")),
      ...refusals([401, 403], ref("Error")),
      ...anywhere
    },
    "x-svc-risk": risk,
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

/** The output properties that go out as headers. */
const movedHeaders = (binding: RestBinding, command: AnyCommand) =>
  Object.fromEntries(
    Object.entries(binding.headers ?? {}).map(([name, header]) => [
      header.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()),
      { description: `The output's ${name}`, schema: propertiesOf(jsonSchemaOf(command.output))[name] ?? {} }
    ])
  )

const restOperation = (binding: RestBinding, command: AnyCommand) => {
  const input = jsonSchemaOf(command.input)
  const names = pathParameters(binding.path)
  const query = Object.keys(binding.parameters ?? {})
  const output = without(jsonSchemaOf(command.output), Object.keys(binding.headers ?? {}))
  const takesBody = binding.method === "POST" || binding.method === "PATCH"
  const created = binding.location !== undefined
  const schemaOf = (name: string) => propertiesOf(input)[name] ?? { type: "string" }
  const isConditional = binding.object !== undefined && binding.method === "GET"
  const isChange = writes(binding) && binding.method !== "POST"
  const headers = {
    ...answerHeaders.always,
    ...(binding.object === undefined ? {} : answerHeaders.object),
    ...(writes(binding) ? { ...answerHeaders.replayed, ...answerHeaders.written } : {}),
    ...movedHeaders(binding, command)
  }
  const ok = { description: "Done", headers, content: content(object({ data: output })) }
  const createdNow = { ...ok, description: "Created", headers: { ...headers, ...answerHeaders.created } }
  return {
    operationId: operationId(command.id),
    tags: [command.category],
    summary: command.title,
    description: `${command.summary}\n\n${command.description}`,
    parameters: [
      ...names.map((name) => parameter(name, schemaOf(name), "Part of the path", true, "path")),
      ...query.map((name) => parameter(name, schemaOf(name), `See ${command.id.replace("rest.", "")}`)),
      profile,
      ...(writes(binding) ? [dryRun, idempotency] : []),
      ...(isChange ? [ifMatch] : []),
      ...(isConditional ? [ifNoneMatch] : [])
    ],
    ...(takesBody
      ? {
          requestBody: {
            required: binding.method === "POST" && binding.bodyOptional !== true,
            content: content(without(input, [...names, ...query, "ifMatch"]))
          }
        }
      : {}),
    responses: {
      ...(created
        ? { 200: { ...ok, description: "What a dry run would have created" }, 201: createdNow }
        : { 200: ok }),
      ...(isConditional ? { 304: { description: "Not changed", headers } } : {}),
      ...refusals([400, 401, 403, 404, ...(writes(binding) ? [409] : []), ...(isChange ? [412] : [])], ref("Error")),
      ...anywhere
    }
  }
}

/** The document as plain JSON. */
export const openApiDocument = (
  catalog: Catalog<AnyCommand>,
  bindings: ReadonlyArray<RestBinding>,
  publicUrl: string,
  version: string
): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = {
    ...servicePaths,
    "/api/v1/commands": {
      get: plain("commands_list", "catalogue", "List commands", object({ commands: array(ref("CommandDescriptor")) }))
    },
    "/api/v1/commands/{commandId}/schema": {
      get: plain(
        "commands_schema",
        "catalogue",
        "Read a command with its schemas",
        object({ command: ref("CommandDescriptorWithSchemas") }),
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
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key, made with svc keys create. The header Svc-Actor-Kind: AI_AGENT lowers a person's key to an agent's."
        }
      },
      schemas
    }
  }
}
