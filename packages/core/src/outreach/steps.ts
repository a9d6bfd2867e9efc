/**
 * The life of what is sent: one state machine for messages with their drafts, invitations and emails.
 *
 * Pure: `decide` says what follows from an event, or why it must not happen. Whoever holds the row carries the decision out. A
 * message is `sent` only after it was `sending`, or when somebody who looked says so; what may have been sent is never queued again.
 */

import * as Result from "effect/Result"
import type { EventType } from "../kernel/journal/Event.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"
import { chooseText, refuseOther } from "./DraftInput.ts"
import * as Life from "./Life.ts"
import { firstLookupSeconds, secondsAfter } from "./SendOptions.ts"
import { type DraftRow, isWaiting, type Transmission } from "./Transmission.ts"

/** What follows from a step. */
export interface Following {
  /** Changes of the row; in a final state, it ends. */
  readonly row?: Partial<Transmission>
  /** Changes of the draft; null leaves it. Without, it moves on with its message. */
  readonly draft?: Partial<DraftRow> | null
  readonly says?: ReadonlyArray<Life.Saying>
  /** Whether the lead waits now, or perhaps no longer. */
  readonly lead?: "Waiting" | "Idle" | undefined
  readonly also?: ReadonlyArray<Life.Effect>
}

/** One step of the machine. */
export interface Step<T extends keyof Life.Events> {
  /** The states in which it may happen; none for a kind that is left out. */
  readonly from: Partial<Readonly<Record<Life.Kind, ReadonlyArray<Life.State>>>>
  /** What follows; undefined if it is so already. */
  readonly to: (life: Life.Life, event: Life.Event<T>, at: InstantText) => Following | Life.Refusal<T> | undefined
}

/** What an approval sets, of a draft that has none. */
export const reviewed = {
  status: "PENDING_REVIEW",
  selectedIndex: null,
  selectedBodyText: null,
  approvedBy: null,
  approved: null,
  approvedAt: null
} as const satisfies Partial<DraftRow>

const isQueued = ({ row }: Life.Life): boolean => row !== null && isWaiting(row)

/** A decision on a draft: what waits with the old approval is cancelled. */
const judge = (life: Life.Life, review: Life.Review, changes: Partial<DraftRow>, usual: EventType): Following => {
  const { draft, reason, says } = review
  const all = { draft: { ...changes, ...draft }, says: [says ?? ([usual, { reason }] as const)] }
  const isUninvited = isQueued(life) || says === undefined
  const uninvite = { _tag: "Uninvite", draftId: life.draft?.id ?? "", reason: reason ?? "draft_changed" } as const
  const rest = { ...all, also: isUninvited ? [uninvite] : [] }
  return isQueued(life) ? { ...rest, row: { state: "cancelled", reason }, lead: "Idle" } : rest
}

const cancelled = ({ row }: Life.Life, { reason }: Pick<Life.Review, "reason">): Following => {
  const says: ReadonlyArray<Life.Saying> = row?.kind === "email" ? [["email.cancelled"]] : []
  return { row: { state: "cancelled", reason }, says, lead: "Idle" }
}

const delivered = (
  { row }: Life.Life,
  { externalId, isFirst, recordedAs }: Life.Delivery,
  at: InstantText
): Following => {
  const ids = { message_id: recordedAs, is_first: isFirst }
  if (row?.kind === "invitation") return { ...pending(row, externalId, at), says: [["invitation.sent"]] }
  if (row?.kind !== "message") {
    const sent = { state: "sent", reason: null, messageId: externalId, sentAt: at } as const
    return { row: sent, says: [["message.sent", ids]] }
  }
  const told = { queue_id: row.id, message_id: recordedAs, external_message_id: externalId }
  const sent = { status: "DISPATCHED", queueItemId: row.id, messageId: recordedAs } as const
  return {
    row: { state: "sent", reason: null },
    draft: { ...sent, externalMessageId: externalId, dispatchedAt: at },
    says: [
      ["draft.dispatched", told],
      ["message.sent", { ...told, is_first: isFirst }]
    ]
  }
}

const pending = (row: Transmission | null, externalId: string | null, at: InstantText): Following => {
  const state = { state: "pending", reason: "invitation_pending", failures: 0, notBefore: null } as const
  const sentAt = row?.sentAt ?? at
  return { row: externalId === null ? { ...state, sentAt } : { ...state, sentAt, externalId }, lead: "Waiting" }
}

