/** The decisions of a review as calls to the service. */
import { type Failure, Relayed } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { objectsOf, type Target } from "../Target.ts"
import type { CommandCall, Decision, ReviewedItem, ReviewState, WaitingItem } from "./ReviewState.ts"
import { timeOf } from "./readItem.ts"
import { run } from "./run.ts"

/** The name of the LinkedIn account that would send a draft. Fails with NO_LINKEDIN_ACCOUNT if the agent has none. */
export const accountName = (target: Target, { agentHandle }: ReviewedItem): Effect.Effect<string, Failure> =>
  Effect.flatMap(run(target, { id: "linkedin.account.list", input: {} }), ({ accounts }) => {
    const found = objectsOf(accounts).find(({ agent_handle }) => agent_handle === agentHandle)
    return found === undefined
      ? Effect.fail(new Relayed("NO_LINKEDIN_ACCOUNT", { message: "No LinkedIn account is linked to this agent." }))
      : Effect.succeed(String(found["name"] ?? agentHandle))
  })

const reopened = (draftId: string): CommandCall => ({ id: "linkedin.draft.reopen", input: { draft_id: draftId } })

/** When an approved message leaves, and why; empty if the service does not say. */
const departureOf = (target: Target, itemId: string): Effect.Effect<string> =>
  run(target, { id: "review.get", input: { item_id: itemId } }).pipe(
    Effect.map(({ departure }) => {
      const { leaves_at, reasons } = Object(departure)
      const when = timeOf(leaves_at)
      const why = Array.isArray(reasons) ? reasons.join(", ") : ""
      return when === "" ? (why === "" ? "" : ` It waits: ${why}.`) : ` Leaves ${when}${why === "" ? "" : ` (${why})`}.`
    }),
    Effect.orElseSucceed(() => "")
  )

const hashed = (hash: string | undefined) => (hash === undefined ? {} : { content_hash: hash })

/** What is said of a decision that a policy holds; empty for one that was made. */
const heldNote = ({ approval_required }: Readonly<Record<string, unknown>>): string =>
  approval_required === true ? " A policy asks another person to approve it first." : ""

/** Approves a message, which can be undone until it leaves, and sends it with `now`. */
const approveMessage = Effect.fnUntraced(function* (
  target: Target,
  selected: number,
  { contentHash, itemId, lead, profileUrl }: ReviewedItem,
  waiting: WaitingItem,
  now: boolean
): Effect.fn.Return<Decision, Failure> {
  const input = {
    draft_id: itemId,
    variation_index: selected,
    ...hashed(contentHash),
    profile_url: profileUrl,
    ...(now ? { send_now: true } : {})
  }
  const done = yield* run(target, { id: "linkedin.draft.approve", input })
  const isSent = Object(done["draft"]).status === "DISPATCHED"
  const held = heldNote(done)
  if (held !== "") return { kind: "approved", item: waiting, lead, note: held, undo: undefined }
  return {
    kind: isSent ? "sent" : "approved",
    item: waiting,
    lead,
    note: isSent ? "" : yield* departureOf(target, itemId),
    undo: isSent ? undefined : reopened(itemId)
  }
})

/** The decision on an email or an approval request, which nothing undoes. */
const finalCall = (
  { contentHash, itemId, kind }: ReviewedItem,
  decision: "approve" | "reject",
  reason: { readonly reason?: string }
): CommandCall =>
  kind === "email"
    ? { id: "email.review.decide", input: { review_id: itemId, decision, ...hashed(contentHash), ...reason } }
    : { id: "approval.resolve", input: { approval_request_id: itemId, decision, ...reason } }

/** Approves the chosen text as it was read. */
export const approveItem = (
  target: Target,
  { selected }: ReviewState,
  item: ReviewedItem,
  waiting: WaitingItem,
  now: boolean
): Effect.Effect<Decision, Failure> =>
  item.kind === "message"
    ? approveMessage(target, selected, item, waiting, now)
    : Effect.map(run(target, finalCall(item, "approve", {})), (done) => ({
        kind: "approved",
        item: waiting,
        lead: item.lead,
        note: heldNote(done),
        undo: undefined
      }))

/** Rejects an item, or asks for a rewrite of a message, with a text for its writer. */
export const returnItem = (
  target: Target,
  what: "Reject" | "Rewrite",
  text: string,
  item: ReviewedItem,
  waiting: WaitingItem
): Effect.Effect<Decision, Failure> => {
  const { contentHash, itemId, kind, lead } = item
  const bound = { draft_id: itemId, ...hashed(contentHash) }
  const isRejected = what === "Reject"
  const ofMessage = isRejected
    ? { id: "linkedin.draft.reject", input: { ...bound, reason: text } }
    : { id: "linkedin.draft.request-rewrite", input: { ...bound, instructions: text } }
  const isMessage = kind === "message"
  return Effect.map(run(target, isMessage ? ofMessage : finalCall(item, "reject", { reason: text })), (done) => {
    const note = heldNote(done)
    const undo = isRejected && isMessage && note === "" ? reopened(itemId) : undefined
    return { kind: isRejected ? "rejected" : "sent back", item: waiting, lead, note, undo }
  })
}

/** Hides a draft until nine o'clock of a day to come. */
export const snoozeDraft = Effect.fnUntraced(function* (
  target: Target,
  days: number,
  { itemId, lead }: ReviewedItem,
  waiting: WaitingItem
): Effect.fn.Return<Decision, Failure> {
  const id = "linkedin.draft.snooze"
  const until = new Date(yield* Clock.currentTimeMillis)
  until.setDate(until.getDate() + days)
  until.setHours(9, 0, 0, 0)
  yield* run(target, { id, input: { draft_id: itemId, until: until.toISOString() } })
  return { kind: "snoozed", item: waiting, lead, note: "", undo: { id, input: { draft_id: itemId, until: null } } }
})

/** Flags a draft, or removes its flag. */
export const flagDraft = (target: Target, { flagged, itemId }: ReviewedItem) =>
  run(target, { id: "linkedin.draft.flag", input: { draft_id: itemId, flagged: !flagged } })

/** Replaces the chosen text. Fails with CONTENT_CHANGED when the draft is not the one that was read. */
export const saveText = (target: Target, selected: number, item: ReviewedItem, text: string) => {
  const { contentHash, itemId, variations: before } = item
  const variations = [...before.slice(0, selected), text, ...before.slice(selected + 1)]
  return run(target, { id: "linkedin.draft.update", input: { draft_id: itemId, variations, ...hashed(contentHash) } })
}
