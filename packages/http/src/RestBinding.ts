/**
 * A REST endpoint as a binding: method and path on one side, a command on the other. It owns no rule.
 *
 * The command's input is made of the body's fields and the parameters of path and query, in the spelling of REST; its
 * output is returned as `{data}`. A call held for approval returns 202.
 */

import * as Core from "@svc/core"
import type { Commands } from "@svc/core/commands"
import { etagOf, namesEtag } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { readParameters, requestOptions, writeParameters } from "./commandRoutes.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { baseOf } from "./issuer.ts"
import { readJson } from "./RequestBody.ts"
import { restForm, type Spelling } from "./RestForm.ts"
import { type KeyedCall, keyed, type Method, type Query } from "./Route.ts"
import { approvalResponse, envelopeFailureResponse, json, replayedHeader, warningsHeader } from "./responses.ts"

/** Type of a query parameter in the command's input. */
type ParameterKind = "text" | "number" | "boolean"

/** One endpoint. */
export interface RestBinding {
  readonly method: Method
  readonly path: string
  readonly command: Commands["id"]
  readonly spelling?: Spelling
  readonly parameters?: Readonly<Record<string, ParameterKind>>
  /** The property of the output that is the single object, for `ETag`. */
  readonly object?: string
  /** For endpoints that create: the property of the created object and that of its id or handle, for 201 and `Location`. */
  readonly created?: readonly [object: string, id: string]
  /** Whether the body may be omitted. For PATCH it always may. */
  readonly bodyOptional?: boolean
  /** Output properties that are sent as headers, with their names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Whether the endpoint changes data. */
export const writes = (binding: RestBinding): boolean => binding.method !== "GET"

/** The text as a value of its kind. Text that does not fit stays text, for the schema to reject. */
const valueOf = (text: string, kind: ParameterKind): unknown => {
  if (kind === "number" && /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text)) return Number(text)
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true"
  return text
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const bodyFields = Effect.fnUntraced(function* (body: unknown, binding: RestBinding, call: KeyedCall) {
  if (body === undefined && (binding.method === "PATCH" || binding.bodyOptional === true)) return {}
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return yield* new Core.InvalidJson({
      message: "The body must be a JSON object. Send Content-Type: application/json."
    })
  }
  const reserved = [...Object.keys(call.params), ...Object.keys(binding.parameters ?? {})]
  const taken = reserved.find((name) => Object.hasOwn(body, name))
  if (taken === undefined) return body
  return yield* new Core.UnknownField({
    message: `${taken} is not a field of this body. Leave it out; it is part of the path.`
  })
})

const inputOf = Effect.fnUntraced(function* ({ binding, command }: BoundCommand, call: KeyedCall, query: Query) {
  const takesBody = binding.method === "POST" || binding.method === "PATCH"
  const fields = takesBody
    ? yield* bodyFields(yield* readJson(call.request, command.annotations.bodyLimit), binding, call)
    : {}
  const queryFields = Object.entries(binding.parameters ?? {}).flatMap(([name, kind]) => {
    const text = query.get(name)
    return text === undefined ? [] : [[name, valueOf(text, kind)] as const]
  })
  return { ...fields, ...call.params, ...Object.fromEntries(queryFields) }
})

/** A binding with its command. */
export interface BoundCommand {
  readonly binding: RestBinding
  readonly command: Core.AnyCommand
  readonly form: Core.Representation
}

/** Binds. Throws when the catalogue does not have the command. */
export const bind = (catalog: Core.Catalog<Core.AnyCommand>, binding: RestBinding): BoundCommand => {
  const command = catalog.find(binding.command)
  if (command === undefined) throw new Error(`no command ${binding.command} for ${binding.method} ${binding.path}`)
  return { binding, command, form: restForm(command, binding.spelling) }
}

