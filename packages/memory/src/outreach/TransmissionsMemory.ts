/** Transmissions of all kinds in the in-memory store. */

import { changedAt, type LeadId } from "@svc/core"
import { isLive } from "@svc/core/internal"
import { DraftOpen, sortIdentities } from "@svc/core/leads"
import * as Outreach from "@svc/core/outreach"
import * as Result from "effect/Result"
import { leadIdentities, leads } from "../leads/LeadTables.ts"
import { pageBy, repository, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import {
  attemptKey,
  attempts,
  changeSender,
  drafts,
  isOpenDraft,
  relationKey,
  relations,
  senderOf,
  transmissions
} from "./LinkedInTables.ts"
import { findView, viewOf } from "./transmissionViews.ts"
import { paces, turns } from "./turnsMemory.ts"

/** Whether an agent has two open drafts for a lead. */
const hasCompetingDrafts = (tables: Tables, leadId: LeadId): boolean => {
  const agents = tables.where(drafts, (row) => row.leadId === leadId && isOpenDraft(row)).map(({ agentId }) => agentId)
  return new Set(agents).size < agents.length
}

const matches =
  ({ accountId, kinds, leadId, mission, reviewed, states }: Outreach.TransmissionFilter) =>
  ({ mission: own, row }: Outreach.TransmissionView): boolean =>
    kinds.includes(row.kind) &&
    (states.length === 0 || states.includes(row.state)) &&
    (accountId === undefined || row.accountId === accountId) &&
    (leadId === undefined || row.leadId === leadId) &&
    (mission === undefined || own?.id === mission || own?.handle === mission) &&
    (reviewed !== true || (row.kind === "email" && row.strategy !== "AUTO"))

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

/** The part of an id that grows with time: what follows its prefix. */
const ageOf = ({ row: { id } }: Outreach.TransmissionView): string => id.slice(id.indexOf("_") + 1)

const isUnsent = (row: Outreach.Transmission): boolean => row.kind !== "email" && isLive(row) && row.state !== "pending"

/** Keeps transmissions in memory. */
export const layer = repository(Outreach.TransmissionsRepo)((store) => ({
  ...turns(store),
  ...paces(store),
  find: store.reading(findView),
  // Transactions are serialized, so a row that was read cannot change.
  hold: store.reading(findView),
  list: store.reading((tables, filter, page) => {
    const { leadId, order } = filter
    const lead = tables.get(leads, leadId)
    const rows = tables
      .all(transmissions)
      .map((row) => viewOf(tables, row))
      .filter(matches({ ...filter, leadId: lead?.mergedInto ?? leadId }))
    return pageBy(rows, order === "oldest" ? "asc" : "desc", (view) => [ageOf(view)], page)
  }),
  save: store.writing((tables, rows) => {
    for (const row of rows) {
      const stored = tables.get(transmissions, row.id)
      const leaseUntil = row.state === "sending" ? (stored?.leaseUntil ?? null) : null
      tables.set(transmissions, row.id, { ...row, leaseUntil, fence: stored?.fence ?? 0 })
      changeSender(tables, senderOf(row), {})
    }
  }),
  ofLead: store.reading((tables, leadId) =>
    tables.where(transmissions, (row) => row.leadId === leadId).toSorted((a, b) => byId(b, a))
  ),
  queued: store.reading((tables, owner) =>
    tables
      .where(transmissions, (row) => row.kind !== "message")
      .filter(({ agentId, draftId, leadId, missionId, state }) => {
        if ("missionId" in owner) {
          const isUnsent = state === "queued" || state === "in_review"
          return isUnsent && missionId === owner.missionId && owner.leadIds.includes(leadId)
        }
        if (state !== "queued") return false
        return "agentId" in owner ? agentId === owner.agentId : draftId !== null && owner.draftIds.includes(draftId)
      })
      .toSorted(byId)
  ),
  unqueued: ({ approvedBefore, limit, organizationId }) =>
    store.read(organizationId, (tables) =>
      tables
        .where(drafts, ({ queueItemId, status }) => status === "READY_TO_SEND" && queueItemId === null)
        .filter(({ missionId }) => missionId === null || tables.get(missions, missionId)?.status === "ACTIVE")
        .filter(({ approvedAt }) => (approvedAt ?? "~") <= approvedBefore)
        .toSorted((a, b) => (`${a.approvedAt} ${a.id}` < `${b.approvedAt} ${b.id}` ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id)
    ),
  expired: ({ limit, now, organizationId }) =>
    store.read(organizationId, (tables) =>
      tables
        .where(transmissions, ({ expiresAt, state }) => state === "in_review" && expiresAt !== null && expiresAt <= now)
        .toSorted((a, b) => (`${a.expiresAt} ${a.id}` < `${b.expiresAt} ${b.id}` ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id)
    ),
  countUnsent: store.reading(
    (tables, agentId) => tables.where(transmissions, (row) => row.agentId === agentId && isUnsent(row)).length
  ),
  saveAttempt: (attempt) =>
    store.write(attempt.organizationId, (tables) => tables.set(attempts, attemptKey(attempt), attempt)),
  attemptsOf: store.reading((tables, id) =>
    tables.where(attempts, ({ queueItemId }) => queueItemId === id).toSorted((a, b) => a.number - b.number)
  ),
  person: store.reading((tables, accountId, leadId) => ({
    identities: sortIdentities(
      tables
        .where(leadIdentities, (row) => row.leadId === leadId)
        .map(({ derived, kind, value }) => ({ kind, value, derived }))
    ),
    relation: tables.get(relations, relationKey({ accountId: accountId ?? "", leadId }))
  })),
  saveRelation: (relation) =>
    store.write(relation.organizationId, (tables) => tables.set(relations, relationKey(relation), relation)),
  forgetRelations: store.writing((tables, leadId) => {
    tables.removeWhere(relations, (relation) => relation.leadId === leadId)
  }),
  adopt: (organizationId, winnerLeadId, loserLeadIds, at) =>
    store.tryWrite(organizationId, (tables) => {
      const isLoser = ({ leadId }: { readonly leadId: LeadId }) => loserLeadIds.includes(leadId)
      const moved = <Row extends Outreach.DraftRow | Outreach.Transmission>(row: Row): Row => ({
        ...row,
        leadId: winnerLeadId,
        updatedAt: changedAt(row.updatedAt, at)
      })
      tables.updateWhere(drafts, isLoser, moved)
      if (hasCompetingDrafts(tables, winnerLeadId)) return Result.fail(new DraftOpen())
      tables.updateWhere(transmissions, isLoser, moved)
      const theirs = tables.removeWhere(relations, isLoser).toSorted((a, b) => (a.leadId < b.leadId ? -1 : 1))
      for (const relation of theirs) {
        const moved = { ...relation, leadId: winnerLeadId }
        if (tables.get(relations, relationKey(moved)) === undefined) {
          tables.set(relations, relationKey(moved), moved)
        }
      }
      return Result.succeed(undefined)
    })
}))
