/**
 * Missions: campaigns that combine an agent, an offer and a brief. One stored record has two closed shapes:
 * {@link RestMission} and {@link CommandMission}.
 *
 * Unset texts are empty in the row and in REST, and null in commands.
 */

import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { compacted, compactField, compactItems } from "../kernel/schema/compact.ts"
import {
  type AgentId,
  Instant,
  type InstantText,
  type MissionId,
  type OfferId,
  type OrganizationId
} from "../kernel/schema/IdsAndTime.ts"
import { line, nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { shorten, shortLength } from "../kernel/schema/TextRules.ts"
import type { Offer } from "../offers/Offer.ts"
import { CommandMissionStatus, commandStatus, type MissionLifecycle, MissionStatus } from "./MissionStatus.ts"

const text = Schema.String

const textOrNull = Schema.NullOr(Schema.String)

const count = Schema.Int

/** A channel of a mission. */
export const Channel = Schema.Literals(["EMAIL", "LINKEDIN"])

export type Channel = typeof Channel.Type

/** The most steps of a mission. */
export const maxSteps = 5

/**
 * A step of a mission: a follow-up to write. Nothing is written or sent by itself. Steps come in order; one whose channel cannot reach the person, or whose invitation is not accepted, is passed over.
 */
export const MissionStep = Schema.Struct({
  after: Schema.Literals(["no_reply", "invitation_accepted"]).annotate({
    description:
      "no_reply: after the latest message, if there is no reply on any channel. invitation_accepted: after the person " +
      "accepted an invitation"
  }),
  working_days: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })).annotate({
    description: "Working days of the mission's agent to wait after that, 0 to 60; at least 1 after no_reply"
  }),
  channel: Channel.annotate({ description: "Channel of the follow-up: EMAIL or LINKEDIN" }),
  purpose: nonEmptyLine(500, "What the follow-up is for, as an instruction to its writer"),
  evidence: Schema.optionalKey(line(500, "Facts that its text should rest on; default none"))
}).check(
  Schema.makeFilter(
    ({ after, working_days }) =>
      after === "no_reply" && working_days < 1 ? "Expected working_days of at least 1 after no_reply" : undefined,
    { toJsonSchema: () => [{}, true] }
  )
)
export type MissionStep = typeof MissionStep.Type

/** Who reviews e-mails before they are sent: nobody, a person, or another system by webhook. */
export const EmailReviewStrategy = Schema.Literals(["AUTO", "MANUAL", "WEBHOOK"])

export type EmailReviewStrategy = typeof EmailReviewStrategy.Type

/** The part of a mission that callers set, as stored and as REST shows it. Unset texts are empty. */
const contentFields = {
  name: text,
  /** BCP 47 tag. */
  language: text,
  objective: text,
  description: text,
  /** Without duplicates, in the order of {@link Channel}. */
  channels: Schema.Array(Channel),
  emailReviewStrategy: EmailReviewStrategy,
  emailReviewWebhookUrl: text,
  /** The usual source of its leads, an import type; it restricts nothing. */
  importType: text,
  whoAreThey: text,
  whyWeContactThem: text,
  desiredAction: text,
  keyMessage: text,
  ctaUrl: text,
  toneInstructions: text,
  emailExamples: Schema.Array(text)
}

/** The part of a mission that callers set, except handle and status. */
export interface MissionContent extends Schema.Struct.Type<typeof contentFields> {
  /** Id, not handle. Null only in a draft without an agent. */
  readonly agentId: AgentId | null
  readonly offerId: OfferId | null
}

/** The texts of a brief under the names that commands have for them. */
const briefFields = {
  objective: "objective",
  description: "description",
  target_audience: "whoAreThey",
  why_we_contact_them: "whyWeContactThem",
  desired_action: "desiredAction",
  key_message: "keyMessage",
  cta_url: "ctaUrl",
  tone_instructions: "toneInstructions"
} as const satisfies { readonly [text: string]: keyof MissionContent }

type BriefText = (typeof briefFields)[keyof typeof briefFields]

/** What a mission tells about its messages; unset texts are empty. */
export type MissionBrief = Pick<MissionContent, BriefText | "language">

/** The brief of a mission. */
export const missionBriefOf = (mission: MissionBrief): MissionBrief =>
  Struct.pick(mission, ["language", ...Object.values(briefFields)])

/** The texts of a brief under the names that commands have for them; null where unset. */
export const briefTexts = Record.map(briefFields, () => textOrNull)

/** The {@link briefTexts} of a mission. */
export const briefTextsOf = (brief: Pick<MissionBrief, BriefText>) =>
  Record.map(briefFields, (name) => brief[name] || null)

