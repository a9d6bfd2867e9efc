/** Leads in the in-memory store. */

import { isoFromMillis, type LeadId } from "@svc/core"
import { compareText, maxMessagesRead, oldestFirst } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type MemoryStore, repository, type Tables } from "../MemoryStore.ts"
import { findMission, missionRef, missions as missionRows } from "../missions/MissionTables.ts"
import { unsubscribeTokens } from "../outreach/LinkedInTables.ts"
import { duplicatesMemory } from "./DuplicatesMemory.ts"
import { announceIn, followUpFactsIn } from "./followUpsMemory.ts"
import { leadHistoryMemory } from "./LeadHistoryMemory.ts"
import { leadIdentities, leadMessages, leadMissionKey, leadMissions, leadNotes, leads, liveLead } from "./LeadTables.ts"
import { messagesOf, viewOf } from "./leadViewMemory.ts"
import * as PrivacyMemory from "./PrivacyMemory.ts"
import { addSuppressions, adoptSuppressions, suppressionsOf, suppressionsOfLead } from "./SuppressionsMemory.ts"
import { listed, searchLeads } from "./searchLeads.ts"
import { unusedLeadsMemory } from "./UnusedLeadsMemory.ts"

/** Keeps links in memory. */
const leadLinksMemory = (store: MemoryStore["Service"]): Leads.LeadLinks => ({
  link: store.writing((tables, missionId, leadIds, at) =>
    Leads.summarizeVerdicts(
      leadIds.map((given): Leads.LinkVerdict => {
        const live = liveLead(tables, given)
        if (live === undefined) return { given, leadId: null, isSuppressed: false, isChanged: false }
        const verdict = { given, leadId: live.id, isSuppressed: live.status === "DoNotContact" }
        const link = { missionId, leadId: live.id, linkedAt: at }
        const known = tables.get(leadMissions, leadMissionKey(link))
        if (verdict.isSuppressed || known !== undefined) return { ...verdict, isChanged: false }
        tables.set(leadMissions, leadMissionKey(link), link)
        return { ...verdict, isChanged: true }
      })
    )
  ),
  unlink: store.writing((tables, missionId, leadIds) =>
    Leads.summarizeVerdicts(
      leadIds.map((given): Leads.LinkVerdict => {
        const leadId = liveLead(tables, given)?.id ?? null
        const key = leadMissionKey({ missionId, leadId: leadId ?? given })
        const isChanged = leadId !== null && tables.get(leadMissions, key) !== undefined
        tables.remove(leadMissions, key)
        return { given, leadId, isSuppressed: false, isChanged }
      })
    )
  )
})

/** The live lead of each id, and the leads of these ids and identifiers. */
const lookup = (
  tables: Tables,
  { identities, leadIds }: Pick<Leads.LeadReferences, "identities" | "leadIds">,
  hasMessages = true
) => {
  const live = new Map<string, LeadId>()
  for (const id of leadIds) {
    const row = tables.get(leads, id)
    if (row !== undefined) live.set(id, row.mergedInto ?? row.id)
  }
  const holders = identities.flatMap(
    (identity) => tables.get(leadIdentities, Leads.identityKey(identity))?.leadId ?? []
  )
  const ids = [...new Set([...live.values(), ...holders])].sort(compareText)
  if (ids.length === 0) return { live, found: [] }
  const held = new Map<string, Array<Leads.Identity>>(ids.map((id) => [id, []]))
  for (const { derived, kind, leadId, value } of tables.all(leadIdentities)) {
    held.get(leadId)?.push({ kind, value, derived })
  }
  const linked = new Map<string, Array<Leads.MissionOfLead>>(ids.map((id) => [id, []]))
  for (const { leadId, linkedAt, missionId } of tables.all(leadMissions)) {
    const mission = tables.get(missionRows, missionId)
    if (mission !== undefined) {
      linked.get(leadId)?.push({ id: missionId, handle: mission.handle, name: mission.name, linkedAt })
    }
  }
  const found = ids.flatMap((id): ReadonlyArray<Leads.StoredLead> => {
    const row = tables.get(leads, id)
    if (row === undefined) return []
    const messages = hasMessages ? messagesOf(tables, id) : []
    return [
      {
        row,
        identities: Leads.sortIdentities(held.get(id) ?? []),
        missions: (linked.get(id) ?? []).sort(oldestFirst(({ linkedAt }) => linkedAt)),
        messages: messages.toSorted(oldestFirst(({ date }) => date)).slice(-maxMessagesRead),
        suppressions: suppressionsOfLead(tables, id)
      }
    ]
  })
  return { live, found }
}

