/** If a policy says `ask`, the run is stored until a person decides. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../failure/Failure.ts"
import { isoFromMillis } from "../../schema/Time.ts"
import { rightsKeyOf } from "../Actor.ts"
import { addressesOf, expiryOf } from "../ApprovalRequest.ts"
import type { CommandResult } from "../Call.ts"
import type { ApprovalRules } from "../Permission.ts"
import type { StoredPrecondition } from "../Precondition.ts"
import type { Session, SessionFacts, SessionServices } from "../Session.ts"
import { earlierResult } from "./idempotency.ts"
import { commandResult } from "./present.ts"

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
): Effect.fn.Return<CommandResult, Failure> {
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
