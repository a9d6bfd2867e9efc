/** What other records say about a lead in the in-memory store: drafts, queue, relations, offers. */

import type { LeadId } from "@svc/core"
import { compareText } from "@svc/core/internal"
import { type LeadMessage, type LeadView, leadBriefOf, type StoredLead } from "@svc/core/leads"
import type { Message } from "@svc/core/outreach"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { drafts, messagesIn, relations } from "../outreach/LinkedInTables.ts"
import { followUpsOf } from "./followUpsMemory.ts"
import { leadMessages } from "./LeadTables.ts"

const isPending = ({ state }: Message): boolean => state === "queued" || state === "waiting_relation"

/** Messages of a lead, queued ones included. */
export const messagesOf = (tables: Tables, leadId: LeadId): ReadonlyArray<LeadMessage> => {
  const sent = tables
    .where(leadMessages, (row) => row.leadId === leadId)
    .map((row) => ({
      ...Struct.pick(row, ["id", "direction", "channel", "content", "senderName", "date"]),
      isPending: false
    }))
  const waiting = messagesIn(tables)
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
export const openDraftOf = (tables: Tables, leadId: LeadId): LeadView["openDraft"] => {
  const [draft] = tables
    .where(drafts, (row) => row.leadId === leadId)
    .toSorted((a, b) => compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id))
    .flatMap((row) =>
      row.status === "PENDING_REVIEW" || row.status === "READY_TO_SEND" ? [{ ...row, status: row.status }] : []
    )
  if (draft === undefined) return null
  return {
    draftId: draft.id,
    status: draft.status,
    agentHandle: tables.get(agents, draft.agentId)?.handle ?? "",
    missionId: draft.missionId,
    createdAt: draft.createdAt,
    rewriteRequested: draft.review.rewrite !== null,
    snoozedUntil: draft.review.snoozedUntil
  }
}

/** Whether a message to the lead has an unknown outcome. */
export const hasAmbiguousSend = (tables: Tables, leadId: LeadId): boolean =>
  messagesIn(tables).some((item) => item.leadId === leadId && item.state === "ambiguous")

/** The relation that was checked last. */
export const relationOf = (tables: Tables, leadId: LeadId): LeadView["relation"] => {
  const [relation] = tables
    .where(relations, (row) => row.leadId === leadId)
    .toSorted((a, b) => compareText(b.checkedAt, a.checkedAt) || compareText(a.accountId, b.accountId))
  if (relation === undefined) return null
  const { accountId, chatId, checkedAt, connected, invitedAt } = relation
  return { accountId, connected, hasConversation: chatId !== null, invitedAt, checkedAt }
}

/** A lead with its context. */
export const viewOf = (tables: Tables, stored: StoredLead): LeadView => {
  const leadId = stored.row.id
  return {
    ...stored,
    briefs: stored.missions.flatMap(({ id }) => {
      const mission = tables.get(missions, id)
      if (mission === undefined) return []
      const offer = tables.get(offers, mission.offerId)
      const offerFacts = {
        offerName: offer?.name ?? null,
        offerOneLiner: offer?.oneLiner ?? null,
        valueProposition: offer?.valueProposition ?? null,
        proof: offer?.references ?? []
      }
      return [{ missionId: id, status: mission.status, ...offerFacts, brief: leadBriefOf(mission) }]
    }),
    openDraft: openDraftOf(tables, leadId),
    hasAmbiguousSend: hasAmbiguousSend(tables, leadId),
    relation: relationOf(tables, leadId),
    followUps: followUpsOf(tables, stored.row)
  }
}
