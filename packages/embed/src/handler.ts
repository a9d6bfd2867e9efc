/** Runs a host's function as an Effect, with the service as its caller sees it. */

import * as Core from "@svc/core"
import { failureOf } from "@svc/core/failures"
import { Delegation, failureResult, inputHash } from "@svc/core/internal"
import { callChecks, isOptions, readChecks } from "@svc/core/names"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CommandContext, CommandServices } from "./define/defineCommand.ts"
import { clientOf } from "./HostActor.ts"
import { orThrow, svcErrorOf, thrownFailure } from "./hostFailure.ts"
import { inPlace, makeRunning } from "./life.ts"

/** Every resource of the service, for handlers. */
export const AllResources = Context.Reference<ReadonlyArray<Core.AnyResource>>("@svc/embed/AllResources", {
  defaultValue: () => []
})

type Options = Parameters<CommandServices["commands"]["run"]>[2]

const ended = () =>
  svcErrorOf(new Core.WrongState({ message: "The run has ended. Wait for its calls of svc before returning." }))

const isCall = isOptions<NonNullable<Options>>({ ...readChecks, idempotencyKey: callChecks.idempotencyKey })
const isRead = isOptions<NonNullable<Parameters<CommandServices["resources"]["read"]>[1]>>(readChecks)

/** The service inside a run. `settled` resolves when every call has ended; calls after `end` are refused. */
const servicesOf = (
  { catalog, run: call }: Core.Calling,
  actor: Core.Actor["Service"],
  resources: ReadonlyArray<Core.AnyResource>,
  perform: <A>(effect: Effect.Effect<A>, signal: AbortSignal | undefined) => Promise<A>
) => {
  const running = makeRunning()
  let isOver = false
  const during = async <A>(effect: Effect.Effect<A>, { signal }: NonNullable<Options>): Promise<A> => {
    if (isOver) throw ended()
    return running.during(() => perform(effect, signal))
  }
  const client = clientOf<NonNullable<Options>>({
    catalog,
    entries: resources.map(({ entry }) => entry),
    run: async (id, input, options = {}) => {
      const message = isCall(options, "options", true)
      const { idempotencyKey, responseProfile = "full" } = options
      if (message === undefined)
        return during(call(Core.publicId(catalog, id), input, { idempotencyKey, responseProfile }), options)
      return failureResult(new Core.InvalidInput({ message }), inputHash(actor.organizationId, id, input))
    },
    read: async (uri, options = {}) => {
      orThrow(isRead(options, "options", true))
      const profile = options.responseProfile === undefined ? {} : { responseProfile: options.responseProfile }
      const reading = Core.readResource(resources, { uri, actor, ...profile }, ({ command, input, options: given }) =>
        call(command, input, given as Core.ExecutionOptions)
      )
      return during(reading, options)
    }
  })
  return {
    // Built from the catalogue's ids at run time; the type is computed from the same ids.
    svc: { ...client.methods, commands: client.commands, resources: client.resources } as unknown as CommandServices,
    isOpen: () => !isOver,
    end: async () => {
      await running.settled()
      isOver = true
    }
  }
}

/** What a handler throws: a failure of the product, or a defect. */
const failedWith = (error: unknown): Effect.Effect<never, Core.Failure> => {
  const failure = thrownFailure(error)
  return failure === undefined ? Effect.die(error) : Effect.fail(failure)
}

/** The result as the JSON object that every surface returns. */
const jsonOf = (what: string, result: unknown): Readonly<Record<string, unknown>> => {
  const json: unknown = result === undefined ? {} : JSON.parse(JSON.stringify(result) ?? "null")
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return { ...json }
  throw new TypeError(`${what} must return a JSON object.`)
}

/** Runs a handler. Fails as it throws: with an SvcError's code, or INTERNAL. */
export const handled = Effect.fnUntraced(function* (what: string, run: (context: CommandContext) => unknown) {
  const actor = yield* Core.Actor
  const execution = yield* Core.Execution
  const { calling } = yield* Delegation
  if (calling === undefined) return yield* Effect.die(new Error(`${what} runs inside Dispatch only`))
  const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
  const { end, isOpen, svc } = servicesOf(calling, actor, yield* AllResources, (effect, signal) =>
    runPromise(effect, signal === undefined ? {} : { signal })
  )
  const { policies: _, ...caller } = actor
  return yield* Effect.tryPromise({
    try: async (signal) => {
      try {
        const context: CommandContext = {
          caller,
          svc,
          signal,
          dryRun: execution.dryRun,
          warn: (warning) => Effect.runSync(execution.warn(warning)),
          fail: (code, message) => svcErrorOf(failureOf(code, { message }))
        }
        const { catalog, hasTransaction } = calling
        const place = { catalog, what, instead: "context.svc", isOpen: () => hasTransaction && isOpen() }
        return jsonOf(what, await inPlace(place, () => run(context)))
      } finally {
        await end()
      }
    },
    catch: (error) => error
  }).pipe(Effect.catch(failedWith))
})
