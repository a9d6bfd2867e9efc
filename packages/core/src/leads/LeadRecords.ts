/** Rows that belong to a lead: identifiers, mission memberships, messages; and the brief of a mission. */

import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { InstantText, LeadId, MessageId, MissionId, OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { MissionContent } from "../missions/Mission.ts"
import type { Identity } from "./identity/Identity.ts"
import type { MessageChannel } from "./Lead.ts"

/** An identifier that a lead holds. */
export interface LeadIdentityRow extends Identity {
  readonly leadId: LeadId
}

/** Membership of a lead in a mission. */
export interface LeadMissionRow {
  readonly missionId: MissionId
  readonly leadId: LeadId
  readonly linkedAt: InstantText
}

/** A message to or from a lead. Instants are ISO texts; `date` is when it was sent. */
export interface LeadMessageRow {
  readonly id: MessageId
  readonly organizationId: OrganizationId
  readonly leadId: LeadId
  readonly direction: "inbound" | "outbound"
  readonly channel: MessageChannel
  readonly content: string
  readonly senderName: string | null
  /** The provider's id; one message per channel and id. */
  readonly externalId: string | null
  readonly date: string
}

const briefFields = [
  "language",
  "objective",
  "description",
  "whoAreThey",
  "whyWeContactThem",
  "desiredAction",
  "keyMessage",
  "ctaUrl",
  "toneInstructions"
] as const satisfies ReadonlyArray<keyof MissionContent>

/** What a mission tells about its message; unset texts are empty. */
export type LeadBrief = Pick<MissionContent, (typeof briefFields)[number]>

/** The brief of a mission. */
export const leadBriefOf = (mission: LeadBrief): LeadBrief => Struct.pick(mission, briefFields)

/**
 * Why a lead is kept; the first that applies. MERGED: merged with another lead. CONTACTED: messages were exchanged or queued.
 * DRAFTED: has a draft or an email in review. NOTED: has a note. SUPPRESSED: must not be contacted, which must be remembered.
 * IN_OTHER_MISSION, IN_OTHER_IMPORT: belongs to another one. AWAITING_APPROVAL: a pending approval request names its id.
 * CHANGED: changed by anything but its import.
 */
export const KeptReason = Schema.Literals([
  "MERGED",
  "CONTACTED",
  "DRAFTED",
  "NOTED",
  "SUPPRESSED",
  "IN_OTHER_MISSION",
  "IN_OTHER_IMPORT",
  "AWAITING_APPROVAL",
  "CHANGED"
])

export type KeptReason = typeof KeptReason.Type
