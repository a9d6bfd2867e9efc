import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { emit } from "../../Execution.ts"
import { fail } from "../../Failure.ts"
import { isoDateTime, line, nonEmptyBody, nonEmptyLine } from "../../TextFields.ts"
import { now } from "../../Time.ts"
import { MessageChannel } from "../Lead.ts"
import { leadIdField } from "../LeadInput.ts"
import { recordOnce } from "../recordMessage.ts"

const optional = Schema.optionalKey

/** How far a clock elsewhere may be ahead of ours, in milliseconds. */
const tolerance = 300_000

/** `lead.message.record`: stores a message of a conversation that is held elsewhere. */
export const RecordLeadMessage = Command.make({
  id: "lead.message.record",
  title: "Record a message",
  summary: "Store a message that went to or came from a lead outside of this service.",
  description:
    "Adds the message to the conversation and moves the status as if the service had seen it: an inbound one to Replied, an " +
    "outbound one to Contacted, forwards only. The same external_id on a channel again changes nothing. Nothing is sent.",
  whenToUse: "For conversations held in a mail program, on the phone's LinkedIn or in another tool.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    lead_id: leadIdField,
    channel: MessageChannel.annotate({ description: "Where the message travelled: EMAIL or LINKEDIN" }),
    direction: Schema.Literals(["inbound", "outbound"]).annotate({
      description: "inbound: the lead wrote; outbound: you did"
    }),
    content: nonEmptyBody(20_000, "The text, at most 20,000 characters"),
    date: optional(
      isoDateTime.pipe(Schema.annotateEncoded({ description: "When it was sent, with offset; now when left out" }))
    ),
    sender_name: optional(line(200, "Who wrote it, as a name to show")),
    external_id: optional(nonEmptyLine(500, "Id of the message where it is held, so that it is stored once"))
  }),
  output: Schema.Struct({ message_id: Schema.String, lead_id: Schema.String }),
  riskNotes: ["Writes one message and the lead's status; sends nothing."],
  outputNotes: ["A message that is known by its external_id answers the id it was stored under."],
  relatedCommands: ["lead.timeline", "lead.get", "lead.status.set"],
  relatedResources: ["svc://prospects/{id}", "svc://inbox"],
  examples: [
    {
      title: "An answer by e-mail",
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
    if (date !== undefined && Date.parse(date) > Date.parse(at) + tolerance) {
      return yield* fail(
        "INVALID_INPUT",
        "date: lies in the future. Send when the message was written, or leave it out."
      )
    }
    const { id, isFirst, isNew, leadId } = yield* recordOnce({
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
    return { message_id: id, lead_id: leadId }
  })
})
