/** Searching leads in the in-memory store: the rule that the SQL of PostgreSQL follows. */

import type { LeadId, PageRequest } from "@svc/core"
import { activeSuppression, nextAction, nextFollowUp, openDraftAt } from "@svc/core/internal"
import {
  identityKey,
  type LeadFilter,
  type LeadPage,
  type LeadRow,
  type LeadSort,
  type ListedLead,
  labelsOf,
  listedFields,
  maxLabelTotal,
  maxTotal,
  positionOf,
  type RelationFilter,
  searchedText
} from "@svc/core/leads"
import * as Struct from "effect/Struct"
import { importRows } from "../imports/ImportTables.ts"
import { pageBy, type Tables } from "../MemoryStore.ts"
import { findMission, missions } from "../missions/MissionTables.ts"
import { followUpFactsOf } from "./followUpsMemory.ts"
import { leadIdentities, leadMissions, leads } from "./LeadTables.ts"
import { hasAmbiguousSend, openDraftOf, relationOf } from "./leadViewMemory.ts"
import { suppressionsOfLead } from "./SuppressionsMemory.ts"

const has = (part: string | undefined, text: string): boolean =>
  part === undefined || text.toLowerCase().includes(part.toLowerCase())

const textsMatch = (filter: LeadFilter, row: LeadRow): boolean => {
  const name = row.name.toLowerCase()
  return (
    has(filter.query, searchedText(row)) &&
    has(filter.company, row.company) &&
    has(filter.jobTitle, row.jobTitle) &&
    name.startsWith(filter.firstName?.toLowerCase() ?? "") &&
    name.endsWith(filter.lastName?.toLowerCase() ?? "")
  )
}

const labelsMatch = ({ labels = [] }: LeadFilter, row: LeadRow): boolean => {
  const own = labelsOf(row)
  return labels.every(({ name, value }) => own.some((one) => one.name === name && one.value === value))
}

const isOrAny = <A>(wanted: A | undefined, value: A): boolean => wanted === undefined || wanted === value

const factsMatch = (filter: LeadFilter, row: LeadRow): boolean =>
  (filter.statuses === undefined || filter.statuses.includes(row.status)) &&
  row.score >= (filter.scoreMin ?? 0) &&
  isOrAny(filter.isFlagged, row.isFlagged) &&
  isOrAny(filter.hasEmail, row.email !== "") &&
  isOrAny(filter.hasConversation, row.lastInboundAt !== null || row.lastOutboundAt !== null) &&
  (filter.createdAfter === undefined || row.createdAt > filter.createdAfter) &&
  (filter.updatedAfter === undefined || row.updatedAt > filter.updatedAfter)

const relationStateOf = (tables: Tables, leadId: LeadId): RelationFilter => {
  const relation = relationOf(tables, leadId)
  if (relation === null) return "none"
  return relation.connected ? "connected" : relation.invitedAt === null ? "none" : "invited"
}

const linksMatch = (tables: Tables, filter: LeadFilter, { id }: LeadRow): boolean => {
  const { email, importId, mission: wanted, relation } = filter
  const mission = findMission(tables, wanted)
  const isInMission = tables.all(leadMissions).some((row) => row.leadId === id && row.missionId === mission?.id)
  const isImported = tables.all(importRows).some((row) => row.leadId === id && row.importId === importId)
  const holder = email && tables.get(leadIdentities, identityKey({ kind: "email", value: email }))
  return (
    (wanted === undefined || isInMission) &&
    (importId === undefined || isImported) &&
    (email === undefined || (typeof holder === "object" && holder.leadId === id)) &&
    (relation === undefined || relationStateOf(tables, id) === relation)
  )
}

/** A lead of a list, with its next action at an instant. */
export const listed = (tables: Tables, row: LeadRow, at: string): ListedLead => ({
  ...Struct.pick(row, listedFields),
  action: nextAction(
    {
      ...row,
      followUp: nextFollowUp(followUpFactsOf(tables, row)),
      hasAmbiguousSend: hasAmbiguousSend(tables, row.id),
      openDraft: openDraftAt(openDraftOf(tables, row.id), at),
      missions: tables.all(leadMissions).flatMap(({ leadId, missionId }) => {
        const mission = leadId === row.id ? tables.get(missions, missionId) : undefined
        return mission === undefined ? [] : [mission.status]
      }),
      relation: relationOf(tables, row.id),
      isSuppressed: activeSuppression(suppressionsOfLead(tables, row.id), at) !== undefined
    },
    at
  )
})

/** A page of the leads that match, with their next actions at an instant. */
export const searchLeads = (
  tables: Tables,
  filter: LeadFilter,
  sort: LeadSort,
  request: PageRequest,
  at: string
): LeadPage => {
  const matching = tables
    .where(
      leads,
      (row) => row.mergedInto === null && textsMatch(filter, row) && factsMatch(filter, row) && labelsMatch(filter, row)
    )
    .filter((row) => linksMatch(tables, filter, row))
    .map((row) => listed(tables, row, at))
    .filter(({ action }) => isOrAny(filter.needsAction, action !== null))
  const page = pageBy(matching, sort === "recent" ? "desc" : "asc", (lead) => positionOf(sort, lead), request)
  return { ...page, total: Math.min(matching.length, filter.labels === undefined ? maxTotal : maxLabelTotal) }
}
