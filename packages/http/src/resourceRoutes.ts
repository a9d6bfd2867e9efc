/** The resources family: the list, and reading one by URI. Source: spec "Resources family"; contract 7. */
import { fail } from "@svc/core/Failure"
import { ResourceReader } from "@svc/core/ResourceReader"
import * as Effect from "effect/Effect"
import { errorObject, json } from "./Answer.ts"
import { readParameters, requestOptions } from "./RequestOptions.ts"
import type { KeyedCall, Route } from "./Route.ts"

/** The routes of the resources family. */
export const resourceRoutes: Effect.Effect<ReadonlyArray<Route>, never, ResourceReader> = Effect.gen(function* () {
  const reader = yield* ResourceReader
  const list = { data: { resources: reader.entries } }

  const read = Effect.fnUntraced(function* ({ actor, request, requestId, ...call }: KeyedCall) {
    const query = yield* Effect.fromResult(call.query)
    const { responseProfile } = yield* Effect.fromResult(requestOptions(request, query))
    const uri = query.get("uri")
    if (uri === undefined || uri === "") {
      return yield* fail("INVALID_INPUT", "uri is required in the query, such as ?uri=svc://status.")
    }
    const { envelope, retryAfterSeconds } = yield* reader.read({ uri, actor, responseProfile, requestId })
    return envelope.ok
      ? json({ data: envelope.data })
      : errorObject({ ...envelope.error, status: envelope.status, retryAfterSeconds })
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
