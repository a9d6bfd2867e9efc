/** Rows that belong to a lead: identifiers, mission memberships, messages. */
import type { InstantText, LeadId, MessageId, MissionId, OrganizationId } from "../kernel/schema/RecordIds.ts"
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
