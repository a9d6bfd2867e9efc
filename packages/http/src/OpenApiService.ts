/** The operations of the OpenAPI document beside commands and REST: who one is, health, documents, and what providers tell. */
import { gatewayWebhookPath } from "./gatewayRoute.ts"
import { answerHeaders, anywhere, array, content, object, parameter, ref, refusals } from "./OpenApiParts.ts"

/** An operation that reads something with a key. */
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
    200: { description: "Done", headers: answerHeaders.always, content: content(object({ data })) },
    ...refusals([400, 401, 403, 404], ref("Error")),
    ...anywhere
  }
})

const openGet = (id: string, summary: string, body: unknown, statuses: ReadonlyArray<number> = []) => ({
  operationId: id,
  tags: ["service"],
  summary,
  security: [],
  responses: {
    200: { description: "Done", headers: answerHeaders.always, content: body },
    ...refusals([...statuses, 500], ref("Error")),
    default: anywhere.default
  }
})

const text = (type: string) => ({ [type]: { schema: { type: "string" } } })

const status = content(object({ status: { type: "string" } }))

const me = plain(
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

const gatewayWebhook = {
  operationId: "gateway_webhook",
  tags: ["service"],
  summary: "Tell what happened at a provider",
  description:
    "Where the provider of LinkedIn accounts posts messages, relations and states of accounts. It needs no key: the token of " +
    "the path says whose it is. linkedin.account.link registers the address at the provider.",
  security: [],
  parameters: [
    parameter("gateway", { type: "string", examples: ["unipile"] }, "The gateway that runs", true, "path"),
    parameter("token", { type: "string" }, "Token of the organization, as registered at the provider", true, "path")
  ],
  requestBody: {
    required: true,
    content: content({ type: "object", description: "As the provider writes it, at most 512 KiB" })
  },
  responses: {
    200: {
      description: "It was understood; what was known already changes nothing",
      headers: answerHeaders.always,
      content: content(object({ data: object({ received: { const: true } }) }))
    },
    ...refusals([400, 404, 500, 503], ref("Error")),
    default: anywhere.default
  }
}

/** The operations by path and method. */
export const servicePaths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/api/v1/me": { get: me },
  "/healthz": { get: openGet("healthz", "Whether the process lives", status) },
  "/readyz": { get: openGet("readyz", "Whether requests can be served", status, [503]) },
  "/api/v1/openapi.json": { get: openGet("openapi", "Read this document", content({ type: "object" })) },
  "/docs": { get: openGet("docs", "Read this document as a page", text("text/html")) },
  "/docs/commands.md": { get: openGet("docs_commands", "Read every command as Markdown", text("text/markdown")) },
  "/docs/errors.md": { get: openGet("docs_errors", "Read every error code as Markdown", text("text/markdown")) },
  "/llms.txt": { get: openGet("llms", "Read where a language model should begin", text("text/plain")) },
  [gatewayWebhookPath]: { post: gatewayWebhook }
}
