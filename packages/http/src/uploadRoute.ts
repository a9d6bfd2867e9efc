/**
 * POST /api/v1/missions/{missionHandle}/imports: a CSV file as the body, read while it comes in.
 *
 * The file never is in memory as a whole, and the database sets the pace: what it cannot take yet is not read from the
 * connection. `Content-Digest` (RFC 9530, sha-256) lets a file be recognised that was imported before.
 * Source: issue 3 "Imports at scale"; G22.
 */
import { Dispatch } from "@svc/core/Dispatch"
import { type Failure, fail } from "@svc/core/Failure"
import { brokeOff } from "@svc/core/imports/importFile"
import { Upload } from "@svc/core/imports/Upload"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { errorObject, json } from "./Answer.ts"
import { parseJson } from "./JsonText.ts"
import type { RateLimits } from "./RateLimits.ts"
import { requestOptions, writeParameters } from "./RequestOptions.ts"
import type { Query } from "./RequestTarget.ts"
import type { KeyedCall, Route } from "./Route.ts"

/** The largest file, in bytes. */
export const largestUpload = 2 * 1024 * 1024 * 1024

/** The path, as routes have it. */
export const uploadPath = "/api/v1/missions/{missionHandle}/imports"

/** Types under which programs send CSV; Windows names the one of its spreadsheet. */
export const uploadTypes = [
  "text/csv",
  "application/csv",
  "text/tab-separated-values",
  "text/plain",
  "application/vnd.ms-excel",
  "application/octet-stream"
] as const

/** Query parameters: how the file is read. */
export const uploadParameters = ["name", "context", "mapping", "delimiter", "again"] as const

const tooLarge = (): Failure => fail("PAYLOAD_TOO_LARGE", "The file is larger than 2 GiB. Split it.")

const checkHeaders = ({ headers }: HttpServerRequest): Failure | undefined => {
  const encoding = headers["content-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return fail("UNSUPPORTED_MEDIA_TYPE", "Compressed bodies are not read here. Send the file uncompressed.")
  }
  const type = (headers["content-type"] ?? "").toLowerCase().split(";", 1)[0]?.trim() ?? ""
  if (!uploadTypes.some((known) => known === type)) {
    return fail("UNSUPPORTED_MEDIA_TYPE", "The body must be a CSV file. Send Content-Type: text/csv.")
  }
  return Number(headers["content-length"] ?? "0") > largestUpload ? tooLarge() : undefined
}

/** Lower-case hexadecimal SHA-256 of the header; undefined where it names other hashes only. */
const digestOf = (header: string | undefined): Result.Result<string | undefined, Failure> => {
  if (header === undefined) return Result.succeed(undefined)
  const base64 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header.slice(0, 500))?.[1]
  if (base64 !== undefined) return Result.succeed(Buffer.from(base64, "base64").toString("hex"))
  return header.includes("sha-256")
    ? Result.fail(fail("INVALID_INPUT", "Content-Digest: expected sha-256=:BASE64: as RFC 9530 has it."))
    : Result.succeed(undefined)
}

/** How long an upload may pause while more of it is waited for; it may take hours as a whole. */
const patience = "60 seconds"

/** The bytes of an upload. Fails with UNAVAILABLE when it breaks off or stands still, and with PAYLOAD_TOO_LARGE. */
export const uploadedContent = (request: Pick<HttpServerRequest, "stream">): Stream.Stream<Uint8Array, Failure> => {
  let size = 0
  return request.stream.pipe(
    Stream.mapError(brokeOff),
    Stream.timeoutOrElse({ duration: patience, orElse: () => Stream.fail(brokeOff()) }),
    Stream.mapEffect((bytes) => {
      size += bytes.byteLength
      return size > largestUpload ? Effect.fail(tooLarge()) : Effect.succeed(bytes)
    })
  )
}

const mappingOf = (query: Query): Result.Result<object, Failure> => {
  const text = query.get("mapping")
  if (text === undefined) return Result.succeed({})
  return Result.mapBoth(parseJson(text), {
    onFailure: () => fail("INVALID_INPUT", 'mapping: expected a JSON object such as {"Contact mail": "email"}.'),
    onSuccess: (mapping) => ({ mapping })
  })
}

const inputOf = ({ params }: KeyedCall, query: Query): Result.Result<object, Failure> =>
  Result.map(mappingOf(query), (mapping) => {
    const texts = ["name", "context", "delimiter"].flatMap((name) => {
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
export const uploadCommand = "rest.missions.imports.create"

/** The route. Uploads count against the limit of imports. */
export const uploadRoute = Effect.fnUntraced(function* (limits: RateLimits): Effect.fn.Return<Route, never, Dispatch> {
  const dispatch = yield* Dispatch
  const command = dispatch.catalog.find(uploadCommand)
  const handle = Effect.fnUntraced(function* (call: KeyedCall) {
    const { actor, request, requestId } = call
    const refused = checkHeaders(request)
    if (refused !== undefined) return yield* refused
    const taken = yield* Effect.result(command === undefined ? Effect.void : limits.takeOutward(actor, command))
    if (taken._tag === "Failure") return yield* taken.failure.failure
    const query = yield* Effect.fromResult(call.query)
    const options = yield* Effect.fromResult(requestOptions(request, query))
    const input = yield* Effect.fromResult(inputOf(call, query))
    const digest = yield* Effect.fromResult(digestOf(request.headers["content-digest"]))
    const length = request.headers["content-length"]
    const size = length === undefined ? undefined : Number(length)
    const { envelope, retryAfterSeconds } = yield* dispatch
      .run({
        command: uploadCommand,
        input,
        actor,
        options,
        route: `POST ${uploadPath}`,
        requestId
      })
      .pipe(Effect.provideService(Upload, { content: uploadedContent(request), size, digest }))
    if (!envelope.ok) return errorObject({ ...envelope.error, status: envelope.status, retryAfterSeconds })
    const id = String(Reflect.get(Object(Reflect.get(Object(envelope.data), "import")), "import_id"))
    return HttpServerResponse.setHeaders(json({ data: envelope.data }), {
      "svc-import-id": id,
      ...(options.dryRun ? { "svc-dry-run": "true" } : {})
    })
  })
  return {
    method: "POST",
    path: uploadPath,
    access: "key",
    query: [...uploadParameters, ...writeParameters],
    handle
  }
})
