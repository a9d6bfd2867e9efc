/**
 * Decides whether an actor may run a command, and executes it in the transactions that its kind needs.
 *
 * A read has none. A dry run is rolled back. A change has one, which also writes its events, its audit row and its result
 * under the idempotency key. An outward command commits its own steps, so its key is claimed first, and released if it
 * fails before an outcome is recorded.
 */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Failure } from "../../failure/Failure.ts"
import { IdempotencyInProgress, IdempotencyMismatch } from "../../failure/failures.ts"
import {
  type IdempotencyScope,
  type IdempotencyState,
  type JournalEntry,
  Transaction,
  withRollback
} from "../../journal/Journal.ts"
import { isoFromMillis, type OrganizationId } from "../../schema/IdsAndTime.ts"
import { together } from "../../together.ts"
import { addressesOf, expiryOf } from "../ApprovalRequest.ts"
import type { AnyCommand, JoinedCall, JoinedResult, Provided } from "../Command.ts"
import type { Call, CommandResult } from "../Delegation.ts"
import { inputHash, type StoredPrecondition } from "../Envelope.ts"
import { type ActorIdentity, defaultOptions, rightsKeyOf } from "../Execution.ts"
import { type ApprovalRules, type CommandPolicy, noPolicies, type PolicyLayers } from "../Permission.ts"
import { denied, type Guarded, permissionOf, refusal } from "../Policy.ts"
import { type HookCall, type Session, type SessionFacts, type SessionServices, withoutShownOnce } from "../Session.ts"
import { commandResult } from "./present.ts"

/** Age at which the claim of a run of several transactions counts as dead and is taken over, in milliseconds. */
const claimLifetime = 30_000

/** The key of a call with its route; undefined without a key, and for reads and dry runs, which have no effect. */
export const scopeOf = (command: AnyCommand, call: Call): IdempotencyScope | undefined => {
  const { dryRun, idempotencyKey } = call.options ?? defaultOptions
  if (idempotencyKey === undefined || command.risk === "read" || dryRun) return undefined
  return {
    organizationId: call.actor.organizationId,
    route: call.route ?? `command:${command.id}`,
    key: idempotencyKey
  }
}

/** The stored result; undefined for a new key. Fails with IDEMPOTENCY_MISMATCH and IDEMPOTENCY_IN_PROGRESS. */
const storedResult = (
  state: IdempotencyState | undefined,
  hash: string
): Result.Result<CommandResult | undefined, IdempotencyInProgress | IdempotencyMismatch> => {
  if (state === undefined) return Result.fail(new IdempotencyInProgress({ retryAfterSeconds: 1 }))
  if (state._tag === "New") return Result.succeed(undefined)
  const fingerprint = state._tag === "Done" ? state.record.fingerprint : state.fingerprint
  if (fingerprint !== hash) return Result.fail(new IdempotencyMismatch())
  if (state._tag === "Running") return Result.fail(new IdempotencyInProgress({ retryAfterSeconds: 1 }))
  return Result.succeed(commandResult(state.record.envelope, true))
}

/** Inside a transaction: locks the key, and returns the result of an earlier request. */
const earlierResult = Effect.fnUntraced(function* ({ journal }: SessionServices, { hash, idempotency }: SessionFacts) {
  if (idempotency === undefined) return undefined
  const [held] = yield* journal.hold([idempotency])
  return yield* Effect.fromResult(storedResult(held, hash))
})

/** Claims the key for a run of several transactions, or returns the result of an earlier request. */
const claimKey = Effect.fnUntraced(function* (
  { journal }: SessionServices,
  idempotency: IdempotencyScope,
  hash: string
) {
  const millis = yield* Clock.currentTimeMillis
  const claimed = yield* journal.claim(idempotency, hash, isoFromMillis(millis), isoFromMillis(millis - claimLifetime))
  return yield* Effect.fromResult(storedResult(claimed, hash))
})

/**
 * Runs the effect of a command and returns its result. A joined run belongs to another one, which a dry run rolls back. `join` may
 * run a change together with others.
 */
