/**
 * The input fields of missions.
 *
 * A text accepts null as the empty text, since the two shapes of a mission show unset texts as empty or null.
 */
import * as Schema from "effect/Schema"
import { AgentHandleText } from "../agents/AgentInput.ts"
import { Handle } from "../kernel/schema/Handle.ts"
import * as Text from "../kernel/schema/TextFields.ts"
import { OfferIdText } from "../offers/OfferInput.ts"
import { Channel, EmailReviewStrategy } from "./Mission.ts"
import { MissionStatus } from "./MissionStatus.ts"

/** A source of leads. Values may be added, so readers must tolerate unknown ones. */
export const ImportType = Schema.Literals([
  "CSV",
  "SALES_NAV_SEARCH",
  "SALES_NAV_FILTERS",
  "LINKEDIN_SEARCH",
  "LINKEDIN_POST_ENGAGERS",
  "LINKEDIN_GROUP",
  "LINKEDIN_PROFILE_VIEWERS",
  "LINKEDIN_COMPANY_VIEWERS",
  "API",
  "MANUAL"
])

export type ImportType = typeof ImportType.Type

const optional = Schema.optionalKey

const orNull = (field: Text.TextField) => Schema.optionalKey(Schema.NullOr(field))

/** Input field `mission_id`: an id or a handle. */
export const MissionIdText = Text.formatted(
  /^[A-Za-z0-9_-]{1,64}$/u,
  64,
  "an id or handle: 1 to 64 letters, digits, - or _"
).annotate({ description: "Id or handle of the mission. For example spring-outreach" })

const name = Text.nonEmptyLine(200, "Name of the mission")

const agentHandle = optional(AgentHandleText.annotate({ description: "Sending agent. Its handle, such as ada-martin" }))

/** The brief, flat. */
export const briefFields = {
  description: orNull(Text.body(10_000, "What the mission is about")),
  target_audience: orNull(Text.body(10_000, "Who the leads are. Role, company, situation")),
  desired_action: orNull(Text.body(10_000, "What the leads should do. For example book a call")),
  cta_url: orNull(
    Text.described(Text.httpUrlOrEmpty, "URL for the call to action. For example a booking page; empty for none")
  ),
  tone_instructions: orNull(Text.body(10_000, "Tone of the messages")),
  example_messages: optional(
    Schema.Array(Text.nonEmptyBody(20_000, "One complete message"))
      .check(Schema.isMaxLength(20))
      .annotate({ description: "Example messages for style. At most 20" })
  ),
  offer_id: optional(Schema.NullOr(OfferIdText).annotate({ description: "Offer to promote. Its id; null for none" }))
}

const copied = (what: string) =>
  orNull(Text.body(2_048, `${what} as it was read; change it with offer.update. Any other value is refused`))

/** A nested brief; one that was read, with its texts of the offer, is accepted too. */
export const BriefInput = Schema.Struct({
  ...briefFields,
  offer_name: copied("Name of the offer"),
  offer_summary: copied("One-liner of the offer"),
  offer_landing_page_url: copied("Landing page of the offer")
}).annotate({ description: "The same fields nested, as missions return them; send each field in one place only" })

export type BriefInput = typeof BriefInput.Type

/** The brief of mission.create and mission.update, flat or nested. */
const commandBriefFields = { ...briefFields, brief: optional(BriefInput) }

/** Decoded flat brief fields. */
export type BriefWrite = Partial<Schema.Struct.Type<typeof briefFields>>

/** The fields of a mission outside its brief. */
const contentFields = {
  language: optional(
    Text.described(
      Text.languageTag,
      "Language tag such as en or fr-FR. BCP 47; the language of the messages; default en"
    )
  ),
  objective: orNull(Text.body(10_000, "What the mission should achieve")),
  why_we_contact_them: orNull(Text.body(10_000, "Why these leads are contacted now")),
  key_message: orNull(Text.body(10_000, "The main point of every message")),
  channels: optional(
    Schema.Array(Channel)
      .check(Schema.isBetweenLength(1, 10))
      .annotate({ description: "Channels: EMAIL, LINKEDIN or both; default EMAIL" })
  ),
  email_review_strategy: optional(
    EmailReviewStrategy.annotate({
      description:
        "AUTO sends emails without review and requires scope email:approve, MANUAL waits for an approval here, WEBHOOK asks " +
        "the review webhook's URL; default AUTO, or MANUAL if you may not set AUTO"
    })
  ),
  email_review_webhook_url: orNull(
    Text.described(
      Text.httpUrlOrEmpty,
      "Webhook URL that is asked to review emails; must be a public https URL; required with strategy WEBHOOK, empty " +
        "for none"
    )
  ),
  import_type: optional(ImportType.annotate({ description: "The usual source of its leads; default CSV" }))
}

/** Fields that mission.create and mission.update accept but MCP tools do not list. */
export const settingNames = {
  create: [...Object.keys(contentFields).filter((name) => name !== "language"), "status"],
  update: [...Object.keys(contentFields), "lifecycle"]
} as const

/** Fields of mission.create. */
export const missionCreateFields = {
  name,
  agent_handle: agentHandle,
  handle: optional(
    Handle.annotate({
      description: "Permanent public name in URLs. 1 to 64 of a-z, 0-9 and -; default derived from the name"
    })
  ),
  status: optional(
    Schema.Literals(["ACTIVE", "DRAFT"]).annotate({
      description: "Initial status; default ACTIVE, or DRAFT without an agent"
    })
  ),
  ...contentFields,
  ...commandBriefFields
}

/** A decoded new mission. */
export type NewMission = Schema.Struct.Type<typeof missionCreateFields>

/** Fields of mission.update except `mission_id` and `status`. */
export const missionUpdateFields = {
  name: optional(name),
  agent_handle: agentHandle,
  lifecycle: optional(
    MissionStatus.annotate({
      description:
        "DRAFT to ACTIVE; ACTIVE to PAUSED and back; both to COMPLETED; any to ARCHIVED; ARCHIVED to PAUSED or DRAFT"
    })
  ),
  ...contentFields,
  ...commandBriefFields
}

/** A decoded write: absent fields stay, null clears or unlinks. */
export type MissionWrite = Partial<
  Schema.Struct.Type<typeof contentFields> & BriefWrite & { readonly name: string; readonly agent_handle: string }
>

/** Input field `query` of mission.list. */
export const queryField = optional(Text.line(200, "Part of the name or handle, ignoring case"))
