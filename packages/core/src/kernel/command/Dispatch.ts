/**
 * The only way to run a command, on every surface.
 *
 * authorize → decode → idempotency → transaction → run → events and audit in the same transaction → envelope. A failure
 * becomes an envelope; a defect becomes INTERNAL with only the request id, and its cause is logged. A change that is
 * refused for scope, policy, state or by a provider leaves an audit row; an invalid request, or one for an unknown
 * object, does not. If a policy says `ask`, the run is stored until a person decides.
 */

import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { TracerEnabled } from "effect/References"
import * as Result from "effect/Result"
import { type Failure, logIfSlow } from "../failure/Failure.ts"
import { InvalidInput, InvalidJson, PreconditionFailed } from "../failure/failures.ts"
import { IsSnapshot, JoinsTransaction, Journal, Transaction } from "../journal/Journal.ts"
import { isStandardInput, makeInputDecoders } from "../schema/Decode.ts"
import { type CommandId, Ids } from "../schema/IdsAndTime.ts"
import { checkJson } from "../schema/Json.ts"
import { isRecorded, traceCommand } from "../telemetry/tracing.ts"
import { type Catalog, existing, unknownCommand } from "./Catalog.ts"
import type { AnyCommand, RequirementsOf } from "./Command.ts"
import * as Delegation from "./Delegation.ts"
import {
  authorize,
  execute,
  hashOf,
  isAllowed,
  type Known,
  knownOf,
  layersOf,
  makeJoin,
  requestApproval,
  scopeOf
} from "./dispatch/execute.ts"
import { defectResult, failureResult, present, presenterOf } from "./dispatch/present.ts"
import { commandHash, etagOf, isJsonObject, type Precondition } from "./Envelope.ts"
import { Actor, defaultOptions, Execution } from "./Execution.ts"
import { type Guarded, hasScope, OrganizationPolicies } from "./Policy.ts"
import * as Session from "./Session.ts"

/** Runs commands. Never fails: every failure is an envelope. */
export class Dispatch extends Context.Service<
  Dispatch,
  {
    readonly catalog: Catalog<AnyCommand>
    /** The failure for an unknown command id, which suggests the nearest one. */
    readonly unknownCommand: (id: string) => Failure
    readonly run: (call: Delegation.Call) => Effect.Effect<Delegation.CommandResult>
  }
>()("@svc/core/Dispatch") {}

/** What began a run: a caller, or another run; `outer` is the run that it belongs to. */
interface Origin {
  readonly isDelegated: boolean
  readonly within?: CommandId
  readonly outer?: Delegation.OuterRun
}

