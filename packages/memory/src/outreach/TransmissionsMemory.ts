/** Transmissions of all kinds in the in-memory store. */

import { changedAt, cutPage, type LeadId, type OrganizationId } from "@svc/core"
import { DraftOpen, sortIdentities } from "@svc/core/leads"
import {
  type DraftRow,
  isLive,
  type Transmission,
  type TransmissionFilter,
  TransmissionsRepo,
  type TransmissionView
} from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { leadIdentities, leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { attemptKey, attempts, drafts, isOpenDraft, relationKey, relations, transmissions } from "./LinkedInTables.ts"
import { changeSender, senderOf } from "./senderTable.ts"
import { findView, viewOf } from "./transmissionViews.ts"
import { paces, transmissionsIn, turns } from "./turnsMemory.ts"

/** Whether an agent has two open drafts for a lead. */
const hasCompetingDrafts = (tables: Tables, organizationId: OrganizationId, leadId: LeadId): boolean => {
  const agents = tables
    .all(drafts, organizationId)
    .filter((row) => row.leadId === leadId && isOpenDraft(row))
    .map(({ agentId }) => agentId)
  return new Set(agents).size < agents.length
}

const matches =
  ({ accountId, kinds, leadId, mission, reviewed, states }: TransmissionFilter) =>
  ({ mission: own, row }: TransmissionView): boolean =>
    kinds.includes(row.kind) &&
    (states.length === 0 || states.includes(row.state)) &&
    (accountId === undefined || row.accountId === accountId) &&
    (leadId === undefined || row.leadId === leadId) &&
    (mission === undefined || own?.id === mission || own?.handle === mission) &&
    (reviewed !== true || (row.kind === "email" && row.strategy !== "AUTO"))

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

/** The part of an id that grows with time: what follows its prefix. */
const ageOf = ({ row: { id } }: TransmissionView): string => id.slice(id.indexOf("_") + 1)

const isUnsent = (row: Transmission): boolean => row.kind !== "email" && isLive(row) && row.state !== "pending"

/** Keeps transmissions in memory. */
export const layer: Layer.Layer<TransmissionsRepo, never, MemoryStore> = Layer.effect(
  TransmissionsRepo,
  Effect.map(MemoryStore, (store) => {
    const find: TransmissionsRepo["Service"]["find"] = (organizationId, id) =>
      store.read((tables) => findView(tables, organizationId, id))
    const some = (organizationId: OrganizationId, which: (row: Transmission) => boolean) =>
      store.read((tables) => tables.all(transmissions, organizationId).filter(which))
    return TransmissionsRepo.of({
      ...turns(store),
      ...paces(store),
      find,
      // Transactions are serialized, so a row that was read cannot change.
      hold: find,
      list: (organizationId, filter, { after, limit }) =>
        store.read((tables) => {
          const sign = filter.order === "oldest" ? 1 : -1
          const compare = (a: string, b: string): number => (a < b ? -sign : a > b ? sign : 0)
          const { leadId } = filter
          const lead = leadId === undefined ? undefined : tables.get(leads, organizationId, leadId)
          const rows = tables
            .all(transmissions, organizationId)
            .map((row) => viewOf(tables, row))
            .filter(matches({ ...filter, leadId: lead?.mergedInto ?? leadId }))
            .filter((view) => after === undefined || compare(String(after[0]), ageOf(view)) < 0)
            .toSorted((a, b) => compare(ageOf(a), ageOf(b)))
          return cutPage(rows.slice(0, limit + 1), limit, (view) => [ageOf(view)])
        }),
      save: (organizationId, rows) =>
        store.write((tables) => {
          for (const row of rows) {
            const stored = tables.get(transmissions, organizationId, row.id)
            const leaseUntil = row.state === "sending" ? (stored?.leaseUntil ?? null) : null
            tables.set(transmissions, organizationId, row.id, { ...row, leaseUntil, fence: stored?.fence ?? 0 })
            changeSender(tables, organizationId, senderOf(row), {})
          }
        }),
      ofLead: (organizationId, leadId) =>
        Effect.map(
          some(organizationId, (row) => row.leadId === leadId),
          (rows) => rows.toSorted((a, b) => byId(b, a))
        ),
      queued: (organizationId, owner) =>
        store.read((tables) =>
          tables
            .all(transmissions, organizationId)
            .filter((row) => row.kind !== "message")
            .filter(({ state }) => state === "queued")
            .filter(({ agentId, draftId }) =>
              "agentId" in owner ? agentId === owner.agentId : draftId !== null && owner.draftIds.includes(draftId)
            )
            .toSorted(byId)
        ),
      unqueued: ({ approvedBefore, limit, organizationId }) =>
        store.read((tables) =>
          (organizationId === undefined ? tables.partitions(drafts) : [organizationId])
            .flatMap((id) => tables.all(drafts, id))
            .filter(({ queueItemId, status }) => status === "READY_TO_SEND" && queueItemId === null)
            .filter(({ approvedAt }) => (approvedAt ?? "~") <= approvedBefore)
            .filter(
              ({ missionId, organizationId: owner }) =>
                missionId === null || tables.get(missions, owner, missionId)?.status === "ACTIVE"
            )
            .toSorted((a, b) => (`${a.approvedAt} ${a.id}` < `${b.approvedAt} ${b.id}` ? -1 : 1))
            .slice(0, limit)
            .map(({ id, organizationId: owner }) => ({ organizationId: owner, id }))
        ),
      expired: ({ limit, now, organizationId }) =>
        store.read((tables) =>
          transmissionsIn(tables, organizationId)
            .filter(({ expiresAt, state }) => state === "in_review" && expiresAt !== null && expiresAt <= now)
            .toSorted((a, b) => (`${a.expiresAt} ${a.id}` < `${b.expiresAt} ${b.id}` ? -1 : 1))
            .slice(0, limit)
            .map(({ id, organizationId: owner }) => ({ organizationId: owner, id }))
        ),
      countUnsent: (organizationId, agentId) =>
        Effect.map(
          some(organizationId, (row) => row.agentId === agentId && isUnsent(row)),
          (rows) => rows.length
        ),
      saveAttempt: (attempt) =>
        store.write((tables) => tables.set(attempts, attempt.organizationId, attemptKey(attempt), attempt)),
      attemptsOf: (organizationId, id) =>
        store.read((tables) =>
          tables
            .all(attempts, organizationId)
            .filter(({ queueItemId }) => queueItemId === id)
            .toSorted((a, b) => a.number - b.number)
        ),
      person: (organizationId, accountId, leadId) =>
        store.read((tables) => ({
          identities: sortIdentities(
            tables
              .all(leadIdentities, organizationId)
              .filter((row) => row.leadId === leadId)
              .map(({ derived, kind, value }) => ({ kind, value, derived }))
          ),
          relation: tables.get(relations, organizationId, relationKey({ accountId: accountId ?? "", leadId }))
        })),
      saveRelation: (relation) =>
        store.write((tables) => tables.set(relations, relation.organizationId, relationKey(relation), relation)),
      forgetRelations: (organizationId, leadId) =>
        store.write((tables) => {
          tables.removeWhere(relations, organizationId, (relation) => relation.leadId === leadId)
        }),
      adopt: (organizationId, winnerLeadId, loserLeadIds, at) =>
        store.tryWrite((tables) => {
          const isLoser = ({ leadId }: { readonly leadId: LeadId }) => loserLeadIds.includes(leadId)
          const moved = <Row extends DraftRow | Transmission>(row: Row): Row => ({
            ...row,
            leadId: winnerLeadId,
            updatedAt: changedAt(row.updatedAt, at)
          })
          tables.updateWhere(drafts, organizationId, isLoser, moved)
          if (hasCompetingDrafts(tables, organizationId, winnerLeadId)) return Result.fail(new DraftOpen())
          tables.updateWhere(transmissions, organizationId, isLoser, moved)
          const theirs = tables
            .removeWhere(relations, organizationId, isLoser)
            .toSorted((a, b) => (a.leadId < b.leadId ? -1 : 1))
          for (const relation of theirs) {
            const moved = { ...relation, leadId: winnerLeadId }
            if (tables.get(relations, organizationId, relationKey(moved)) === undefined) {
              tables.set(relations, organizationId, relationKey(moved), moved)
            }
          }
          return Result.succeed(undefined)
        })
    })
  })
)
