/** What is wrong with an item that could not be sent, and what a person can do. */
import * as Schema from "effect/Schema"
import { differences } from "../outreach/transmission/approvedRecipient.ts"
import { clauseOf } from "../outreach/transmission/reasons.ts"
import type { ReviewEntry } from "./ReviewRepo.ts"

/** A command to choose; `input` is complete. */
const Choice = Schema.Struct({
  label: Schema.String,
  command: Schema.String,
  input: Schema.Record(Schema.String, Schema.String)
})

/** See above. */
export const Problem = Schema.Struct({
  what: Schema.String,
  guidance: Schema.String,
  choices: Schema.Array(Choice).annotate({
    description: "Commands that settle it; empty if only the cause can be fixed"
  })
})
export type Problem = typeof Problem.Type

const nouns: Readonly<Record<string, string>> = { message: "message", invitation: "invitation", email: "email" }

const why = (reason: string | null): string =>
  reason === null ? "" : `: ${clauseOf(reason) ?? reason.replace(/\.$/, "")}`

const ambiguous = ({ itemId, kind, queueId }: ReviewEntry, noun: string): Problem => {
  const settle = (outcome: "sent" | "not_sent") =>
    kind === "email"
      ? { command: "email.resolve", input: { email_id: itemId, outcome } }
      : { command: "linkedin.queue.resolve", input: { queue_id: queueId ?? itemId, outcome } }
  return {
    what: `It is unknown whether the ${noun} was sent.`,
    guidance:
      kind === "email"
        ? "Look for it in the sent folder of the sender's mailbox, then choose what you found. It is never sent again automatically."
        : `Open the ${kind === "invitation" ? "list of sent invitations" : "conversation"} on LinkedIn with the sender's ` +
          "account, then choose what you found. It is never sent again automatically.",
    choices: [
      { label: "It was sent", ...settle("sent") },
      { label: "It was not sent", ...settle("not_sent") }
    ]
  }
}

const failed = ({ itemId, kind, reason }: ReviewEntry, noun: string): Problem => ({
  what: `The ${noun} was not sent${why(reason)}.`,
  guidance:
    kind === "message"
      ? "The draft is under review again. Fix the cause and approve it again, or cancel it."
      : `Nothing was sent. Fix the cause, then send a new ${noun}.`,
  choices:
    kind === "message"
      ? [{ label: "Cancel the draft", command: "linkedin.draft.cancel", input: { draft_id: itemId } }]
      : []
})

const returned = (what: string): Problem => ({
  what: `The approval was withdrawn, as ${what} changed.`,
  guidance: "Check who it goes to and who sends it, then approve it again.",
  choices: []
})

const blocked = ({ agent, itemId }: ReviewEntry): Problem => ({
  what: `The message waits, as the agent ${agent?.handle ?? ""} has no LinkedIn account.`,
  guidance: "Link an account with linkedin.account.link. The message is then queued automatically.",
  choices: [{ label: "Back to review", command: "linkedin.draft.reopen", input: { draft_id: itemId } }]
})

/** The problem of an item; undefined when it has none. */
export const problemOf = (entry: ReviewEntry): Problem | undefined => {
  const noun = nouns[entry.kind]
  if (noun === undefined) return undefined
  if (entry.state === "ambiguous") return ambiguous(entry, noun)
  if (entry.state === "failed") return failed(entry, noun)
  const change = entry.state === "in_review" ? entry.reason : null
  if (change === "recipient_changed" || change === "account_changed") return returned(differences[change])
  return entry.state === "blocked" ? blocked(entry) : undefined
}
