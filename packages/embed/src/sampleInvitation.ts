/** The invitation of the sample data, which no command could leave open without asking a provider. */
import { QueueRepo } from "@svc/core/linkedin/QueueRepo"
import { now } from "@svc/core/Time"
import * as Effect from "effect/Effect"

const everyState = { accountId: undefined, states: ["queued", "ambiguous"] } as const

/** Stores an invitation that the person has not answered, of the account whose messages are queued; none where there is none. */
export const plantInvitation = Effect.fnUntraced(function* (organizationId: string) {
  const { invitations } = yield* QueueRepo
  const at = yield* now
  const [message] = (yield* (yield* QueueRepo).list(organizationId, everyState, { after: undefined, limit: 1 })).items
  if (message === undefined) return
  yield* invitations.save(organizationId, [
    {
      id: "inv_SAMPLE00000000000000000001",
      organizationId,
      accountId: message.item.accountId,
      agentId: "agt_SAMPLE00000000000000000001",
      leadId: "ld_SAMPLE00000000000000000003",
      draftId: null,
      state: "pending",
      reason: "invitation_pending",
      note: "Hi Katherine, I read your talk on closing books by hand.",
      bypass: false,
      externalId: null,
      attempts: 1,
      failures: 0,
      notBefore: null,
      sentAt: at,
      endedAt: null,
      leaseUntil: null,
      fence: 0,
      createdAt: at,
      updatedAt: at
    }
  ])
})
