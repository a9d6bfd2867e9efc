/** The commands of each decision, by what is decided on. Pure. */
import type { Details, Item } from "../service/shapes.ts"
import type { Call } from "./Outbox.ts"

/** A decision before it is made. */
export interface Proposal {
  readonly call: Call
  readonly reverse: Call | null
  readonly label: string
  readonly leaves: boolean
}

const nameOf = ({ kind, lead }: Item): string =>
  lead?.name ?? (kind === "approval" ? "the request" : "somebody unknown")

const reopen = (item: Item): Call => ({ command: "linkedin.draft.reopen", input: { draft_id: item.item_id } })

const hashed = (hash: string | null) => (hash === null ? {} : { content_hash: hash })

/** Approves the text that is shown. */
export const approval = (details: Details, variation: number, sendNow = false): Proposal | undefined => {
  const { content_hash, draft, item } = details
  const label = sendNow ? `Sending to ${nameOf(item)} now` : `Approved for ${nameOf(item)}`
  if (item.kind === "message" && draft !== null) {
    const several = draft.variations.length > 1 ? { variation_index: variation } : {}
    return {
      call: {
        command: "linkedin.draft.approve",
        input: {
          draft_id: item.item_id,
          ...several,
          ...hashed(content_hash),
          profile_url: draft.lead.linkedin_url ?? "",
          ...(sendNow ? { send_now: true } : {})
        }
      },
      reverse: sendNow ? null : reopen(item),
      label,
      leaves: true
    }
  }
  if (sendNow) return undefined
  if (item.kind === "email") {
    const input = { review_id: item.item_id, decision: "approve", ...hashed(content_hash) }
    return { call: { command: "email.review.decide", input }, reverse: null, label, leaves: true }
  }
  if (item.kind === "approval") {
    const input = { approval_request_id: item.item_id, decision: "approve" }
    return { call: { command: "approval.resolve", input }, reverse: null, label: "Approved the request", leaves: true }
  }
  return undefined
}

/** Rejects it, with the reason that its writer reads. */
export const rejection = ({ content_hash, item }: Details, reason: string): Proposal | undefined => {
  const label = `Rejected for ${nameOf(item)}`
  if (item.kind === "message") {
    const input = { draft_id: item.item_id, reason, ...hashed(content_hash) }
    return { call: { command: "linkedin.draft.reject", input }, reverse: reopen(item), label, leaves: true }
  }
  if (item.kind === "email") {
    const input = { review_id: item.item_id, decision: "reject", reason, ...hashed(content_hash) }
    return { call: { command: "email.review.decide", input }, reverse: null, label, leaves: true }
  }
  if (item.kind === "approval") {
    const input = { approval_request_id: item.item_id, decision: "reject", reason }
    return { call: { command: "approval.resolve", input }, reverse: null, label: "Rejected the request", leaves: true }
  }
  return undefined
}

/** Asks the writer for another text. */
export const rewriteRequest = ({ content_hash, item }: Details, instructions: string): Proposal | undefined =>
  item.kind === "message"
    ? {
        call: {
          command: "linkedin.draft.request-rewrite",
          input: { draft_id: item.item_id, instructions, ...hashed(content_hash) }
        },
        reverse: reopen(item),
        label: `Asked for a rewrite for ${nameOf(item)}`,
        leaves: true
      }
    : undefined

/** Puts it aside until a time; null brings it back. */
export const snooze = (item: Item, until: string | null, shownUntil: string): Proposal | undefined =>
  item.kind === "message"
    ? {
        call: { command: "linkedin.draft.snooze", input: { draft_id: item.item_id, until } },
        reverse: { command: "linkedin.draft.snooze", input: { draft_id: item.item_id, until: item.snoozed_until } },
        label: until === null ? `Back in review: ${nameOf(item)}` : `Snoozed ${nameOf(item)} until ${shownUntil}`,
        leaves: true
      }
    : undefined

/** Marks it for others. */
export const flag = (item: Item, note?: string): Proposal | undefined =>
  item.kind === "message"
    ? {
        call: {
          command: "linkedin.draft.flag",
          input: {
            draft_id: item.item_id,
            flagged: !item.flagged,
            ...(note === undefined || note === "" ? {} : { note })
          }
        },
        reverse: { command: "linkedin.draft.flag", input: { draft_id: item.item_id, flagged: item.flagged } },
        label: item.flagged ? `Flag removed from ${nameOf(item)}` : `Flagged ${nameOf(item)}`,
        leaves: false
      }
    : undefined

/** Takes an approved message back to review. */
export const withdrawal = (item: Item): Proposal | undefined =>
  item.kind === "message"
    ? { call: reopen(item), reverse: null, label: `Back in review: ${nameOf(item)}`, leaves: true }
    : undefined
