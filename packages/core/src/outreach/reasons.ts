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
  blocked: ["LinkedIn does not let the account contact this person", "reviewer", "linkedin.draft.cancel"],
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
  scheduled: ["waits for the time that its approver set", "reviewer", "linkedin.queue.cancel"],
  due: ["due now", "nobody", null],
  sending: ["it is being sent", "nobody", null],
  spacing: ["rest between messages", "nobody", null],
  usage_limit: ["the account's limit is reached", "owner", "linkedin.usage.set-limits"],
  outside_hours: ["outside working hours", "owner", "agent.update"],
  mission_paused: ["the mission is not active", "owner", "mission.resume"],
  mission_archived: ["the mission was archived", "owner", "mission.update"],
  mission_deleted: ["the mission was deleted", "nobody", null],
  by_hand: ["sent manually: this service does not contact LinkedIn", "reviewer", "linkedin.queue.resolve"],
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
  lead_suppressed: ["the lead is suppressed", "owner", "lead.suppression.lift"],
  lead_not_interested: ["the lead is not interested", "reviewer", "linkedin.draft.approve"],
  lead_replied: ["the lead replied after this was approved", "reviewer", "linkedin.draft.approve"],
  follow_up_over: ["the lead replied or has another status, so there is nothing to follow up", "nobody", null],
  follow_up_early: ["another message went to the lead, so the working days of the step start anew", "nobody", null],
  lead_away: ["the person is away, as an automatic reply says", "nobody", null],
  lead_merged: ["the lead was merged with another one", "nobody", null],
  lead_left_mission: ["the lead left the mission", "nobody", null],
  bounced_hard: ["the address does not exist", "reviewer", "lead.upsert"],
  bounced_full: ["the mailbox was full", "nobody", null],
  bounced_policy: ["the recipient's mail server refused it", "reviewer", "email.send"],
  bounced_soft: ["the recipient's mail server could not deliver it", "nobody", null],
  domain_unauthenticated: ["the sender's domain is not set up for sending", "owner", "email.mailbox.check"],
  no_lawful_basis: ["the lawful basis for contacting the lead is not known", "reviewer", "lead.upsert"],
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

/** What is said of what waits, where that is another sentence. Those that begin with `Sends` pass with time. */
const waiting: Readonly<Partial<Record<keyof typeof table, string>>> = {
  not_connected: "Won't send until the lead connects with the account.",
  limit: "Sends when LinkedIn accepts more.",
  credits: "Won't send until the account has credits again.",
  account_down: "Won't send while the LinkedIn account is disconnected.",
  account_restricted: "Won't send while LinkedIn restricts the account.",
  transient: "Sends when it is retried after a temporary failure.",
  unavailable: "Sends when the provider can be reached again.",
  lead_busy: "Sends after another message to this lead.",
  bounced_full: "Sends again, as the mailbox was full.",
  bounced_soft: "Sends again after a temporary failure of the recipient's mail server.",
  domain_unauthenticated: "Won't send until the sender's domain is set up for sending.",
  follow_up_early: "Sends when the step's working days since the latest message have passed.",
  no_lawful_basis: "Won't send until the lead has a lawful basis.",
  lead_away: "Sends when the person is back.",
  sending_held: "Won't send while sending is on hold for the whole service.",
  hold: "Sends after the grace period.",
  scheduled: "Sends at the time that its approver set.",
  due: "Sends in turn.",
  spacing: "Sends after a pause between messages.",
  usage_limit: "Sends when the account's limit allows.",
  outside_hours: "Sends when working hours start.",
  mission_paused: "Won't send while the mission is not active.",
  mission_archived: "Won't send while the mission is archived.",
  by_hand: "Won't send by itself: send it manually, then record it.",
  lead_suppressed: "Won't send while the lead is suppressed.",
  no_account: "Won't send until the agent has a LinkedIn account.",
  invitation_pending: "Won't send until the lead accepts the invitation."
}

/** A code of the table. */
export type QueueReason = keyof typeof table

const entries: ReadonlyMap<string, Entry> = new Map(Object.entries(table))

/** The code, as it is read and written. */
export const QueueReason = Schema.Literals(Object.keys(table) as ReadonlyArray<QueueReason>)

/** What a person reads after "as"; undefined for a text that is no code. */
export const clauseOf = (code: string): string | undefined => entries.get(code)?.[0]

