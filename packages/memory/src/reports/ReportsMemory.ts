/** Reports from the in-memory store. */

import type { AgentId, InstantText, LeadId } from "@svc/core"
import { compareText, nextFollowUp, periodOf, shownState, statusGroups } from "@svc/core/internal"
import type { LeadStatus } from "@svc/core/leads"
import { finishedStatuses, type MissionRow } from "@svc/core/missions"
import type { EmailRow, Transmission } from "@svc/core/outreach"
import * as Reports from "@svc/core/reports"
import * as Arr from "effect/Array"
import { toEntries } from "effect/Record"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import { imports } from "../imports/ImportTables.ts"
import { events } from "../JournalMemory.ts"
import { followUpFactsOf } from "../leads/followUpsMemory.ts"
import { leadMessages, leadMissionKey, leadMissions, leads } from "../leads/LeadTables.ts"
import { openDraftOf } from "../leads/leadViewMemory.ts"
import { searchLeads } from "../leads/searchLeads.ts"
import { everywhere, repository, type Tables } from "../MemoryStore.ts"
import { countedStatus } from "../missions/MissionsMemory.ts"
import { missionRef, missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { accounts, drafts, messagesIn, transmissions } from "../outreach/LinkedInTables.ts"
import { deliveries } from "../webhooks/WebhooksMemory.ts"
import { allOrganizations, organizationRows } from "../workspace/OrganizationsMemory.ts"
import { emailsOfMissions, writtenIn } from "./writtenMemory.ts"

const missionOf = (tables: Tables, leadId: LeadId, wanted: string | undefined): Reports.WaitingLead["mission"] => {
  const [link] = tables
    .where(leadMissions, (row) => row.leadId === leadId)
    .flatMap(({ linkedAt, missionId }) => {
      const mission = tables.get(missions, missionId)
      if (mission === undefined) return []
      const isShown =
        wanted === undefined
          ? !finishedStatuses.includes(mission.status)
          : [mission.id, mission.handle].includes(wanted)
      return isShown ? [{ linkedAt, mission }] : []
    })
    .toSorted((a, b) => compareText(b.linkedAt, a.linkedAt) || compareText(b.mission.id, a.mission.id))
  return link === undefined ? null : { id: link.mission.id, handle: link.mission.handle, name: link.mission.name }
}

interface Moment {
  readonly kind: Reports.StatKind
  readonly at: string
}

const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a)

