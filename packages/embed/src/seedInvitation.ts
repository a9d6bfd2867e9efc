/** The sample invitation. Commands cannot leave one pending without a provider. */
import { now, type OrganizationId } from "@svc/core"
import { TransmissionsRepo } from "@svc/core/outreach"
import * as Effect from "effect/Effect"

const queued = { kinds: ["message"], states: ["queued", "ambiguous"], order: "oldest" } as const

/** Stores a pending invitation of the account whose messages are queued, if there is one. */
export const seedInvitation = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const { list, save } = yield* TransmissionsRepo
  const at = yield* now
  const [message] = (yield* list(organizationId, queued, { after: undefined, limit: 1 })).items
  if (message?.row.kind !== "message") return
  yield* save(organizationId, [
    {
      ...message.row,
      kind: "invitation",
      id: "inv_SAMPLE00000000000000000001",
      agentId: "agt_SAMPLE00000000000000000001",
      leadId: "ld_SAMPLE00000000000000000003",
      draftId: null,
      state: "pending",
      reason: "invitation_pending",
      note: "Hi Katherine, I read your talk on closing books by hand.",
      recipient: [{ kind: "slug", value: "katherine-johnson-2nd", derived: false }],
      requestedBy: { userId: "usr_SAMPLE00000000000000000001", actorKind: "USER" },
      bypass: false,
      externalId: null,
      attempts: 1,
      failures: 0,
      notBefore: null,
      sentAt: at,
      createdAt: at,
      updatedAt: at
    }
  ])
})
