/** Leads in the in-memory store. */

import { isoFromMillis, type LeadId, type OrganizationId } from "@svc/core"
import {
  compareText,
  type LeadReference,
  LeadsRepo,
  type MissionOfLead,
  maxMessagesRead,
  oldestFirst,
  type StoredLead,
  sortIdentities
} from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { findMission, missionRef, missions } from "../missions/MissionTables.ts"
import * as DuplicatesMemory from "./DuplicatesMemory.ts"
import * as LeadHistoryMemory from "./LeadHistoryMemory.ts"
import * as LeadLinksMemory from "./LeadLinksMemory.ts"
import {
  leadIdentities,
  leadIdentityKey,
  leadMessages,
  leadMissionKey,
  leadMissions,
  leadNotes,
  leads
} from "./LeadTables.ts"
import { resolveMany, writeMany } from "./leadBatchMemory.ts"
import { messagesOf, viewOf } from "./leadViewMemory.ts"
import * as PrivacyMemory from "./PrivacyMemory.ts"
import * as SuppressionsMemory from "./SuppressionsMemory.ts"
import { addSuppressions, adoptSuppressions, suppressionsOf, suppressionsOfLead } from "./SuppressionTables.ts"
import { searchLeads } from "./searchLeads.ts"
import * as UnusedLeadsMemory from "./UnusedLeadsMemory.ts"

const missionsOf = (tables: Tables, organizationId: OrganizationId, leadId: LeadId): ReadonlyArray<MissionOfLead> =>
  tables
    .all(leadMissions, organizationId)
    .filter((row) => row.leadId === leadId)
    .flatMap(({ linkedAt, missionId }) => {
      const mission = tables.get(missions, organizationId, missionId)
      return mission === undefined ? [] : [{ id: missionId, handle: mission.handle, name: mission.name, linkedAt }]
    })
    .sort(oldestFirst(({ linkedAt }) => linkedAt))

const storedLead = (tables: Tables, organizationId: OrganizationId, leadId: LeadId): ReadonlyArray<StoredLead> => {
  const row = tables.get(leads, organizationId, leadId)
  if (row === undefined) return []
  return [
    {
      row,
      identities: sortIdentities(
        tables
          .all(leadIdentities, organizationId)
          .filter((identity) => identity.leadId === leadId)
          .map(({ derived, kind, value }) => ({ kind, value, derived }))
      ),
      missions: missionsOf(tables, organizationId, leadId),
      messages: messagesOf(tables, organizationId, leadId)
        .toSorted(oldestFirst(({ date }) => date))
        .slice(-maxMessagesRead),
      suppressions: suppressionsOfLead(tables, organizationId, leadId)
    }
  ]
}

/** The lead of an explicit id, and all leads that a reference names. */
const lookup = (tables: Tables, organizationId: OrganizationId, reference: LeadReference) => {
  const explicit = reference.leadId === undefined ? undefined : tables.get(leads, organizationId, reference.leadId)
  const leadId = explicit?.mergedInto ?? explicit?.id
  const holders = reference.identities.flatMap(
    (identity) => tables.get(leadIdentities, organizationId, leadIdentityKey(identity))?.leadId ?? []
  )
  const ids = [...new Set([...(leadId === undefined ? [] : [leadId]), ...holders])].sort(compareText)
  return { leadId, stored: ids.flatMap((id) => storedLead(tables, organizationId, id)) }
}

