/** The commands of each decision, by what is decided on. Pure. */
import { dateAndTime } from "../queue/times.ts"
import type { Details, Item } from "../service/shapes.ts"
import type { Call, Decision } from "./Outbox.ts"

/** A decision before it is made. */
export type Proposal = Pick<Decision, "call" | "reverse" | "label" | "leaves" | "typed">

const nameOf = ({ kind, lead }: Item): string =>
  lead?.name ?? (kind === "approval" ? "the request" : "somebody unknown")

const draftCall = ({ item_id }: Item, verb: string, input: object = {}): Call => ({
  command: `linkedin.draft.${verb}`,
  input: { draft_id: item_id, ...input }
})

const reopening = (item: Item): Call => draftCall(item, "reopen")

const leaving = (call: Call, label: string, reverse: Call | null = null): Proposal => ({
  call,
  reverse,
  label,
  leaves: true
})

/** The decision on the draft of a message; undefined for other kinds. */
const onMessage = (item: Item, verb: string, input: object, label: string, reverse?: Call): Proposal | undefined =>
  item.kind === "message" ? leaving(draftCall(item, verb, input), label, reverse) : undefined

/** The hash of the text that a command is about, if there is one. */
export const hashed = (hash: string | null) => (hash === null ? {} : { content_hash: hash })

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

/** When what is approved may leave, within hours and limits unless at once: from an instant or the next working morning on. */
export type Leaving = Readonly<Partial<{ not_before: string; send_now: true }>>

/** The same in words; nothing without a time. */
export const leavingText = ({ not_before: at = "" }: Leaving): string => {
  if (at === "") return ""
  return at === "next_morning" ? ", from the next working morning on" : `, not before ${dateAndTime(at)}`
}

/** Approves the text that is shown. */
export const approval = (details: Details, variation: number, when: Leaving = {}): Proposal | undefined => {
  const { content_hash, draft, item } = details
  if (item.kind === "message" && draft !== null) {
    const call = draftCall(item, "approve", {
      ...(draft.variations.length > 1 ? { variation_index: variation } : {}),
      ...hashed(content_hash),
      profile_url: draft.lead.linkedin_url ?? "",
      ...when
    })
    return when.send_now
      ? leaving(call, `Sending to ${nameOf(item)} now`)
      : leaving(call, `Approved for ${nameOf(item)}${leavingText(when)}`, reopening(item))
  }
  const made = when.send_now ? undefined : decided(details, "Approved", { decision: "approve", ...when })
  // An approval request runs what was asked for, with its time.
  if (when.not_before !== undefined && item.kind !== "email") return undefined
  return made && { ...made, label: made.label + leavingText(when) }
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
  const input = { reason, ...hashed(content_hash) }
  return (
    onMessage(item, "reject", input, `Rejected for ${nameOf(item)}`, reopening(item)) ??
    decided(details, "Rejected", { decision: "reject", reason })
  )
}

/** Asks the writer for another text. */
export const rewriteRequest = ({ content_hash, item }: Details, instructions: string): Proposal | undefined => {
  const input = { instructions, ...hashed(content_hash) }
  return onMessage(item, "request-rewrite", input, `Asked for a rewrite for ${nameOf(item)}`, reopening(item))
}

/** Puts it aside until a time; null brings it back. */
export const snooze = (item: Item, until: string | null, shownUntil: string): Proposal | undefined => {
  const label = until === null ? `Back in review: ${nameOf(item)}` : `Snoozed ${nameOf(item)} until ${shownUntil}`
  return onMessage(item, "snooze", { until }, label, draftCall(item, "snooze", { until: item.snoozed_until }))
}

/** Marks it for others. */
export const flag = (item: Item): Proposal | undefined => {
  const { flagged } = item
  const label = flagged ? `Flag removed from ${nameOf(item)}` : `Flagged ${nameOf(item)}`
  const made = onMessage(item, "flag", { flagged: !flagged }, label, draftCall(item, "flag", { flagged }))
  return made && { ...made, leaves: false }
}

/** Takes an approved message back to review. */
export const withdrawal = (item: Item): Proposal | undefined =>
  onMessage(item, "reopen", {}, `Back in review: ${nameOf(item)}`)