/** Dispatch over a catalogue; requires what its commands require. */
export const layer = <C extends AnyCommand>(
  catalog: Catalog<C>
): Layer.Layer<Dispatch, never, RequirementsOf<C> | Journal | Transaction | Ids> =>
  Layer.effect(
    Dispatch,
    Effect.gen(function* () {
      const context = yield* Effect.context<RequirementsOf<C> | Journal | Transaction | Ids>()
      // A run that writes must not be cut off when its caller goes away: it has its own fiber, and closing the layer waits
      // for it.
      const writing = yield* FiberSet.make<Delegation.CommandResult>()
      yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(writing), "10 seconds"))
      const services: Session.SessionServices = {
        journal: yield* Journal,
        transaction: yield* Transaction,
        ids: yield* Ids
      }
      const policyOf = yield* OrganizationPolicies
      const hooks = yield* Session.RunHooks
      const decoderOf = makeInputDecoders()
      const join = makeJoin(services)

      const factsOf = (command: AnyCommand, hash: string, call: Delegation.Call): Session.SessionFacts => ({
        actor: call.actor,
        commandId: command.id,
        hash,
        dryRun: (call.options ?? defaultOptions).dryRun,
        idempotency: scopeOf(command, call),
        shownOnce: command.shownOnce,
        // An outward run records its output before it returns.
        ...(command.outward ? { present: presenterOf(command, call, hooks !== undefined) } : {})
      })

      /** Fails with PRECONDITION_FAILED if the object has changed; returns the precondition in its stored form. */
      const check = Effect.fnUntraced(function* ({ command, holds, input }: Precondition) {
        const reading = yield* existing(catalog, command)
        const result: unknown = yield* reading.perform(input)
        const etag = etagOf((reading.record ?? reading).show(result))
        return holds(result, etag) ? { command, input, etag } : yield* new PreconditionFailed()
      })

      /** Provides an effect of a run with everything that its command needs. */
      const provided = <A>(
        effect: Effect.Effect<A, Failure, unknown>,
        { actor, representation }: Delegation.Call,
        session: Session.Session,
        running: Delegation.OuterRun
      ) => {
        const given = (fiber: Context.Context<never>) =>
          Context.merge(fiber, context).pipe(
            // Spans are off where nobody records them.
            Context.add(TracerEnabled, isRecorded(fiber)),
            Context.add(Delegation.FieldNames, representation?.fieldName ?? ((text: string) => text)),
            Context.add(Actor, actor),
            Context.add(Execution, session.execution),
            Context.add(Delegation.Delegation, {
              run: (command, input, kept, key) =>
                Effect.map(
                  perform(
                    {
                      command,
                      input,
                      actor,
                      options: { ...defaultOptions, idempotencyKey: key },
                      route: "delegated",
                      precondition: kept === null ? undefined : { ...kept, holds: (_, etag) => etag === kept.etag }
                    },
                    { isDelegated: true, within: running.id }
                  ),
                  ({ envelope }) => envelope
                ),
              forbidden: () => catalog.commands.flatMap(({ id, scope }) => (hasScope(actor, scope) ? [] : [id])),
              allows: (id) =>
                Effect.flatMap(existing(catalog, id), (command) =>
                  isAllowed(command, actor, policyOf, running.isDelegated)
                ),
              calling: {
                catalog,
                hasTransaction: running.hasTransaction,
                run: (command, input, options) => {
                  const { dryRun } = session.execution
                  return perform(
                    { command, input, actor, options: { ...options, dryRun } },
                    { isDelegated: running.isDelegated, within: running.id, outer: running }
                  )
                }
              }
            })
          )
        // The layer's type holds the needs of all commands, so none is left; a mixed list cannot express that per command.
        return Effect.updateContext(effect as Effect.Effect<A, Failure>, given)
      }

      /** Checks the precondition, then runs the command. What it called must not have failed halfway. */
      const runOf = Effect.fnUntraced(function* (
        command: AnyCommand,
        input: unknown,
        call: Delegation.Call,
        running: Delegation.OuterRun
      ) {
        if (call.precondition !== undefined) yield* check(call.precondition)
        running.cause = undefined
        const result = yield* command.perform(input)
        return presenterOf(command, call, hooks !== undefined)(yield* Delegation.unlessBroken(running, result))
      })

      /** Checks a call, up to the point where it may be cancelled without effect; returns what is then run. */
      const prepare = Effect.fnUntracedEager(function* (
        call: Delegation.Call,
        { isDelegated, outer, within }: Origin,
        listed: AnyCommand | undefined,
        known: Known
      ) {
        const { actor, options = defaultOptions, representation } = call
        if (listed === undefined) return yield* unknownCommand(catalog, call.command)
        const answerFor = (guarded: Guarded) => {
          const answer = authorize(guarded, actor, policyOf, isDelegated)
          if (listed.risk === "read") return answer
          return Effect.tapError(answer, (failure) =>
            Session.make(factsOf(listed, hashOf(known), call), services).auditRefusal(failure)
          )
        }
        const answers = [yield* answerFor(listed)]
        const wrong = outer && Delegation.callRefusal(outer, listed, options.dryRun)
        if (wrong !== undefined) return yield* wrong
        const given = yield* Effect.fromResult(checkJson(call.input))
        if (!isJsonObject(given)) {
          return yield* new InvalidJson({ message: "The input must be a JSON object. See the command's input_schema." })
        }
        const taken = yield* decoderOf(representation?.input ?? listed.input)(given)
        const own = representation === undefined ? taken : representation.toInput({ ...Object(taken) })
        for (const [id, option] of Object.entries(listed.includes(own))) {
          const named = option.replace(/^\w+/, representation?.fieldName ?? String)
          answers.push(yield* answerFor({ ...(yield* existing(catalog, id)), id: named }))
        }
        const isAsked = answers.includes("ask") && !options.dryRun
        const beside = isAsked && representation?.extraInput !== undefined ? yield* representation.extraInput : {}
        const input = representation === undefined ? own : { ...Object(own), ...beside }
        const command = listed.outward && !listed.reachesOut(input) ? { ...listed, outward: false } : listed
        // What a library made of the input may be no JSON.
        known.hash = commandHash(actor.organizationId, command.id, isStandardInput(command.input) ? given : input)
        known.call = { ...known.call, input }
        const facts = factsOf(command, known.hash, call)
        const session = Session.make(facts, services)
        const running = Delegation.outerRun(command, options.dryRun, isDelegated, outer)
        // What a run called is undone with it, so only the run itself is audited.
        const isAudited = command.risk !== "read" && outer?.hasTransaction !== true
        const audited = <A>(step: Effect.Effect<A, Failure>) =>
          isAudited ? Effect.tapError(step, session.auditRefusal) : step
        if (command.outward && !isAsked && !options.dryRun && (yield* JoinsTransaction)) {
          return yield* new InvalidInput({
            message: `${command.id} acts outside the database, which no transaction undoes. Run it when the transaction has ended.`
          })
        }
        if (hooks !== undefined) yield* audited(hooks.before(known.call))
        const shown = presenterOf(command, call, hooks !== undefined)
        const joined = (alone: Effect.Effect<Delegation.CommandResult, Failure>) =>
          provided(join({ command, input, facts, session, present: shown }, alone), call, session, running)
        const executed = audited(
          isAsked
            ? Effect.zipWith(Delegation.storedInput(command, input, call), layersOf(actor, policyOf), (kept, layers) =>
                requestApproval(
                  services,
                  facts,
                  session,
                  layers.organization,
                  kept,
                  provided(command.pin(input), call, session, running),
                  call.precondition === undefined
                    ? Effect.succeed(null)
                    : provided(check(call.precondition), call, session, running)
                )
              ).pipe(Effect.flatten)
            : execute(
                command,
                provided(runOf(command, input, call, running), call, session, running),
                services,
                facts,
                session,
                outer?.hasTransaction === true,
                within === undefined && call.precondition === undefined ? joined : undefined
              )
        )
        const answered = Effect.map(executed, (answer) => present(command, call, input, answer))
        if (within === undefined && call.precondition === undefined) return answered
        return Effect.onError(Effect.provideService(answered, IsSnapshot, call.precondition !== undefined), (cause) =>
          Effect.sync(() => {
            if (outer?.hasTransaction === true && command.risk !== "read") outer.cause = cause
          })
        )
      })

      const perform = (call: Delegation.Call, origin: Origin): Effect.Effect<Delegation.CommandResult> => {
        const listed = catalog.find(call.command)
        const known = knownOf(call, origin.within)
        const ending = Session.endingOf(listed === undefined ? undefined : hooks, () => known.call)

        const settled = (
          run: Effect.Effect<Delegation.CommandResult, Failure>
        ): Effect.Effect<Delegation.CommandResult> =>
          run.pipe(
            Effect.catchCause((cause) => {
              const failure = Cause.findError(cause)
              const which = { command: call.command, requestId: call.requestId ?? "unknown" }
              if (Result.isSuccess(failure))
                return Effect.as(logIfSlow(failure.success, which), failureResult(failure.success, hashOf(known)))
              if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
              return Effect.as(
                Effect.logError("A command failed unexpectedly", which, cause),
                defectResult(which.requestId, hashOf(known))
              )
            }),
            ending.of
          )
        const isCancellable = listed === undefined || (listed.risk === "read" && !listed.outward)
        const run = Effect.matchCauseEffectEager(ending.onCancel(prepare(call, origin, listed, known)), {
          onFailure: (cause) => settled(Effect.failCause(cause)),
          // A run that writes continues in its own fiber when its caller goes away, but not in a transaction of the host.
          onSuccess: (executed) =>
            Effect.flatMap(JoinsTransaction, (joins) =>
              isCancellable || joins
                ? settled(executed)
                : Effect.flatMap(FiberSet.run(writing, settled(executed)), Fiber.join)
            )
        })
        return traceCommand(listed?.id, call, run)
      }

      return Dispatch.of({
        catalog,
        unknownCommand: (id) => unknownCommand(catalog, id),
        run: (call) => Effect.suspend(() => perform(call, { isDelegated: false }))
      })
    })
  )