const failed = ({ draft, row }: Life.Life, reason: string, detail: string): Following => {
  const told = { queue_id: row?.id ?? null, reason, detail: detail.slice(0, 200) }
  const says: ReadonlyArray<Life.Saying> = draft ? [["draft.dispatch_failed", told]] : [["email.failed"]]
  return {
    row: { state: "failed", reason },
    draft: reviewed,
    says: row?.kind === "invitation" ? [] : says,
    lead: "Idle"
  }
}

const settle = (outcome: "confirmed" | "refused" | "unknown", detail = "settled"): Life.Effect => ({
  _tag: "SettleAttempts",
  outcome,
  detail
})

const waiting = ["queued", "waiting_relation"] as const
const asked = ["sending", "ambiguous"] as const
const ready = ["READY_TO_SEND", ...waiting] as const
const open = ["PENDING_REVIEW", ...ready] as const
const queued = ["queued"] as const
const sending = ["sending"] as const

/** Every step: where it may begin, and what follows. */
export const steps: { readonly [T in keyof Life.Events]: Step<T> } = {
  Revise: {
    from: { message: open },
    to: (life, event) => {
      const variations = event.variations ?? life.draft?.variations ?? []
      const isSame = canonicalJson(variations) === canonicalJson(life.draft?.variations) && event.isMoved !== true
      const { draft, says = ["draft.updated"] } = event
      if (isSame) return draft && { draft, says: [says] }
      return judge(life, event, { ...reviewed, variations }, "draft.updated")
    }
  },
  Note: {
    from: { message: [...open, ...asked, "DISPATCHED", "CANCELLED"] },
    to: (_, { draft = {}, says }) => ({ draft, says: says ? [says] : [] })
  },
  Approve: {
    from: { message: [...open, "sending"] },
    to: (life, { choice, contentHash, notBefore }) => {
      const { draft } = life
      const other = refuseOther(choice.contentHash, contentHash)
      if (draft === null || other !== undefined) return other
      const chosen = chooseText(draft, choice)
      if (Result.isFailure(chosen)) return chosen.failure
      const { index: selectedIndex, text: selectedBodyText } = chosen.success
      const isSame = selectedIndex === draft.selectedIndex && selectedBodyText === draft.selectedBodyText
      const isInTime = notBefore === undefined || notBefore === life.row?.notBefore
      if (draft.status === "READY_TO_SEND" && isSame && isInTime) return undefined
      if (Life.stateOf(life) === "sending") return Life.refusalIn(life)
      const approval = { status: "READY_TO_SEND", selectedIndex, selectedBodyText, queueItemId: null } as const
      const replaced = { state: "cancelled", reason: "draft_changed" } as const
      return { draft: approval, row: isQueued(life) ? replaced : {} }
    }
  },
  Judge: {
    from: { email: ["in_review", ...queued] },
    to: (_, { email, isRejected }) => {
      const says: Life.Saying = ["email.review.decided", { decision: email.decision }]
      return { row: { ...email, state: isRejected ? "rejected" : "queued", expiresAt: null }, says: [says] }
    }
  },
  Expire: {
    from: { email: ["in_review"] },
    to: (_, { reason }) => ({ row: { strategy: "MANUAL", expiresAt: null, reason }, says: [["email.review.expired"]] })
  },
  Withdraw: {
    from: { message: open, email: queued },
    to: (life, event) => {
      const { draft, email, reason } = event
      if (Life.stateOf(life) === "PENDING_REVIEW" && draft === undefined) return undefined
      if (life.draft !== null) return judge(life, event, reviewed, "draft.updated")
      const row = {
        state: "in_review",
        strategy: "MANUAL",
        reason,
        approved: null,
        notBefore: null,
        expiresAt: null,
        ...email
      } as const
      return { row, says: [["email.review.requested", { strategy: "MANUAL", expires_at: null, reason }]] }
    }
  },
  Reopen: {
    from: { message: [...open, "CANCELLED"] },
    to: (life, event) =>
      Life.stateOf(life) === "PENDING_REVIEW" ? undefined : judge(life, event, reviewed, "draft.updated")
  },
  Cancel: {
    from: { message: open, invitation: queued, email: ["in_review", ...queued] },
    to: (life, event, at) => {
      const end = { status: "CANCELLED", cancelledAt: at } as const
      return life.draft === null ? cancelled(life, event) : judge(life, event, end, "draft.cancelled")
    }
  },
  Detach: { from: { invitation: [...queued, "pending"] }, to: cancelled },
  Wait: {
    from: { message: ready, invitation: queued, email: queued },
    to: ({ draft, row }, { isHeld, notBefore, reason }) => {
      if (!isHeld || draft === null) return { row: { reason, notBefore }, lead: "Waiting" }
      // To be looked at when its account may write again; a person found connected waits no more.
      const held = { state: "queued", reason: null, notBefore, expiresAt: null } as const
      return draft.queueItemId === row?.id ? { row: held, draft: null } : { row: held }
    }
  },
  Start: {
    from: { message: ready, invitation: queued, email: queued },
    to: ({ row }) => ({ row: { state: "sending", reason: null, notBefore: null, attempts: (row?.attempts ?? 0) + 1 } })
  },
  Confirm: { from: { message: asked, invitation: asked, email: asked }, to: delivered },
  FindPending: { from: { invitation: sending }, to: ({ row }, _, at) => pending(row, null, at) },
  AwaitRelation: {
    from: { message: sending },
    to: (_, { expiresAt, invitedAt, notBefore }) => {
      const state = { state: "waiting_relation", reason: "not_connected", failures: 0 } as const
      return { row: { ...state, invitedAt, notBefore, expiresAt }, lead: "Waiting" }
    }
  },
  Retry: {
    from: { message: sending, invitation: sending, email: asked },
    to: (_, { failures, notBefore, reason }) => ({
      row: { state: "queued", reason, notBefore, failures },
      lead: "Waiting"
    })
  },
  Fail: {
    from: { message: sending, invitation: sending, email: asked },
    to: (life, { before, detail, reason }) => {
      const { row } = life
      const next = failed(life, row?.kind === "email" ? detail : reason, detail)
      if (row?.kind === "invitation" && row.draftId !== null) {
        return { ...next, also: [{ _tag: "FailMessage", draftId: row.draftId, reason, detail }] }
      }
      if (before === undefined) return next
      const place = before.item && { ...before.item, reason, attempts: row?.attempts ?? 0 }
      return place ? { ...next, row: place, draft: before.row, lead: undefined } : { ...next, draft: before.row }
    }
  },
  Lose: {
    from: { message: sending, invitation: sending, email: sending },
    to: ({ draft, row }, { attempt, detail }, at) => {
      const state = { state: "ambiguous", expiresAt: null } as const
      if (row?.kind === "email")
        return { row: { ...state, reason: detail, notBefore: null }, says: [["email.unknown"]] }
      const told: Life.Saying = ["draft.dispatch_unknown", { queue_id: row?.id, detail: detail.slice(0, 200) }]
      return {
        row: { ...state, reason: "outcome_unknown", notBefore: secondsAfter(at, firstLookupSeconds) },
        ...(draft ? { says: [told] } : { lead: "Waiting" }),
        also: attempt === undefined ? [settle("unknown", detail)] : []
      }
    }
  },
  Bounce: {
    from: { email: ["sent"] },
    to: ({ row }, { detail, notBefore, reason }) => ({
      row:
        notBefore === null
          ? { state: "failed", reason }
          : { state: "queued", reason, notBefore, endedAt: null, failures: (row?.failures ?? 0) + 1 },
      says: [["email.bounced", { reason, detail: detail.slice(0, 200), next_attempt_at: notBefore }]]
    })
  },
  Postpone: {
    from: { message: ["waiting_relation", "ambiguous"], invitation: ["ambiguous"] },
    to: (_, { notBefore }) => ({ row: { notBefore }, draft: null })
  },
  Block: {
    from: { message: ready, email: queued },
    to: (life, { detail, reason }) => failed(life, reason, detail)
  },
  Settle: {
    from: { message: [...waiting, "ambiguous"], invitation: [...queued, "ambiguous"], email: ["ambiguous"] },
    to: (life, { reason, sent }, at) => {
      if (sent === undefined && Life.stateOf(life) !== "ambiguous") return Life.refusalIn(life)
      const invited = { _tag: "Invited", at: sent ? at : null } as const
      const next = sent ? delivered(life, sent, at) : failed(life, reason, "Marked as not sent.")
      return { ...next, also: [settle(sent ? "confirmed" : "refused"), invited] }
    }
  },
  Accept: {
    from: { invitation: [...queued, ...asked, "pending"] },
    to: (life, _, at) => {
      const state = Life.stateOf(life)
      if (state === "queued" || state === "sending") {
        const row = { state: "cancelled", reason: "already_connected" } as const
        return { row, lead: state === "sending" ? "Idle" : undefined }
      }
      return {
        row: { state: "accepted", reason: null, sentAt: life.row?.sentAt ?? at },
        says: [["invitation.accepted"]]
      }
    }
  },
  Recall: {
    from: { invitation: ["pending", "ambiguous"] },
    to: (life) => ({
      row: { state: "withdrawn", reason: null },
      says: [["invitation.withdrawn"]],
      lead: "Idle",
      also: [...(Life.stateOf(life) === "ambiguous" ? [settle("confirmed")] : []), { _tag: "Invited", at: null }]
    })
  }
}
