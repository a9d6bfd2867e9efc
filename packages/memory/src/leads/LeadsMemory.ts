/** Leads in the in-memory store. */

import { isoFromMillis, type LeadId, type OrganizationId } from "@svc/core"
import {
  compareText,
  type Identity,
  identityKey,
  type LeadReferences,
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
import { findMission, missionRef, missions as missionRows } from "../missions/MissionTables.ts"
import { duplicatesMemory } from "./DuplicatesMemory.ts"
import { leadHistoryMemory } from "./LeadHistoryMemory.ts"
import { leadLinksMemory } from "./LeadLinksMemory.ts"
import { leadIdentities, leadMessages, leadMissionKey, leadMissions, leadNotes, leads } from "./LeadTables.ts"
import { messagesOf, viewOf } from "./leadViewMemory.ts"
import * as PrivacyMemory from "./PrivacyMemory.ts"
import { addSuppressions, adoptSuppressions, suppressionsOf, suppressionsOfLead } from "./SuppressionsMemory.ts"
import { searchLeads } from "./searchLeads.ts"
import { unusedLeadsMemory } from "./UnusedLeadsMemory.ts"

/** The live lead of each id, and the leads of these ids and identifiers. */
const lookup = (
  tables: Tables,
  organizationId: OrganizationId,
  { identities, leadIds }: Pick<LeadReferences, "identities" | "leadIds">,
  hasMessages = true
) => {
  const live = new Map<string, LeadId>()
  for (const id of leadIds) {
    const row = tables.get(leads, organizationId, id)
    if (row !== undefined) live.set(id, row.mergedInto ?? row.id)
  }
  const holders = identities.flatMap(
    (identity) => tables.get(leadIdentities, organizationId, identityKey(identity))?.leadId ?? []
  )
  const ids = [...new Set([...live.values(), ...holders])].sort(compareText)
  if (ids.length === 0) return { live, found: [] }
  const held = new Map<string, Array<Identity>>(ids.map((id) => [id, []]))
  for (const { derived, kind, leadId, value } of tables.all(leadIdentities, organizationId)) {
    held.get(leadId)?.push({ kind, value, derived })
  }
  const linked = new Map<string, Array<MissionOfLead>>(ids.map((id) => [id, []]))
  for (const { leadId, linkedAt, missionId } of tables.all(leadMissions, organizationId)) {
    const mission = tables.get(missionRows, organizationId, missionId)
    if (mission !== undefined) {
      linked.get(leadId)?.push({ id: missionId, handle: mission.handle, name: mission.name, linkedAt })
    }
  }
  const found = ids.flatMap((id): ReadonlyArray<StoredLead> => {
    const row = tables.get(leads, organizationId, id)
    if (row === undefined) return []
    const messages = hasMessages ? messagesOf(tables, organizationId, id) : []
    return [
      {
        row,
        identities: sortIdentities(held.get(id) ?? []),
        missions: (linked.get(id) ?? []).sort(oldestFirst(({ linkedAt }) => linkedAt)),
        messages: messages.toSorted(oldestFirst(({ date }) => date)).slice(-maxMessagesRead),
        suppressions: suppressionsOfLead(tables, organizationId, id)
      }
    ]
  })
  return { live, found }
}

const leadsLayer: Layer.Layer<LeadsRepo, never, MemoryStore> = Layer.effect(
  LeadsRepo,
  Effect.map(MemoryStore, (store) =>
    LeadsRepo.of({
      ...leadLinksMemory(store),
      ...leadHistoryMemory(store),
      ...duplicatesMemory(store),
      ...unusedLeadsMemory(store),
      resolve: (organizationId, references, locks) =>
        store.read((tables) => {
          const { found, live } = lookup(tables, organizationId, references, locks !== "bulk")
          const missions = references.missions.flatMap((name) => {
            const mission = findMission(tables, organizationId, name)
            return mission === undefined ? [] : [[name, missionRef(mission)] as const]
          })
          return {
            leadIds: live,
            leads: found,
            missions: new Map(missions),
            suppressions: suppressionsOf(tables, organizationId, references.identities),
            busy: new Set()
          }
        }),
      write: ({ created = [], held = [], links = [], organizationId, released = [], rows, suppressed = [] }) =>
        store.write((tables) => {
          for (const row of [...created, ...rows]) tables.set(leads, organizationId, row.id, row)
          for (const identity of released) tables.remove(leadIdentities, organizationId, identityKey(identity))
          for (const identity of held) tables.set(leadIdentities, organizationId, identityKey(identity), identity)
          addSuppressions(tables, organizationId, suppressed)
          for (const { at, leadId, missionId, touch } of links) {
            const key = leadMissionKey({ missionId, leadId })
            if (tables.get(leadMissions, organizationId, key) === undefined) {
              tables.set(leadMissions, organizationId, key, { missionId, leadId, linkedAt: at })
            }
            const mission = tables.get(missionRows, organizationId, missionId)
            const minuteBefore = isoFromMillis(Date.parse(at) - 60_000)
            if (touch && mission !== undefined && (mission.lastUsedAt ?? "") < minuteBefore) {
              tables.set(missionRows, organizationId, missionId, { ...mission, lastUsedAt: at })
            }
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
      find: (organizationId, { identities, leadId }) =>
        store.read((tables) => {
          const leadIds = leadId === undefined ? [] : [leadId]
          const { found, live } = lookup(tables, organizationId, { identities, leadIds })
          return {
            leadId: live.get(leadId ?? ""),
            leads: found.map((lead) => viewOf(tables, organizationId, lead))
          }
        }),
      search: (organizationId, filter, sort, page, at) =>
        store.read((tables) => searchLeads(tables, organizationId, filter, sort, page, at))
    })
  )
)

/** Keeps leads and everything that belongs to them in memory. */
export const layer = Layer.mergeAll(leadsLayer, PrivacyMemory.layer)
