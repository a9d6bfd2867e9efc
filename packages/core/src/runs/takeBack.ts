/**
 * How each kind of change is taken back. Each holds what it changes, as the command did that made the change, and is stated by
 * the events of such a change. What is unsent no longer, for another reason than being sent, needs nothing more.
 */
import * as Effect from "effect/Effect"
import { cancelEmail } from "../email/decideReview.ts"
import { ContentChanged } from "../kernel/failure/failures.ts"
import type { EventType } from "../kernel/journal/Event.ts"
import { unlinkLeads } from "../leads/linkLeads.ts"
import { removeLead } from "../leads/undo/undoLead.ts"
import { deleteMission } from "../missions/missionLifecycle.ts"
import { deleteUnusedOffer } from "../offers/offerLifecycle.ts"
import { cancelDraft } from "../outreach/drafts/changeDraft.ts"
import { holdDraft } from "../outreach/drafts/readDraft.ts"
import { reopenDraft } from "../outreach/drafts/reviewDraft.ts"
import { reviewAgain } from "../outreach/transmission/emails/changeEmail.ts"
import { holdEmail, holdInvitation } from "../outreach/transmission/readTransmission.ts"
import { cancelQueued } from "../outreach/transmission/settle.ts"
import { withdrawRequest } from "../workspace/approvals/settleRequest.ts"
import type { Change } from "./RunsRepo.ts"

const reason = "undone"

const unsent: ReadonlySet<string> = new Set(["cancelled", "rejected", "failed"])

/** The leads that a change added to a mission; undefined for other changes. */
export const addedLeads = ({ data, type }: Change): ReadonlyArray<string> | undefined =>
  type === "mission.leads_added" && Array.isArray(data["lead_ids"]) ? data["lead_ids"].map(String) : undefined

/** Takes leads out of the mission that a change added them to. Fails with CONTENT_CHANGED where one was merged. */
export const takeOut = Effect.fnUntraced(function* ({ subject }: Change, leadIds: ReadonlyArray<string>) {
  const { linked } = yield* unlinkLeads(subject.id, leadIds)
  if (linked.changed.some((id) => !leadIds.includes(id))) {
    return yield* new ContentChanged({ message: "A lead was merged in the meantime." })
  }
})

const withdrawDraft = Effect.fnUntraced(function* ({ subject }: Change) {
  const { row } = yield* holdDraft(subject.id)
  if (row.status !== "CANCELLED") yield* cancelDraft(subject.id, reason)
})

const withdrawApproval = Effect.fnUntraced(function* ({ subject }: Change) {
  const { row } = yield* holdDraft(subject.id)
  if (row.status !== "CANCELLED") yield* reopenDraft(subject.id)
})

const withdrawEmail = Effect.fnUntraced(function* ({ subject }: Change) {
  const { row } = yield* holdEmail(subject.id)
  if (!unsent.has(row.state)) yield* cancelEmail(subject.id, reason)
})

const withdrawDecision = Effect.fnUntraced(function* ({ subject }: Change) {
  const { row } = yield* holdEmail(subject.id)
  if (row.state === "queued") yield* reviewAgain(row, reason)
  // Refuses one that was sent.
  else if (row.state !== "in_review" && !unsent.has(row.state)) yield* cancelEmail(subject.id, reason)
})

const withdrawInvitation = Effect.fnUntraced(function* ({ data }: Change) {
  const { row } = yield* holdInvitation(String(data["invitation_id"]))
  if (!unsent.has(row.state)) yield* cancelQueued(row.id)
})

const takers = {
  "lead.created": ({ subject }: Change) => removeLead(subject.id),
  "offer.created": ({ subject }: Change) => deleteUnusedOffer(subject.id),
  "mission.created": ({ subject }: Change) => deleteMission(subject.id),
  "draft.created": withdrawDraft,
  "draft.approved": withdrawApproval,
  "email.queued": withdrawEmail,
  "email.review.requested": withdrawEmail,
  "email.review.decided": withdrawDecision,
  "invitation.queued": withdrawInvitation,
  "approval.requested": ({ subject }: Change) => withdrawRequest(subject.id, reason)
} as const satisfies Partial<Record<EventType, unknown>>

/** How a change is taken back; undefined if it stays. */
export const takerOf = ({ data, type }: Change): (typeof takers)[keyof typeof takers] | undefined => {
  // With a reason, an email of somebody else returned to review.
  if (type === "email.review.requested" && "reason" in data) return undefined
  if (type === "email.review.decided" && data["decision"] === "reject") return undefined
  return Object.hasOwn(takers, type) ? takers[type as keyof typeof takers] : undefined
}

/** Whether taking a change back takes along all that happened to its subject since. */
export const isCreation = ({ type }: Change): boolean =>
  type.endsWith(".created") || type === "email.queued" || type === "email.review.requested"
