/**
 * The OpenAPI 3.1 document, generated from the catalogue and the REST bindings.
 *
 * Each command is an operation with its own schemas, so generated clients are typed. Every status of a route is declared;
 * statuses that any route may return are the `default`.
 */
import { type AnyCommand, type Catalog, jsonSchemaOf, PreconditionFailed, publicCommands } from "@svc/core"
import { codesOf, describe } from "@svc/core/internal"
import type { HttpSettings } from "./HttpSettings.ts"
import * as Parts from "./OpenApiParts.ts"
import { importOperations, servicePaths } from "./OpenApiService.ts"
import { type BoundCommand, bind, type RestBinding, readerOf, writes } from "./RestBinding.ts"

const examplesOf = (command: AnyCommand) =>
  Object.fromEntries(
    command.examples.map(({ input, title }, index) => [`example${index + 1}`, { summary: title, value: input }])
  )

const commandOperation = (command: AnyCommand) => {
  const { category, description, examples, risk, summary, when_to_use } = describe(command)
  const data = jsonSchemaOf(command.output)
  const codes = Parts.commandCodes(command.failures)
  return {
    operationId: Parts.operationId(command.id),
    tags: [category],
    summary,
    description: `${description}\n\n${when_to_use}`,
    parameters: Parts.changeOptions,
    requestBody: { required: true, content: Parts.content(jsonSchemaOf(command.input), examplesOf(command)) },
    responses: {
      200: {
        description: "Done",
        headers: { ...Parts.responseHeaders.always, ...Parts.responseHeaders.replayed },
        content: Parts.content(
          Parts.object({ ok: { const: true }, status: { const: 200 }, data, meta: Parts.ref("Meta") })
        )
      },
      ...Parts.errorResponses([400, 404, 409, 502], codes, "FailedCommand"),
      ...Parts.errorResponses(
        [401, 403, ...(codes.includes("PAYLOAD_TOO_LARGE") ? [413] : []), ...Parts.commonStatuses],
        codes
      )
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

const ifMatch = Parts.headerParameter("If-Match", "The ETag you read, or *; fails with 412 if the object has changed")

/** The output properties that are sent as headers. */
const movedHeaders = (binding: RestBinding, output: ReturnType<typeof jsonSchemaOf>) =>
  Object.fromEntries(
    Object.entries(binding.headers ?? {}).map(([name, header]) => [
      header.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()),
      { description: `The output's ${name}`, schema: Parts.propertiesOf(output)[name] ?? {} }
    ])
  )

const restOperation = ({ binding, command, form }: BoundCommand, isTagged: boolean) => {
  const { bodyOptional, created, headers: moved = {}, method, object: single, parameters = {}, path } = binding
  const input = jsonSchemaOf(form.input)
  const fields = Parts.propertiesOf(input)
  const output = jsonSchemaOf(form.output)
  const inPath = Parts.pathParameters(path, fields)
  const query = Object.keys(parameters)
  const isChange = writes(binding)
  const isMatched = isTagged && (method === "PATCH" || method === "DELETE")
  const isConditional = single !== undefined && method === "GET"
  const headers = {
    ...Parts.responseHeaders.always,
    ...(single === undefined ? {} : Parts.responseHeaders.object),
    ...(isChange ? { ...Parts.responseHeaders.replayed, ...Parts.responseHeaders.written } : {}),
    ...movedHeaders(binding, output)
  }
  const ok = {
    description: "Done",
    headers,
    content: Parts.content(Parts.object({ data: Parts.without(output, Object.keys(moved)) }))
  }
  const body = {
    required: method === "POST" && bodyOptional !== true,
    content: Parts.content(Parts.without(input, [...inPath.map(({ name }) => name), ...query]))
  }
  const failures = isMatched ? [...command.failures, PreconditionFailed] : command.failures
  return Parts.restOperationOf(command, method, path, failures, {
    parameters: [
      ...inPath,
      ...query.map((name) => Parts.parameter(name, fields[name] ?? Parts.string, `See ${command.id}`)),
      ...(isChange ? Parts.changeOptions : [Parts.profile]),
      ...(isMatched ? [ifMatch] : []),
      ...(isConditional ? [Parts.ifNoneMatch] : [])
    ],
    ...(method === "POST" || method === "PATCH" ? { requestBody: body } : {}),
    responses: {
      200: created === undefined ? ok : { ...ok, description: "What would have been created (dry run)" },
      ...(created === undefined
        ? {}
        : { 201: { ...ok, description: "Created", headers: { ...headers, ...Parts.responseHeaders.created } } }),
      ...(isConditional ? { 304: { description: "Not changed", headers } } : {})
    }
  })
}

/** The document as plain JSON, without its servers. */
export const openApiDocument = (
  catalog: Catalog<AnyCommand>,
  bindings: ReadonlyArray<RestBinding>,
  { health, version }: HttpSettings["Service"]
): Readonly<Record<string, unknown>> => {
  const paths: Record<string, Record<string, unknown>> = servicePaths(health)
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
      schemas: Parts.schemas
    }
  }
}