const leadsLayer: Layer.Layer<LeadsRepo, never, MemoryStore> = Layer.effect(
  LeadsRepo,
  Effect.map(MemoryStore, (store) =>
    LeadsRepo.of({
      resolve: (organizationId, reference) =>
        store.read((tables) => {
          const { leadId, stored } = lookup(tables, organizationId, reference)
          const mission = findMission(tables, organizationId, reference.mission)
          return {
            leadId,
            leads: stored,
            mission: mission && missionRef(mission),
            suppressions: suppressionsOf(tables, organizationId, reference.identities)
          }
        }),
      resolveMany: (organizationId, references) =>
        store.read((tables) => resolveMany(tables, organizationId, references)),
      writeMany: (change) => store.write((tables) => writeMany(tables, change)),
      write: ({ held, link, organizationId, released, rows, suppressed = [] }) =>
        store.write((tables) => {
          for (const row of rows) tables.set(leads, organizationId, row.id, row)
          for (const identity of released) tables.remove(leadIdentities, organizationId, leadIdentityKey(identity))
          for (const identity of held) tables.set(leadIdentities, organizationId, leadIdentityKey(identity), identity)
          addSuppressions(tables, organizationId, suppressed)
          if (link === undefined) return
          const { at, leadId, missionId, touch } = link
          const key = leadMissionKey(link)
          if (tables.get(leadMissions, organizationId, key) === undefined) {
            tables.set(leadMissions, organizationId, key, { missionId, leadId, linkedAt: at })
          }
          const mission = tables.get(missions, organizationId, missionId)
          const minuteBefore = isoFromMillis(Date.parse(at) - 60_000)
          if (touch && mission !== undefined && (mission.lastUsedAt ?? "") < minuteBefore) {
            tables.set(missions, organizationId, missionId, { ...mission, lastUsedAt: at })
          }
        }),
      merge: (organizationId, winnerId, loserIds, at) =>
        store.write((tables) => {
          const isLoser = ({ leadId }: { readonly leadId: LeadId }) => loserIds.includes(leadId)
          const moveTo = <Row extends { readonly leadId: LeadId }>(row: Row): Row => ({ ...row, leadId: winnerId })
          tables.updateWhere(
            leads,
            organizationId,
            ({ id, mergedInto }) => loserIds.includes(id) || (mergedInto !== null && loserIds.includes(mergedInto)),
            (row) => ({ ...row, mergedInto: winnerId, updatedAt: loserIds.includes(row.id) ? at : row.updatedAt })
          )
          tables.updateWhere(leadIdentities, organizationId, isLoser, moveTo)
          for (const link of tables.removeWhere(leadMissions, organizationId, isLoser)) {
            const moved = moveTo(link)
            const known = tables.get(leadMissions, organizationId, leadMissionKey(moved))
            if (known === undefined || known.linkedAt > moved.linkedAt) {
              tables.set(leadMissions, organizationId, leadMissionKey(moved), moved)
            }
          }
          tables.updateWhere(leadMessages, organizationId, isLoser, moveTo)
          tables.updateWhere(leadNotes, organizationId, isLoser, moveTo)
          adoptSuppressions(tables, organizationId, winnerId, loserIds)
        }),
      addMessage: (message) =>
        store.write((tables) => {
          const { channel, externalId, organizationId } = message
          const known =
            externalId === null
              ? undefined
              : tables
                  .all(leadMessages, organizationId)
                  .find((other) => other.channel === channel && other.externalId === externalId)
          if (known === undefined) tables.set(leadMessages, organizationId, message.id, message)
          return known && { id: known.id, leadId: known.leadId }
        }),
      find: (organizationId, reference) =>
        store.read((tables) => {
          const { leadId, stored } = lookup(tables, organizationId, reference)
          return { leadId, leads: stored.map((lead) => viewOf(tables, organizationId, lead)) }
        }),
      search: (organizationId, filter, sort, page, at) =>
        store.read((tables) => searchLeads(tables, organizationId, filter, sort, page, at))
    })
  )
)

/** Keeps leads and everything that belongs to them in memory. */
export const layer = Layer.mergeAll(
  leadsLayer,
  LeadLinksMemory.layer,
  LeadHistoryMemory.layer,
  UnusedLeadsMemory.layer,
  DuplicatesMemory.layer,
  SuppressionsMemory.layer,
  PrivacyMemory.layer
)
