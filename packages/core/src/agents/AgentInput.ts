/**
 * What a caller may write of an agent, in both spellings: snake_case for commands, camelCase for REST.
 *
 * Source: catalogue 4.1, gap decisions G5–G7, G29 and G32. A text field takes null as the empty text, since unset texts
 * are empty. The signature is stored as it was sent (contract 7 "Text"): what shows it must sanitise it.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Failure, fail } from "../Failure.ts"
import { Handle } from "../Handle.ts"
import { normalizeEmail } from "../leads/identity/Email.ts"
import { body, httpUrlOrEmpty, line, nonEmptyLine, type TextField, timeZone } from "../TextFields.ts"
import { type AgentContent, type EmailAccount, EmailProvider } from "./Agent.ts"
import { WorkingHours } from "./WorkingHours.ts"

const optional = Schema.optionalKey
const orNull = (field: TextField) => Schema.optionalKey(Schema.NullOr(field))
const url = (description: string) => httpUrlOrEmpty.pipe(Schema.annotateEncoded({ description }))

/** How a caller names an agent: its handle, or its id as drafts show it. */
export const AgentHandleText = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/u, { expected: "a handle: 1 to 64 letters, digits, - or _" })
).annotate({ description: "Handle of the agent, such as ada-martin; its agent_id works too" })

const EmailAccountInput = Schema.Struct({
  provider: EmailProvider.annotate({ description: "Where the account lives" }),
  email: nonEmptyLine(320, "Address of the account, such as ada@example.com")
})

const texts = {
  firstName: nonEmptyLine(200, "First name of the persona"),
  lastName: nonEmptyLine(200, "Last name of the persona"),
  jobTitle: line(200, "What the persona does"),
  avatarUrl: url("Address of a picture; empty for none"),
  linkedinUrl: url("Address of the persona's LinkedIn profile; empty for none"),
  emailSignature: body(20_000, "Signature under e-mails, plain text or HTML, kept as sent"),
  calendarUrl: url("Address where a meeting can be booked; empty for none"),
  timezone: timeZone.pipe(
    Schema.annotateEncoded({ description: "IANA time zone of the working hours, such as Europe/Berlin; default UTC" })
  ),
  personality: body(5000, "How the persona writes: tone, habits, things it never says"),
  company: line(200, "Company that the persona writes for")
}

const smartDeliverability = Schema.Boolean.annotate({
  description:
    "Spaces out sending, ramps it up and guards against repeated bodies; default true. False keeps hard limits"
})

const emailAccounts = Schema.Array(EmailAccountInput)
  .check(Schema.isMaxLength(100))
  .annotate({ description: "E-mail accounts the agent sends from; each belongs to one agent of the organization" })

/** The handle a caller may choose for a new agent. */
const handleField = optional(
  Handle.annotate({
    description: "Public name in addresses, for ever: 1 to 64 of a-z, 0-9 and -; made from the names when left out"
  })
)

/** Fields of agent.update beside the handle, all optional. */
export const agentFields = {
  first_name: optional(texts.firstName),
  last_name: optional(texts.lastName),
  job_title: orNull(texts.jobTitle),
  avatar_url: orNull(texts.avatarUrl),
  linkedin_url: orNull(texts.linkedinUrl),
  email_signature: orNull(texts.emailSignature),
  calendar_url: orNull(texts.calendarUrl),
  timezone: optional(texts.timezone),
  working_hours: optional(WorkingHours),
  personality: orNull(texts.personality),
  company: orNull(texts.company),
  smart_deliverability: optional(smartDeliverability),
  email_accounts: optional(emailAccounts)
}

/** Fields of agent.create: both names are required. */
export const agentCreateFields = {
  handle: handleField,
  ...agentFields,
  first_name: texts.firstName,
  last_name: texts.lastName
}

/** Fields of a REST change, camelCase. */
export const agentRestFields = {
  firstName: optional(texts.firstName),
  lastName: optional(texts.lastName),
  jobTitle: orNull(texts.jobTitle),
  avatarUrl: orNull(texts.avatarUrl),
  linkedinUrl: orNull(texts.linkedinUrl),
  emailSignature: orNull(texts.emailSignature),
  calendarUrl: orNull(texts.calendarUrl),
  timezone: optional(texts.timezone),
  workingHours: optional(WorkingHours),
  personality: orNull(texts.personality),
  company: orNull(texts.company),
  smartDeliverability: optional(smartDeliverability),
  emailAccounts: optional(emailAccounts)
}

/** Fields of a REST creation. */
export const agentRestCreateFields = {
  handle: handleField,
  ...agentRestFields,
  firstName: texts.firstName,
  lastName: texts.lastName
}

