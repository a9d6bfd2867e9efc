/** OpenAPI operations beside commands and REST: identity, health, documents, and provider webhooks. */
import { gatewayWebhookPath } from "./gatewayRoute.ts"
import {
  array,
  commonResponses,
  content,
  errorResponses,
  ifNoneMatch,
  object,
  parameter,
  ref,
  responseHeaders
} from "./OpenApiParts.ts"

/** A read with a key. */
export const plain = (
  id: string,
  tag: string,
  summary: string,
  data: unknown,
  parameters: ReadonlyArray<unknown> = []
) => ({
  operationId: id,
  tags: [tag],
  summary,
  parameters,
  responses: {
    200: { description: "Done", headers: responseHeaders.always, content: content(object({ data })) },
    ...errorResponses([400, 401, 403, 404], ref("Error")),
    ...commonResponses
  }
})

const openGet = (id: string, summary: string, body: unknown, statuses: ReadonlyArray<number> = []) => ({
  operationId: id,
  tags: ["service"],
  summary,
  security: [],
  responses: {
    200: { description: "Done", headers: responseHeaders.always, content: body },
    ...errorResponses([...statuses, 500], ref("Error")),
    default: commonResponses.default
  }
})

/** An operation whose response stays the same while the service runs. */
export const constant = <
  Operation extends { readonly responses: object; readonly parameters?: ReadonlyArray<unknown> }
>(
  operation: Operation
) => ({
  ...operation,
  parameters: [...(operation.parameters ?? []), ifNoneMatch],
  responses: { ...operation.responses, 304: { description: "Not changed", headers: responseHeaders.always } }
})

const text = (type: string) => ({ [type]: { schema: { type: "string" } } })

const status = content(object({ status: { type: "string" } }))

const readiness = content({
  type: "object",
  properties: {
    status: { type: "string" },
    sending_hold: {
      description: "Why nothing is sent; absent while messages are sent",
      ...object({ reason: { type: "string" }, since: { type: "string" }, detail: { type: "string" } })
    },
    database_failures: {
      description: "Database errors of the last minute; absent if there were none",
      ...array(object({ sqlstate: { type: "string" }, reason: { type: "string" }, at: { type: "string" } }))
    }
  },
  required: ["status"]
})

const me = plain(
  "me",
  "service",
  "Show the key's identity",
  object({
    organization_id: { type: "string" },
    user_id: { type: "string" },
    key_id: { type: ["string", "null"] },
    actor_kind: { type: "string", enum: ["USER", "AI_AGENT"] },
    mode: { type: "string", enum: ["full", "draft_only"] },
    scopes: array({ type: "string" })
  })
)

const gatewayWebhook = {
  operationId: "gateway_webhook",
  tags: ["service"],
  summary: "Receive a provider event",
  description:
    "The provider of LinkedIn accounts posts messages, relations and account states here. No API key: the token in " +
    "the path identifies the organization. linkedin.account.link registers this URL at the provider.",
  security: [],
  parameters: [
    parameter("gateway", { type: "string", examples: ["unipile"] }, "The configured gateway", true, "path"),
    parameter("token", { type: "string" }, "Token of the organization, as registered at the provider", true, "path")
  ],
  requestBody: {
    required: true,
    content: content({ type: "object", description: "In the provider's format, at most 512 KiB" })
  },
  responses: {
    200: {
      description: "Accepted; known data changes nothing",
      headers: responseHeaders.always,
      content: content(object({ data: object({ received: { const: true } }) }))
    },
    ...errorResponses([400, 404, 500, 503], ref("Error")),
    default: commonResponses.default
  }
}

/** The operations by path and method. */
export const servicePaths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/api/v1/me": { get: me },
  "/api/v1/openapi.json": {
    get: constant(openGet("openapi", "Get this OpenAPI document", content({ type: "object" })))
  },
  "/docs": { get: constant(openGet("docs", "Browse this document", text("text/html"))) },
  "/docs/commands.md": {
    get: constant(openGet("docs_commands", "List all commands as Markdown", text("text/markdown")))
  },
  "/docs/errors.md": {
    get: constant(openGet("docs_errors", "List all error codes as Markdown", text("text/markdown")))
  },
  "/llms.txt": { get: constant(openGet("llms", "Get the entry point for language models", text("text/plain"))) },
  [gatewayWebhookPath]: { post: gatewayWebhook }
}

/** The operations that an admin port takes away from the public one. */
export const healthPaths: typeof servicePaths = {
  "/healthz": { get: openGet("healthz", "Liveness check", status) },
  "/readyz": { get: openGet("readyz", "Readiness check", readiness, [503]) }
}