export const execute = Effect.fnUntraced(function* (
  command: AnyCommand,
  run: Effect.Effect<unknown, Failure>,
  services: SessionServices,
  facts: SessionFacts,
  session: Session,
  isJoined: boolean,
  join: ((alone: Effect.Effect<CommandResult, Failure>) => Effect.Effect<CommandResult, Failure>) | undefined
) {
  const { dryRun, hash, idempotency } = facts
  if (command.risk === "read" && !command.outward) return commandResult(session.success(yield* run))
  if (dryRun) {
    const output = yield* isJoined ? run : Effect.provideService(withRollback(run), Transaction, services.transaction)
    return commandResult(session.success(withoutShownOnce(output, command.shownOnce)))
  }
  if (!command.outward) {
    const concluded = Effect.map(session.conclude(run), (output) => commandResult(session.success(output)))
    const alone = services.transaction.run(
      Effect.flatMap(earlierResult(services, facts), (earlier) =>
        earlier === undefined ? concluded : Effect.succeed(earlier)
      )
    )
    return yield* command.runMany === undefined || join === undefined ? alone : join(alone)
  }
  if (idempotency === undefined) return commandResult(session.success(yield* run))
  const earlier = yield* claimKey(services, idempotency, hash)
  if (earlier !== undefined) return earlier
  const release = Effect.suspend(() => (session.recorded() ? Effect.void : services.journal.release(idempotency)))
  return commandResult(session.success(yield* Effect.onError(run, () => Effect.ignore(release))))
})

/** The call as hooks see it, and its hash once its input is decoded. */
export interface Known {
  call: HookCall
  hash: string | undefined
}

/** What is known before anything was checked. `within` is the run that makes the call. */
export const knownOf = (
  { actor, command, input, options = defaultOptions, requestId, route }: Call,
  within: HookCall["within"]
): Known => ({
  hash: undefined,
  call: {
    command,
    input,
    actor,
    dryRun: options.dryRun,
    ...(within === undefined ? {} : { within }),
    ...(within === undefined && route !== undefined ? { route } : {}),
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
    ...(requestId === undefined ? {} : { requestId })
  }
})

/** The hash of the decoded input, or of the given one. */
export const hashOf = ({ call: { actor, command, input }, hash }: Known): string =>
  hash ?? inputHash(actor.organizationId, command, input)

/** A call that may run with others. */
interface Joined extends JoinedCall<unknown> {
  readonly command: AnyCommand
  readonly facts: SessionFacts
  readonly session: Session
  readonly present: (result: unknown) => unknown
}

type Outcome = Effect.Effect<CommandResult, Failure>

/** Runs calls with the events, the audit row and the idempotency key of each. */
const runCalls = Effect.fnUntraced(function* ({ journal }: SessionServices, calls: ReadonlyArray<Joined>) {
  const outcomes = new Map<Joined, Outcome>()
  const scopes = calls.flatMap(({ facts }) => facts.idempotency ?? [])
  const states = scopes.length === 0 ? [] : yield* journal.hold(scopes)
  for (const call of calls) {
    const { hash, idempotency } = call.facts
    if (idempotency === undefined) continue
    const earlier = storedResult(states[scopes.indexOf(idempotency)], hash)
    if (Result.isFailure(earlier)) outcomes.set(call, Effect.fail(earlier.failure))
    else if (earlier.success !== undefined) outcomes.set(call, Effect.succeed(earlier.success))
  }
  const fresh = calls.filter((call) => !outcomes.has(call))
  for (const { session } of fresh) session.reset()
  const [first] = fresh
  // Runs in the context of the first call, which has what its command needs.
  const running = first?.command.runMany?.(fresh) as Effect.Effect<ReadonlyArray<JoinedResult>, Failure> | undefined
  const results = running === undefined ? [] : yield* running
  const entries: Array<JournalEntry> = []
  for (const [index, call] of fresh.entries()) {
    const result = results[index]
    if (result === undefined) continue
    if (Result.isFailure(result)) outcomes.set(call, Effect.fail(result.failure))
    else {
      const output = call.present(result.success)
      entries.push(yield* call.session.entryOf(output))
      outcomes.set(call, Effect.succeed(commandResult(call.session.success(output))))
    }
  }
  if (first !== undefined && entries.length > 0) yield* journal.append(first.facts.actor.organizationId, entries)
  return calls.map((call) => outcomes.get(call))
})

