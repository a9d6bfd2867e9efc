/** Everything beside the API and health: the OpenAPI document, the documentation, and the key's identity. */
import { Dispatch, type Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { docsPage } from "./docsPage.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { commandsMarkdown, errorsMarkdown, llmsText } from "./markdownDocs.ts"
import { baseOf } from "./mountOf.ts"
import { openApiDocument } from "./OpenApiDocument.ts"
import type { Route, RouteCall } from "./Route.ts"
import { json, jsonTextResponse } from "./responses.ts"
import { restBindings } from "./restBindings.ts"

const text = (type: string, make: () => string) =>
  Effect.sync(() => HttpServerResponse.text(make(), { contentType: `text/${type}; charset=utf-8` }))

type Handled = Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>

const open = (path: string, handle: (call: RouteCall) => Handled): Route => ({
  method: "GET",
  path,
  access: "open",
  handle
})

/**
 * The routes; all but `me` need no key. The OpenAPI document and the documentation page are built on first use, and name the
 * server that they were asked for.
 */
export const serviceRoutes: Effect.Effect<ReadonlyArray<Route>, never, Dispatch | HttpSettings> = Effect.gen(
  function* () {
    const { catalog } = yield* Dispatch
    const settings = yield* HttpSettings
    const document = yield* Effect.cached(Effect.sync(() => openApiDocument(catalog, restBindings, settings)))
    const documentText = yield* Effect.cached(Effect.map(document, (built) => JSON.stringify(built)))
    const page = yield* Effect.cached(Effect.flatMap(document, docsPage))
    const linkBase = ({ request }: RouteCall): string => baseOf(settings, request)
    const documentation: ReadonlyArray<Route> = [
      open("/api/v1/openapi.json", (call) =>
        Effect.map(documentText, (body) => {
          const servers = JSON.stringify([{ url: linkBase(call) || "/" }])
          return jsonTextResponse(`${body.slice(0, -1)},"servers":${servers}}`)
        })
      ),
      open("/docs", (call) => Effect.map(page, (shown) => shown(linkBase(call) || "/"))),
      open("/docs/commands.md", () => text("markdown", () => commandsMarkdown(catalog))),
      open("/docs/errors.md", () => text("markdown", errorsMarkdown)),
      open("/llms.txt", (call) => text("plain", () => llmsText(catalog, linkBase(call))))
    ]
    return [
      ...(settings.docs ? documentation : []),
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
