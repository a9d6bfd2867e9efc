/** The endpoints of commands: list, schema, run. */
import * as Core from "@svc/core"
import { describe, failureEnvelope, inputHash, Upload, uploadAsInput, uploadInterrupted } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { constantText } from "./constantText.ts"
import { parseJson } from "./JsonText.ts"
import { readJson } from "./RequestBody.ts"
import { restForm } from "./RestForm.ts"
import { type KeyedCall, keyed, type Query, type Route } from "./Route.ts"
import {
  approvalResponse,
  commandResponse,
  envelopeFailureResponse,
  json,
  replayedHeader,
  warningsHeader
} from "./responses.ts"

/** Query parameters of reads. */
export const readParameters = ["response_profile"] as const

/** Query parameters of writes. */
export const writeParameters = ["response_profile", "dry_run"] as const

/** The execution options of a request. Fails with INVALID_INPUT naming the allowed values. */
export const requestOptions = (
  request: HttpServerRequest,
  query: Query
): Result.Result<Core.ExecutionOptions, Core.Failure> =>
  Core.parseOptions({
    response_profile: query.get("response_profile"),
    dry_run: query.get("dry_run"),
    idempotency_key: request.headers["idempotency-key"]
  })

const noBody = () =>
  new Core.InvalidJson({ message: "The body is empty. Send the command's input as a JSON object, at least {}." })

/** The routes. */
export const commandRoutes: Effect.Effect<ReadonlyArray<Route>, never, Core.Dispatch> = Effect.gen(function* () {
  const dispatch = yield* Core.Dispatch
  const commands = Core.publicCommands(dispatch.catalog)
  const byId = new Map(commands.map((command) => [command.id, command]))
  const list = constantText("application/json", () => JSON.stringify({ data: { commands: commands.map(describe) } }))
  const schema = constantText(
    "application/json",
    (id) => {
      const command = byId.get(id)
      return JSON.stringify({ data: { command: command && Core.describeWithSchemas(command) } })
    },
    { maxVariants: commands.length }
  )

  const run = Effect.fnUntraced(function* ({ actor, params, query, request, requestId, takeOutward }: KeyedCall) {
    const id = params["commandId"] ?? ""
    const known = byId.get(id)
    const failed = (failure: Parameters<typeof failureEnvelope>[0], input: unknown) =>
      commandResponse(failureEnvelope(failure, inputHash(actor.organizationId, id, input)), failure.retryAfterSeconds)
    const body = yield* Effect.result(readJson(request, known?.annotations.bodyLimit))
    if (body._tag === "Failure") return failed(body.failure, undefined)
    const options = Result.flatMap(query, (parameters) => requestOptions(request, parameters))
    if (Result.isFailure(options)) return failed(options.failure, body.success)
    if (known !== undefined) yield* takeOutward(known)
    if (known !== undefined && body.success === undefined) return failed(noBody(), undefined)
    const { envelope, replayed, retryAfterSeconds } = yield* dispatch.run({
      command: Core.publicId(dispatch.catalog, id),
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
    keyed("GET", "/api/v1/commands", [], ({ query, request }) =>
      Effect.mapEager(Effect.fromResult(query), () => list(request))
    ),
    keyed(
      "GET",
      "/api/v1/commands/{commandId}/schema",
      [],
      Effect.fnUntracedEager(function* ({ params, query, request }) {
        yield* Effect.fromResult(query)
        const id = params["commandId"] ?? ""
        return byId.has(id) ? schema(request, id) : yield* dispatch.unknownCommand(id)
      })
    ),
    keyed("POST", "/api/v1/commands/{commandId}", writeParameters, run)
  ]
})

// POST /api/v1/missions/{missionHandle}/imports: a CSV file as the body, read as it arrives.
//
// The file is never in memory as a whole; the database sets the pace at which the connection is read. `Content-Digest`
// (RFC 9530, sha-256) identifies a file that was imported before.

const maxUploadBytes = 2 * 1024 * 1024 * 1024

export const uploadPath = "/api/v1/missions/{missionHandle}/imports"

/** Media types under which programs send CSV. Windows sends that of its spreadsheet. */
export const uploadTypes = [
  "text/csv",
  "application/csv",
  "text/tab-separated-values",
  "text/plain",
  "application/vnd.ms-excel",
  "application/octet-stream"
] as const

const textParameters = ["name", "context", "source", "lawful_basis", "delimiter"] as const

/** Query parameters that say how the file is read. */
export const uploadParameters = [...textParameters, "mapping", "again"] as const

const tooLarge = () => new Core.PayloadTooLarge({ message: "The file is larger than 2 GiB. Split it." })

const checkHeaders = ({ headers }: HttpServerRequest): Core.Failure | undefined => {
  const encoding = headers["content-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return new Core.UnsupportedMediaType({
      message: "Compressed bodies are not supported. Send the file uncompressed."
    })
  }
  const type = (headers["content-type"] ?? "").toLowerCase().split(";", 1)[0]?.trim() ?? ""
  if (!uploadTypes.some((known) => known === type)) {
    return new Core.UnsupportedMediaType({ message: "The body must be a CSV file. Send Content-Type: text/csv." })
  }
  return Number(headers["content-length"] ?? "0") > maxUploadBytes ? tooLarge() : undefined
}

/** SHA-256 of the header in lower-case hexadecimal; undefined if it has only other hashes. */
const digestOf = (header: string | undefined): Result.Result<string | undefined, Core.Failure> => {
  if (header === undefined) return Result.succeed(undefined)
  const base64 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header.slice(0, 500))?.[1]
  if (base64 !== undefined) return Result.succeed(Buffer.from(base64, "base64").toString("hex"))
  return header.includes("sha-256")
    ? Result.fail(
        new Core.InvalidInput({ message: "Content-Digest: must be sha-256=:BASE64: as defined in RFC 9530." })
      )
    : Result.succeed(undefined)
}

