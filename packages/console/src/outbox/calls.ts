/** The commands of each decision, by what is decided on. Pure. */
import type { Details, Item } from "../service/shapes.ts"
import type { Call, Decision } from "./Outbox.ts"

/** A decision before it is made. */
export interface Proposal {
  readonly call: Call
  readonly reverse: Call | null
  readonly label: string
  readonly leaves: boolean
  readonly typed?: Decision["typed"] & {}
}

const nameOf = ({ kind, lead }: Item): string =>
  lead?.name ?? (kind === "approval" ? "the request" : "somebody unknown")

const draftCall = ({ item_id }: Item, verb: string, input: object = {}): Call => ({
  command: `linkedin.draft.${verb}`,
  input: { draft_id: item_id, ...input }
})

const leaving = (call: Call, label: string, reverse: Call | null = null): Proposal => ({
  call,
  reverse,
  label,
  leaves: true
})

const hashed = (hash: string | null) => (hash === null ? {} : { content_hash: hash })

/** The decision on an email or an approval request; undefined for other kinds. */
const decided = ({ content_hash, item }: Details, verb: string, input: object): Proposal | undefined => {
  const { item_id, kind } = item
  if (kind === "email") {
    const email = { review_id: item_id, ...input, ...hashed(content_hash) }
    return leaving({ command: "email.review.decide", input: email }, `${verb} for ${nameOf(item)}`)
  }
  const request = { approval_request_id: item_id, ...input }
  return kind === "approval"
    ? leaving({ command: "approval.resolve", input: request }, `${verb} the request`)
    : undefined
}

/** Approves the text that is shown. */
export const approval = (details: Details, variation: number, sendNow = false): Proposal | undefined => {
  const { content_hash, draft, item } = details
  if (item.kind === "message" && draft !== null) {
    const call = draftCall(item, "approve", {
      ...(draft.variations.length > 1 ? { variation_index: variation } : {}),
      ...hashed(content_hash),
      profile_url: draft.lead.linkedin_url ?? "",
      ...(sendNow ? { send_now: true } : {})
    })
    return sendNow
      ? leaving(call, `Sending to ${nameOf(item)} now`)
      : leaving(call, `Approved for ${nameOf(item)}`, draftCall(item, "reopen"))
  }
  return sendNow ? undefined : decided(details, "Approved", { decision: "approve" })
}

/** Approves an email with the subject and the text that were edited. */
export const approvalWithEdits = (details: Details, subject: string, text: string): Proposal | undefined =>
  decided(details, "Approved", {
    decision: "edit",
    ...(subject === details.subject ? {} : { subject }),
    ...(text === details.email?.body_text ? {} : { body_text: text })
  })

/** Rejects it, with the reason that its writer reads. */
export const rejection = (details: Details, reason: string): Proposal | undefined => {
  const { content_hash, item } = details
  if (item.kind !== "message") return decided(details, "Rejected", { decision: "reject", reason })
  const call = draftCall(item, "reject", { reason, ...hashed(content_hash) })
  return leaving(call, `Rejected for ${nameOf(item)}`, draftCall(item, "reopen"))
}

/** Asks the writer for another text. */
export const rewriteRequest = ({ content_hash, item }: Details, instructions: string): Proposal | undefined =>
  item.kind === "message"
    ? leaving(
        draftCall(item, "request-rewrite", { instructions, ...hashed(content_hash) }),
        `Asked for a rewrite for ${nameOf(item)}`,
        draftCall(item, "reopen")
      )
    : undefined

/** Puts it aside until a time; null brings it back. */
export const snooze = (item: Item, until: string | null, shownUntil: string): Proposal | undefined =>
  item.kind === "message"
    ? leaving(
        draftCall(item, "snooze", { until }),
        until === null ? `Back in review: ${nameOf(item)}` : `Snoozed ${nameOf(item)} until ${shownUntil}`,
        draftCall(item, "snooze", { until: item.snoozed_until })
      )
    : undefined

/** Marks it for others. */
export const flag = (item: Item): Proposal | undefined =>
  item.kind === "message"
    ? {
        call: draftCall(item, "flag", { flagged: !item.flagged }),
        reverse: draftCall(item, "flag", { flagged: item.flagged }),
        label: item.flagged ? `Flag removed from ${nameOf(item)}` : `Flagged ${nameOf(item)}`,
        leaves: false
      }
    : undefined

/** Takes an approved message back to review. */
export const withdrawal = (item: Item): Proposal | undefined =>
  item.kind === "message" ? leaving(draftCall(item, "reopen"), `Back in review: ${nameOf(item)}`) : undefined
