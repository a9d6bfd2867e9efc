/** Why something waits, was not sent, or returned to review: one table for every surface. */
import * as Schema from "effect/Schema"

/** Who can change it. `nobody`: it passes with time, or is over. */
type Who = "nobody" | "lead" | "reviewer" | "owner" | "operator"

type Entry = readonly [clause: string, who: Who, command: string | null]

/** Every reason: what a person reads, who can change it, and with which command. */
const table = {
  not_connected: ["the person is not connected with the account", "lead", "linkedin.invitation.send"],
  already_connected: ["the person is connected already", "nobody", null],
  already_pending: ["an earlier invitation is still open", "lead", "linkedin.invitation.withdraw"],
  blocked: ["LinkedIn does not let the account contact this person", "nobody", "linkedin.draft.cancel"],
  unreachable: ["LinkedIn does not find this person", "reviewer", "lead.upsert"],
  limit: ["LinkedIn refused more for now", "nobody", null],
  credits: ["the account has no credits left", "owner", null],
  account_down: ["the LinkedIn account is disconnected", "owner", "linkedin.account.link"],
  account_restricted: ["LinkedIn restricted the account", "owner", null],
  invalid: ["LinkedIn refused the text", "reviewer", "linkedin.draft.update"],
  transient: ["LinkedIn could not send it", "nobody", null],
  unavailable: ["the provider could not be reached", "nobody", null],
  lead_busy: ["another message to the lead is being sent", "nobody", null],
  sending_held: ["sending is on hold for the whole service", "operator", null],
  hold: ["in the grace period", "reviewer", "linkedin.queue.cancel"],
  due: ["due now", "nobody", null],
  sending: ["it is being sent", "nobody", null],
  spacing: ["rest between messages", "nobody", null],
  usage_limit: ["the account's limit is reached", "owner", "linkedin.usage.set-limits"],
  outside_hours: ["outside working hours", "owner", "agent.update"],
  mission_paused: ["the mission is not active", "owner", "mission.resume"],
  mission_archived: ["the mission was archived", "owner", "mission.update"],
  mission_deleted: ["the mission was deleted", "nobody", null],
  by_hand: ["sent by hand: this service does not contact LinkedIn", "reviewer", "linkedin.queue.resolve"],
  item_cancelled: ["it was taken out of the queue", "reviewer", "linkedin.draft.approve"],
  not_sent: ["a person checked and said so", "reviewer", "linkedin.draft.approve"],
  relation_timeout: ["the person did not accept the invitation in time", "lead", "linkedin.draft.approve"],
  outcome_unknown: ["it is unknown whether it was sent", "reviewer", "linkedin.queue.resolve"],
  draft_changed: ["the draft was changed", "reviewer", "linkedin.draft.approve"],
  draft_cancelled: ["the draft was cancelled", "reviewer", "linkedin.draft.reopen"],
  draft_replaced: ["another draft replaced it", "nobody", null],
  draft_rejected: ["a reviewer rejected the draft", "reviewer", "linkedin.draft.reopen"],
  draft_reopened: ["the draft returned to review", "reviewer", "linkedin.draft.approve"],
  rewrite_requested: ["a reviewer requested a new version", "reviewer", "linkedin.draft.update"],
  lead_suppressed: ["the lead is suppressed", "nobody", null],
  lead_not_interested: ["the lead is not interested", "reviewer", "linkedin.draft.approve"],
  lead_replied: ["the lead replied after this was approved", "reviewer", "linkedin.draft.approve"],
  lead_merged: ["the lead was merged with another one", "nobody", null],
  lead_left_mission: ["the lead left the mission", "nobody", null],
  no_disclosure: ["it does not say what the organization discloses", "reviewer", "linkedin.draft.update"],
  identifier_removed: ["the identifier that it was approved for was removed", "reviewer", "linkedin.draft.approve"],
  recipient_changed: [
    "the lead's address or profile changed after this was approved",
    "reviewer",
    "linkedin.draft.approve"
  ],
  account_changed: ["the sender's account changed after this was approved", "reviewer", "linkedin.draft.approve"],
  mission_changed: ["its mission changed after this was approved", "reviewer", "linkedin.draft.approve"],
  text_changed: ["its text changed after this was approved", "reviewer", "linkedin.draft.approve"],
  agent_deleted: ["the agent was deleted", "reviewer", "linkedin.draft.cancel"],
  no_account: ["the agent has no LinkedIn account", "owner", "linkedin.account.link"],
  invitation_pending: ["the person has not accepted the invitation yet", "lead", "linkedin.invitation.withdraw"],
  database_restored: ["it may have been sent before the database was restored", "reviewer", "email.review.decide"]
} as const satisfies Readonly<Record<string, Entry>>

/** A code of the table. */
export type QueueReason = keyof typeof table

const entries: ReadonlyMap<string, Entry> = new Map(Object.entries(table))

/** The code, as it is read and written. */
export const QueueReason = Schema.Literals(Object.keys(table) as ReadonlyArray<QueueReason>)

/** What a person reads after "as"; undefined for a text that is no code. */
export const clauseOf = (code: string): string | undefined => entries.get(code)?.[0]

/** The same as a sentence. */
export const sentenceOf = (code: QueueReason): string =>
  `${table[code][0].charAt(0).toUpperCase()}${table[code][0].slice(1)}.`

/** The table as `svc explain` shows it. */
export const reasonTable = QueueReason.literals.map((code) => {
  const [, who, command] = table[code]
  return { code, text: sentenceOf(code), who, command }
})
