/** The endpoints of commands: list, schema, run. */
import {
  Dispatch,
  describe,
  describeWithSchemas,
  type ExecutionOptions,
  type Failure,
  failureEnvelope,
  InvalidJson,
  inputHash,
  parseOptions,
  publicCommands,
  publicId
} from "@svc/core"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import { constantText } from "./constantText.ts"
import { readJson } from "./RequestBody.ts"
import type { Query } from "./RequestTarget.ts"
import type { KeyedCall, Route } from "./Route.ts"
import { commandResponse, replayedHeader } from "./responses.ts"

/** Query parameters of reads. */
export const readParameters = ["response_profile"] as const

/** Query parameters of writes. */
export const writeParameters = ["response_profile", "dry_run"] as const

/** The execution options of a request. Fails with INVALID_INPUT naming the allowed values. */
export const requestOptions = (request: HttpServerRequest, query: Query): Result.Result<ExecutionOptions, Failure> =>
  parseOptions({
    response_profile: query.get("response_profile"),
    dry_run: query.get("dry_run"),
    idempotency_key: request.headers["idempotency-key"]
  })

const noBody = () =>
  new InvalidJson({ message: "The body is empty. Send the command's input as a JSON object, at least {}." })

/** The routes. */
export const commandRoutes: Effect.Effect<ReadonlyArray<Route>, never, Dispatch> = Effect.gen(function* () {
  const dispatch = yield* Dispatch
  const commands = publicCommands(dispatch.catalog)
  const byId = new Map(commands.map((command) => [command.id, command]))
  const list = constantText("application/json", () => JSON.stringify({ data: { commands: commands.map(describe) } }))
  const schema = constantText(
    "application/json",
    (id) => {
      const command = byId.get(id)
      return JSON.stringify({ data: { command: command && describeWithSchemas(command) } })
    },
    { maxVariants: commands.length }
  )

  const run = Effect.fnUntraced(function* ({ actor, params, query, request, requestId, takeOutward }: KeyedCall) {
    const id = params["commandId"] ?? ""
    const known = byId.get(id)
    const failed = (failure: Parameters<typeof failureEnvelope>[0], input: unknown) =>
      commandResponse(failureEnvelope(failure, inputHash(actor.organizationId, id, input)), failure.retryAfterSeconds)
    const body = yield* Effect.result(readJson(request, known?.bodyLimit))
    if (body._tag === "Failure") return failed(body.failure, undefined)
    const options = Result.flatMap(query, (parameters) => requestOptions(request, parameters))
    if (Result.isFailure(options)) return failed(options.failure, body.success)
    if (known !== undefined) yield* takeOutward(known)
    if (known !== undefined && body.success === undefined) return failed(noBody(), undefined)
    const { envelope, replayed, retryAfterSeconds } = yield* dispatch.run({
      command: publicId(dispatch.catalog, id),
      input: body.success,
      actor,
      options: options.success,
      writesJson: true,
      requestId
    })
    const response = commandResponse(envelope, retryAfterSeconds)
    return replayed ? HttpServerResponse.setHeaders(response, replayedHeader) : response
  })

  return [
    {
      method: "GET",
      path: "/api/v1/commands",
      access: "key",
      query: [],
      handle: ({ query, request }) => Effect.mapEager(Effect.fromResult(query), () => list(request))
    },
    {
      method: "GET",
      path: "/api/v1/commands/{commandId}/schema",
      access: "key",
      query: [],
      handle: Effect.fnUntracedEager(function* ({ params, query, request }) {
        yield* Effect.fromResult(query)
        const id = params["commandId"] ?? ""
        return byId.has(id) ? schema(request, id) : yield* dispatch.unknownCommand(id)
      })
    },
    { method: "POST", path: "/api/v1/commands/{commandId}", access: "key", query: writeParameters, handle: run }
  ]
})
