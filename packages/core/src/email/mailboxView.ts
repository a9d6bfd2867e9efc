/** What is shown of a mailbox: its inbox, its limits and its domain. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { EmailProvider } from "../agents/Agent.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import { Instant, now } from "../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { capsOf, countedFor, limitResetsAt, usesWithin } from "../outreach/pacing/UsageLimits.ts"
import { SendOptions, secondsBefore } from "../outreach/SendOptions.ts"
import { TransmissionsRepo } from "../outreach/TransmissionsRepo.ts"
import { DomainFacts } from "./DomainCheck.ts"
import { type InboxState, MailboxesRepo, type MailboxRow, mailboxSender } from "./MailboxesRepo.ts"

export const text = Schema.String

const inboxStates = ["off", "ok", "login", "unreachable", "folder"] as const satisfies ReadonlyArray<InboxState>

export const securities = ["tls", "starttls", "plain"] as const

/** What is shown of an inbox: everything but its password. */
const InboxView = Schema.Struct({
  host: text,
  port: Schema.Int,
  security: Schema.Literals(securities),
  user: text,
  login: Schema.Literals(["password", "token"]),
  folders: Schema.Array(text).annotate({ description: "Folders that are read; none for all mail, or INBOX" })
})

const UsageView = Schema.Struct({
  window: Schema.Literals(["hour", "day"]),
  used: Schema.Int,
  limit: Schema.NullOr(Schema.Int).annotate({ description: "The limit now, with the ramp-up; null for no limit" })
})

export const Mailbox = Schema.Struct({
  email: text,
  provider: EmailProvider,
  agent: Schema.Struct({ handle: text, name: text }),
  inbox: Schema.NullOr(InboxView).annotate({ description: "Where replies are read; null while they are not" }),
  inbox_state: Schema.Literals(inboxStates).annotate({
    description: "off: not read; login: the password or token is refused; folder: a folder is missing"
  }),
  inbox_problem: Schema.NullOr(text),
  read_at: Schema.NullOr(Instant).annotate({ description: "When it was last read" }),
  usage: Schema.Array(UsageView),
  paused_until: Schema.NullOr(Instant).annotate({
    description: "Until when a limit holds what it sends; null if none does"
  }),
  domain: Schema.NullOr(DomainFacts).annotate({
    description: "What the DNS says of the sending domain; null before email.mailbox.check"
  })
})

export const viewOf = Effect.fnUntraced(function* (row: MailboxRow) {
  const at = yield* now
  const { pacing } = yield* SendOptions
  const { actions, seconds } = countedFor("email")
  const { account } = yield* (yield* TransmissionsRepo).accountFacts({
    organizationId: row.organizationId,
    accountId: mailboxSender(row.address),
    isMailbox: true,
    actions,
    since: secondsBefore(at, seconds),
    isLocked: false,
    item: undefined
  })
  const times = account?.done.map((one) => one.at) ?? []
  const caps = pacing && account !== null ? capsOf(account, "email", at) : { hour: null, day: null, week: null }
  return {
    email: row.address,
    provider: row.provider,
    agent: Struct.pick(row.agent, ["handle", "name"]),
    inbox: row.inbox,
    inbox_state: row.state,
    inbox_problem: row.problem,
    read_at: row.readAt,
    usage: (["hour", "day"] as const).map((window) => ({
      window,
      used: usesWithin(times, window, at).length,
      limit: caps[window] ?? null
    })),
    paused_until: limitResetsAt(times, caps, at) ?? null,
    domain: row.domain
  } satisfies typeof Mailbox.Type
})

/** The mailbox of an address. Fails with NOT_FOUND. */
export const mailboxOf = Effect.fnUntraced(function* (email: string) {
  const { organizationId } = yield* Actor
  const mailboxes = yield* (yield* MailboxesRepo).list(organizationId)
  const found = mailboxes.find(({ key }) => key === mailboxSender(email.trim()))
  if (found !== undefined) return found
  const message =
    "No agent has an email account with this address. See email.mailbox.list, or add it with agent.update."
  return yield* new NotFound({ kind: "mailbox", message })
})

export const emailField = nonEmptyLine(254, "Address of the mailbox")

export const MailboxOutput = Schema.Struct({ mailbox: Mailbox })

export const shown = (email: string) =>
  Effect.flatMap(mailboxOf(email), (row) => Effect.map(viewOf(row), (mailbox) => ({ mailbox })))

export const example = "ada@example.com"
