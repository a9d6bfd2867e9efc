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

/** A call about a draft, an email or an approval request. */
const draftCall = ({ item_id }: Item, verb: string, input: object = {}): Call => ({
  command: `linkedin.draft.${verb}`,
  input: { draft_id: item_id, ...input }
})

const emailCall = ({ item_id }: Item, input: object): Call => ({
  command: "email.review.decide",
  input: { review_id: item_id, ...input }
})

const requestCall = ({ item_id }: Item, input: object): Call => ({
  command: "approval.resolve",
  input: { approval_request_id: item_id, ...input }
})

const leaving = (call: Call, label: string, reverse: Call | null = null): Proposal => ({
  call,
  reverse,
  label,
  leaves: true
})

const hashed = (hash: string | null) => (hash === null ? {} : { content_hash: hash })

/** Approves the text that is shown. */
export const approval = (details: Details, variation: number, sendNow = false): Proposal | undefined => {
  const { content_hash, draft, item } = details
  const hash = hashed(content_hash)
  if (item.kind === "message" && draft !== null) {
    const call = draftCall(item, "approve", {
      ...(draft.variations.length > 1 ? { variation_index: variation } : {}),
      ...hash,
      profile_url: draft.lead.linkedin_url ?? "",
      ...(sendNow ? { send_now: true } : {})
    })
    return sendNow
      ? leaving(call, `Sending to ${nameOf(item)} now`)
      : leaving(call, `Approved for ${nameOf(item)}`, draftCall(item, "reopen"))
  }
  if (sendNow) return undefined
  if (item.kind === "email") {
    return leaving(emailCall(item, { decision: "approve", ...hash }), `Approved for ${nameOf(item)}`)
  }
  return item.kind === "approval"
    ? leaving(requestCall(item, { decision: "approve" }), "Approved the request")
    : undefined
}

/** Rejects it, with the reason that its writer reads. */
export const rejection = ({ content_hash, item }: Details, reason: string): Proposal | undefined => {
  const label = `Rejected for ${nameOf(item)}`
  const hash = hashed(content_hash)
  if (item.kind === "message") {
    return leaving(draftCall(item, "reject", { reason, ...hash }), label, draftCall(item, "reopen"))
  }
  if (item.kind === "email") return leaving(emailCall(item, { decision: "reject", reason, ...hash }), label)
  return item.kind === "approval"
    ? leaving(requestCall(item, { decision: "reject", reason }), "Rejected the request")
    : undefined
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
