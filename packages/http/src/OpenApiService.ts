/** OpenAPI operations beside commands and REST: identity, health, documents, the catalogue, and provider webhooks. */

import { type AnyCommand, type Catalog, jsonSchemaOf } from "@svc/core"
import { inboundMailPath, mailResults } from "@svc/core/email"
import { uploadCommand, uploadForm, uploadParameters, uploadPath, uploadTypes } from "./commandRoutes.ts"
import { gatewayWebhookPath } from "./gatewayRoute.ts"
import {
  array,
  changeOptions,
  commonStatuses,
  content,
  errorResponses,
  header,
  headerParameter,
  ifNoneMatch,
  object,
  parameter,
  pathParameters,
  profile,
  propertiesOf,
  ref,
  responseHeaders,
  restOperationOf,
  shortText,
  string,
  texts
} from "./OpenApiParts.ts"
import { rowsCommand, rowsForm, rowsPath } from "./rowsRoute.ts"

/** A response with a body. */
const done = (body: unknown, description = "Done") => ({ description, headers: responseHeaders.always, content: body })

/** A read with a key. */
const plain = (
  operationId: string,
  summary: string,
  data: Readonly<Record<string, unknown>>,
  parameters: ReadonlyArray<unknown> = [],
  tag = "catalogue"
) => ({
  operationId,
  tags: [tag],
  summary,
  parameters,
  responses: {
    200: done(content(object({ data: object(data) }))),
    ...errorResponses([400, 401, 403, 404, ...commonStatuses])
  }
})

const openGet = (operationId: string, summary: string, body: unknown, statuses: ReadonlyArray<number> = []) => ({
  operationId,
  tags: ["service"],
  summary,
  security: [],
  responses: { 200: done(body), ...errorResponses([...statuses, 500]) }
})

/** An operation whose response stays the same while the service runs. */
const constant = (operation: { readonly responses: object; readonly parameters?: ReadonlyArray<unknown> }) => ({
  ...operation,
  parameters: [...(operation.parameters ?? []), ifNoneMatch],
  responses: { ...operation.responses, 304: { description: "Not changed", headers: responseHeaders.always } }
})

const text = (type: string) => ({ [type]: { schema: string } })

const readiness = content({
  type: "object",
  properties: {
    status: string,
    sending_hold: {
      description: "Why nothing is sent; absent while messages are sent",
      ...object(texts("reason since detail"))
    },
    sending_resumed: {
      description: "That sending goes on after a failover of the database; absent otherwise",
      ...object(texts("reason since detail"))
    },
    database_failures: {
      description: "Database errors of the last minute; absent if there were none",
      ...array(object(texts("sqlstate reason at")))
    }
  },
  required: ["status"]
})

const identity = {
  ...texts("organization_id user_id"),
  key_id: { type: ["string", "null"] },
  actor_kind: { ...string, enum: ["USER", "AI_AGENT"] },
  mode: { ...string, enum: ["full", "draft_only"] },
  scopes: array(string)
}

const gatewayWebhook = {
  operationId: "gateway_webhook",
  tags: ["service"],
  summary: "Receive a provider event",
  description:
    "The provider of LinkedIn accounts posts messages, relations and account states here. No API key: the token in " +
    "the path identifies the organization. linkedin.account.link registers this URL at the provider.",
  security: [],
  parameters: [
    parameter("gateway", { ...string, maxLength: 40, examples: ["unipile"] }, "The configured gateway", true, "path"),
    parameter(
      "token",
      { ...string, minLength: 43, maxLength: 43 },
      "Token of the organization, as registered at the provider",
      true,
      "path"
    )
  ],
  requestBody: {
    required: true,
    content: content({ type: "object", description: "In the provider's format, at most 512 KiB" })
  },
  responses: {
    200: done(content(object({ data: object({ received: { const: true } }) })), "Accepted; known data changes nothing"),
    ...errorResponses([400, 404, ...commonStatuses])
  }
}

const inboundMail = {
  operationId: "email_inbound",
  tags: ["service"],
  summary: "Receive an email",
  description:
    "Takes in an email that your own mail server or provider received: a reply, a bounce, an automatic answer. No API key: " +
    "the body is signed as Standard Webhooks says, with the secret that email.inbound.get returns. The same email changes " +
    "nothing a second time.",
  security: [],
  parameters: [
    parameter("Svc-Organization", shortText, "Id of the organization", true, "header"),
    parameter("Webhook-Id", shortText, "Id of the request, part of what is signed", true, "header"),
    parameter("Webhook-Timestamp", shortText, "Seconds since 1970, at most five minutes off", true, "header"),
    parameter("Webhook-Signature", shortText, "v1, and the HMAC-SHA256 of ID.TIMESTAMP.BODY in Base64", true, "header")
  ],
  requestBody: {
    required: true,
    content: {
      "message/rfc822": { schema: { ...string, maxLength: 1_048_576, description: "Source text of the email" } }
    }
  },
  responses: {
    200: done(
      content(object({ data: object({ received: { ...string, enum: [...mailResults] } }) })),
      "Taken in; unrelated: nothing of it is kept"
    ),
    ...errorResponses([400, 401, ...commonStatuses])
  }
}

