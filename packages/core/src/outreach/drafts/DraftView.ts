/** A draft with what its representation shows of other records, and what decides whether it may be sent. */
import { type AgentRow, agentName } from "../../agents/Agent.ts"
import type { TextRules } from "../../kernel/command/Permission.ts"
import type { LeadRow } from "../../leads/Lead.ts"
import type { MissionRow } from "../../missions/Mission.ts"
import type { Message } from "../transmission/Transmission.ts"
import type { TransmissionView } from "../transmission/TransmissionView.ts"
import type { DraftRow } from "./DraftRow.ts"
import { contentHashOf, type LinkedInDraft, variationsOf } from "./LinkedInDraft.ts"

/** A stored draft in its surroundings. `item` is the message that `row.queueItemId` names. */
export interface DraftView extends Pick<TransmissionView, "mission" | "rules"> {
  readonly row: DraftRow
  readonly item: Message | null
  readonly lead: Omit<TransmissionView["lead"], "email" | "timezone"> & { readonly jobTitle: string }
  /** It may have been deleted since. */
  readonly agent: Pick<TransmissionView["agent"], "id" | "handle" | "name" | "deleted">
}

/** A draft that was just written. */
export const newView = (
  row: DraftRow,
  lead: LeadRow,
  agent: AgentRow,
  mission: Pick<MissionRow, "id" | "handle" | "name" | "status"> | undefined,
  rules: TextRules
): DraftView => ({
  row,
  item: null,
  rules,
  lead: {
    id: lead.id,
    name: lead.name,
    company: lead.company,
    jobTitle: lead.jobTitle,
    linkedinUrl: lead.linkedinUrl,
    status: lead.status,
    wasWritten: lead.lastOutboundAt !== null,
    lastInboundAt: lead.lastInboundAt
  },
  agent: { id: agent.id, handle: agent.handle, name: agentName(agent), deleted: agent.deletedAt !== null },
  mission:
    mission === undefined
      ? null
      : { id: mission.id, handle: mission.handle, name: mission.name, status: mission.status }
})

const orNull = (value: string): string | null => (value === "" ? null : value)

/** The draft as it is shown. */
export const draftOf = ({ agent, lead, mission, row }: DraftView): LinkedInDraft => ({
  draft_id: row.id,
  status: row.status,
  channel: "LINKEDIN",
  dispatched_queue_item_id: row.queueItemId,
  dispatched_message_id: row.messageId,
  dispatched_external_message_id: row.externalMessageId,
  selected_variation_index: row.selectedIndex,
  selected_body_text: row.selectedBodyText,
  approved_at: row.approvedAt,
  cancelled_at: row.cancelledAt,
  dispatched_at: row.dispatchedAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  created_by_user_id: row.createdBy.userId,
  created_by_actor_kind: row.createdBy.actorKind,
  approved_by_user_id: row.approvedBy?.userId ?? null,
  approved_by_actor_kind: row.approvedBy?.actorKind ?? null,
  lead: {
    lead_id: lead.id,
    name: lead.name,
    company_name: orNull(lead.company),
    job_title: orNull(lead.jobTitle),
    linkedin_url: orNull(lead.linkedinUrl)
  },
  agent: { agent_id: agent.id, handle: agent.handle, name: agent.name },
  mission: mission === null ? null : { mission_id: mission.id, handle: mission.handle, name: mission.name },
  variations: variationsOf(row.variations)
})

/** What an approval may be bound to. */
export const contentHashOfView = ({ row }: Pick<DraftView, "row">): string => contentHashOf(row)

/** The output of commands that return one draft. */
export const draftResult = (view: DraftView): { readonly draft: LinkedInDraft } => ({ draft: draftOf(view) })
