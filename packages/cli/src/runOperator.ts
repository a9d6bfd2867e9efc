/** Runs an operator's operation. */
import { text } from "node:stream/consumers"
import { constantTimeEqual, Unauthenticated, Unavailable, WrongState } from "@svc/core"
import { Composition, type Environment, readSettings } from "@svc/embed/composition"
import { json, type Route, readJson } from "@svc/http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { compileQuickly } from "./compileQuickly.ts"
import { type OperationName, type OperatorServices, runOperation } from "./Operator.ts"
import { type Json, Refused } from "./Output.ts"
import { ownerOrOpen, type RunningOwner } from "./ownerOrOpen.ts"
import { type Reply, sendRequest } from "./Target.ts"

// The endpoint for operators in a process that owns an embedded folder, since only that process can change the database.
//
// The token is in the folder's lock file, so anyone who can read the folder can use it.

/** Path prefix of the endpoint. */
const operatorPath = "/operator/v1"

/** The route, which requires the token. */
export const operatorRoute = (token: Redacted.Redacted<string>): Effect.Effect<Route, never, OperatorServices> =>
  Effect.map(Effect.context<OperatorServices>(), (context) => ({
    method: "POST",
    path: `${operatorPath}/{operation}`,
    access: "open",
    handle: Effect.fnUntraced(function* ({ params, request }) {
      const given = request.headers["authorization"] ?? ""
      if (!constantTimeEqual(given, `Bearer ${Redacted.value(token)}`)) return yield* new Unauthenticated()
      const input = yield* readJson(request)
      const { operation = "" } = params
      return json({ data: yield* Effect.provideContext(runOperation(operation, input), context) })
    })
  }))

/** Runs an operation in the process that owns the embedded folder. */
export const throughOwner = Effect.fnUntraced(function* (
  owner: Pick<RunningOwner, "url" | "token">,
  name: OperationName,
  input: unknown
) {
  const { body, status }: Reply = yield* Effect.tryPromise({
    try: async () => {
      const response = await sendRequest(owner.url, {
        method: "POST",
        path: `${operatorPath}/${name}`,
        json: JSON.stringify(input),
        headers: { authorization: `Bearer ${owner.token === null ? "" : Redacted.value(owner.token)}` }
      })
      return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) }
    },
    catch: () =>
      new Unavailable({ message: `The process at ${owner.url} owns the database but does not respond. Retry.` })
  })
  const data: Json | undefined = Object(body).data
  return data ?? (yield* new Refused({ body, status }))
})

/**
 * Runs an operation on the database of the environment: through the process that owns its folder, otherwise directly,
 * after migrating it. Fails with WRONG_STATE for `memory:`, which no other process can reach.
 */
export const runOperator = Effect.fnUntraced(function* (environment: Environment, name: OperationName, input: unknown) {
  const settings = yield* Effect.fromResult(readSettings(environment))
  if (settings.databaseUrl._tag === "Memory") {
    return yield* new WrongState({
      message:
        "With SVC_DATABASE_URL=memory: only the server process itself can create keys. Use the key it printed, or a " +
        "persistent database."
    })
  }
  const open = Effect.suspend(() => {
    compileQuickly()
    return Layer.build(Composition.storesLayer(settings))
  })
  const found = yield* ownerOrOpen(settings.databaseUrl, open)
  return yield* found._tag === "Owner"
    ? throughOwner(found.owner, name, input)
    : Effect.provideContext(runOperation(name, input), found.value)
}, Effect.scoped)
