/** What is said of an invitation when it changes: ids, never its note. Source: G35. */
import type * as Effect from "effect/Effect"
import type { EventType } from "../../Event.ts"
import { type Execution, emit } from "../../Execution.ts"
import type { Invitation } from "./Invitation.ts"

/** States that something happened to an invitation. */
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
