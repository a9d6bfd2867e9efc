import * as Effect from "effect/Effect"
import type { ActorIdentity } from "../../kernel/command/Actor.ts"
import { ApprovalPolicy } from "../../kernel/failure/failures.ts"

/**
 * Fails with APPROVAL_POLICY unless the actor is a person with a full key: a session decides as a person, which no AI agent may
 * become.
 */
export const requirePerson = ({
  kind,
  mode
}: Pick<ActorIdentity, "kind" | "mode">): Effect.Effect<void, ApprovalPolicy> =>
  kind === "USER" && mode === "full"
    ? Effect.void
    : Effect.fail(
        new ApprovalPolicy({
          message: "Only a person's key with full rights can sign in, not that of an AI agent or a draft-only key."
        })
      )
