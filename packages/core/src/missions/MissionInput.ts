/**
 * What a caller may write of a mission, in both spellings: snake_case for commands, camelCase for REST.
 *
 * A text takes null as the empty text, since REST shows unset texts empty and commands show them null. Source: catalogue
 * 4.1; G2–G4, G29, G31.
 */
import * as Schema from "effect/Schema"
import { AgentHandleText } from "../agents/index.ts"
import { Handle } from "../Handle.ts"
import { ImportType } from "../imports/ImportRun.ts"
import { OfferIdText } from "../offers/index.ts"
import { body, httpUrlOrEmpty, languageTag, line, nonEmptyBody, nonEmptyLine, type TextField } from "../TextFields.ts"
import { Channel, EmailReviewStrategy } from "./Mission.ts"
import { MissionStatus } from "./MissionStatus.ts"

const optional = Schema.optionalKey
const orNull = (field: TextField) => Schema.optionalKey(Schema.NullOr(field))
const url = (description: string) => httpUrlOrEmpty.pipe(Schema.annotateEncoded({ description }))

/** How a caller names a mission: its id or its handle. */
export const MissionIdText = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/u, { expected: "an id or handle: 1 to 64 letters, digits, - or _" })
).annotate({ description: "Id or handle of the mission, such as spring-outreach" })

const texts = {
  name: nonEmptyLine(200, "Name of the mission"),
  language: languageTag.pipe(
    Schema.annotateEncoded({ description: "Language of its messages, a BCP 47 tag such as en or fr-FR; default en" })
  ),
  objective: body(10_000, "What the mission should reach"),
  description: body(10_000, "What the mission is about"),
  audience: body(10_000, "Who the leads are: role, company, situation"),
  reason: body(10_000, "Why these leads are written to now"),
  action: body(10_000, "What a lead should do in the end, such as book a call"),
  keyMessage: body(10_000, "The one thing every message should say"),
  ctaUrl: url("Address that a lead is asked to open, such as a booking page; empty for none"),
  tone: body(10_000, "How messages should sound"),
  webhook: url(
    "Where e-mails are sent for review, reached only if a webhook might have the address; needed with strategy WEBHOOK, empty for none"
  )
}

const examples = Schema.Array(nonEmptyBody(20_000, "One whole message"))
  .check(Schema.isMaxLength(20))
  .annotate({ description: "Messages to learn the style from, at most 20" })

const agentHandle = AgentHandleText.annotate({
  description: "Handle of the agent in whose name the mission writes, such as ada-martin"
})

const linkedOffer = Schema.NullOr(OfferIdText).annotate({ description: "Id of the offer it proposes; null for none" })

const briefFields = {
  description: orNull(texts.description),
  target_audience: orNull(texts.audience),
  desired_action: orNull(texts.action),
  cta_url: orNull(texts.ctaUrl),
  tone_instructions: orNull(texts.tone),
  example_messages: optional(examples),
  offer_id: optional(linkedOffer)
}

const copied = (what: string) =>
  orNull(body(2_048, `${what} as it was read; change it with offer.update. Another value is refused`))

/** A brief as a caller sends it: also one that was read, with what it shows of the offer. */
export const BriefInput = Schema.Struct({
  ...briefFields,
  offer_name: copied("Name of the offer"),
  offer_summary: copied("One-liner of the offer"),
  offer_landing_page_url: copied("Landing page of the offer")
}).annotate({ description: "The same fields nested, as the mission shows them; a field may be in one place only" })
export type BriefInput = typeof BriefInput.Type

/** The brief of mission.create and mission.update, flat or nested. */
export const commandBriefFields = { ...briefFields, brief: optional(BriefInput) }

/** Flat brief fields as they were decoded. */
export type BriefWrite = Partial<Schema.Struct.Type<typeof briefFields>>

/** The names of the flat brief fields. */
export const briefNames = [
  "description",
  "target_audience",
  "desired_action",
  "cta_url",
  "tone_instructions",
  "example_messages",
  "offer_id"
] as const satisfies ReadonlyArray<keyof typeof briefFields>

const handleField = optional(
  Handle.annotate({
    description: "Public name in addresses, for ever: 1 to 64 of a-z, 0-9 and -; made from the name when left out"
  })
)

/** Fields of mission.create. */
export const missionCreateFields = {
  name: texts.name,
  agent_handle: optional(agentHandle),
  handle: handleField,
  language: optional(texts.language),
  ...commandBriefFields
}

/** Fields of mission.update beside `mission_id`. */
export const missionUpdateFields = {
  name: optional(texts.name),
  agent_handle: optional(agentHandle),
  ...commandBriefFields
}

/** Fields of the REST body, camelCase, beside handle and status. */
const restFields = {
  name: texts.name,
  agentHandle,
  language: optional(texts.language),
  offerId: optional(linkedOffer),
  objective: orNull(texts.objective),
  description: orNull(texts.description),
  channels: optional(
    Schema.Array(Channel)
      .check(Schema.isBetweenLength(1, 10))
      .annotate({ description: "Where the mission writes: EMAIL, LINKEDIN or both; default EMAIL" })
  ),
  emailReviewStrategy: optional(
    EmailReviewStrategy.annotate({
      description:
        "AUTO sends e-mails without review, MANUAL waits for an approval here, WEBHOOK asks the address of " +
        "emailReviewWebhookUrl; default AUTO"
    })
  ),
  emailReviewWebhookUrl: orNull(texts.webhook),
  importType: optional(ImportType.annotate({ description: "The usual source of its leads; default CSV" })),
  whoAreThey: orNull(texts.audience),
  whyWeContactThem: orNull(texts.reason),
  desiredAction: orNull(texts.action),
  keyMessage: orNull(texts.keyMessage),
  ctaUrl: orNull(texts.ctaUrl),
  toneInstructions: orNull(texts.tone),
  emailExamples: optional(examples)
}

/** Fields of POST /missions. */
export const missionRestFields = {
  ...restFields,
  handle: handleField,
  status: optional(Schema.Literals(["ACTIVE", "DRAFT"]).annotate({ description: "How it begins; default ACTIVE" }))
}

const { agentHandle: anyAgent, name: anyName, ...otherRestFields } = restFields

/** Fields of PATCH /missions/{missionHandle}. */
export const missionRestUpdateFields = {
  ...otherRestFields,
  name: optional(anyName),
  agentHandle: optional(anyAgent),
  status: optional(
    MissionStatus.annotate({
      description:
        "DRAFT to ACTIVE; ACTIVE to PAUSED and back; both to COMPLETED; any to ARCHIVED; ARCHIVED to PAUSED or DRAFT"
    })
  )
}

/** What a write changes, in the REST spelling: absent fields stay, null empties or unlinks. */
export type MissionWrite = Partial<Schema.Struct.Type<typeof restFields>>

/** Input of mission.list: part of a name or handle. */
export const queryField = optional(line(200, "Part of the name or the handle, in any case"))