/** A mission as stored. Handles are unique in the organization and never change. */
export interface MissionRow extends MissionContent, MissionLifecycle {
  readonly id: MissionId
  readonly organizationId: OrganizationId
  readonly handle: string
  /** When leads were last added or a draft was last created; it does not affect `updatedAt`. */
  readonly lastUsedAt: InstantText | null
  /** Follow-ups to write, in order. */
  readonly steps: ReadonlyArray<MissionStep>
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}

/** How many leads a mission has, how many were contacted, and how many replied. */
export const MissionStats = Schema.Struct({ leads: count, contacted: count, replied: count })

export type MissionStats = typeof MissionStats.Type

/** An import of a mission as commands show it. `count` is the number of rows read. */
export const ImportRecord = Schema.Struct({
  import_id: text,
  type: text,
  name: text,
  date: Instant,
  count,
  created_count: count,
  skipped_count: count,
  invalid_count: count,
  source_url: textOrNull,
  context: textOrNull
})

export type ImportRecord = typeof ImportRecord.Type

/** How many imports a mission shows, newest first; import.list has all. */
export const shownImports = 100

/** A mission with everything its representations show of other records. */
export interface MissionView {
  readonly mission: MissionRow
  /** Empty without an agent; a deleted agent keeps its handle. */
  readonly agentHandle: string
  readonly offer: Pick<Offer, "id" | "name" | "oneLiner" | "landingPageUrl"> | null
  readonly stats: MissionStats
  /** Newest first, at most {@link shownImports}. */
  readonly imports: ReadonlyArray<ImportRecord>
}

/** The texts of a brief that commands show. */
const shownTexts = ["description", "target_audience", "desired_action", "cta_url", "tone_instructions"] as const

/** The brief, as commands show it. */
const Brief = Schema.Struct({
  ...Struct.pick(briefTexts, shownTexts),
  offer_id: textOrNull,
  offer_name: textOrNull,
  offer_summary: textOrNull,
  offer_landing_page_url: textOrNull,
  example_messages: Schema.Array(text)
})

/** A mission as commands show it, a closed shape. */
export const CommandMission = Schema.Struct({
  id: text,
  name: text,
  status: CommandMissionStatus,
  stats: MissionStats,
  updated_at: Instant,
  brief: Brief,
  imports: Schema.Array(ImportRecord)
})

export type CommandMission = typeof CommandMission.Type

/** A mission as REST shows it, a closed shape; `lastUsedAt` is null until it is used. */
export const RestMission = Schema.Struct({
  id: text,
  organizationId: text,
  agentHandle: text,
  offerId: text,
  handle: text,
  status: MissionStatus,
  ...contentFields,
  lastUsedAt: Schema.NullOr(Instant),
  leadCount: count,
  createdAt: Instant,
  updatedAt: Instant
})

export type RestMission = typeof RestMission.Type

/** The REST representation of a mission. */
export const restMissionOf = ({ agentHandle, mission, stats }: MissionView): RestMission => {
  const { agentId: _agentId, beforeArchive: _beforeArchive, offerId, steps: _steps, ...shown } = mission
  return { ...shown, agentHandle, offerId: offerId ?? "", leadCount: stats.leads }
}

/** The complete record of a mission. */
export const missionRecord = {
  schema: Schema.Struct({ mission: RestMission }),
  show: (view: MissionView) => ({ mission: restMissionOf(view) })
}

/** The mission as commands show it. */
export const commandMissionOf = ({ imports, mission, offer, stats }: MissionView): CommandMission => ({
  id: mission.id,
  name: mission.name,
  status: commandStatus(mission.status),
  stats,
  updated_at: mission.updatedAt,
  brief: {
    ...Struct.pick(briefTextsOf(mission), shownTexts),
    offer_id: offer?.id ?? null,
    offer_name: offer?.name ?? null,
    offer_summary: offer?.oneLiner || null,
    offer_landing_page_url: offer?.landingPageUrl ?? null,
    example_messages: mission.emailExamples
  },
  imports
})

/** {@link commandMissionOf} as an output. */
export const showMission = (view: MissionView) => ({ mission: commandMissionOf(view) })

const kept = 3

/** The mission with fewer and shorter parts, and a warning if any were cut. */
const compactMission = (mission: CommandMission) => {
  const { brief, imports } = mission
  const examples = brief.example_messages
  const cut = imports.length > kept || examples.length > kept || examples.some((text) => text.length > shortLength)
  return compacted<CommandMission>(
    {
      ...mission,
      brief: { ...brief, example_messages: examples.slice(0, kept).map(shorten) },
      imports: imports.slice(0, kept)
    },
    cut,
    `examples and imports of mission ${mission.id} are shortened; use response_profile full for all`
  )
}

/** {@link compactMission} for an output with one mission. */
export const compactOne = compactField("mission", compactMission)

/** {@link compactMission} for a page of missions. */
export const compactMissions = compactItems("missions", compactMission)
