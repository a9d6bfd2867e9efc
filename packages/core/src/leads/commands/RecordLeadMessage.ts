import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { emit, warn } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { isoDateTime, line, nonEmptyBody, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { now } from "../../kernel/schema/Time.ts"
import { MessageChannel } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { recordOnce } from "../recordMessage.ts"

const optional = Schema.optionalKey

/** How far other clocks may be ahead of ours, in milliseconds. */
const clockSkew = 300_000

const optOutWarning =
  "The message asks for no further contact: the lead is now suppressed, and what waited for it is cancelled."

/** `lead.message.record`: records a message sent or received elsewhere. */
export const RecordLeadMessage = Command.make({
  id: "lead.message.record",
  title: "Record a message",
  summary: "Record a message that was sent or received elsewhere",
  description:
    "Adds the message to the conversation and updates the status as if the service had seen it: inbound moves the " +
    "lead to Replied, outbound to Contacted, forwards only. An inbound message returns approved drafts and queued " +
    "emails to review; one that asks for no further contact in plain words permanently suppresses the lead. Recording the same " +
    "external_id on a channel again changes nothing. Nothing is sent.",
  whenToUse: "For conversations in a mail client, the LinkedIn app or another tool.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    channel: MessageChannel.annotate({ description: "Channel of the message: EMAIL or LINKEDIN" }),
    direction: Schema.Literals(["inbound", "outbound"]).annotate({
      description: "inbound: from the lead; outbound: from you"
    }),
    content: nonEmptyBody(20_000, "The text, at most 20,000 characters"),
    date: optional(
      isoDateTime.pipe(Schema.annotateEncoded({ description: "When it was sent, with UTC offset; default now" }))
    ),
    sender_name: optional(line(200, "Name of the sender, for display")),
    external_id: optional(nonEmptyLine(500, "Id of the message in its original system, to store it only once"))
  }),
  output: Schema.Struct({ message_id: Schema.String, lead_id: Schema.String }),
  failures: [NotFound],
  riskNotes: [
    "Adds one message and updates the lead's status; sends nothing.",
    "An inbound opt-out sets DoNotContact, which only lead.suppression.lift undoes."
  ],
  outputNotes: ["For a known external_id, the id of the stored message."],
  relatedCommands: ["lead.timeline", "lead.get", "lead.status.set"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  examples: [
    {
      title: "A reply by email",
      input: {
        lead_id: "ld_SAMPLE00000000000000000001",
        channel: "EMAIL",
        direction: "inbound",
        content: "Thank you, Thursday at ten suits me.",
        external_id: "mail-20260131-0001"
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ channel, content, date, direction, external_id, lead_id, sender_name }) {
    const at = yield* now
    if (date !== undefined && Date.parse(date) > Date.parse(at) + clockSkew) {
      return yield* new InvalidInput({
        message: "date: is in the future. Send the date of the message, or leave it out."
      })
    }
    const { id, isFirst, isNew, isOptOut, leadId } = yield* recordOnce({
      leadId: lead_id,
      channel,
      direction,
      content,
      date: date ?? at,
      senderName: sender_name || null,
      externalId: external_id ?? null
    })
    if (isNew && direction === "outbound") {
      const data = { message_id: id, channel, is_first: isFirst }
      yield* emit({ type: "message.sent", subject: { type: "lead", id: leadId }, data })
    }
    if (isOptOut) yield* warn(optOutWarning)
    return { message_id: id, lead_id: leadId }
  })
})
