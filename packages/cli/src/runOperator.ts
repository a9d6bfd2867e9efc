/** Runs an operator's operation where it has to run. Source: contract 2. */
import { type Failure, fail, failureTable } from "@svc/core/Failure"
import * as Composition from "@svc/embed/Composition"
import { type Environment, readSettings } from "@svc/embed/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { send, textOf } from "./ask.ts"
import { type OperationName, type OperatorAnswer, runOperation } from "./Operator.ts"
import { operatorPath } from "./operatorRoute.ts"
import { type Listening, ownerOrOpen } from "./ownerOrOpen.ts"

const throughOwner = (owner: Listening, name: OperationName, input: unknown): Effect.Effect<OperatorAnswer, Failure> =>
  Effect.tryPromise({
    try: async () => {
      const response = await send(owner.url, {
        method: "POST",
        path: `${operatorPath}/${name}`,
        json: JSON.stringify(input),
        headers: { authorization: `Bearer ${owner.token === null ? "" : Redacted.value(owner.token)}` }
      })
      return Object(JSON.parse(await textOf(response)))
    },
    catch: () => fail("UNAVAILABLE", `The process at ${owner.url} has the database but does not answer. Try again.`)
  }).pipe(
    Effect.flatMap(
      (body: { readonly data?: OperatorAnswer; readonly error?: { code?: unknown; message?: unknown } }) => {
        if (body.data !== undefined) return Effect.succeed(body.data)
        const code = Object.keys(failureTable).find((known) => known === body.error?.code)
        return Effect.fail(fail(isCode(code) ? code : "INTERNAL", String(body.error?.message ?? "No answer.")))
      }
    )
  )

const isCode = (code: string | undefined): code is keyof typeof failureTable => code !== undefined

/**
 * Runs an operation on the database of the environment: through the process that owns its folder, else directly, after
 * bringing an empty or older schema up to date. Fails with WRONG_STATE for `memory:`, which no second process can reach.
 */
export const runOperator = (
  environment: Environment,
  name: OperationName,
  input: unknown
): Effect.Effect<OperatorAnswer, Failure> =>
  Effect.gen(function* () {
    const settings = yield* Effect.fromResult(readSettings(environment))
    if (settings.databaseUrl._tag === "Memory") {
      return yield* fail(
        "WRONG_STATE",
        "SVC_DATABASE_URL=memory: keeps everything inside one process, so no other can make keys in it. Use the key " +
          "that the server printed, or a database that is kept."
      )
    }
    const found = yield* ownerOrOpen(settings.databaseUrl, Layer.build(Composition.storesLayer(settings)))
    return yield* found._tag === "Owner"
      ? throughOwner(found.owner, name, input)
      : Effect.provideContext(runOperation(name, input), found.value)
  }).pipe(Effect.scoped)