const leadsLayer = repository(Leads.LeadsRepo)((store) => ({
  ...leadLinksMemory(store),
  ...leadHistoryMemory(store),
  ...duplicatesMemory(store),
  ...unusedLeadsMemory(store),
  // Actions are computed when they are read.
  keepActions: () => Effect.succeed(false),
  followUpFacts: store.reading(followUpFactsIn),
  announceFollowUps: store.writing((tables, now, limit) => {
    const due = tables.where(
      leads,
      (row) => row.mergedInto === null && listed(tables, row, now).action === "follow_up_due"
    )
    return announceIn(tables, due, now, limit)
  }),
  resolve: store.reading((tables, references, locks) => {
    const { found, live } = lookup(tables, references, locks !== "bulk")
    const missions = references.missions.flatMap((name) => {
      const mission = findMission(tables, name)
      return mission === undefined ? [] : [[name, missionRef(mission)] as const]
    })
    return {
      leadIds: live,
      leads: found,
      missions: new Map(missions),
      suppressions: suppressionsOf(tables, references.identities),
      busy: new Set()
    }
  }),
  write: ({ created = [], held = [], links = [], organizationId, released = [], rows, suppressed = [] }) =>
    store.write(organizationId, (tables) => {
      for (const row of [...created, ...rows]) tables.set(leads, row.id, row)
      for (const identity of released) tables.remove(leadIdentities, Leads.identityKey(identity))
      for (const identity of held) tables.set(leadIdentities, Leads.identityKey(identity), identity)
      addSuppressions(tables, suppressed)
      for (const { at, leadId, missionId, touch } of links) {
        const key = leadMissionKey({ missionId, leadId })
        if (tables.get(leadMissions, key) === undefined) {
          tables.set(leadMissions, key, { missionId, leadId, linkedAt: at })
        }
        const mission = tables.get(missionRows, missionId)
        const minuteBefore = isoFromMillis(Date.parse(at) - 60_000)
        if (touch && mission !== undefined && (mission.lastUsedAt ?? "") < minuteBefore) {
          tables.set(missionRows, missionId, { ...mission, lastUsedAt: at })
        }
      }
    }),
  merge: store.writing((tables, winnerId, loserIds, at) => {
    const isLoser = ({ leadId }: { readonly leadId: LeadId }) => loserIds.includes(leadId)
    const moveTo = <Row extends { readonly leadId: LeadId }>(row: Row): Row => ({ ...row, leadId: winnerId })
    tables.updateWhere(
      leads,
      ({ id, mergedInto }) => loserIds.includes(id) || (mergedInto !== null && loserIds.includes(mergedInto)),
      (row) => ({ ...row, mergedInto: winnerId, updatedAt: loserIds.includes(row.id) ? at : row.updatedAt })
    )
    tables.updateWhere(leadIdentities, isLoser, moveTo)
    for (const link of tables.removeWhere(leadMissions, isLoser)) {
      const moved = moveTo(link)
      const known = tables.get(leadMissions, leadMissionKey(moved))
      if (known === undefined || known.linkedAt > moved.linkedAt) {
        tables.set(leadMissions, leadMissionKey(moved), moved)
      }
    }
    tables.updateWhere(leadMessages, isLoser, moveTo)
    tables.updateWhere(leadNotes, isLoser, moveTo)
    tables.updateWhere(
      unsubscribeTokens,
      ({ leadId }) => leadId !== null && loserIds.includes(leadId),
      (token) => ({ ...token, leadId: winnerId })
    )
    adoptSuppressions(tables, winnerId, loserIds)
  }),
  addMessage: (message) =>
    store.write(message.organizationId, (tables) => {
      const { channel, externalId } = message
      const known =
        externalId === null
          ? undefined
          : tables.all(leadMessages).find((other) => other.channel === channel && other.externalId === externalId)
      if (known === undefined) tables.set(leadMessages, message.id, message)
      return known && { id: known.id, leadId: known.leadId }
    }),
  find: store.reading((tables, { identities, leadId }) => {
    const leadIds = leadId === undefined ? [] : [leadId]
    const { found, live } = lookup(tables, { identities, leadIds })
    return {
      leadId: live.get(leadId ?? ""),
      leads: found.map((lead) => viewOf(tables, lead))
    }
  }),
  search: store.reading(searchLeads)
}))

/** Keeps leads and everything that belongs to them in memory. */
export const layer = Layer.mergeAll(leadsLayer, PrivacyMemory.layer)