/** `force` of a deletion, with its default. */
export const forceField = Schema.Boolean.annotate({
  description: "Delete although missions or unsent messages use the agent: its active missions are paused",
  default: false
}).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** A change as it was decoded, in the REST spelling. */
export type AgentWrite = Partial<Schema.Struct.Type<typeof agentRestFields>>

/** A new agent as it was decoded, in the REST spelling. */
export type NewAgent = AgentWrite & { readonly firstName: string; readonly lastName: string }

/** A command's fields in the REST spelling, so that one rule serves both. */
export const toAgentWrite = (input: Partial<Schema.Struct.Type<typeof agentFields>>): AgentWrite => ({
  ...(input.first_name === undefined ? {} : { firstName: input.first_name }),
  ...(input.last_name === undefined ? {} : { lastName: input.last_name }),
  ...(input.job_title === undefined ? {} : { jobTitle: input.job_title }),
  ...(input.avatar_url === undefined ? {} : { avatarUrl: input.avatar_url }),
  ...(input.linkedin_url === undefined ? {} : { linkedinUrl: input.linkedin_url }),
  ...(input.email_signature === undefined ? {} : { emailSignature: input.email_signature }),
  ...(input.calendar_url === undefined ? {} : { calendarUrl: input.calendar_url }),
  ...(input.timezone === undefined ? {} : { timezone: input.timezone }),
  ...(input.working_hours === undefined ? {} : { workingHours: input.working_hours }),
  ...(input.personality === undefined ? {} : { personality: input.personality }),
  ...(input.company === undefined ? {} : { company: input.company }),
  ...(input.smart_deliverability === undefined ? {} : { smartDeliverability: input.smart_deliverability }),
  ...(input.email_accounts === undefined ? {} : { emailAccounts: input.email_accounts })
})

const textAfter = (before: string, written: string | null | undefined): string =>
  written === undefined ? before : (written ?? "")

/**
 * The accounts with their addresses in normal form, each once, in the order given. Fails with INVALID_EMAIL, and with
 * INVALID_INPUT when one address is given with two providers.
 */
const accountsOf = (
  input: ReadonlyArray<EmailAccount>,
  path: string
): Result.Result<ReadonlyArray<EmailAccount>, Failure> => {
  const byKey = new Map<string, EmailAccount>()
  for (const [index, { email, provider }] of input.entries()) {
    const read = normalizeEmail(email)
    if (Result.isFailure(read)) {
      return Result.fail(fail("INVALID_EMAIL", `${path}[${index}].email: ${read.failure.message}`))
    }
    const { address, key } = read.success
    const known = byKey.get(key)
    if (known !== undefined && known.provider !== provider) {
      return Result.fail(
        fail("INVALID_INPUT", `${path}[${index}] names an address again, with another provider. Send it once.`)
      )
    }
    if (known === undefined) byKey.set(key, { provider, email: address })
  }
  return Result.succeed([...byKey.values()])
}

/** What makes an e-mail account the same as another: the address in normal form, its local part in lower case. */
export const emailKey = (account: EmailAccount): string => account.email.toLowerCase().normalize("NFC")

/**
 * Content after a write: a field that was not sent keeps its value, lists and working hours replace. `emailPath` is how
 * the surface spells e-mail accounts, for messages. Fails with INVALID_EMAIL and INVALID_INPUT.
 */
export const applyWrite = (
  before: AgentContent,
  write: AgentWrite,
  emailPath: string
): Result.Result<AgentContent, Failure> => {
  const accounts =
    write.emailAccounts === undefined
      ? Result.succeed(before.emailAccounts)
      : accountsOf(write.emailAccounts, emailPath)
  return Result.map(accounts, (emailAccounts) => ({
    firstName: write.firstName ?? before.firstName,
    lastName: write.lastName ?? before.lastName,
    jobTitle: textAfter(before.jobTitle, write.jobTitle),
    avatarUrl: textAfter(before.avatarUrl, write.avatarUrl),
    linkedinUrl: textAfter(before.linkedinUrl, write.linkedinUrl),
    emailSignature: textAfter(before.emailSignature, write.emailSignature),
    calendarUrl: textAfter(before.calendarUrl, write.calendarUrl),
    timezone: write.timezone ?? before.timezone,
    workingHours: write.workingHours ?? before.workingHours,
    personality: textAfter(before.personality, write.personality),
    company: textAfter(before.company, write.company),
    smartDeliverability: write.smartDeliverability ?? before.smartDeliverability,
    emailAccounts
  }))
}

/** An agent before anything is said about it. */
export const emptyContent: AgentContent = {
  firstName: "",
  lastName: "",
  jobTitle: "",
  avatarUrl: "",
  linkedinUrl: "",
  emailSignature: "",
  calendarUrl: "",
  timezone: "UTC",
  workingHours: {},
  personality: "",
  company: "",
  smartDeliverability: true,
  emailAccounts: []
}
