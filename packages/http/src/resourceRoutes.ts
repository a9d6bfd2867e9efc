/** The endpoints of resources: list, and read by URI. */
import { InvalidInput, ResourceReader } from "@svc/core"
import * as Effect from "effect/Effect"
import { readParameters, requestOptions } from "./RequestOptions.ts"
import type { KeyedCall, Route } from "./Route.ts"
import { envelopeFailureResponse, json } from "./responses.ts"

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
    {
      method: "GET",
      path: "/api/v1/resources",
      access: "key",
      query: [],
      handle: ({ query }) => Effect.map(Effect.fromResult(query), () => json(list))
    },
    { method: "GET", path: "/api/v1/resources/read", access: "key", query: ["uri", ...readParameters], handle: read }
  ]
})
