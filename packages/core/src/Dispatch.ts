/**
 * The only way to run a command, on every surface.
 *
 * decode → authorise → idempotency → transaction → run → events and audit in the same transaction → envelope. A failure
 * becomes an envelope; a defect becomes INTERNAL with the request id and nothing else, and its cause goes to the log. A
 * change that was refused by right, by state or by a provider leaves an audit row of its own; one that was never well
 * formed, or names nothing, leaves nothing. Where a policy says `ask`, the run is kept until a person decides.
 *
 * Source: architecture, decision 1; contract sections 1.1–1.4 and 1.10; G26.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Actor, type ActorIdentity } from "./Actor.ts"
import { approvalLifetime } from "./ApprovalAsked.ts"
import type { Catalog } from "./Catalog.ts"
import type { AnyCommand, RequirementsOf } from "./Command.ts"
import { type Decoder, decoder } from "./Decode.ts"
import { Delegation } from "./Delegation.ts"
import { commandHash, type Envelope, failureEnvelope, inputHash, withWarnings } from "./Envelope.ts"
import { Execution } from "./Execution.ts"
import { defaultOptions, type ExecutionOptions } from "./ExecutionOptions.ts"
import { type Failure, fail } from "./Failure.ts"
import { fitList } from "./fitList.ts"
import { Ids } from "./Ids.ts"
import { type IdempotencyState, Journal } from "./Journal.ts"
import { observed } from "./observed.ts"
import { denied, noPolicies, OrganizationPolicies, type PolicyLayers, permissionOf, refusal } from "./Policy.ts"
import * as Session from "./Session.ts"
import { isoFromMillis } from "./Time.ts"
import { Transaction } from "./Transaction.ts"
import { unknownCommand } from "./unknownCommand.ts"

/** A run asked for. `route` names where an idempotency key holds when it is not the command endpoint. */
export interface Call {
  readonly command: string
  readonly input: unknown
  readonly actor: ActorIdentity
  readonly options?: ExecutionOptions
  readonly route?: string
  readonly requestId?: string
}

/** What a run answered. `replayed` is true when it is the stored answer of an earlier run with the same key. */
export interface Answer<A = unknown> {
  readonly envelope: Envelope<A>
  readonly replayed: boolean
  readonly retryAfterSeconds: number | undefined
}

/** Runs commands. Never fails: every refusal is an envelope. */
export class Dispatch extends Context.Service<
  Dispatch,
  {
    readonly catalog: Catalog<AnyCommand>
    /** The refusal of a command id that the catalogue does not list, naming the nearest one. */
    readonly unknownCommand: (id: string) => Failure
    readonly run: (call: Call) => Effect.Effect<Answer>
  }
>()("@svc/core/Dispatch") {}

/** How long a run of several transactions may be silent before its idempotency key is taken over, in milliseconds. */
const claimLifetime = 30_000

/** How long closing waits for runs that write. */
const patience = "10 seconds"

const answerOf = (envelope: Envelope<unknown>, replayed = false, retryAfterSeconds?: number): Answer => ({
  envelope,
  replayed,
  retryAfterSeconds
})

const isJsonObject = (input: unknown): input is object =>
  typeof input === "object" && input !== null && !Array.isArray(input)

const stored = (state: IdempotencyState, hash: string): Result.Result<Answer | undefined, Failure> => {
  if (state._tag === "New") return Result.succeed(undefined)
  const fingerprint = state._tag === "Done" ? state.record.fingerprint : state.fingerprint
  if (fingerprint !== hash) return Result.fail(fail("IDEMPOTENCY_MISMATCH"))
  if (state._tag === "Running") return Result.fail(fail("IDEMPOTENCY_IN_PROGRESS", undefined, { retryAfterSeconds: 1 }))
  return Result.succeed(answerOf(state.record.envelope, true))
}

