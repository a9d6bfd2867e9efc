/** Beside the API proper: health, readiness, the OpenAPI document, the documentation, and who the key says you are. */
import { Dispatch } from "@svc/core/Dispatch"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { json, jsonText } from "./Answer.ts"
import { docsPage } from "./docsPage.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { commandsMarkdown, errorsMarkdown, llmsText } from "./markdownDocs.ts"
import { openApiDocument } from "./OpenApiDocument.ts"
import { Readiness } from "./Readiness.ts"
import type { Route } from "./Route.ts"
import { restBindings } from "./restBindings.ts"

const markdown = (text: string) => HttpServerResponse.text(text, { contentType: "text/markdown; charset=utf-8" })

const plain = (text: string) => HttpServerResponse.text(text, { contentType: "text/plain; charset=utf-8" })

/** The routes; all but `me` need no key. Document and page are made on the first request and kept. */
export const serviceRoutes: Effect.Effect<
  ReadonlyArray<Route>,
  never,
  Dispatch | HttpSettings | Readiness
> = Effect.gen(function* () {
  const { catalog } = yield* Dispatch
  const settings = yield* HttpSettings
  const readiness = yield* Readiness
  const document = yield* Effect.cached(
    Effect.sync(() => openApiDocument(catalog, restBindings, settings.publicUrl(), settings.version))
  )
  const text = yield* Effect.cached(Effect.map(document, (made) => JSON.stringify(made)))
  const page = yield* Effect.cached(Effect.flatMap(document, docsPage))
  return [
    { method: "GET", path: "/healthz", access: "open", handle: () => Effect.succeed(json({ status: "ok" })) },
    {
      method: "GET",
      path: "/readyz",
      access: "open",
      handle: () => Effect.as(readiness.check, json({ status: "ready" }))
    },
    {
      method: "GET",
      path: "/api/v1/openapi.json",
      access: "open",
      handle: () => Effect.map(text, (body) => jsonText(body))
    },
    { method: "GET", path: "/docs", access: "open", handle: () => page },
    {
      method: "GET",
      path: "/docs/commands.md",
      access: "open",
      handle: () => Effect.sync(() => markdown(commandsMarkdown(catalog)))
    },
    {
      method: "GET",
      path: "/docs/errors.md",
      access: "open",
      handle: () => Effect.sync(() => markdown(errorsMarkdown()))
    },
    {
      method: "GET",
      path: "/llms.txt",
      access: "open",
      handle: () => Effect.sync(() => plain(llmsText(catalog, settings.publicUrl())))
    },
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
})