/** Paths with one operation, which is a read. */
const reads = (paths: Readonly<Record<string, object>>): Readonly<Record<string, Readonly<Record<string, object>>>> =>
  Object.fromEntries(Object.entries(paths).map(([path, get]) => [path, { get }]))

const commandId = parameter("commandId", { ...string, maxLength: 100 }, "Id of the command", true, "path")

const withSchemas = { command: ref("CommandDescriptorWithSchemas") }

const resource = { resource: object({ uri: string, payload: { type: "object" } }) }

const uri = parameter("uri", { ...string, maxLength: 2_000, examples: ["svc://status"] }, "Resource URI", true)

/** The operations by path and method; those of health where an admin port does not take them away from the public one. */
export const servicePaths = (health: boolean) => ({
  ...reads({
    "/api/v1/me": plain("me", "Show the key's identity", identity, [], "service"),
    "/api/v1/openapi.json": constant(openGet("openapi", "Get this OpenAPI document", content({ type: "object" }))),
    "/docs": constant(openGet("docs", "Browse this document", text("text/html"))),
    "/docs/commands.md": constant(openGet("docs_commands", "List all commands as Markdown", text("text/markdown"))),
    "/docs/errors.md": constant(openGet("docs_errors", "List all error codes as Markdown", text("text/markdown"))),
    "/llms.txt": constant(openGet("llms", "Get the entry point for language models", text("text/plain")))
  }),
  [gatewayWebhookPath]: { post: gatewayWebhook },
  [inboundMailPath]: { post: inboundMail },
  ...reads({
    ...(health
      ? {
          "/healthz": openGet("healthz", "Liveness check", content(object({ status: string }))),
          "/readyz": openGet("readyz", "Readiness check", readiness, [503])
        }
      : {}),
    "/api/v1/commands": constant(
      plain("commands_list", "List commands", { commands: array(ref("CommandDescriptor")) })
    ),
    "/api/v1/commands/{commandId}/schema": constant(
      plain("commands_schema", "Read a command with its schemas", withSchemas, [commandId])
    ),
    "/api/v1/resources": plain("resources_list", "List resources", { resources: array(ref("ResourceEntry")) }),
    "/api/v1/resources/read": plain("resources_read", "Read a resource", resource, [uri, profile])
  })
})

/** Query parameters whose text differs from the field in the input schema. */
const inQuery: Readonly<Record<string, { readonly schema: unknown; readonly description: string }>> = {
  mapping: {
    schema: { ...shortText, examples: ['{"Contact mail":"email"}'] },
    description: "Column names and lead fields as a JSON object; null ignores a column"
  },
  delimiter: { schema: { ...string, enum: [",", ";", "tab", "|"] }, description: "Cell delimiter" }
}

const upload = (command: AnyCommand) => {
  const form = uploadForm(command)
  const input = propertiesOf(jsonSchemaOf(form.input))
  const query = uploadParameters.map((name) => {
    const { description, schema } = inQuery[name] ?? { schema: input[name], ...Object(input[name]) }
    return parameter(name, schema, description)
  })
  return restOperationOf(command, "POST", uploadPath, command.failures, {
    parameters: [
      ...pathParameters(uploadPath, input),
      ...query,
      headerParameter(
        "Content-Digest",
        "SHA-256 of the file (RFC 9530), used to recognize a file that was sent before",
        { ...shortText, examples: ["sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"] }
      ),
      ...changeOptions
    ],
    requestBody: {
      required: true,
      description: "The file, at most 2 GiB",
      content: Object.fromEntries(uploadTypes.map((type) => [type, { schema: { ...string, format: "binary" } }]))
    },
    responses: {
      200: {
        description: "Result of the rows; an import that stopped early gives the reason in message",
        headers: {
          ...responseHeaders.always,
          ...responseHeaders.replayed,
          "Svc-Import-Id": header("Id of the import"),
          "Svc-Dry-Run": responseHeaders.written["Svc-Dry-Run"]
        },
        content: content(object({ data: jsonSchemaOf(form.output) }))
      }
    }
  })
}

const rows = (command: AnyCommand) => {
  const input = propertiesOf(jsonSchemaOf(rowsForm.input))
  return restOperationOf(command, "GET", rowsPath, command.failures, {
    parameters: [
      ...pathParameters(rowsPath, input),
      parameter("outcome", input["outcome"], "Only rows with this outcome")
    ],
    responses: {
      200: {
        description: "Rows in source order",
        headers: { ...responseHeaders.always, "Content-Disposition": header("Suggested file name") },
        content: { "text/csv": { schema: string } }
      }
    }
  })
}

/** The operations whose commands the catalogue has, by method. */
export const importOperations = (catalog: Catalog<AnyCommand>) => {
  const [importing, listing] = [uploadCommand, rowsCommand].map((id) => catalog.find(id))
  return [
    ...(importing === undefined ? [] : [{ path: uploadPath, method: "post", operation: upload(importing) }]),
    ...(listing === undefined ? [] : [{ path: rowsPath, method: "get", operation: rows(listing) }])
  ]
}
