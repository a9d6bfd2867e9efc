/** Mailboxes: where replies are read, how much may be sent, and whether their domains are set up. */
import { confirm } from "../dialogs/Confirm.tsx"
import { askForm } from "../form/askForm.tsx"
import { area, choice, type Field, line } from "../form/values.ts"
import { Card } from "../list/Detail.tsx"
import { Entries, type EntryContent } from "../list/Entries.tsx"
import { limitFields } from "../missions/agentFields.ts"
import { newInputOf, valuesOf } from "../missions/fields.ts"
import { ofLimit } from "../overview/Accounts.ts"
import { listing } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { act } from "../service/act.ts"
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { Prose } from "../text/Prose.tsx"

type Mailbox = ResultOf<"email.mailbox.list">["mailboxes"][number]

const mailboxes = listing<Mailbox>(
  ({ email }) => email,
  /^(mailbox|email|agent)\./,
  async () =>
    mapOutcome(await run("email.mailbox.list", {}), (found) => ({ items: found.mailboxes, next_cursor: null }))
)

const inboxFields: ReadonlyArray<Field> = [
  line("host", "Mail server (IMAP)", { hint: "Empty: that of Google or Outlook.", autofocus: true }),
  line("user", "User name", { hint: "Empty: the address." }),
  line("password", "Password", { kind: "password", hint: "Often an app password. Empty: access tokens are used." }),
  choice("security", "Connection", { tls: "TLS", starttls: "STARTTLS", plain: "Unencrypted, on this machine only" }),
  line("port", "Port", { kind: "number", min: 1, max: 65_535, hint: "Empty: the usual one." }),
  area("folders", "Folders", 2, { kind: "list", hint: "One in each line. Empty: all mail, or the inbox." })
]

const askConnect = ({ email, inbox }: Mailbox): void =>
  askForm({
    id: `inbox ${email}`,
    title: `Read replies to ${email}`,
    submit: "Connect",
    isNew: true,
    fields: inboxFields,
    values: valuesOf(inboxFields, inbox ?? { security: "tls" }),
    onSubmit: (values) => run("email.mailbox.connect-inbox", { email, ...newInputOf(inboxFields, values) }),
    done: "Connected. Replies of the last seven days are read now.",
    onDone: mailboxes.refresh
  })

const askDisconnect = ({ email }: Mailbox): void =>
  confirm({
    title: `Stop reading replies to ${email}?`,
    text: "Its password is deleted. Emails that wait are sent even if the person has answered.",
    button: "Disconnect",
    onYes: () => void act("email.mailbox.disconnect-inbox", { email }, "Disconnected.").then(mailboxes.refresh)
  })

const limits: ReadonlyArray<Field> = [
  line("day", "Emails, 24 hours", { kind: "number", min: 0, max: 200, hint: "Empty: unchanged." }),
  line("hour", "Emails, 1 hour", { kind: "number", min: 0, max: 200, hint: "Empty: unchanged." }),
  ...limitFields([])
]

const askLimits = ({ email }: Mailbox): void =>
  askForm({
    id: `limits ${email}`,
    title: `Limits of ${email}`,
    submit: "Save",
    fields: limits,
    onSubmit: (_, { ramp, ...changed }, key) => {
      const input = { email, ...newInputOf(limits, changed), ...(ramp === undefined ? {} : { ramp: ramp === "on" }) }
      return run("email.mailbox.set-limits", input, { key })
    },
    onDone: mailboxes.refresh
  })

const entryOf = (mailbox: Mailbox): EntryContent => {
  const { agent, domain, email, inbox, inbox_problem, paused_until, read_at, usage } = mailbox
  const day = usage.find(({ window }) => window === "day")
  return {
    name: email,
    signs: [
      inbox === null || inbox_problem !== null ? ["Replies are not read", "warning"] : ["Replies are read"],
      domain !== null && domain.problems.length > 0 && ["Check the domain's records", "warning"]
    ],
    about: [
      agent.name,
      day && `${ofLimit(day.used, day.limit)} emails in the last 24 hours`,
      paused_until !== null && `waits until ${dateAndTime(paused_until)}`,
      read_at !== null && `read ${dateAndTime(read_at)}`,
      domain !== null && `SPF ${domain.spf}, DKIM ${domain.dkim}, DMARC ${domain.dmarc}`
    ],
    actions: [
      [inbox === null ? "Connect inbox…" : "Change inbox…", () => askConnect(mailbox)],
      inbox !== null && ["Disconnect inbox…", () => askDisconnect(mailbox)],
      ["Limits…", () => askLimits(mailbox)],
      ["Check domain", () => void act("email.mailbox.check", { email }, "Checked.").then(mailboxes.refresh)]
    ],
    more: <Prose class="small" text={[inbox_problem ?? [], domain?.problems ?? []].flat().join("\n")} />
  }
}

/** The section. */
export const Mailboxes = () => (
  <Card title="Mailboxes">
    <Entries label="Mailboxes" list={mailboxes} empty="Add one to an agent under Missions." entry={entryOf} />
    <p class="quiet">
      Emails leave through one mail server, which the operator sets with <code>SVC_SMTP_URL</code>. Without it they
      wait, or are simulated where LinkedIn is.
    </p>
  </Card>
)
