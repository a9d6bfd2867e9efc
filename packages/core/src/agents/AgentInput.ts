/** The input fields of agents. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

import { type InvalidEmail, InvalidInput } from "../kernel/failure/failures.ts"
import { normalizeEmail } from "../kernel/schema/Email.ts"
import { Handle } from "../kernel/schema/Handle.ts"
import { written } from "../kernel/schema/snakeCase.ts"
import * as Text from "../kernel/schema/TextFields.ts"
import { type AgentContent, type EmailAccount, EmailProvider } from "./Agent.ts"
import { WorkingHours } from "./WorkingHours.ts"

const optional = Schema.optionalKey
const orNull = (field: Text.TextField) => Schema.optionalKey(Schema.NullOr(field))

/** Input field `agent_handle`: a handle, or an id as drafts show it. */
export const AgentHandleText = Text.formatted(
  /^[A-Za-z0-9_-]{1,64}$/u,
  64,
  "a handle: 1 to 64 letters, digits, - or _"
).annotate({ description: "Handle of the agent, such as ada-martin; its agent_id works too" })

const EmailAccountInput = Schema.Struct({
  provider: EmailProvider.annotate({ description: "Email provider of the account" }),
  email: Text.nonEmptyLine(320, "Email address of the account, such as ada@example.com")
})

const names = {
  first_name: Text.nonEmptyLine(200, "First name of the persona"),
  last_name: Text.nonEmptyLine(200, "Last name of the persona")
}

/** Fields of agent.update except the handle, all optional. */
export const agentFields = {
  first_name: optional(names.first_name),
  last_name: optional(names.last_name),
  job_title: orNull(Text.line(200, "The persona's job title")),
  avatar_url: orNull(Text.described(Text.httpUrlOrEmpty, "URL of a picture; empty for none")),
  linkedin_url: orNull(Text.described(Text.httpUrlOrEmpty, "URL of the persona's LinkedIn profile; empty for none")),
  email_signature: orNull(Text.body(20_000, "Signature for emails, plain text or HTML, kept as sent")),
  calendar_url: orNull(Text.described(Text.httpUrlOrEmpty, "URL of a booking page; empty for none")),
  timezone: optional(
    Text.described(Text.timeZone, "IANA time zone of the working hours, such as Europe/Berlin; default UTC")
  ),
  working_hours: optional(WorkingHours),
  personality: orNull(Text.body(5000, "Tone of voice: style, habits, things to avoid")),
  company: orNull(Text.line(200, "Company the persona works for")),
  smart_deliverability: optional(
    Schema.Boolean.annotate({
      description:
        "Spreads out sending, ramps it up and avoids repeated texts; default true. False keeps only the hard limits"
    })
  ),
  email_accounts: optional(
    Schema.Array(EmailAccountInput)
      .check(Schema.isMaxLength(100))
      .annotate({ description: "Email accounts the agent sends from; each belongs to one agent in the organization" })
  )
}

/** Fields of agent.create: both names are required. */
export const agentCreateFields = {
  handle: optional(
    Handle.annotate({
      description: "Permanent public name in URLs: 1 to 64 of a-z, 0-9 and -; default derived from the names"
    })
  ),
  ...agentFields,
  ...names
}

/** `force` of a deletion, with its default. */
export const forceField = Schema.Boolean.annotate({
  description: "Delete the agent even if missions or unsent messages use it: its active missions are paused",
  default: false
}).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))

/** A decoded change. */
export type AgentWrite = Partial<Schema.Struct.Type<typeof agentFields>>

/** A decoded new agent. */
export type NewAgent = AgentWrite & { readonly first_name: string; readonly last_name: string }

/**
 * The accounts with normalized addresses, without repeats, in the given order. Fails with INVALID_EMAIL, and with
 * INVALID_INPUT if one address has two providers.
 */
const accountsOf = (input: ReadonlyArray<EmailAccount>, path: string) =>
  Result.gen(function* () {
    const byKey = new Map<string, EmailAccount>()
    for (const [index, { email, provider }] of input.entries()) {
      const { address, key } = yield* Result.mapError(normalizeEmail(email), (failure) =>
        failure.withMessage(`${path}[${index}].email: ${failure.message}`)
      )
      const known = byKey.get(key) ?? { provider, email: address }
      if (known.provider !== provider) {
        const message = `${path}[${index}] repeats an email address with a different provider. Send it once.`
        return yield* Result.fail(new InvalidInput({ message }))
      }
      byKey.set(key, known)
    }
    return [...byKey.values()]
  })

/** The identity of an e-mail account: its normalized address in lower case. */
export const emailKey = (account: EmailAccount): string => account.email.toLowerCase().normalize("NFC")

/** The content of a new agent before the first write. */
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

/**
 * The content after a write: absent fields stay, lists and working hours are replaced. `emailPath` is the surface's name of
 * the field email_accounts, for messages. Fails with INVALID_EMAIL and INVALID_INPUT.
 */
export const applyWrite = (
  before: AgentContent,
  write: AgentWrite,
  emailPath: string
): Result.Result<AgentContent, InvalidEmail | InvalidInput> => {
  const accounts =
    write.email_accounts === undefined
      ? Result.succeed(before.emailAccounts)
      : accountsOf(write.email_accounts, emailPath)
  return Result.map(accounts, (email_accounts) => written(before, { ...write, email_accounts }, emptyContent))
}