/** Words as a sentence. */
export const asSentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** The clause of a code as a sentence. */
export const sentenceOf = (code: QueueReason): string => asSentence(table[code][0])

/** What is said while it holds something back. */
export const waitingSentence = (code: QueueReason): string => waiting[code] ?? sentenceOf(code)

type Input = Readonly<Record<string, string>>

/** What a command does about it, the ids that it takes, and what else it must be told. */
const remedies: Readonly<Record<string, readonly [deed: string, id: string, input?: Input]>> = {
  "agent.update": ["by changing the working hours", "agent_handle"],
  "approval.resolve": ["by deciding on the request", "approval_request_id", { decision: "approve" }],
  "email.mailbox.check": ["by setting up the domain", "email"],
  "email.resolve": ["by recording whether it was sent", "email_id", { outcome: "sent" }],
  "email.review.decide": ["by deciding on the email", "review_id", { decision: "approve" }],
  "email.send": ["by sending another text", "lead_id"],
  "lead.get": ["by choosing one", "lead_id"],
  "lead.suppression.lift": ["by lifting the suppression", "lead_id", { reason: "REASON" }],
  "lead.upsert": ["by correcting the profile", "lead_id"],
  "linkedin.account.link": ["by linking an account", "agent_handle"],
  "linkedin.draft.approve": ["by approving it", "draft_id"],
  "linkedin.draft.cancel": ["by cancelling the draft", "draft_id"],
  "linkedin.draft.create": ["by writing a draft", "lead_id"],
  "linkedin.draft.reopen": ["by reopening the draft", "draft_id"],
  "linkedin.draft.update": ["by changing the text", "draft_id"],
  "linkedin.invitation.send": ["by inviting the lead", "lead_id"],
  "linkedin.invitation.withdraw": ["by withdrawing the invitation", "lead_id"],
  "linkedin.queue.cancel": ["by taking it out of the queue", "queue_id"],
  "linkedin.queue.resolve": ["by recording whether it was sent", "queue_id", { outcome: "sent" }],
  "linkedin.usage.set-limits": ["by changing the limits", "account_id"],
  "mission.resume": ["by resuming the mission", "mission_id"],
  "review.list": ["in the review queue", "mission_id"],
  "mission.update": ["by restoring the mission", "mission_id", { status: "active" }]
}

const people = { lead: "A reviewer", reviewer: "A reviewer", owner: "An owner" }

/** Who can change something, and with which command. `sentence` is what is said of it. */
export interface Cause {
  readonly sentence: string
  readonly who: Who
  readonly command: string | null
}

/** Whether it passes with time. */
export const passes = ({ sentence }: Pick<Cause, "sentence">): boolean => /^(Sends|Snoozed) /.test(sentence)

/** A reason of the table, as the cause of waiting. */
export const causeOf = (code: QueueReason, sentence = waitingSentence(code)): Cause => {
  const [, who, command] = table[code]
  return { sentence, who, command }
}

/** Who can change it, in words. `mayRun` says whether the reader may run a command. */
export const whoCan = (cause: Cause, mayRun: (command: string) => boolean = () => false): string => {
  const { command, who } = cause
  if (who === "nobody") return passes(cause) ? "Passes with time." : "Nobody."
  if (who === "operator") return "The operator of the service, with svc sending release."
  const [deed] = (command === null ? undefined : remedies[command]) ?? [who === "owner" ? "on LinkedIn" : ""]
  const subject = command !== null && mayRun(command) ? "You" : people[who]
  const person = deed === "" ? `${subject}.` : `${subject}, ${deed}.`
  if (who === "lead") return `The lead, by accepting. ${person}`
  return passes(cause) ? `${person} It also passes with time.` : person
}

/** The input of the command that changes it, of the ids that are known of the item. */
export const remedyInput = (command: string | null, ids: Readonly<Record<string, string | null>>): Input => {
  const [, name, input] = (command === null ? undefined : remedies[command]) ?? []
  const id = name === undefined ? null : ids[name]
  return { ...(name !== undefined && id ? { [name]: id } : {}), ...input }
}

/** The table as `svc explain` shows it. */
export const reasonTable = QueueReason.literals.map((code) => {
  const cause = causeOf(code)
  return { code, text: cause.sentence, who: cause.who, command: cause.command, can_change: whoCan(cause) }
})
