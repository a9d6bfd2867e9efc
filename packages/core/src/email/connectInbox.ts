/** `email.mailbox.connect-inbox`: where replies to a mailbox are read. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { Execution, warn } from "../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../kernel/failure/failures.ts"
import { seal, unseal } from "../kernel/schema/Hash.ts"
import { isoFromMillis, now } from "../kernel/schema/IdsAndTime.ts"
import { CursorSecret } from "../kernel/schema/Page.ts"
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { isLoopback } from "../kernel/schema/TextRules.ts"
import { type InboxAccount, InboxGateway, MailboxTokens } from "./InboxGateway.ts"
import { MailboxesRepo } from "./MailboxesRepo.ts"

import { emailField, example, MailboxOutput, mailboxOf, securities, shown } from "./mailboxView.ts"

const optional = Schema.optionalKey

/** Where the providers' inboxes are, as they publish it. */
const hosts = { GOOGLE: "imap.gmail.com", OUTLOOK: "outlook.office365.com" } as const

/** How far back a newly connected inbox is read, in milliseconds. */
const sinceMillis = 7 * 86_400_000

export const ConnectInbox = Command.make({
  id: "email.mailbox.connect-inbox",
  title: "Connect an inbox",
  summary: "Set where replies to a mailbox are read (IMAP)",
  description:
    "Logs in to try it, then reads what came in the last seven days and what comes from now on. Only mails of leads and " +
    "reports on sent emails are kept; nothing in the mailbox is changed. Without a password, the host program's access tokens are used.",
  whenToUse: "Once for each mailbox, so that replies, bounces and out-of-office replies are noticed.",
  risk: "mutate",
  scope: "agents:write",
  effects: { does: ["writes"], channels: ["email"] },
  input: Schema.Struct({
    email: emailField,
    host: optional(nonEmptyLine(253, "IMAP server; default that of Google or Outlook")),
    port: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })).annotate({
        description: "Port; default 993, or 143 without tls"
      })
    ),
    security: optional(
      Schema.Literals(securities).annotate({
        description: "tls (default), starttls, or plain, which only this machine may use"
      })
    ),
    user: optional(nonEmptyLine(254, "User name; default the address")),
    password: optional(
      nonEmptyLine(2_000, "Password, or an app password; kept encrypted. Omit to use access tokens").pipe(
        Schema.annotateEncoded({ format: "password" })
      )
    ),
    folders: optional(
      Schema.Array(nonEmptyLine(200, "A folder")).check(Schema.isMaxLength(20)).annotate({
        description: "Folders to read; default the folder with all mail, otherwise INBOX"
      })
    )
  }),
  output: MailboxOutput,
  failures: [NotFound],
  riskNotes: ["Replaces the inbox that was connected before."],
  relatedCommands: ["email.mailbox.list", "email.mailbox.disconnect-inbox"],
  relatedResources: ["svc://email/reviews"],
  outward: true,
  annotations: { secret: true },
  examples: [
    { title: "With an app password", input: { email: example, host: "imap.example.com", password: "an app password" } }
  ],
  // A request for approval keeps it encrypted.
  pin: ({ password }) =>
    password === undefined
      ? Effect.succeed({})
      : Effect.map(CursorSecret, (secret) => ({ password: seal(secret, unseal(secret, password)) })),
  run: Effect.fnUntraced(function* ({ email, folders = [], host, password: given, port, security = "tls", user }) {
    const execution = yield* Execution
    const password = given === undefined ? undefined : unseal(yield* CursorSecret, given)
    const mailbox = yield* execution.commit(mailboxOf(email))
    const { address, organizationId, provider } = mailbox
    const server = host ?? (provider === "GOOGLE" || provider === "OUTLOOK" ? hosts[provider] : undefined)
    if (server === undefined) {
      return yield* new InvalidInput({
        message: "host: send the IMAP server of this mailbox, such as imap.example.com."
      })
    }
    if (security === "plain" && !isLoopback(server)) {
      return yield* new InvalidInput({
        message: "security: plain would send the password unencrypted. Use tls or starttls."
      })
    }
    const login = password === undefined ? ("token" as const) : ("password" as const)
    const account: InboxAccount = {
      host: server,
      port: port ?? (security === "tls" ? 993 : 143),
      security,
      user: user ?? address,
      login,
      folders
    }
    const ask =
      password === undefined
        ? Effect.flatMap(MailboxTokens, ({ token }) => token({ organizationId, address, provider }))
        : Effect.succeed(Redacted.make(password, { label: "password of an inbox" }))
    const tried = Effect.flatMap(ask, (secret) =>
      Effect.flatMap(InboxGateway, ({ open }) => Effect.scoped(open({ ...account, secret })))
    )
    if (execution.dryRun) yield* warn("not_asked: the mail server was not contacted.")
    else yield* Effect.catchTag(tried, "InboxProblem", ({ detail }) => new InvalidInput({ message: `host: ${detail}` }))
    const at = yield* now
    const since = isoFromMillis(Date.parse(at) - sinceMillis)
    const save = Effect.gen(function* () {
      yield* (yield* MailboxesRepo).saveInbox(
        organizationId,
        mailbox.key,
        { account, secret: password ?? null, since },
        at
      )
      return yield* shown(email)
    })
    return yield* execution.finish(save)
  })
})
