/** Commands for mailboxes: their limits and domains, and commands of neighbouring files. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { Actor, Execution } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import { askDomain, keepDomain } from "./checkDomain.ts"
import { ConnectInbox } from "./connectInbox.ts"
import { MailboxesRepo, mailboxSender } from "./MailboxesRepo.ts"
import { emailField, example, Mailbox, MailboxOutput, mailboxOf, shown, viewOf } from "./mailboxView.ts"
import { GetEmailConversation, GetInbound } from "./readMailCommands.ts"

const optional = Schema.optionalKey

const ListMailboxes = Command.make({
  id: "email.mailbox.list",
  title: "List mailboxes",
  summary: "List mailboxes with their inboxes, limits and domains",
  description:
    "Returns the email accounts of all agents: where replies are read and whether that works, how much was sent and may " +
    "be sent, and what the DNS says of the domain.",
  whenToUse: "To see why emails wait or replies are missing, and before connecting an inbox.",
  risk: "read",
  scope: "email:read",
  input: Schema.Struct({}),
  output: Schema.Struct({ mailboxes: Schema.Array(Mailbox) }),
  failures: [],
  relatedCommands: ["email.mailbox.connect-inbox", "email.mailbox.set-limits", "email.mailbox.check"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "All mailboxes", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const rows = yield* (yield* MailboxesRepo).list(organizationId)
    return { mailboxes: yield* Effect.forEach(rows, viewOf) }
  })
})

const DisconnectInbox = Command.make({
  id: "email.mailbox.disconnect-inbox",
  title: "Disconnect an inbox",
  summary: "Remove where replies to a mailbox are read",
  description: "Deletes the password and where the inbox was. Emails are still sent; replies are no longer noticed.",
  whenToUse: "When somebody leaves, or replies are to be read in another way.",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({ email: emailField }),
  output: MailboxOutput,
  failures: [NotFound],
  riskNotes: ["Emails that wait are sent even if the person has answered, as nobody notices."],
  relatedCommands: ["email.mailbox.list", "email.mailbox.connect-inbox"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Stop reading it", input: { email: example } }],
  run: Effect.fnUntraced(function* ({ email }) {
    const { key, organizationId } = yield* mailboxOf(email)
    yield* (yield* MailboxesRepo).saveInbox(organizationId, key, null, yield* now)
    return yield* shown(email)
  })
})

const cap = (what: string) =>
  optional(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))).annotate({
      description: `${what}; null for the default; default unchanged`
    })
  )

const SetMailboxLimits = Command.make({
  id: "email.mailbox.set-limits",
  title: "Set limits of a mailbox",
  summary: "Set how many emails a mailbox sends an hour and a day",
  description:
    "Sets the limits of a mailbox. By default, 200 a day and none an hour. With the agent's smart deliverability, the first " +
    "three weeks allow 40, 60 and 80 percent of the day's limit. What is beyond a limit waits.",
  whenToUse: "For a new or a sensitive mailbox, or as its provider asks.",
  risk: "mutate",
  scope: "email:approve",
  effects: { does: ["approves"], channels: ["email"] },
  input: Schema.Struct({
    email: emailField,
    hour: cap("Emails in an hour"),
    day: cap("Emails in 24 hours, at most 200"),
    ramp: optional(
      Schema.Boolean.annotate({ description: "Whether the first three weeks allow less; default unchanged" })
    )
  }),
  output: MailboxOutput,
  failures: [NotFound],
  riskNotes: ["More emails than people expect of a mailbox end up as spam, and so do later ones."],
  relatedCommands: ["email.mailbox.list", "linkedin.usage.set-limits"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "A careful start", input: { email: example, hour: 10, day: 40 } }],
  run: Effect.fnUntraced(function* ({ day, email, hour, ramp }) {
    const { address, organizationId } = yield* mailboxOf(email)
    const limits = {
      ...(hour === undefined ? {} : { emailHour: hour }),
      ...(day === undefined ? {} : { emailDay: day })
    }
    yield* (yield* TransmissionsRepo).setLimits(organizationId, mailboxSender(address), { limits, ramp })
    return yield* shown(email)
  })
})

const CheckMailbox = Command.make({
  id: "email.mailbox.check",
  title: "Check a mailbox's domain",
  summary: "Check SPF, DKIM and DMARC of a mailbox's domain",
  description: "Reads the records of the sending domain in the DNS, and says what to change. The result is kept.",
  whenToUse: "Before the first emails, and after changing the DNS.",
  risk: "mutate",
  scope: "agents:write",
  effects: { does: ["writes"], channels: ["email"] },
  input: Schema.Struct({ email: emailField }),
  output: MailboxOutput,
  failures: [NotFound],
  riskNotes: ["Changes nothing but what is known of the domain."],
  relatedCommands: ["email.mailbox.list", "policy.set"],
  relatedResources: ["svc://email/reviews"],
  outward: true,
  examples: [{ title: "One mailbox", input: { email: example } }],
  run: Effect.fnUntraced(function* ({ email }) {
    const execution = yield* Execution
    const { address, organizationId } = yield* execution.commit(mailboxOf(email))
    const facts = yield* askDomain(address)
    return yield* execution.finish(Effect.andThen(keepDomain(organizationId, address, facts), shown(email)))
  })
})

/** The commands. */
export const mailboxCommands = [
  CheckMailbox,
  ConnectInbox,
  DisconnectInbox,
  GetEmailConversation,
  GetInbound,
  ListMailboxes,
  SetMailboxLimits
] as const
