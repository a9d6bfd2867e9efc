/** Leads in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { isoFromMillis } from "../Time.ts"
import * as DuplicatesMemory from "./duplicates/DuplicatesMemory.ts"
import { leadNotes } from "./history/HistoryTables.ts"
import * as LeadHistoryMemory from "./history/LeadHistoryMemory.ts"
import { compareText, sortIdentities } from "./identity/Identity.ts"
import * as LeadLinksMemory from "./LeadLinksMemory.ts"
import {
  type LeadReference,
  LeadsRepo,
  type MissionOfLead,
  messagesRead,
  oldestFirst,
  type StoredLead
} from "./LeadsRepo.ts"
import { leadIdentities, leadIdentityKey, leadMessages, leadMissionKey, leadMissions, leads } from "./LeadTables.ts"
import { resolveMany, writeMany } from "./leadBatchMemory.ts"
import { messagesOf, viewOf } from "./leadViewMemory.ts"
import * as NextActionsMemory from "./NextActionsMemory.ts"
import * as PrivacyMemory from "./privacy/PrivacyMemory.ts"
import { searchLeads } from "./searchLeads.ts"
import * as SuppressionsMemory from "./suppression/SuppressionsMemory.ts"
import {
  addSuppressions,
  adoptSuppressions,
  suppressionsOf,
  suppressionsOfLead
} from "./suppression/SuppressionTables.ts"

const missionsOf = (tables: Tables, organizationId: string, leadId: string): ReadonlyArray<MissionOfLead> =>
  tables
    .all(leadMissions, organizationId)
    .filter((row) => row.leadId === leadId)
    .flatMap(({ linkedAt, missionId }) => {
      const mission = tables.get(missions, organizationId, missionId)
      return mission === undefined ? [] : [{ id: missionId, handle: mission.handle, name: mission.name, linkedAt }]
    })
    .sort(oldestFirst(({ linkedAt }) => linkedAt))

const storedLead = (tables: Tables, organizationId: string, leadId: string): ReadonlyArray<StoredLead> => {
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
        .slice(-messagesRead),
      suppressions: suppressionsOfLead(tables, organizationId, leadId)
    }
  ]
}

/** The lead of an explicit id, and all that a reference stands for. */
const lookUp = (tables: Tables, organizationId: string, reference: LeadReference) => {
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
          const { leadId, stored } = lookUp(tables, organizationId, reference)
          const mission = tables
            .all(missions, organizationId)
            .find(({ handle, id }) => id === reference.mission || handle === reference.mission)
          return {
            leadId,
            leads: stored,
            mission: mission && {
              id: mission.id,
              handle: mission.handle,
              name: mission.name,
              status: mission.status
            },
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
          const isLoser = ({ leadId }: { readonly leadId: string }) => loserIds.includes(leadId)
          for (const row of tables.all(leads, organizationId)) {
            const isRedirect = row.mergedInto !== null && loserIds.includes(row.mergedInto)
            if (isRedirect) tables.set(leads, organizationId, row.id, { ...row, mergedInto: winnerId })
            if (loserIds.includes(row.id)) {
              tables.set(leads, organizationId, row.id, { ...row, mergedInto: winnerId, updatedAt: at })
            }
          }
          for (const identity of tables.all(leadIdentities, organizationId).filter(isLoser)) {
            const moved = { ...identity, leadId: winnerId }
            tables.set(leadIdentities, organizationId, leadIdentityKey(identity), moved)
          }
          for (const link of tables.all(leadMissions, organizationId).filter(isLoser)) {
            tables.remove(leadMissions, organizationId, leadMissionKey(link))
            const moved = { ...link, leadId: winnerId }
            const known = tables.get(leadMissions, organizationId, leadMissionKey(moved))
            if (known === undefined || known.linkedAt > moved.linkedAt) {
              tables.set(leadMissions, organizationId, leadMissionKey(moved), moved)
            }
          }
          for (const message of tables.all(leadMessages, organizationId).filter(isLoser)) {
            tables.set(leadMessages, organizationId, message.id, { ...message, leadId: winnerId })
          }
          for (const note of tables.all(leadNotes, organizationId).filter(isLoser)) {
            tables.set(leadNotes, organizationId, note.id, { ...note, leadId: winnerId })
          }
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
          const { leadId, stored } = lookUp(tables, organizationId, reference)
          return { leadId, leads: stored.map((lead) => viewOf(tables, organizationId, lead)) }
        }),
      search: (organizationId, filter, sort, page, at) =>
        store.read((tables) => searchLeads(tables, organizationId, filter, sort, page, at))
    })
  )
)

/** Keeps leads and all that belongs to them in memory. */
export const layer = Layer.mergeAll(
  leadsLayer,
  LeadLinksMemory.layer,
  LeadHistoryMemory.layer,
  DuplicatesMemory.layer,
  SuppressionsMemory.layer,
  PrivacyMemory.layer,
  NextActionsMemory.layer
)
