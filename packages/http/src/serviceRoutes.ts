/** Everything beside the API and health: the OpenAPI document, the documentation, and the key's identity. */
import { Dispatch, type Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { docsPage } from "./docsPage.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { commandsMarkdown, errorsMarkdown, llmsText } from "./markdownDocs.ts"
import { openApiDocument } from "./OpenApiDocument.ts"
import type { Route } from "./Route.ts"
import { json, jsonTextResponse } from "./responses.ts"
import { restBindings } from "./restBindings.ts"

const text = (type: string, make: () => string) =>
  Effect.sync(() => HttpServerResponse.text(make(), { contentType: `text/${type}; charset=utf-8` }))

const open = (path: string, response: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>): Route => ({
  method: "GET",
  path,
  access: "open",
  handle: () => response
})

/** The routes; all but `me` need no key. The OpenAPI document and the documentation page are built on first use. */
export const serviceRoutes: Effect.Effect<ReadonlyArray<Route>, never, Dispatch | HttpSettings> = Effect.gen(
  function* () {
    const { catalog } = yield* Dispatch
    const settings = yield* HttpSettings
    const document = yield* Effect.cached(Effect.sync(() => openApiDocument(catalog, restBindings, settings)))
    const documentText = yield* Effect.cached(Effect.map(document, (built) => JSON.stringify(built)))
    return [
      open(
        "/api/v1/openapi.json",
        Effect.map(documentText, (body) => jsonTextResponse(body))
      ),
      open("/docs", yield* Effect.cached(Effect.flatMap(document, docsPage))),
      open(
        "/docs/commands.md",
        text("markdown", () => commandsMarkdown(catalog))
      ),
      open("/docs/errors.md", text("markdown", errorsMarkdown)),
      open(
        "/llms.txt",
        text("plain", () => llmsText(catalog, settings.publicUrl()))
      ),
      {
        method: "GET",
        path: "/api/v1/me",
        access: "key",
        query: [],
        handle: ({ actor, query }) =>
          Effect.map(Effect.fromResult(query), () =>
            json({
              data: {
                organization_id: actor.organizationId,
                user_id: actor.userId,
                key_id: actor.keyId,
                actor_kind: actor.kind,
                mode: actor.mode,
                scopes: actor.scopes
              }
            })
          )
      }
    ]
  }
)
