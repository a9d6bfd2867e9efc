/** Running calls of one command and organization that come at the same time in one transaction. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Failure } from "../../failure/Failure.ts"
import type { JournalEntry } from "../../journal/Journal.ts"
import { together } from "../../together.ts"
import type { AnyCommand, JoinedCall, JoinedResult, Provided } from "../Command.ts"
import type { CommandResult } from "../Delegation.ts"
import type { Session, SessionFacts, SessionServices } from "../Session.ts"
import { storedResult } from "./execute.ts"
import { commandResult } from "./present.ts"

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
  if (entries.length > 0) yield* journal.append(entries)
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