/**
 * Joins a call with others of its command and organization, unless it is in a transaction already. The current context has what
 * the command needs.
 */
export const makeJoin = (services: SessionServices) => {
  const join = together((calls: ReadonlyArray<Joined>) => services.transaction.run(runCalls(services, calls)))
  return (call: Omit<Joined, "context">, alone: Outcome): Effect.Effect<CommandResult, Failure, Provided> =>
    Effect.flatMap(services.transaction.isOpen, (isOpen) =>
      isOpen
        ? alone
        : Effect.contextWith((context: Context.Context<Provided>) =>
            join(`${call.facts.actor.organizationId} ${call.command.id}`, { ...call, context }, alone)
          )
    )
}

type PolicyOf = (organizationId: OrganizationId) => Effect.Effect<CommandPolicy, Failure>

/** The policies that apply to an actor. */
export const layersOf = (
  { organizationId, policies }: ActorIdentity,
  policyOf: PolicyOf
): Effect.Effect<PolicyLayers, Failure> =>
  policies === undefined
    ? Effect.map(policyOf(organizationId), (organization) => ({ ...noPolicies, organization }))
    : Effect.succeed(policies)

/**
 * Whether to run it or to store it for a person to decide. Fails with FORBIDDEN_SCOPE or APPROVAL_POLICY. A delegated run was
 * approved by a person, so nobody is asked again; what policies deny by now stays denied.
 */
export const authorize = Effect.fnUntracedEager(function* (
  command: Guarded,
  actor: ActorIdentity,
  policyOf: PolicyOf,
  isDelegated: boolean
) {
  const isRead = command.risk === "read"
  const permission = isRead ? "allow" : permissionOf(yield* layersOf(actor, policyOf), command, actor.kind)
  const refused = refusal(actor, command)
  if (refused !== undefined) return yield* refused
  if (permission === "deny") return yield* denied(command.id)
  return isDelegated ? "allow" : permission
})

/** Whether an actor may run it without asking anybody. */
export const isAllowed = (...call: Parameters<typeof authorize>): Effect.Effect<boolean> =>
  Effect.match(authorize(...call), { onSuccess: (answer) => answer === "allow", onFailure: () => false })

/**
 * Stores a request for approval; retries with the same idempotency key create only one. `pinned` are the fields that pin
 * what the run depends on.
 */
export const requestApproval = Effect.fnUntraced(function* (
  services: SessionServices,
  facts: SessionFacts,
  session: Session,
  rules: ApprovalRules,
  input: unknown,
  pinned: Effect.Effect<Readonly<Record<string, unknown>>, Failure>,
  precondition: Effect.Effect<StoredPrecondition | null, Failure>
) {
  const { actor, commandId, hash } = facts
  const millis = yield* Clock.currentTimeMillis
  const request = {
    id: yield* services.ids.next("apr"),
    organizationId: actor.organizationId,
    commandId,
    commandHash: hash,
    requestedBy: { kind: actor.kind, userId: actor.userId, keyId: rightsKeyOf(actor) },
    createdAt: isoFromMillis(millis),
    expiresAt: isoFromMillis(expiryOf(rules, millis)),
    mailTo: addressesOf(rules)
  }
  return yield* services.transaction.run(
    Effect.gen(function* () {
      const earlier = yield* earlierResult(services, facts)
      if (earlier !== undefined) return earlier
      const stored = { ...Object(input), ...(yield* pinned) }
      return commandResult(
        yield* session.requestApproval({ ...request, input: stored, precondition: yield* precondition })
      )
    })
  )
})
