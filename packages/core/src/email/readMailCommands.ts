/** Commands for what comes by e-mail: where it is posted, and what was written with a lead. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../kernel/command/Command.ts"
import { Actor, orNotFound, PublicUrl } from "../kernel/command/Execution.ts"
import { InvalidCursor, NotFound } from "../kernel/failure/failures.ts"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../kernel/schema/Page.ts"
import { leadIdField } from "../leads/Lead.ts"
import { LeadsRepo } from "../leads/LeadsRepo.ts"
import { inboundMailPath, inboundMailSecret } from "./MailReceiver.ts"

import { text } from "./mailboxView.ts"

export const GetInbound = Command.make({
  id: "email.inbound.get",
  title: "Get the address for received mails",
  summary: "Get the address and secret for posting received emails",
  description:
    "For a mail server or provider of your own that calls a webhook: post the source text of each received email to the " +
    "address, signed with the secret as Standard Webhooks says, with the header Svc-Organization.",
  whenToUse: "When replies are not read over IMAP.",
  risk: "read",
  scope: "admin",
  annotations: { secret: true },
  input: Schema.Struct({}),
  output: Schema.Struct({
    url: Schema.NullOr(text).annotate({ description: "Where to post; null if the service does not know its address" }),
    organization_id: text.annotate({ description: "The value of Svc-Organization" }),
    secret: text.annotate({ description: "Signs requests; keep it secret" })
  }),
  failures: [],
  relatedCommands: ["email.mailbox.list", "webhook.rotate-secret"],
  relatedResources: ["svc://email/reviews"],
  examples: [{ title: "Address and secret", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const base = (yield* PublicUrl)()
    return {
      url: base === undefined ? null : `${base}${inboundMailPath}`,
      organization_id: organizationId,
      secret: yield* inboundMailSecret(organizationId)
    }
  })
})

/** The text of a message: what was sent is stored with its subject above it. */
const withoutSubject = (content: string, subject = ""): string =>
  subject !== "" && content.startsWith(`${subject}\n\n`) ? content.slice(subject.length + 2) : content

export const GetEmailConversation = Command.make({
  id: "email.conversation.get",
  title: "Get an email conversation",
  summary: "List emails with a lead, newest first",
  description:
    "Returns a page of what was sent to and received from the lead by email, through any mailbox. Pass next_cursor as " +
    "cursor for the next page; it is null on the last page.",
  whenToUse: "Before writing an answer: an email with the same subject goes into the thread.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({ lead_id: leadIdField, ...pageFields }),
  output: Schema.Struct({
    messages: Schema.Array(
      Schema.Struct({
        message_id: text,
        direction: Schema.Literals(["inbound", "outbound"]).annotate({ description: "inbound: from the lead" }),
        subject: Schema.NullOr(text),
        content: text.annotate({ description: "Without the mails that it quotes" }),
        quoted: text.annotate({ description: "The mails that it quotes" }),
        attachments: Schema.Array(text).annotate({ description: "Names of attached files, which are not kept" }),
        mailbox: Schema.NullOr(text).annotate({ description: "Our address" }),
        sender_name: Schema.NullOr(text),
        date: Instant
      })
    ),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor, NotFound],
  relatedCommands: ["email.send", "lead.timeline", "linkedin.conversation.get"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  examples: [{ title: "The latest emails", input: { lead_id: "ld_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* (input) {
    const { conversation } = yield* LeadsRepo
    const { items, next_cursor } = yield* readPage("emails", input, (organizationId, page) =>
      orNotFound("lead", input.lead_id, conversation(organizationId, input.lead_id, "EMAIL", page))
    )
    return {
      messages: items.map(({ content, date, direction, id, mail, senderName }) => ({
        message_id: id,
        ...{ direction, date },
        subject: mail?.subject ?? null,
        content: withoutSubject(content, mail?.subject),
        quoted: mail?.quoted ?? "",
        attachments: mail?.attachments ?? [],
        mailbox: mail?.mailbox ?? null,
        sender_name: senderName
      })),
      next_cursor
    }
  })
})
