/** The queue in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fail } from "../Failure.ts"
import { sortIdentities } from "../leads/identity/Identity.ts"
import { leadIdentities } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { changedAt } from "../Time.ts"
import type { DraftRow, QueueItem } from "./DraftRow.ts"
import { isLive as isLiveInvitation } from "./invitations/Invitation.ts"
import { invitationsIn } from "./invitations/invitationsMemory.ts"
import {
  attemptKey,
  attempts,
  draftingOrganizations,
  drafts,
  everyone,
  invitations,
  queueItems,
  relationKey,
  relations
} from "./LinkedInTables.ts"
import { leases } from "./pacing/leaseMemory.ts"
import { listings } from "./pacing/listingMemory.ts"
import { changePace, paces } from "./pacing/pacingTable.ts"
import { type DueRequest, type DueSend, QueueRepo } from "./QueueRepo.ts"

const isLive = ({ state }: QueueItem): boolean =>
  state === "queued" || state === "waiting_relation" || state === "sending" || state === "ambiguous"

const dueOf = (tables: Tables, organizationId: string, request: DueRequest): ReadonlyArray<DueSend> => {
  const mayRun = (draft: DraftRow): boolean =>
    draft.missionId === null || tables.get(missions, organizationId, draft.missionId)?.status === "ACTIVE"
  return tables.all(drafts, organizationId).flatMap((draft): ReadonlyArray<DueSend> => {
    if (draft.status !== "READY_TO_SEND") return []
    if (draft.queueItemId === null) {
      const at = draft.approvedAt
      if (at === null || at > request.approvedBefore || !mayRun(draft)) return []
      return [{ organizationId, draftId: draft.id, queueItemId: null, isStale: false, due: at, fence: 0 }]
    }
    const item = tables.get(queueItems, organizationId, draft.queueItemId)
    if (item?.state !== "sending") return []
    const isStale = item.leaseUntil === null ? item.updatedAt <= request.staleBefore : item.leaseUntil <= request.now
    const due = item.leaseUntil ?? item.updatedAt
    return isStale ? [{ organizationId, draftId: draft.id, queueItemId: item.id, isStale, due, fence: item.fence }] : []
  })
}

const hasRivals = (tables: Tables, organizationId: string, leadId: string): boolean => {
  const agents = tables
    .all(drafts, organizationId)
    .filter((row) => row.leadId === leadId && (row.status === "PENDING_REVIEW" || row.status === "READY_TO_SEND"))
    .map(({ agentId }) => agentId)
  return new Set(agents).size < agents.length
}

/** Keeps the queue in memory. */
export const layer: Layer.Layer<QueueRepo, never, MemoryStore> = Layer.effect(
  QueueRepo,
  Effect.map(MemoryStore, (store) =>
    QueueRepo.of({
      ...leases(store),
      ...listings(store),
      invitations: invitationsIn(store),
      save: (organizationId, items) =>
        store.write((tables) => {
          for (const item of items) {
            const stored = tables.get(queueItems, organizationId, item.id)
            const leaseUntil = item.state === "sending" ? (stored?.leaseUntil ?? null) : null
            tables.set(queueItems, organizationId, item.id, { ...item, leaseUntil, fence: stored?.fence ?? 0 })
            if (tables.get(paces, organizationId, item.accountId) === undefined) {
              changePace(tables, organizationId, item.accountId, {})
            }
          }
        }),
      saveAttempt: (attempt) =>
        store.write((tables) => tables.set(attempts, attempt.organizationId, attemptKey(attempt), attempt)),
      attemptsOf: (organizationId, queueItemId) =>
        store.read((tables) =>
          tables
            .all(attempts, organizationId)
            .filter((attempt) => attempt.queueItemId === queueItemId)
            .toSorted((a, b) => a.number - b.number)
        ),
      isBusy: (organizationId, leadId, exceptItemId) =>
        store.read((tables) =>
          tables
            .all(queueItems, organizationId)
            .some((item) => item.leadId === leadId && item.state === "sending" && item.id !== exceptItemId)
        ),
      countLive: (organizationId, leadId) =>
        store.read(
          (tables) =>
            tables.all(queueItems, organizationId).filter((item) => item.leadId === leadId && isLive(item)).length +
            tables.all(invitations, organizationId).filter((one) => one.leadId === leadId && isLiveInvitation(one))
              .length
        ),
      countUnsent: (organizationId, agentId) =>
        store.read(
          (tables) =>
            tables
              .all(queueItems, organizationId)
              .filter((item) => isLive(item) && tables.get(drafts, organizationId, item.draftId)?.agentId === agentId)
              .length +
            tables
              .all(invitations, organizationId)
              .filter((one) => one.agentId === agentId && isLiveInvitation(one) && one.state !== "pending").length
        ),
      person: (organizationId, accountId, leadId) =>
        store.read((tables) => ({
          identities: sortIdentities(
            tables
              .all(leadIdentities, organizationId)
              .filter((row) => row.leadId === leadId)
              .map(({ derived, kind, value }) => ({ kind, value, derived }))
          ),
          relation: tables.get(relations, organizationId, relationKey({ accountId, leadId }))
        })),
      saveRelation: (relation) =>
        store.write((tables) => tables.set(relations, relation.organizationId, relationKey(relation), relation)),
      adopt: (organizationId, winnerLeadId, loserLeadIds, at) =>
        store.write((tables) => {
          const moved = <A extends { readonly leadId: string; readonly updatedAt: string }>(row: A): A => ({
            ...row,
            leadId: winnerLeadId,
            updatedAt: changedAt(row.updatedAt, at)
          })
          for (const row of tables.all(drafts, organizationId)) {
            if (loserLeadIds.includes(row.leadId)) tables.set(drafts, organizationId, row.id, moved(row))
          }
          if (hasRivals(tables, organizationId, winnerLeadId)) throw fail("DRAFT_OPEN")
          for (const item of tables.all(queueItems, organizationId)) {
            if (loserLeadIds.includes(item.leadId)) tables.set(queueItems, organizationId, item.id, moved(item))
          }
          const theirs = tables
            .all(relations, organizationId)
            .filter(({ leadId }) => loserLeadIds.includes(leadId))
            .toSorted((a, b) => (a.leadId < b.leadId ? -1 : 1))
          for (const relation of theirs) {
            tables.remove(relations, organizationId, relationKey(relation))
            const mine = { ...relation, leadId: winnerLeadId }
            if (tables.get(relations, organizationId, relationKey(mine)) === undefined) {
              tables.set(relations, organizationId, relationKey(mine), mine)
            }
          }
        }),
      due: (request) =>
        store.read((tables) => {
          const organizations =
            request.organizationId === undefined
              ? tables.all(draftingOrganizations, everyone)
              : [request.organizationId]
          return organizations
            .flatMap((organizationId) => dueOf(tables, organizationId, request))
            .toSorted((a, b) => (`${a.due} ${a.draftId}` < `${b.due} ${b.draftId}` ? -1 : 1))
            .slice(0, request.limit)
        }),
      history: (organizationId, draftId) =>
        store.read((tables) => {
          const items = tables
            .all(queueItems, organizationId)
            .filter((item) => item.draftId === draftId)
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          const ids = items.map(({ id }) => id)
          return {
            items,
            attempts: tables
              .all(attempts, organizationId)
              .filter(({ queueItemId }) => ids.includes(queueItemId))
              .toSorted((a, b) => ids.indexOf(a.queueItemId) - ids.indexOf(b.queueItemId) || a.number - b.number)
          }
        })
    })
  )
)
