/**
 * Missions: campaigns that tie an agent, an offer and a brief together. One stored record, and the two closed shapes of
 * the spec that show it: {@link RestMission} and {@link CommandMission}.
 *
 * REST texts that are not set are empty, command texts null; both are the empty text in the row. Source: spec "Mission"
 * (both representations); G1–G4, G31.
 */
import * as Schema from "effect/Schema"
import { Instant } from "../Time.ts"
import { CommandMissionStatus, commandStatus, type MissionLife, MissionStatus } from "./MissionStatus.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)
const count = Schema.Int

/** Where a mission talks to leads. Source: G2. */
export const Channel = Schema.Literals(["EMAIL", "LINKEDIN"])
export type Channel = typeof Channel.Type

/** Who looks at an e-mail before it leaves: nobody, a person here, or a program at the webhook's address. Source: G3. */
export const EmailReviewStrategy = Schema.Literals(["AUTO", "MANUAL", "WEBHOOK"])
export type EmailReviewStrategy = typeof EmailReviewStrategy.Type

/** What a caller decides of a mission, beside its handle and status. Texts that are not set are empty. */
export interface MissionContent {
  readonly name: string
  /** BCP 47 tag. */
  readonly language: string
  /** Id, not handle. Null while nobody is chosen, which only a draft may be. */
  readonly agentId: string | null
  readonly offerId: string | null
  readonly objective: string
  readonly description: string
  /** Without repeats, in the order of {@link Channel}. */
  readonly channels: ReadonlyArray<Channel>
  readonly emailReviewStrategy: EmailReviewStrategy
  readonly emailReviewWebhookUrl: string
  /** The usual source of its leads, one of the import types; no restriction. */
  readonly importType: string
  readonly whoAreThey: string
  readonly whyWeContactThem: string
  readonly desiredAction: string
  readonly keyMessage: string
  readonly ctaUrl: string
  readonly toneInstructions: string
  readonly emailExamples: ReadonlyArray<string>
}

/** A mission as it is stored. Handles are unique in the organization and never change. */
export interface MissionRow extends MissionContent, MissionLife {
  readonly id: string
  readonly organizationId: string
  readonly handle: string
  /** When leads were last added to it, or a draft was last created for it; does not move `updatedAt`. */
  readonly lastUsedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** How many leads a mission has, how many were written to, and how many answered. */
export const MissionStats = Schema.Struct({ leads: count, contacted: count, replied: count })
export type MissionStats = typeof MissionStats.Type

/** One import of a mission, as the spec's command form shows it. `count` is the rows seen. */
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

/** How many imports a mission shows, the newest; import.list has all. */
export const shownImports = 100

/** A mission with what its representations show of other records. */
export interface MissionView {
  readonly mission: MissionRow
  /** Empty when it has no agent; a deleted agent keeps its handle. */
  readonly agentHandle: string
  readonly offer: {
    readonly id: string
    readonly name: string
    readonly oneLiner: string
    readonly landingPageUrl: string | null
  } | null
  readonly stats: MissionStats
  /** Newest first, at most {@link shownImports}. */
  readonly imports: ReadonlyArray<ImportRecord>
}

/** What the mission is about, in the words of commands. */
export const Brief = Schema.Struct({
  description: textOrNull,
  target_audience: textOrNull,
  desired_action: textOrNull,
  cta_url: textOrNull,
  tone_instructions: textOrNull,
  offer_id: textOrNull,
  offer_name: textOrNull,
  offer_summary: textOrNull,
  offer_landing_page_url: textOrNull,
  example_messages: Schema.Array(text)
})
export type Brief = typeof Brief.Type

/** A mission as commands show it, the spec's closed shape. */
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

/** A mission as REST shows it, the spec's closed shape; `lastUsedAt` is null until it is used. */
export const RestMission = Schema.Struct({
  id: text,
  organizationId: text,
  agentHandle: text,
  offerId: text,
  handle: text,
  name: text,
  language: text,
  status: MissionStatus,
  objective: text,
  description: text,
  channels: Schema.Array(Channel),
  emailReviewStrategy: EmailReviewStrategy,
  emailReviewWebhookUrl: text,
  importType: text,
  whoAreThey: text,
  whyWeContactThem: text,
  desiredAction: text,
  keyMessage: text,
  ctaUrl: text,
  toneInstructions: text,
  emailExamples: Schema.Array(text),
  lastUsedAt: Schema.NullOr(Instant),
  leadCount: count,
  createdAt: Instant,
  updatedAt: Instant
})
export type RestMission = typeof RestMission.Type

/** The REST representation of a mission. */
export const restMissionOf = ({ agentHandle, mission, stats }: MissionView): RestMission => {
  const { agentId: _agentId, beforeArchive: _beforeArchive, offerId, ...shown } = mission
  return { ...shown, agentHandle, offerId: offerId ?? "", leadCount: stats.leads }
}

const orNull = (value: string): string | null => (value === "" ? null : value)

/** The command form of a mission. */
export const commandMissionOf = ({ imports, mission, offer, stats }: MissionView): CommandMission => ({
  id: mission.id,
  name: mission.name,
  status: commandStatus(mission.status),
  stats,
  updated_at: mission.updatedAt,
  brief: {
    description: orNull(mission.description),
    target_audience: orNull(mission.whoAreThey),
    desired_action: orNull(mission.desiredAction),
    cta_url: orNull(mission.ctaUrl),
    tone_instructions: orNull(mission.toneInstructions),
    offer_id: offer?.id ?? null,
    offer_name: offer?.name ?? null,
    offer_summary: offer === null ? null : orNull(offer.oneLiner),
    offer_landing_page_url: offer?.landingPageUrl ?? null,
    example_messages: mission.emailExamples
  },
  imports
})
