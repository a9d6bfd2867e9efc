/** An agent with mailboxes whose inboxes follow a script, a gateway that keeps what left, and mails as they come back. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway, type EmailOutcome, type OutgoingEmail } from "#core/email/EmailGateway.ts"
import type { InboundMail } from "#core/email/InboundMail.ts"
import { readInboxes } from "#core/email/inbound/readInboxes.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { InboxScript } from "#memory/simulator/SimulatedInbox.ts"
import { CurrentOrganization } from "../support/inOrganization.ts"
import { ok } from "../support/World.ts"

/** What was handed to the mail server of each sending address, and what the server says instead of accepting it. */
const outbox: Array<OutgoingEmail> = []
export const server: { answer: ((email: OutgoingEmail) => Effect.Effect<EmailOutcome>) | undefined } = {
  answer: undefined
}

const accept = ({ messageId }: OutgoingEmail): Effect.Effect<EmailOutcome> =>
  Effect.succeed({ _tag: "Confirmed", messageId })

/** Gateways of a world that keep what left. */
export const keptMail = {
  email: Layer.succeed(EmailGateway, {
    send: (email) =>
      Effect.suspend(() => {
        outbox.push(email)
        return (server.answer ?? accept)(email)
      })
  })
}

/** The domain that an organization of a test sends from. */
export const senderDomain = Effect.map(CurrentOrganization, (id) => `${id.replaceAll("_", "-")}.example`)

/** The address of one of its mailboxes. */
export const addressOf = (name = "ada") => Effect.map(senderDomain, (domain) => `${name}@${domain}`)

/** What left, from the mailboxes of the organization. */
export const sent = Effect.map(senderDomain, (domain) =>
  outbox.filter(({ from }) => from.address.endsWith(`@${domain}`))
)

/** The agent Ada with mailboxes whose inboxes are connected, and missions `spring` (AUTO) and `checked` (MANUAL). */
export const prepare = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  server.answer = undefined
  outbox.length = 0
  const addresses = yield* Effect.forEach(names.length === 0 ? ["ada"] : names, addressOf)
  const email_accounts = addresses.map((email) => ({ provider: "IMAP", email }))
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts })
  for (const email of addresses) {
    yield* ok("email.mailbox.connect-inbox", { email, host: "imap.example", password: "correct horse" })
  }
  yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
  yield* ok("PATCH /missions/{missionHandle}", { missionHandle: "spring", emailReviewStrategy: "AUTO" })
  yield* ok("mission.create", { name: "Checked", handle: "checked", agent_handle: "ada-martin" })
  return addresses[0] ?? ""
})

/** Writes to a lead; answers the id of the e-mail. */
export const write = (lead_id: string, more: object = {}) =>
  Effect.map(
    ok("email.send", { lead_id, mission_id: "spring", subject: "Invoices", body_text: "Hello", ...more }),
    ({ email }) => String(email.email_id)
  )

/** Sends what is due after some time; answers how many left. */
export const sendAfter = (time: "0 seconds" | "11 seconds" | "1 hour" | "11 minutes" | "1 day") =>
  Effect.gen(function* () {
    yield* TestClock.adjust(time)
    return yield* dispatchEmails({ organizationId: yield* CurrentOrganization })
  })

/** Writes to a lead and sends it; answers what left. */
export const send = Effect.fnUntraced(function* (lead_id: string, more: object = {}) {
  const id = yield* write(lead_id, more)
  assert.strictEqual(yield* sendAfter("11 seconds"), 1)
  const left = (yield* sent).at(-1)
  return { id, left: left ?? assert.fail("nothing left") }
})

let count = 0

/** A mail, from somebody at another company. */
export const mail = (changes: Partial<InboundMail> = {}): InboundMail => ({
  messageId: `in-${++count}@lead.example`,
  references: [],
  from: { name: "Grace Hopper", address: "grace@lead.example" },
  to: [],
  subject: "Re: Invoices",
  date: null,
  text: "Thank you, tell me more.",
  quoted: "",
  headers: new Map(),
  attachments: [],
  statuses: [],
  feedback: null,
  reported: null,
  ...changes
})

/** The report of a mail server on what left, by what it says of the recipient. */
export const report = (
  left: OutgoingEmail,
  diagnostic: string,
  {
    status = "5.0.0",
    ...changes
  }: Partial<InboundMail> & { readonly status?: string; readonly recipient?: string } = {}
): InboundMail => {
  const { recipient = left.to.address, ...rest } = changes
  return mail({
    from: { name: "Mail Delivery System", address: "mailer-daemon@relay.example" },
    subject: "Undelivered Mail Returned to Sender",
    text: "I'm sorry.",
    statuses: [{ recipient, action: "failed", status, diagnostic }],
    reported: left.messageId,
    ...rest
  })
}

export const gone = "550 5.1.1 User unknown"
export const full = "452 4.2.2 The mailbox is full"
export const busy = "451 4.7.1 Greylisted, try again later"
export const spam = "554 5.7.1 Message rejected as spam"

/** An answer to what left. */
export const answer = (left: OutgoingEmail, changes: Partial<InboundMail> = {}): InboundMail =>
  mail({
    references: [left.messageId],
    from: { name: left.to.name, address: left.to.address },
    subject: `Re: ${left.subject}`,
    ...changes
  })

/** Reads the inboxes that are due; answers how many mails came. */
export const read = Effect.flatMap(CurrentOrganization, (organizationId) => readInboxes({ organizationId }))

/** Puts mails into an inbox and reads it, some minutes later. */
export const receive = (...mails: ReadonlyArray<InboundMail>) =>
  Effect.gen(function* () {
    yield* (yield* InboxScript).put(yield* addressOf(), ...mails)
    yield* TestClock.adjust("6 minutes")
    return yield* read
  })

/** The events of some types, oldest first. */
export const events = (types: string) =>
  Effect.map(
    ok("event.list", { types, limit: 100 }),
    ({ events: found }): ReadonlyArray<{ type: string; subject: { id: string }; data: Record<string, unknown> }> =>
      found
  )

/** State and reason of an e-mail. */
export const stateOf = (id: string) =>
  Effect.map(ok("email.list", { limit: 100 }), ({ emails }) => {
    const email = emails.find((one: { readonly email_id: string }) => one.email_id === id)
    return email === undefined ? "none" : `${email.state} ${email.reason}`
  })

/** What was written with a lead by e-mail, newest first. */
export const conversation = (lead_id: string) =>
  Effect.map(ok("email.conversation.get", { lead_id, limit: 100 }), ({ messages }) => messages)

/** The texts that a lead wrote. */
export const said = (lead_id: string) =>
  Effect.map(conversation(lead_id), (messages: ReadonlyArray<{ direction: string; content: string }>) =>
    messages.filter(({ direction }) => direction === "inbound").map(({ content }) => content)
  )

/** An instant some days from now. */
export const inDays = (days: number) =>
  Effect.map(now, (at) => new Date(Date.parse(at) + days * 86_400_000).toISOString())
