/** What is stored and said when it turns out what became of an invitation. */
import * as Effect from "effect/Effect"
import { type Execution, emit } from "../../../kernel/command/Execution.ts"
import type { EventType } from "../../../kernel/journal/Event.ts"
import type { InstantText } from "../../../kernel/schema/RecordIds.ts"
import { settleAttempts } from "../settleAttempts.ts"
import { changed, ended, type Invitation } from "../Transmission.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"

/** States that something happened to an invitation: ids, never its note. */
export const announceInvitation = (
  type: Extract<EventType, `invitation.${string}`>,
  { accountId, agentId, draftId, id, leadId, note }: Invitation
): Effect.Effect<void, never, Execution> =>
  emit({
    type,
    subject: { type: "lead", id: leadId },
    data: {
      invitation_id: id,
      account_id: accountId,
      agent_id: agentId,
      ...(draftId === null ? {} : { draft_id: draftId }),
      ...(type === "invitation.sent" ? { with_note: note !== null } : {})
    }
  })

/** An invitation that the provider has. */
export const pendingInvitation = (invitation: Invitation, externalId: string | null, at: InstantText): Invitation =>
  changed(
    invitation,
    {
      state: "pending",
      reason: "invitation_pending",
      externalId: externalId ?? invitation.externalId,
      failures: 0,
      notBefore: null,
      sentAt: invitation.sentAt ?? at
    },
    at
  )

/** The provider has it, or it is accepted already: stores and states that it was sent. */
export const confirmInvitation = Effect.fnUntraced(function* (invitation: Invitation, at: string, isAccepted: boolean) {
  const { accountId, leadId, organizationId } = invitation
  const { person, save, saveRelation } = yield* TransmissionsRepo
  const pending = pendingInvitation(invitation, null, at)
  yield* settleAttempts(invitation, "confirmed", "settled", at)
  yield* save(organizationId, [isAccepted ? ended(pending, "accepted", null, at) : pending])
  yield* announceInvitation("invitation.sent", pending)
  if (isAccepted) yield* announceInvitation("invitation.accepted", pending)
  const { relation } = yield* person(organizationId, accountId, leadId)
  yield* saveRelation({
    organizationId,
    accountId,
    leadId,
    connected: isAccepted || relation?.connected === true,
    chatId: relation?.chatId ?? null,
    invitedAt: relation?.invitedAt ?? at,
    checkedAt: at
  })
})

/** The relation forgets that the person was invited. */
export const forgetInvited = Effect.fnUntraced(function* (
  { accountId, leadId, organizationId }: Invitation,
  checkedAt: string
) {
  const { person, saveRelation } = yield* TransmissionsRepo
  const { relation } = yield* person(organizationId, accountId, leadId)
  if (relation !== undefined) yield* saveRelation({ ...relation, invitedAt: null, checkedAt })
})