/** Dispatch over a catalogue; needs what the catalogue's commands need. */
export const layer = <C extends AnyCommand>(
  catalog: Catalog<C>
): Layer.Layer<Dispatch, never, RequirementsOf<C> | Journal | Transaction | Ids> =>
  Layer.effect(
    Dispatch,
    Effect.gen(function* () {
      const context = yield* Effect.context<RequirementsOf<C> | Journal | Transaction | Ids>()
      // A caller who goes away must not cut off a run that writes: such runs have fibers of their own, and closing the
      // layer waits for them.
      const writing = yield* FiberSet.make<Answer, Failure>()
      yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(writing), patience))
      const services: Session.SessionServices = {
        journal: yield* Journal,
        transaction: yield* Transaction,
        ids: yield* Ids
      }
      const policyOf = yield* OrganizationPolicies
      const policiesOf = ({ organizationId, policies }: ActorIdentity): Effect.Effect<PolicyLayers, Failure> =>
        policies === undefined
          ? Effect.map(policyOf(organizationId), (organization) => ({ ...noPolicies, organization }))
          : Effect.succeed(policies)
      const decoders = new Map<string, Decoder<unknown>>()
      const decoderOf = (command: AnyCommand): Decoder<unknown> => {
        const known = decoders.get(command.id)
        if (known !== undefined) return known
        const made = decoder(command.input)
        decoders.set(command.id, made)
        return made
      }

      const factsOf = (command: AnyCommand, hash: string, call: Call): Session.SessionFacts => {
        const { idempotencyKey, dryRun } = call.options ?? defaultOptions
        const idempotency =
          idempotencyKey === undefined || command.risk === "read" || dryRun
            ? undefined
            : {
                organizationId: call.actor.organizationId,
                route: call.route ?? `command:${command.id}`,
                key: idempotencyKey
              }
        const { id: commandId, shownOnce } = command
        return { actor: call.actor, commandId, hash, dryRun, idempotency, shownOnce }
      }

      /** What is known of the idempotency key, which this transaction then holds. */
      const earlierOf = ({ hash, idempotency }: Session.SessionFacts) =>
        Effect.gen(function* () {
          const held = idempotency && (yield* services.journal.hold(idempotency))
          return held && (yield* Effect.fromResult(stored(held, hash)))
        })

      /** Keeps the run for a person to decide. */
      const ask = Effect.fnUntraced(function* (
        facts: Session.SessionFacts,
        session: Session.Session,
        input: object
      ): Effect.fn.Return<Answer, Failure> {
        const { actor, commandId, hash } = facts
        const millis = yield* Clock.currentTimeMillis
        const asked = {
          id: yield* services.ids.next("apr"),
          organizationId: actor.organizationId,
          commandId,
          commandHash: hash,
          input: { ...input },
          requestedBy: { kind: actor.kind, userId: actor.userId, keyId: actor.keyId },
          createdAt: isoFromMillis(millis),
          expiresAt: isoFromMillis(millis + approvalLifetime)
        }
        return yield* services.transaction.run(
          Effect.gen(function* () {
            return (yield* earlierOf(facts)) ?? answerOf(yield* session.ask(asked))
          })
        )
      })

      const execute = Effect.fnUntraced(function* (
        command: AnyCommand,
        input: unknown,
        facts: Session.SessionFacts,
        session: Session.Session
      ): Effect.fn.Return<Answer, Failure> {
        const { actor, dryRun, hash, idempotency } = facts
        const given = context.pipe(
          Context.add(Actor, actor),
          Context.add(Execution, session.execution),
          Context.add(Delegation, (id, delegated, key) =>
            Effect.map(
              perform(
                {
                  command: id,
                  input: delegated,
                  actor,
                  options: { ...defaultOptions, idempotencyKey: key },
                  route: "delegated"
                },
                true
              ),
              ({ envelope }) => envelope
            )
          )
        )
        // The layer's type holds every need of every command, so nothing is left; a mixed list cannot say so per command.
        const run = Effect.provideContext(
          Effect.suspend(() => command.run(input)),
          given
        ) as Effect.Effect<unknown, Failure>

        if (command.risk === "read" && !command.outward) return answerOf(session.success(yield* run))
        if (dryRun) {
          const output = yield* Session.undone(run, services.transaction)
          return answerOf(session.success(Session.withoutShownOnce(output, command.shownOnce)))
        }
        if (!command.outward) {
          return yield* services.transaction.run(
            Effect.gen(function* () {
              return (yield* earlierOf(facts)) ?? answerOf(session.success(yield* session.conclude(run)))
            })
          )
        }
        if (idempotency === undefined) return answerOf(session.success(yield* run))
        const millis = yield* Clock.currentTimeMillis
        const claimed = yield* services.journal.claim(
          idempotency,
          hash,
          isoFromMillis(millis),
          isoFromMillis(millis - claimLifetime)
        )
        const earlier = yield* Effect.fromResult(stored(claimed, hash))
        if (earlier !== undefined) return earlier
        const release = Effect.suspend(() => (session.recorded() ? Effect.void : services.journal.release(idempotency)))
        return answerOf(session.success(yield* Effect.onError(run, () => Effect.ignore(release))))
      })

      const perform = (call: Call, delegated: boolean): Effect.Effect<Answer> => {
        const { actor } = call
        let hash = inputHash(actor.organizationId, call.command, call.input)
        const attempt = Effect.gen(function* (): Effect.fn.Return<Answer, Failure> {
          const command = catalog.find(call.command)
          if (command === undefined) return yield* unknownCommand(catalog, call.command)
          const permission =
            delegated || command.risk === "read" ? "allow" : permissionOf(yield* policiesOf(actor), command, actor.kind)
          const refused = refusal(actor, command) ?? (permission === "deny" ? denied(command.id) : undefined)
          if (refused !== undefined) {
            const facts = factsOf(command, hash, call)
            if (command.risk !== "read") yield* Session.make(facts, services).noteRefusal(refused)
            return yield* refused
          }
          if (!isJsonObject(call.input)) {
            return yield* fail("INVALID_JSON", "The input must be one JSON object. Read the command's input_schema.")
          }
          const input = yield* Effect.fromResult(decoderOf(command)(call.input))
          hash = commandHash(actor.organizationId, command.id, input)
          const facts = factsOf(command, hash, call)
          const session = Session.make(facts, services)
          const isAsked = permission === "ask" && !facts.dryRun
          const executed = (isAsked ? ask(facts, session, call.input) : execute(command, input, facts, session)).pipe(
            Effect.tapError((failure) => (command.risk === "read" ? Effect.void : session.noteRefusal(failure)))
          )
          const answer = yield* command.risk === "read" && !command.outward
            ? executed
            : Effect.flatMap(FiberSet.run(writing, executed), Fiber.join)
          if (!answer.envelope.ok || answer.envelope.meta.approval_required) return answer
          if (answer.replayed && command.shownOnce.length > 0) {
            const hint = `${command.shownOnce.join(", ")}: answered to the first request with this idempotency key only`
            return { ...answer, envelope: withWarnings(answer.envelope, [hint]) }
          }
          if (call.options?.responseProfile !== "compact") return answer
          const { output, warnings } = command.compact(answer.envelope.data)
          const fitted = Object.hasOwn(Object(input), "limit") ? fitList(output) : { output, warnings: [] }
          const hinted = withWarnings(answer.envelope, [...warnings, ...fitted.warnings])
          return answerOf({ ...hinted, data: fitted.output }, answer.replayed)
        })
        const run = attempt.pipe(
          Effect.catch((failure) =>
            Effect.succeed(answerOf(failureEnvelope(failure, hash), false, failure.retryAfterSeconds))
          ),
          Effect.catchCause((cause) => {
            if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
            const requestId = call.requestId ?? "unknown"
            const failure = fail(
              "INTERNAL",
              `Something failed that should not have, in request ${requestId}. Report it with this id.`
            )
            return Effect.as(
              Effect.logError("a command died", { command: call.command, requestId }, cause),
              answerOf(failureEnvelope(failure, hash))
            )
          })
        )
        return observed(catalog.find(call.command)?.id, call, run)
      }

      return Dispatch.of({
        catalog,
        unknownCommand: (id) => unknownCommand(catalog, id),
        run: (call) => perform(call, false)
      })
    })
  )
