/** Everything beside the API and health: the OpenAPI document, the documentation, and the key's identity. */
import { Dispatch, InvalidInput, ResourceReader } from "@svc/core"
import * as Effect from "effect/Effect"
import { readParameters, requestOptions } from "./commandRoutes.ts"
import { constantText } from "./constantText.ts"
import { docsPage, docsPolicy } from "./docs/docsPage.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { baseOf } from "./issuer.ts"
import { commandsMarkdown, errorsMarkdown, llmsText } from "./markdownDocs.ts"
import { openApiDocument } from "./OpenApiDocument.ts"
import { type KeyedCall, keyed, openRoute, type Route, type RouteCall } from "./Route.ts"
import { envelopeFailureResponse, json } from "./responses.ts"
import { restBindings } from "./restBindings.ts"

/** A text that may name the server. */
const text = (type: string, make: (base: string) => string, headers = {}) =>
  constantText(`text/${type}; charset=utf-8`, make, { headers })

/**
 * The routes; all but `me` need no key. The OpenAPI document and the documentation page are built on first use, and name the
 * server that they were asked for.
 */
export const serviceRoutes: Effect.Effect<ReadonlyArray<Route>, never, Dispatch | HttpSettings> = Effect.gen(
  function* () {
    const { catalog } = yield* Dispatch
    const settings = yield* HttpSettings
    const document = yield* Effect.cached(Effect.sync(() => openApiDocument(catalog, restBindings, settings)))
    const base = ({ request }: RouteCall): string => baseOf(settings, request)
    const openApi = yield* Effect.cached(
      Effect.map(document, (built) => {
        const body = JSON.stringify(built).slice(0, -1)
        return constantText("application/json", (url) => `${body},"servers":${JSON.stringify([{ url: url || "/" }])}}`)
      })
    )
    const page = yield* Effect.cached(
      Effect.map(document, (built) => text("html", docsPage(built), { "content-security-policy": docsPolicy }))
    )
    const commands = text("markdown", () => commandsMarkdown(catalog))
    const errors = text("markdown", errorsMarkdown)
    const guide = text("plain", (url) => llmsText(catalog, url))
    const documentation: ReadonlyArray<Route> = [
      openRoute("GET", "/api/v1/openapi.json", (call) =>
        Effect.map(openApi, (shown) => shown(call.request, base(call)))
      ),
      openRoute("GET", "/docs", (call) => Effect.map(page, (shown) => shown(call.request, base(call)))),
      openRoute("GET", "/docs/commands.md", ({ request }) => Effect.sync(() => commands(request))),
      openRoute("GET", "/docs/errors.md", ({ request }) => Effect.sync(() => errors(request))),
      openRoute("GET", "/llms.txt", (call) => Effect.sync(() => guide(call.request, base(call))))
    ]
    return [
      ...(settings.docs ? documentation : []),
      keyed("GET", "/api/v1/me", [], ({ actor, query }) =>
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
      )
    ]
  }
)

/** The routes. */
export const resourceRoutes: Effect.Effect<ReadonlyArray<Route>, never, ResourceReader> = Effect.gen(function* () {
  const reader = yield* ResourceReader
  const list = { data: { resources: reader.entries } }

  const read = Effect.fnUntraced(function* ({ actor, request, requestId, ...call }: KeyedCall) {
    const query = yield* Effect.fromResult(call.query)
    const { responseProfile } = yield* Effect.fromResult(requestOptions(request, query))
    const uri = query.get("uri")
    if (uri === undefined || uri === "") {
      return yield* new InvalidInput({ message: "The query parameter uri is required, such as ?uri=svc://status." })
    }
    const { envelope, retryAfterSeconds } = yield* reader.read({ uri, actor, responseProfile, requestId })
    return envelope.ok ? json({ data: envelope.data }) : envelopeFailureResponse(envelope, retryAfterSeconds)
  })

  return [
    keyed("GET", "/api/v1/resources", [], ({ query }) => Effect.map(Effect.fromResult(query), () => json(list))),
    keyed("GET", "/api/v1/resources/read", ["uri", ...readParameters], read)
  ]
})