const leadMoments = (tables: Tables, { id }: MissionRow): ReadonlyArray<Moment> => {
  const log = tables.where(events, ({ type }) => type === "lead.status_changed")
  const changes = Arr.groupBy(log, ({ subject }) => subject.id)
  const messages = Arr.groupBy(tables.all(leadMessages), ({ leadId }) => leadId)
  const statusOf = countedStatus(tables)
  const ofDrafts = new Set(tables.all(drafts).flatMap((row) => (row.missionId === null ? [] : [row.messageId])))
  const ofEmails: ReadonlySet<string | null> = new Set(emailsOfMissions(tables).map(emailKey))
  const entries = (leadId: LeadId, group: ReadonlyArray<LeadStatus>): ReadonlyArray<string> =>
    (changes[leadId] ?? [])
      .filter(({ data }) => group.some((status) => status === data["to"]))
      .map(({ createdAt }) => createdAt)
      .toSorted()
  const members = tables.where(leadMissions, ({ missionId }) => missionId === id)
  return members.flatMap(({ leadId, linkedAt }): ReadonlyArray<Moment> => {
    const status = statusOf(leadId)
    const entered = toEntries(statusGroups).flatMap(([kind, statuses]): ReadonlyArray<Moment> => {
      const group: ReadonlyArray<LeadStatus> = statuses
      if (status === undefined || !group.includes(status)) return []
      return [{ kind, at: later(linkedAt, entries(leadId, group)[0]) }]
    })
    const isGone = tables.get(leads, leadId)?.status === "DoNotContact"
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

/** The external id of the lead's message. */
const emailKey = ({ id, messageId }: EmailRow): string => messageId ?? id

const writtenMoments = (tables: Tables, { id }: MissionRow): ReadonlyArray<Moment> => {
  const mine = tables.where(drafts, ({ missionId }) => missionId === id)
  const written = mine.flatMap(({ createdAt, messageId, status }): ReadonlyArray<Moment> => {
    const message = tables.get(leadMessages, messageId)
    const draft: Moment = { kind: `draft:${status}`, at: createdAt }
    return message === undefined ? [draft] : [draft, { kind: "messages_sent", at: message.date }]
  })
  const emails = emailsOfMissions(tables).filter(({ missionId }) => missionId === id)
  return [...written, ...emails.map(({ sentAt }): Moment => ({ kind: "messages_sent", at: sentAt ?? "" }))]
}

const invitationMoments = (tables: Tables, { id }: MissionRow): ReadonlyArray<Moment> =>
  tables.all(transmissions).flatMap((row): ReadonlyArray<Moment> => {
    if (row.kind !== "invitation" || row.sentAt === null) return []
    const draft = tables.get(drafts, row.draftId)
    const link = tables.get(leadMissions, leadMissionKey({ leadId: row.leadId, missionId: id }))
    const isOfMission = draft?.missionId ? draft.missionId === id : link !== undefined && link.linkedAt <= row.sentAt
    if (!isOfMission) return []
    const sent: Moment = { kind: "invitations_sent", at: row.sentAt }
    const isAccepted = row.state === "accepted" && row.endedAt !== null
    return isAccepted ? [sent, { kind: "invitations_accepted", at: row.endedAt }] : [sent]
  })

const countsOf = (
  moments: ReadonlyArray<Moment>,
  { from, to, unit }: Reports.ActivityWindow
): ReadonlyArray<Reports.StatCount> => {
  const counts = new Map<string, Reports.StatCount>()
  for (const { at, kind } of moments) {
    if ((from !== undefined && at < from) || (to !== undefined && at >= to)) continue
    const period = periodOf(at, unit)
    const key = `${kind} ${period}`
    counts.set(key, { kind, period, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

const activityOf = (tables: Tables, mission: MissionRow, window: Reports.ActivityWindow): Reports.MissionActivity => {
  const ofLeads = leadMoments(tables, mission)
  const moments = [...ofLeads, ...writtenMoments(tables, mission), ...invitationMoments(tables, mission)]
  const written = window.asksWhatWorks === true ? { written: writtenIn(tables, mission, window) } : {}
  return { ...missionRef(mission), counts: countsOf(moments, window), ...written }
}

const statesOfKind = (tables: Tables, kind: Transmission["kind"]): ReadonlyArray<string> =>
  tables.all(transmissions).flatMap((row) => (row.kind === kind ? [row.state] : []))

const statesOf = (tables: Tables): Readonly<Record<Reports.BacklogQueue, ReadonlyArray<string>>> => ({
  linkedin: statesOfKind(tables, "message"),
  email: statesOfKind(tables, "email"),
  webhook: tables.all(deliveries).map(({ state }) => state),
  import: tables.all(imports).map(({ state }) => state)
})

const count = (tables: Tables): ReadonlyArray<Reports.BacklogCount> => {
  const found = allOrganizations(tables).map(({ id }) => statesOf(tables.of(id)))
  return toEntries(Reports.backlogStates).flatMap(([queue, states]) =>
    states.map((state) => ({
      queue,
      state,
      count: found.reduce((sum, of) => sum + of[queue].filter((one) => one === state).length, 0)
    }))
  )
}

const isLive = (tables: Tables, agentId: AgentId): boolean => tables.get(agents, agentId)?.deletedAt === null

const countedStates = (
  tables: Tables,
  { gateway, staleBefore }: { readonly staleBefore: InstantText; readonly gateway: string }
): Readonly<Record<Reports.CountKind, ReadonlyArray<string>>> => ({
  offers: tables.all(offers).map(({ isDraft }) => (isDraft ? "draft" : "ready")),
  leads: tables.all(leads).flatMap(({ mergedInto, status }) => (mergedInto === null ? [status] : [])),
  missions: tables.all(missions).map(({ status }) => status),
  agents: tables.all(agents).flatMap(({ deletedAt }) => (deletedAt === null ? ["live"] : [])),
  drafts: tables.all(drafts).map(({ status }) => status),
  queue: messagesIn(tables).map(({ state }) => state),
  imports: tables.all(imports).map((run) => shownState(run, staleBefore)),
  accounts: tables
    .where(accounts, (account) => account.gateway === gateway && isLive(tables, account.agentId))
    .map(({ status }) => status)
})

const countAll = (...asked: Parameters<typeof countedStates>): ReadonlyArray<Reports.StatusCount> =>
  toEntries(countedStates(...asked)).flatMap(([kind, states]) =>
    toEntries(Arr.groupBy(states, (state) => state)).map(([state, { length }]) => ({ kind, state, count: length }))
  )

/** Reads reports from memory. */
export const layer = repository(Reports.ReportsRepo)((store) => ({
  missionActivity: store.reading((tables, idOrHandle, window) =>
    tables
      .where(missions, ({ handle, id }) => idOrHandle === undefined || id === idOrHandle || handle === idOrHandle)
      .map((mission) => activityOf(tables, mission, window))
  ),
  nextActions: store.reading((tables, mission, limit, at) => {
    const page = { limit }
    const { items } = searchLeads(tables, { mission, needsAction: true }, "action", page, at)
    return items.flatMap(
      ({ action, company, id, jobTitle, name, score, status }): ReadonlyArray<Reports.WaitingLead> => {
        if (action === null) return []
        const draftId = openDraftOf(tables, id)?.draftId ?? null
        const found = missionOf(tables, id, mission)
        const row = action === "follow_up_due" ? tables.get(leads, id) : undefined
        const next = row === undefined ? null : nextFollowUp(followUpFactsOf(tables, row))
        const followUp = next && Struct.pick(next, ["missionId", "step", "dueAt", "steps"])
        return [{ id, name, jobTitle, company, status, score, action, followUp, draftId, mission: found }]
      }
    )
  }),
  status: store.reading((tables, question) => ({
    organizationName: tables.get(organizationRows, tables.organizationId)?.name,
    counts: countAll(tables, question)
  })),
  backlog: store.read(everywhere, (tables) => ({
    waiting: count(tables).filter((one) => one.count > 0),
    connections: []
  }))
}))
