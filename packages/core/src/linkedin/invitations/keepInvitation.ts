/** Keeping an invitation while it is worked on, however long that takes. Source: reliability research, threat 1. */
import * as Effect from "effect/Effect"
import { QueueRepo } from "../QueueRepo.ts"
import { keepLeased } from "../sending/keepLease.ts"
import type { Invitation } from "./Invitation.ts"

/** Runs an effect and renews the invitation's lease meanwhile. */
export const keepInvitation = <A, E, R>(
  { fence, id, organizationId }: Pick<Invitation, "id" | "organizationId" | "fence">,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | QueueRepo> =>
  Effect.flatMap(QueueRepo, ({ invitations }) =>
    keepLeased((seconds) => invitations.renew(organizationId, id, fence, seconds), effect)
  )
