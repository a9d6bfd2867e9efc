/** The commands family: list, schema, run. Source: spec "Commands family"; contract 1.3. */
import { describe, describeWithSchemas, publicCommands } from "@svc/core/Catalog"
import { Dispatch } from "@svc/core/Dispatch"
import { failureEnvelope, inputHash } from "@svc/core/Envelope"
import { fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { commandAnswer, jsonText } from "./Answer.ts"
import type { RateLimits } from "./RateLimits.ts"
import { readJson } from "./RequestBody.ts"
import { requestOptions, writeParameters } from "./RequestOptions.ts"
import type { KeyedCall, Route } from "./Route.ts"

const noBody = () =>
  fail("INVALID_JSON", "The body is empty. Send the command's input as one JSON object, {} at least.")

/** The routes of the commands family. */
export const commandRoutes = Effect.fnUntraced(function* (
  limits: RateLimits
): Effect.fn.Return<ReadonlyArray<Route>, never, Dispatch> {
  const dispatch = yield* Dispatch
  const commands = publicCommands(dispatch.catalog)
  const byId = new Map(commands.map((command) => [command.id, command]))
  let list: string | undefined

  const run = Effect.fnUntraced(function* ({ actor, params, query, request, requestId }: KeyedCall) {
    const id = params["commandId"] ?? ""
    const refused = (failure: Parameters<typeof failureEnvelope>[0], input: unknown) =>
      commandAnswer(failureEnvelope(failure, inputHash(actor.organizationId, id, input)), failure.retryAfterSeconds)
    const body = yield* Effect.result(readJson(request, byId.get(id)?.bodyLimit))
    if (body._tag === "Failure") return refused(body.failure, undefined)
    const options = yield* Effect.result(
      Effect.flatMap(Effect.fromResult(query), (parameters) => Effect.fromResult(requestOptions(request, parameters)))
    )
    if (options._tag === "Failure") return refused(options.failure, body.success)
    // An internal command backs a REST endpoint and is no command to a caller.
    const command = byId.has(id) || dispatch.catalog.find(id) === undefined ? id : ""
    const found = byId.get(id)
    const taken = yield* Effect.result(found === undefined ? Effect.void : limits.takeOutward(actor, found))
    if (taken._tag === "Failure") return yield* taken.failure.failure
    if (body.success === undefined && byId.has(id)) return refused(noBody(), undefined)
    const answer = yield* dispatch.run({ command, input: body.success, actor, options: options.success, requestId })
    const response = commandAnswer(answer.envelope, answer.retryAfterSeconds)
    return answer.replayed ? HttpServerResponse.setHeader(response, "idempotency-replayed", "true") : response
  })

  return [
    {
      method: "GET",
      path: "/api/v1/commands",
      access: "key",
      query: [],
      handle: ({ query }) =>
        Effect.map(Effect.fromResult(query), () => {
          list ??= JSON.stringify({ data: { commands: commands.map(describe) } })
          return jsonText(list)
        })
    },
    {
      method: "GET",
      path: "/api/v1/commands/{commandId}/schema",
      access: "key",
      query: [],
      handle: Effect.fnUntraced(function* ({ params, query }) {
        yield* Effect.fromResult(query)
        const command = byId.get(params["commandId"] ?? "")
        if (command === undefined) return yield* dispatch.unknownCommand(params["commandId"] ?? "")
        return jsonText(JSON.stringify({ data: { command: describeWithSchemas(command) } }))
      })
    },
    { method: "POST", path: "/api/v1/commands/{commandId}", access: "key", query: writeParameters, handle: run }
  ]
})
