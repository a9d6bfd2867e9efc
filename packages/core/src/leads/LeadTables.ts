/** The in-memory tables of leads, and the rows of those that are no records of their own. */
import { table } from "../MemoryStore.ts"
import type { Identity, IdentityKind } from "./identity/Identity.ts"
import type { LeadRow, MessageChannel } from "./Lead.ts"

/** An identifier that a lead holds. */
export interface LeadIdentityRow extends Identity {
  readonly leadId: string
}

/** That a lead belongs to a mission. */
export interface LeadMissionRow {
  readonly missionId: string
  readonly leadId: string
  readonly linkedAt: string
}

/** A message to or from a lead. Instants are ISO texts; `date` is when it was sent. */
export interface LeadMessageRow {
  readonly id: string
  readonly organizationId: string
  readonly leadId: string
  readonly direction: "inbound" | "outbound"
  readonly channel: MessageChannel
  readonly content: string
  readonly senderName: string | null
  /** The provider's id; one message per channel and id. */
  readonly externalId: string | null
  readonly date: string
}

/** Leads by id, merged ones included. */
export const leads = table<LeadRow>("leads")

/** Identifiers by {@link leadIdentityKey}. */
export const leadIdentities = table<LeadIdentityRow>("lead_identities")

/** Missions of leads by {@link leadMissionKey}. */
export const leadMissions = table<LeadMissionRow>("lead_missions")

/** Messages by id. */
export const leadMessages = table<LeadMessageRow>("lead_messages")

/** Key of an identifier in {@link leadIdentities}. */
export const leadIdentityKey = (identity: { readonly kind: IdentityKind; readonly value: string }): string =>
  `${identity.kind}:${identity.value}`

/** Key of a mission's lead in {@link leadMissions}. */
export const leadMissionKey = (row: Pick<LeadMissionRow, "missionId" | "leadId">): string =>
  `${row.missionId}/${row.leadId}`
