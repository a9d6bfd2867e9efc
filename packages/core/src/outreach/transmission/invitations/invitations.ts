/** Invitations as the machine carries them out. */
import * as Effect from "effect/Effect"
import { asService } from "../../../kernel/background/ServiceRun.ts"
import type { DraftId } from "../../../kernel/schema/RecordIds.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { holdDraft } from "../../drafts/readDraft.ts"
import type { LinkedInAccount } from "../../provider/LinkedInAccount.ts"
import { accountIfAny, anyAccountOfAgent } from "../../provider/resolveAccount.ts"
import type { Recipient, Relation } from "../../provider/SendResult.ts"
import type { InvitationClaim, SendOutcome } from "../Claim.ts"
import { wordingOfDraft, wordingOfInvitation } from "../disclosure.ts"
import type { DispatchNeeds } from "../dispatchKind.ts"
import { refusalOf } from "../eligibility.ts"
import { applyBlock, clearWaitingLeads, readFacts } from "../gate.ts"
import { lost } from "../messages.ts"
import { holdInvitation, readInvitation } from "../readTransmission.ts"
import { nextLookupAt } from "../SendOptions.ts"
import { unknownAt } from "../sendOutcomes.ts"
import { settleAttempts } from "../settleAttempts.ts"
import type { TransmissionKind } from "../TransmissionKind.ts"
import { type Due, TransmissionsRepo } from "../TransmissionsRepo.ts"
import { checkRelation, transmit } from "../transmit.ts"
import { cancelInvitations } from "./cancelInvitations.ts"
import { claimInvitation } from "./claimInvitation.ts"
import { confirmInvitation } from "./confirmInvitation.ts"
import { recordInvitation } from "./recordInvitation.ts"

/** The invitation as it is stored now, if it is still leased under the same fence; its lead is held. */
const holdDue = Effect.fnUntraced(function* ({ fence, id, state }: Due) {
  const view = yield* holdInvitation(id)
  return view.row.fence === fence && view.row.state === state ? view : undefined
})

/** How account and person stand; undefined when that cannot be seen. */
const lookupInvitation = Effect.fnUntraced(function* ({ id, organizationId }: Due) {
  const { row } = yield* asService(organizationId, readInvitation(id))
  const account = yield* Effect.option(asService(organizationId, anyAccountOfAgent(row.agentId)))
  // Another account cannot see it.
  if (account._tag === "None" || account.value.id !== row.accountId || account.value.status !== "OK") return undefined
  // What was recorded of it is what is to be found out.
  const recipient: Recipient = { leadId: row.leadId, identities: row.recipient, invitedAt: null }
  const found = yield* checkRelation({ account: account.value, recipient })
  return found._tag === "Known" ? found.relation : undefined
})

/** What the provider shows settles it; what it does not show stays unknown. Answers whether it was sent. */
const settleFound = Effect.fnUntraced(function* (due: Due, relation: Relation | undefined) {
  const row = (yield* holdDue(due))?.row
  if (row === undefined) return false
  const at = yield* now
  if (relation?.connected === true || relation?.invitation === "pending") {
    yield* confirmInvitation(row, at, relation.connected)
    return true
  }
  const notBefore = nextLookupAt(at, row.updatedAt)
  yield* (yield* TransmissionsRepo).save(due.organizationId, [{ ...row, notBefore }])
  return false
})

/** Withdraws the approved message that waits for a cancelled invitation, if it must not be sent either. */
const withdrawMessage = Effect.fnUntraced(function* (draftId: DraftId, account: LinkedInAccount | undefined) {
  const view = yield* holdDraft(draftId)
  const { item, row } = view
  if (row.status !== "READY_TO_SEND") return
  const approved = { recipient: row.recipient, accountId: item?.accountId ?? null }
  const decided = { at: item?.createdAt ?? row.approvedAt }
  const block = refusalOf(yield* readFacts(view, wordingOfDraft(row), approved, account, decided), yield* now)
  if (block !== undefined) yield* applyBlock(view, block)
})

const claimDue = Effect.fnUntraced(function* (due: Due) {
  const view = yield* holdDue(due)
  if (view === undefined) return undefined
  const { lead, row } = view
  const account = yield* accountIfAny(row.agentId)
  const gate = yield* readFacts(view, wordingOfInvitation(row), row, account, { at: row.createdAt })
  const mode = { isFromCommand: false, fence: due.fence, leadStatus: lead.status }
  const claimed = yield* claimInvitation(row, account, gate, mode)
  if (claimed._tag === "No") {
    const idle = yield* cancelInvitations(due.organizationId, [row], claimed.reason)
    if (row.draftId !== null) yield* withdrawMessage(row.draftId, account)
    yield* clearWaitingLeads(idle)
  }
  return claimed._tag === "Claim" ? claimed.claim : undefined
})

/** It may have gone out: blocked until the provider or a person shows it. */
const markLost = Effect.fnUntraced(function* (due: Due) {
  const row = (yield* holdDue(due))?.row
  if (row === undefined) return
  const at = yield* now
  yield* settleAttempts(row, "unknown", lost, at)
  yield* (yield* TransmissionsRepo).save(due.organizationId, [unknownAt(row, at)])
})

/** See {@link TransmissionKind}. */
export const invitations: Required<
  Omit<TransmissionKind<InvitationClaim, SendOutcome, Relation, DispatchNeeds>, "precheck">
> = {
  name: "invitation",
  claim: claimDue,
  transmit,
  record: (claim, outcome) =>
    Effect.map(recordInvitation(claim, outcome), ({ invitation }) => invitation.state === "pending"),
  markLost,
  lookup: lookupInvitation,
  settle: settleFound
}
