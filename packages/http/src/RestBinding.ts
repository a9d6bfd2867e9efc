/**
 * A REST endpoint as a binding: method and path on one side, an internal command on the other. It owns no rule.
 *
 * The command's input is the body's fields, the path's parameters and the query's; its output goes out as `{data}`.
 * Source: architecture, "The one idea"; contract 1.5.
 */

import { Dispatch } from "@svc/core/Dispatch"
import { etagOf, namesEtag } from "@svc/core/Etag"
import { type Failure, fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { errorObject, json } from "./Answer.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { readJson } from "./RequestBody.ts"
import { readParameters, requestOptions, writeParameters } from "./RequestOptions.ts"
import type { Query } from "./RequestTarget.ts"
import type { KeyedCall, Method, Route } from "./Route.ts"

/** What a query parameter's text stands for in the command's input. */
export type ParameterKind = "text" | "number" | "boolean"

/** One endpoint. */
export interface RestBinding {
  readonly method: Method
  readonly path: string
  /** Id of the internal command. */
  readonly command: string
  readonly parameters?: Readonly<Record<string, ParameterKind>>
  /** The property of the output that is the single object, for `ETag`. */
  readonly object?: string
  /** Present where the endpoint creates: the path of what was created, for 201 and `Location`. */
  readonly location?: (output: Readonly<Record<string, unknown>>) => string
  /** True where everything may be said by the path, so that the body may be left out; of PATCH it always may. */
  readonly bodyOptional?: boolean
  /** Largest body in bytes. */
  readonly bodyLimit?: number
  /** Output properties that go to headers instead of the body. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Whether the endpoint changes something. */
export const writes = (binding: RestBinding): boolean => binding.method !== "GET"

/** Text as the command's schema wants it; what does not fit stays text and is refused by the schema with its path. */
const valueOf = (text: string, kind: ParameterKind): unknown => {
  if (kind === "number" && /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text)) return Number(text)
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true"
  return text
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const bodyFields = (
  body: unknown,
  binding: RestBinding,
  call: KeyedCall
): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
  // A change of nothing may be said with nothing.
  if (body === undefined && (binding.method === "PATCH" || binding.bodyOptional === true)) return Effect.succeed({})
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return Effect.fail(fail("INVALID_JSON", "The body must be one JSON object. Send Content-Type: application/json."))
  }
  const reserved = [...Object.keys(call.params), ...Object.keys(binding.parameters ?? {}), "ifMatch"]
  const taken = reserved.find((name) => Object.hasOwn(body, name))
  return taken === undefined
    ? Effect.succeed({ ...body })
    : Effect.fail(fail("UNKNOWN_FIELD", `${taken} is not a field of this body. Leave it out; the path says it.`))
}

const inputOf = Effect.fnUntraced(function* (binding: RestBinding, call: KeyedCall, query: Query) {
  const takesBody = binding.method === "POST" || binding.method === "PATCH"
  const fields = takesBody ? yield* bodyFields(yield* readJson(call.request, binding.bodyLimit), binding, call) : {}
  const given = Object.entries(binding.parameters ?? {}).flatMap(([name, kind]) => {
    const text = query.get(name)
    return text === undefined ? [] : [[name, valueOf(text, kind)] as const]
  })
  const ifMatch = call.request.headers["if-match"]
  return {
    ...fields,
    ...call.params,
    ...Object.fromEntries(given),
    ...(ifMatch !== undefined && (binding.method === "PATCH" || binding.method === "DELETE") ? { ifMatch } : {})
  }
})

/** Warnings as one header of printable ASCII: a JSON array. */
const warningsHeader = (warnings: ReadonlyArray<string>): string =>
  JSON.stringify(warnings.slice(0, 10).map((text) => text.slice(0, 300))).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** The route of a binding. */
export const restRoute = (binding: RestBinding): Effect.Effect<Route, never, Dispatch | HttpSettings> =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatch
    const settings = yield* HttpSettings
    const options = writes(binding) ? writeParameters : readParameters

    const handle = Effect.fnUntraced(function* (call: KeyedCall) {
      const query = yield* Effect.fromResult(call.query)
      const chosen = yield* Effect.fromResult(requestOptions(call.request, query))
      const { envelope, replayed, retryAfterSeconds } = yield* dispatch.run({
        command: binding.command,
        input: yield* inputOf(binding, call, query),
        actor: call.actor,
        options: chosen,
        route: `${binding.method} ${binding.path}`,
        requestId: call.requestId
      })
      if (!envelope.ok) return errorObject({ ...envelope.error, status: envelope.status, retryAfterSeconds })
      if (envelope.meta.approval_required) {
        return HttpServerResponse.setHeader(
          json({ data: envelope.data }),
          "svc-approval-request-id",
          envelope.meta.approval_request_id
        )
      }
      const { headers: headerNames = {}, location, object } = binding
      const output = asRecord(envelope.data)
      const data = Object.fromEntries(Object.entries(output).filter(([name]) => !Object.hasOwn(headerNames, name)))
      const headers: Record<string, string> = {}
      for (const [name, header] of Object.entries(headerNames)) headers[header] = String(output[name])
      if (envelope.meta.warnings.length > 0) headers["svc-warnings"] = warningsHeader(envelope.meta.warnings)
      if (replayed) headers["idempotency-replayed"] = "true"
      if (chosen.dryRun) headers["svc-dry-run"] = "true"
      if (object !== undefined && chosen.responseProfile === "full") headers["etag"] = etagOf(data[object])
      const known = call.request.headers["if-none-match"]
      if (binding.method === "GET" && object !== undefined && known !== undefined && headers["etag"] !== undefined) {
        if (namesEtag(known.replaceAll("W/", ""), data[object]))
          return HttpServerResponse.empty({ status: 304, headers })
      }
      if (location === undefined || chosen.dryRun) return HttpServerResponse.setHeaders(json({ data }), headers)
      headers["location"] = `${settings.publicUrl()}${location(data)}`
      return HttpServerResponse.setHeaders(json({ data }, 201), headers)
    })

    return {
      method: binding.method,
      path: binding.path,
      access: "key",
      query: [...Object.keys(binding.parameters ?? {}), ...options],
      handle
    }
  })
