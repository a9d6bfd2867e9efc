/**
 * Executes a command in the transactions that its kind needs.
 *
 * A read has none. A dry run is rolled back. A change has one, which also writes its events, its audit row and its result
 * under the idempotency key. An outward command commits its own steps, so its key is claimed first, and released if it
 * fails before an outcome is recorded.
 */
import * as Effect from "effect/Effect"
import type { Failure } from "../../failure/Failure.ts"
import { SharesTransaction, Transaction, withRollback } from "../../journal/Transaction.ts"
import type { CommandResult } from "../Call.ts"
import type { AnyCommand } from "../Command.ts"
import * as Session from "../Session.ts"
import { claimKey, earlierResult } from "./idempotency.ts"
import { commandResult } from "./present.ts"

/** Runs the effect of a command and returns its result. A joined run belongs to another one, which a dry run rolls back. */
export const execute = Effect.fnUntraced(function* (
  command: AnyCommand,
  run: Effect.Effect<unknown, Failure>,
  services: Session.SessionServices,
  facts: Session.SessionFacts,
  session: Session.Session,
  isJoined: boolean
): Effect.fn.Return<CommandResult, Failure> {
  const { dryRun, hash, idempotency } = facts
  if (command.risk === "read" && !command.outward) return commandResult(session.success(yield* run))
  if (dryRun) {
    const output = yield* isJoined ? run : Effect.provideService(withRollback(run), Transaction, services.transaction)
    return commandResult(session.success(Session.withoutShownOnce(output, command.shownOnce)))
  }
  if (!command.outward) {
    const concluded = Effect.map(session.conclude(run), (output) => commandResult(session.success(output)))
    const change = services.transaction.run(
      Effect.flatMap(earlierResult(services, facts), (earlier) =>
        earlier === undefined ? concluded : Effect.succeed(earlier)
      )
    )
    if (!command.sharesTransaction) return yield* change
    return yield* Effect.provideService(change, SharesTransaction, `${facts.actor.organizationId} ${command.id}`)
  }
  if (idempotency === undefined) return commandResult(session.success(yield* run))
  const earlier = yield* claimKey(services, idempotency, hash)
  if (earlier !== undefined) return earlier
  const release = Effect.suspend(() => (session.recorded() ? Effect.void : services.journal.release(idempotency)))
  return commandResult(session.success(yield* Effect.onError(run, () => Effect.ignore(release))))
})