/** The GET endpoint of a path, whose `ETag` a change may require. */
export const readerOf = (path: string, bound: ReadonlyArray<BoundCommand>): BoundCommand | undefined =>
  bound.find(({ binding }) => binding.path === path && binding.method === "GET" && binding.object !== undefined)

/** The precondition in `If-Match`. Fails with UNKNOWN_FIELD where the path has no ETag. */
export const preconditionOf = (
  ifMatch: string | undefined,
  params: Readonly<Record<string, unknown>>,
  { method }: RestBinding,
  reader: BoundCommand | undefined
): Effect.Effect<Core.Precondition | undefined, Core.Failure> => {
  if (ifMatch === undefined || (method !== "PATCH" && method !== "DELETE")) return Effect.succeed(undefined)
  const object = reader?.binding.object
  if (reader === undefined || object === undefined) {
    return Effect.fail(
      new Core.UnknownField({ message: "If-Match: there is no ETag here to match. Leave the header out." })
    )
  }
  return Effect.succeed({
    command: reader.command.id,
    input: reader.form.toInput(params),
    holds: (result) => namesEtag(ifMatch, asRecord(reader.form.present(result))[object])
  })
}

/** The route of a binding. */
const restRoute = Effect.fnUntraced(function* (one: BoundCommand, bound: ReadonlyArray<BoundCommand>) {
  const { binding, form } = one
  const dispatch = yield* Core.Dispatch
  const reader = readerOf(binding.path, bound)
  const settings = yield* HttpSettings
  const options = writes(binding) ? writeParameters : readParameters

  const handle = Effect.fnUntraced(function* (call: KeyedCall) {
    const query = yield* Effect.fromResult(call.query)
    const chosen = yield* Effect.fromResult(requestOptions(call.request, query))
    const { envelope, replayed, retryAfterSeconds } = yield* dispatch.run({
      command: binding.command,
      input: yield* inputOf(one, call, query),
      actor: call.actor,
      options: chosen,
      route: `${binding.method} ${binding.path}`,
      requestId: call.requestId,
      representation: form,
      writesJson: true,
      precondition: yield* preconditionOf(call.request.headers["if-match"], call.params, binding, reader)
    })
    if (!envelope.ok) return envelopeFailureResponse(envelope, retryAfterSeconds)
    if (envelope.meta.approval_required) return approvalResponse(envelope, replayed)
    const { created, object } = binding
    const data: Record<string, unknown> = asRecord(envelope.data)
    const headers: Record<string, string> = warningsHeader(envelope.meta.warnings)
    for (const [name, header] of Object.entries(binding.headers ?? {})) {
      headers[header] = String(data[name])
      delete data[name]
    }
    if (replayed) Object.assign(headers, replayedHeader)
    if (chosen.dryRun) headers["svc-dry-run"] = "true"
    if (object !== undefined && chosen.responseProfile === "full") headers["etag"] = etagOf(data[object])
    const known = call.request.headers["if-none-match"]
    if (binding.method === "GET" && object !== undefined && known !== undefined && headers["etag"] !== undefined) {
      if (namesEtag(known.replaceAll("W/", ""), data[object])) return HttpServerResponse.empty({ status: 304, headers })
    }
    if (created === undefined || chosen.dryRun) return HttpServerResponse.setHeaders(json({ data }), headers)
    const id = encodeURIComponent(String(asRecord(data[created[0]])[created[1]]))
    headers["location"] = `${baseOf(settings, call.request)}${binding.path}/${id}`
    return HttpServerResponse.setHeaders(json({ data }, 201), headers)
  })

  return keyed(binding.method, binding.path, [...Object.keys(binding.parameters ?? {}), ...options], handle)
})

/** The routes of all bindings. */
export const restRoutes = Effect.fnUntraced(function* (bindings: ReadonlyArray<RestBinding>) {
  const { catalog } = yield* Core.Dispatch
  const bound = bindings.map((binding) => bind(catalog, binding))
  return yield* Effect.forEach(bound, (one) => restRoute(one, bound))
})
