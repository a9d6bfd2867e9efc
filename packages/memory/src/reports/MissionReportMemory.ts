/** Mission reports from the in-memory store: the rule that the SQL of PostgreSQL follows. */

import type { LeadId, OrganizationId } from "@svc/core"
import type { LeadStatus } from "@svc/core/leads"
import type { MissionRow } from "@svc/core/missions"
import type { EmailRow } from "@svc/core/outreach"
import {
  type ActivityWindow,
  type MissionActivity,
  periodOf,
  type StatCount,
  type StatKind,
  statusGroups
} from "@svc/core/reports"
import * as Arr from "effect/Array"
import { events } from "../JournalMemory.ts"
import { leadMessages, leadMissionKey, leadMissions, leads } from "../leads/LeadTables.ts"
import type { Tables } from "../MemoryStore.ts"
import { countedStatus } from "../missions/countedStatus.ts"
import { findMission, missionRef, missions } from "../missions/MissionTables.ts"
import { drafts, transmissions } from "../outreach/LinkedInTables.ts"

interface Moment {
  readonly kind: StatKind
  readonly at: string
}

const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a)

const groupKinds = ["contacted", "replied", "positive", "meetings"] as const

const leadMoments = (tables: Tables, { id, organizationId }: MissionRow): ReadonlyArray<Moment> => {
  const log = tables.all(events, organizationId).filter(({ type }) => type === "lead.status_changed")
  const changes = Arr.groupBy(log, ({ subject }) => subject.id)
  const messages = Arr.groupBy(tables.all(leadMessages, organizationId), ({ leadId }) => leadId)
  const statusOf = countedStatus(tables, organizationId)
  const ofDrafts = new Set(
    tables.all(drafts, organizationId).flatMap((row) => (row.missionId === null ? [] : [row.messageId]))
  )
  const ofEmails: ReadonlySet<string | null> = new Set(emailsOfMissions(tables, organizationId).map(emailKey))
  const entries = (leadId: LeadId, group: ReadonlyArray<LeadStatus>): ReadonlyArray<string> =>
    (changes[leadId] ?? [])
      .filter(({ data }) => group.some((status) => status === data["to"]))
      .map(({ createdAt }) => createdAt)
      .toSorted()
  const members = tables.all(leadMissions, organizationId).filter(({ missionId }) => missionId === id)
  return members.flatMap(({ leadId, linkedAt }): ReadonlyArray<Moment> => {
    const status = statusOf(leadId)
    const entered = groupKinds.flatMap((kind): ReadonlyArray<Moment> => {
      const group: ReadonlyArray<LeadStatus> = statusGroups[kind]
      if (status === undefined || !group.includes(status)) return []
      return [{ kind, at: later(linkedAt, entries(leadId, group)[0]) }]
    })
    const isGone = tables.get(leads, organizationId, leadId)?.status === "DoNotContact"
    const gone: ReadonlyArray<Moment> = isGone
      ? [{ kind: "opted_out", at: later(linkedAt, entries(leadId, ["DoNotContact"]).at(-1)) }]
      : []
    const exchanged = (messages[leadId] ?? []).flatMap(
      ({ channel, date, direction, externalId, id: messageId }): ReadonlyArray<Moment> => {
        if (date < linkedAt) return []
        if (direction === "inbound") return [{ kind: "messages_received", at: date }]
        const isOfMission = ofDrafts.has(messageId) || (channel === "EMAIL" && ofEmails.has(externalId))
        return isOfMission ? [] : [{ kind: "messages_sent", at: date }]
      }
    )
    return [{ kind: "leads", at: linkedAt }, ...entered, ...gone, ...exchanged]
  })
}

/** E-mails that were sent for a mission. */
const emailsOfMissions = (tables: Tables, organizationId: OrganizationId): ReadonlyArray<EmailRow> =>
  tables
    .all(transmissions, organizationId)
    .filter((row) => row.kind === "email")
    .filter(({ missionId, state }) => missionId !== null && state === "sent")

/** The external id of the lead's message. */
const emailKey = ({ id, messageId }: EmailRow): string => messageId ?? id

const writtenMoments = (tables: Tables, { id, organizationId }: MissionRow): ReadonlyArray<Moment> => {
  const mine = tables.all(drafts, organizationId).filter(({ missionId }) => missionId === id)
  const written = mine.flatMap(({ createdAt, messageId, status }): ReadonlyArray<Moment> => {
    const message = messageId === null ? undefined : tables.get(leadMessages, organizationId, messageId)
    const draft: Moment = { kind: `draft:${status}`, at: createdAt }
    return message === undefined ? [draft] : [draft, { kind: "messages_sent", at: message.date }]
  })
  const emails = emailsOfMissions(tables, organizationId).filter(({ missionId }) => missionId === id)
  return [...written, ...emails.map(({ sentAt }): Moment => ({ kind: "messages_sent", at: sentAt ?? "" }))]
}

const invitationMoments = (tables: Tables, { id, organizationId }: MissionRow): ReadonlyArray<Moment> =>
  tables.all(transmissions, organizationId).flatMap((row): ReadonlyArray<Moment> => {
    if (row.kind !== "invitation" || row.sentAt === null) return []
    const draft = row.draftId === null ? undefined : tables.get(drafts, organizationId, row.draftId)
    const link = tables.get(leadMissions, organizationId, leadMissionKey({ leadId: row.leadId, missionId: id }))
    const isOfMission = draft?.missionId ? draft.missionId === id : link !== undefined && link.linkedAt <= row.sentAt
    if (!isOfMission) return []
    const sent: Moment = { kind: "invitations_sent", at: row.sentAt }
    const isAccepted = row.state === "accepted" && row.endedAt !== null
    return isAccepted ? [sent, { kind: "invitations_accepted", at: row.endedAt }] : [sent]
  })

const countsOf = (moments: ReadonlyArray<Moment>, { from, to, unit }: ActivityWindow): ReadonlyArray<StatCount> => {
  const counts = new Map<string, StatCount>()
  for (const { at, kind } of moments) {
    if ((from !== undefined && at < from) || (to !== undefined && at >= to)) continue
    const period = periodOf(at, unit)
    const key = `${kind} ${period}`
    counts.set(key, { kind, period, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

/** The activity of one mission, by id or handle, or of all. */
export const missionActivity = (
  tables: Tables,
  organizationId: OrganizationId,
  idOrHandle: string | undefined,
  window: ActivityWindow
): ReadonlyArray<MissionActivity> => {
  const found = idOrHandle === undefined ? undefined : findMission(tables, organizationId, idOrHandle)
  const asked = idOrHandle === undefined ? tables.all(missions, organizationId) : found ? [found] : []
  return asked.map((mission) => {
    const moments = [
      ...leadMoments(tables, mission),
      ...writtenMoments(tables, mission),
      ...invitationMoments(tables, mission)
    ]
    return { ...missionRef(mission), counts: countsOf(moments, window) }
  })
}
