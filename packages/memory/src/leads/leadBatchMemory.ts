/** Many leads at once in the in-memory store. */

import type { OrganizationId } from "@svc/core"
import {
  type BatchResolution,
  compareText,
  type Identity,
  type LeadBatchChange,
  type LeadReferences,
  type StoredLead,
  sortIdentities
} from "@svc/core/leads"
import type { Tables } from "../MemoryStore.ts"
import { findMission, missionRef } from "../missions/MissionTables.ts"
import { leadIdentities, leadIdentityKey, leadMissionKey, leadMissions, leads } from "./LeadTables.ts"
import { addSuppressions, suppressionsOf, suppressionsOfLead } from "./SuppressionTables.ts"

/** Finds the leads that many rows name. */
export const resolveMany = (
  tables: Tables,
  organizationId: OrganizationId,
  references: LeadReferences
): BatchResolution => {
  const mission = findMission(tables, organizationId, references.mission)
  const leadIds = new Map<string, string>()
  for (const id of references.leadIds) {
    const row = tables.get(leads, organizationId, id)
    if (row !== undefined) leadIds.set(id, row.mergedInto ?? row.id)
  }
  const held = new Map<string, Array<Identity>>()
  for (const id of leadIds.values()) held.set(id, [])
  for (const identity of references.identities) {
    const holder = tables.get(leadIdentities, organizationId, leadIdentityKey(identity))
    if (holder !== undefined) held.set(holder.leadId, [])
  }
  if (held.size > 0) {
    for (const { derived, kind, leadId, value } of tables.all(leadIdentities, organizationId)) {
      held.get(leadId)?.push({ kind, value, derived })
    }
  }
  const found = [...held].flatMap(([id, identities]): ReadonlyArray<StoredLead> => {
    const row = tables.get(leads, organizationId, id)
    if (row === undefined) return []
    const link =
      mission && tables.get(leadMissions, organizationId, leadMissionKey({ missionId: mission.id, leadId: id }))
    const { handle = "", id: missionId = "", name = "" } = mission ?? {}
    const links = link === undefined ? [] : [{ id: missionId, handle, name, linkedAt: link.linkedAt }]
    return [
      {
        row,
        identities: sortIdentities(identities),
        missions: links,
        messages: [],
        suppressions: suppressionsOfLead(tables, organizationId, id)
      }
    ]
  })
  return {
    leadIds,
    leads: found.sort((a, b) => compareText(a.row.id, b.row.id)),
    mission: mission && missionRef(mission),
    suppressions: suppressionsOf(tables, organizationId, references.identities)
  }
}

/** Writes the changes of many rows. */
export const writeMany = (
  tables: Tables,
  { added, changed, created, linked, moved, organizationId, released, suppressed }: LeadBatchChange
): void => {
  for (const row of [...created, ...changed]) tables.set(leads, organizationId, row.id, row)
  for (const identity of released) tables.remove(leadIdentities, organizationId, leadIdentityKey(identity))
  for (const identity of [...added, ...moved]) {
    tables.set(leadIdentities, organizationId, leadIdentityKey(identity), identity)
  }
  for (const leadId of linked?.leadIds ?? []) {
    const link = { missionId: linked?.missionId ?? "", leadId, linkedAt: linked?.at ?? "" }
    tables.set(leadMissions, organizationId, leadMissionKey(link), link)
  }
  addSuppressions(tables, organizationId, suppressed)
}
