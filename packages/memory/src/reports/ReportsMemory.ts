/** Reports from the in-memory store. */
import type { AgentId, InstantText, LeadId, OrganizationId } from "@svc/core"
import { shownState } from "@svc/core/imports"
import type { LeadStatus } from "@svc/core/leads"
import type { MissionRow } from "@svc/core/missions"
import type { EmailRow, Transmission } from "@svc/core/outreach"
import {
  type ActivityWindow,
  type BacklogCount,
  type BacklogQueue,
  backlogStates,
  type CountKind,
  type MissionActivity,
  periodOf,
  ReportsRepo,
  type StatCount,
  type StatKind,
  type StatusCount,
  statusGroups
} from "@svc/core/reports"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toEntries } from "effect/Record"
import { agents } from "../agents/AgentsMemory.ts"
import { imports } from "../imports/ImportTables.ts"
import { events } from "../JournalMemory.ts"
import { leadMessages, leadMissionKey, leadMissions, leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { countedStatus } from "../missions/countedStatus.ts"
import { findMission, missionRef, missions } from "../missions/MissionTables.ts"
import { offers } from "../offers/OffersMemory.ts"
import { accounts, drafts, messagesIn, transmissions } from "../outreach/LinkedInTables.ts"
import { deliveries } from "../webhooks/WebhooksMemory.ts"
import { allOrganizations, organizationOf } from "../workspace/OrganizationsMemory.ts"
import { nextActions } from "./NextActionsMemory.ts"

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
const missionActivity = (
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

const statesOfKind = (
  tables: Tables,
  organizationId: OrganizationId,
  kind: Transmission["kind"]
): ReadonlyArray<string> =>
  tables.all(transmissions, organizationId).flatMap((row) => (row.kind === kind ? [row.state] : []))

const statesOf = (
  tables: Tables,
  organizationId: OrganizationId
): Readonly<Record<BacklogQueue, ReadonlyArray<string>>> => ({
  linkedin: statesOfKind(tables, organizationId, "message"),
  email: statesOfKind(tables, organizationId, "email"),
  webhook: tables.all(deliveries, organizationId).map(({ state }) => state),
  import: tables.all(imports, organizationId).map(({ state }) => state)
})

const queues: ReadonlyArray<BacklogQueue> = ["linkedin", "email", "webhook", "import"]

const count = (tables: Tables): ReadonlyArray<BacklogCount> => {
  const found = allOrganizations(tables).map(({ id }) => statesOf(tables, id))
  return queues.flatMap((queue) =>
    backlogStates[queue].map((state) => ({
      queue,
      state,
      count: found.reduce((sum, of) => sum + of[queue].filter((one) => one === state).length, 0)
    }))
  )
}

const isLive = (tables: Tables, org: string, agentId: AgentId): boolean =>
  tables.get(agents, org, agentId)?.deletedAt === null

const countedStates = (
  tables: Tables,
  org: string,
  { gateway, staleBefore }: { readonly staleBefore: InstantText; readonly gateway: string }
): Readonly<Record<CountKind, ReadonlyArray<string>>> => ({
  offers: tables.all(offers, org).map(({ isDraft }) => (isDraft ? "draft" : "ready")),
  leads: tables.all(leads, org).flatMap(({ mergedInto, status }) => (mergedInto === null ? [status] : [])),
  missions: tables.all(missions, org).map(({ status }) => status),
  agents: tables.all(agents, org).flatMap(({ deletedAt }) => (deletedAt === null ? ["live"] : [])),
  drafts: tables.all(drafts, org).map(({ status }) => status),
  queue: messagesIn(tables, org).map(({ state }) => state),
  imports: tables.all(imports, org).map((run) => shownState(run, staleBefore)),
  accounts: tables
    .all(accounts, org)
    .filter((account) => account.gateway === gateway && isLive(tables, org, account.agentId))
    .map(({ status }) => status)
})

const countAll = (...asked: Parameters<typeof countedStates>): ReadonlyArray<StatusCount> =>
  toEntries(countedStates(...asked)).flatMap(([kind, states]) =>
    toEntries(Arr.groupBy(states, (state) => state)).map(([state, { length }]) => ({ kind, state, count: length }))
  )

/** Reads reports from memory. */
export const layer: Layer.Layer<ReportsRepo, never, MemoryStore> = Layer.effect(
  ReportsRepo,
  Effect.map(MemoryStore, (store) =>
    ReportsRepo.of({
      missionActivity: (...asked) => store.read((tables) => missionActivity(tables, ...asked)),
      nextActions: (...asked) => store.read((tables) => nextActions(tables, ...asked)),
      status: (organizationId, question) =>
        store.read((tables) => ({
          organizationName: organizationOf(tables, organizationId)?.name,
          counts: countAll(tables, organizationId, question)
        })),
      backlog: store.read((tables) => ({
        waiting: count(tables).filter((one) => one.count > 0),
        connections: []
      }))
    })
  )
)
