/** Runs an operator's operation. */
import { type Failure, Relayed, Unavailable, WrongState } from "@svc/core"
import { Composition, type Environment, readSettings } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { compileQuickly } from "./compileQuickly.ts"
import { bodyText, sendRequest } from "./httpRequest.ts"
import { type OperationName, type OperatorResult, runOperation } from "./Operator.ts"
import { isCode } from "./Output.ts"
import { operatorPath } from "./operatorRoute.ts"
import { ownerOrOpen, type RunningOwner } from "./ownerOrOpen.ts"

/** Runs an operation in the process that owns the embedded folder. */
export const throughOwner = (
  owner: Pick<RunningOwner, "url" | "token">,
  name: OperationName,
  input: unknown
): Effect.Effect<OperatorResult, Failure> =>
  Effect.tryPromise({
    try: async () => {
      const response = await sendRequest(owner.url, {
        method: "POST",
        path: `${operatorPath}/${name}`,
        json: JSON.stringify(input),
        headers: { authorization: `Bearer ${owner.token === null ? "" : Redacted.value(owner.token)}` }
      })
      return Object(JSON.parse(await bodyText(response)))
    },
    catch: () =>
      new Unavailable({ message: `The process at ${owner.url} owns the database but does not respond. Retry.` })
  }).pipe(
    Effect.flatMap(
      (body: { readonly data?: OperatorResult; readonly error?: { code?: unknown; message?: unknown } }) => {
        if (body.data !== undefined) return Effect.succeed(body.data)
        const code = String(body.error?.code)
        return Effect.fail(
          new Relayed(isCode(code) ? code : "INTERNAL", { message: String(body.error?.message ?? "No response.") })
        )
      }
    )
  )

/**
 * Runs an operation on the database of the environment: through the process that owns its folder, otherwise directly,
 * after migrating it. Fails with WRONG_STATE for `memory:`, which no other process can reach.
 */
export const runOperator = (
  environment: Environment,
  name: OperationName,
  input: unknown
): Effect.Effect<OperatorResult, Failure> =>
  Effect.gen(function* () {
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
  }).pipe(Effect.scoped)
