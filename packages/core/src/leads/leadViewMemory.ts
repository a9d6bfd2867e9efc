/** What the in-memory store reads of other records for a lead: drafts, queue, relations, offers. */
import { agents } from "../agents/AgentTables.ts"
import type { QueueItem } from "../linkedin/DraftRow.ts"
import { drafts, queueItems, relations } from "../linkedin/LinkedInTables.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { compareText } from "./identity/Identity.ts"
import type { LeadMessage, LeadView, StoredLead } from "./LeadsRepo.ts"
import { leadMessages } from "./LeadTables.ts"

const isPending = ({ state }: QueueItem): boolean => state === "queued" || state === "waiting_relation"

/** Messages of a lead, and those that wait to be sent to it. */
export const messagesOf = (tables: Tables, organizationId: string, leadId: string): ReadonlyArray<LeadMessage> => {
  const sent = tables
    .all(leadMessages, organizationId)
    .filter((row) => row.leadId === leadId)
    .map(({ channel, content, date, direction, id, senderName }) => ({
      id,
      direction,
      channel,
      content,
      senderName,
      date,
      isPending: false
    }))
  const waiting = tables
    .all(queueItems, organizationId)
    .filter((item) => item.leadId === leadId && isPending(item))
    .map(
      (item): LeadMessage => ({
        id: item.id,
        direction: "outbound",
        channel: "LINKEDIN",
        content: item.bodyText,
        senderName: null,
        date: item.createdAt,
        isPending: true
      })
    )
  return [...sent, ...waiting]
}

/** The newest draft of a lead that is neither sent nor cancelled. */
export const openDraftOf = (tables: Tables, organizationId: string, leadId: string): LeadView["openDraft"] => {
  const [draft] = tables
    .all(drafts, organizationId)
    .filter((row) => row.leadId === leadId)
    .toSorted((a, b) => compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id))
    .flatMap((row) =>
      row.status === "PENDING_REVIEW" || row.status === "READY_TO_SEND" ? [{ ...row, status: row.status }] : []
    )
  if (draft === undefined) return null
  return {
    draftId: draft.id,
    status: draft.status,
    agentHandle: tables.get(agents, organizationId, draft.agentId)?.handle ?? "",
    missionId: draft.missionId,
    createdAt: draft.createdAt
  }
}

/** Whether it is unknown if some message to the lead was sent. */
export const hasAmbiguousSend = (tables: Tables, organizationId: string, leadId: string): boolean =>
  tables.all(queueItems, organizationId).some((item) => item.leadId === leadId && item.state === "ambiguous")

/** How the account that looked last and the lead stand. */
export const relationOf = (tables: Tables, organizationId: string, leadId: string): LeadView["relation"] => {
  const [relation] = tables
    .all(relations, organizationId)
    .filter((row) => row.leadId === leadId)
    .toSorted((a, b) => compareText(b.checkedAt, a.checkedAt) || compareText(a.accountId, b.accountId))
  if (relation === undefined) return null
  const { accountId, chatId, checkedAt, connected, invitedAt } = relation
  return { accountId, connected, hasConversation: chatId !== null, invitedAt, checkedAt }
}

/** A lead with its context. */
export const viewOf = (tables: Tables, organizationId: string, stored: StoredLead): LeadView => {
  const leadId = stored.row.id
  return {
    ...stored,
    briefs: stored.missions.flatMap(({ id }) => {
      const mission = tables.get(missions, organizationId, id)
      if (mission === undefined) return []
      const offer = mission.offerId === null ? undefined : tables.get(offers, organizationId, mission.offerId)
      const offerFacts = { offerName: offer?.name ?? null, offerOneLiner: offer?.oneLiner ?? null }
      return [{ missionId: id, status: mission.status, ...offerFacts }]
    }),
    openDraft: openDraftOf(tables, organizationId, leadId),
    hasAmbiguousSend: hasAmbiguousSend(tables, organizationId, leadId),
    relation: relationOf(tables, organizationId, leadId)
  }
}