/** How long an upload may pause. The whole upload may take hours. */
const stallTimeout = "60 seconds"

/** The bytes of an upload. Fails with UNAVAILABLE when it is interrupted or stalls, or with PAYLOAD_TOO_LARGE. */
export const uploadedContent = (
  request: Pick<HttpServerRequest, "stream">
): Stream.Stream<Uint8Array, Core.PayloadTooLarge | Core.Unavailable> => {
  let size = 0
  return request.stream.pipe(
    Stream.mapError(uploadInterrupted),
    Stream.timeoutOrElse({ duration: stallTimeout, orElse: () => Stream.fail(uploadInterrupted()) }),
    Stream.mapEffect((bytes) => {
      size += bytes.byteLength
      return size > maxUploadBytes ? Effect.fail(tooLarge()) : Effect.succeed(bytes)
    })
  )
}

const mappingOf = (query: Query): Result.Result<object, Core.Failure> => {
  const text = query.get("mapping")
  if (text === undefined) return Result.succeed({})
  return Result.mapBoth(parseJson(text), {
    onFailure: () =>
      new Core.InvalidInput({ message: 'mapping: must be a JSON object such as {"Contact mail": "email"}.' }),
    onSuccess: (mapping) => ({ mapping })
  })
}

const inputOf = ({ params }: KeyedCall, query: Query): Result.Result<object, Core.Failure> =>
  Result.map(mappingOf(query), (mapping) => {
    const texts = textParameters.flatMap((name) => {
      const text = query.get(name)
      return text === undefined ? [] : [[name, name === "delimiter" && text === "tab" ? "\t" : text] as const]
    })
    const again = query.get("again")
    return {
      ...Object.fromEntries(texts),
      ...mapping,
      ...(again === undefined ? {} : { again: again === "true" ? true : again === "false" ? false : again }),
      ...params
    }
  })

/** The command behind the route. */
export const uploadCommand = "import.csv"

/** The command's input and output as this route spells them. */
export const uploadForm = (command: Core.AnyCommand): Core.Representation =>
  restForm(command, {
    without: ["mission_id", "content", "encoding"],
    isSnakeCase: true,
    names: { mission_handle: "missionHandle" },
    required: ["missionHandle"],
    complete: (input) => ({ ...input, content: "", encoding: "text" }),
    output: { schema: Schema.Struct({ import: command.output }), show: (output) => ({ import: output }) }
  })

/** The route. Uploads count against the limit of imports. */
export const uploadRoute: Effect.Effect<Route, never, Core.Dispatch> = Effect.gen(function* () {
  const dispatch = yield* Core.Dispatch
  const command = dispatch.catalog.find(uploadCommand)
  if (command === undefined) throw new Error(`no command ${uploadCommand}`)
  const form = uploadForm(command)
  const handle = Effect.fnUntraced(function* (call: KeyedCall) {
    const { actor, request, requestId, takeOutward } = call
    const headerProblem = checkHeaders(request)
    if (headerProblem !== undefined) return yield* headerProblem
    yield* takeOutward(command)
    const query = yield* Effect.fromResult(call.query)
    const options = yield* Effect.fromResult(requestOptions(request, query))
    const input = yield* Effect.fromResult(inputOf(call, query))
    const digest = yield* Effect.fromResult(digestOf(request.headers["content-digest"]))
    const length = request.headers["content-length"]
    const size = length === undefined ? undefined : Number(length)
    const upload = { content: uploadedContent(request), size, digest }
    const { envelope, replayed, retryAfterSeconds } = yield* dispatch
      .run({
        command: uploadCommand,
        input,
        actor,
        options,
        route: `POST ${uploadPath}`,
        requestId,
        representation: { ...form, extraInput: uploadAsInput(upload) }
      })
      .pipe(Effect.provideService(Upload, upload))
    if (!envelope.ok) return envelopeFailureResponse(envelope, retryAfterSeconds)
    if (envelope.meta.approval_required) return approvalResponse(envelope, replayed)
    const id = String(Reflect.get(Object(Reflect.get(Object(envelope.data), "import")), "import_id"))
    return HttpServerResponse.setHeaders(json({ data: envelope.data }), {
      "svc-import-id": id,
      ...warningsHeader(envelope.meta.warnings),
      ...(replayed ? replayedHeader : {}),
      ...(options.dryRun ? { "svc-dry-run": "true" } : {})
    })
  })
  return keyed("POST", uploadPath, [...uploadParameters, ...writeParameters], handle)
})
