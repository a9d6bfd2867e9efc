/** Reports of missions from the in-memory store: the rule that the SQL of the other store follows. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { events } from "../JournalMemory.ts"
import type { LeadStatus } from "../leads/LeadStatus.ts"
import { leadMessages, leadMissions, leads } from "../leads/LeadTables.ts"
import { drafts, queueItems } from "../linkedin/LinkedInTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import type { MissionRow } from "./Mission.ts"
import { type ActivityWindow, MissionReportRepo, type WaitingMessages } from "./MissionReportRepo.ts"
import { missions } from "./MissionTables.ts"
import { periodOf, type StatCount, type StatKind, statusGroups } from "./missionActivity.ts"

interface Moment {
  readonly kind: StatKind
  readonly at: string
}

const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a)

const grouped = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

const groupKinds = ["contacted", "replied", "positive", "meetings"] as const

const leadMoments = (tables: Tables, { id, organizationId }: MissionRow): ReadonlyArray<Moment> => {
  const log = tables.all(events, organizationId).filter(({ type }) => type === "lead.status_changed")
  const changes = grouped(log, ({ subject }) => subject.id)
  const messages = grouped(tables.all(leadMessages, organizationId), ({ leadId }) => leadId)
  const ofDrafts = new Set(
    tables.all(drafts, organizationId).flatMap((row) => (row.missionId === null ? [] : [row.messageId]))
  )
  const firstEntry = (leadId: string, group: ReadonlyArray<LeadStatus>): string | undefined =>
    (changes.get(leadId) ?? [])
      .filter(({ data }) => group.some((status) => status === data["to"]))
      .map(({ createdAt }) => createdAt)
      .toSorted()[0]
  const members = tables.all(leadMissions, organizationId).filter(({ missionId }) => missionId === id)
  return members.flatMap(({ leadId, linkedAt }): ReadonlyArray<Moment> => {
    const status = tables.get(leads, organizationId, leadId)?.status
    const entered = groupKinds.flatMap((kind): ReadonlyArray<Moment> => {
      const group: ReadonlyArray<LeadStatus> = statusGroups[kind]
      if (status === undefined || !group.includes(status)) return []
      return [{ kind, at: later(linkedAt, firstEntry(leadId, group)) }]
    })
    const exchanged = (messages.get(leadId) ?? []).flatMap(
      ({ date, direction, id: messageId }): ReadonlyArray<Moment> => {
        if (date < linkedAt) return []
        if (direction === "inbound") return [{ kind: "messages_received", at: date }]
        return ofDrafts.has(messageId) ? [] : [{ kind: "messages_sent", at: date }]
      }
    )
    return [{ kind: "leads", at: linkedAt }, ...entered, ...exchanged]
  })
}

const draftMoments = (tables: Tables, { id, organizationId }: MissionRow): ReadonlyArray<Moment> => {
  const mine = tables.all(drafts, organizationId).filter(({ missionId }) => missionId === id)
  const ids: ReadonlySet<unknown> = new Set(mine.map((row) => row.id))
  const invitations = tables.all(events, organizationId).flatMap(({ createdAt, data, type }): ReadonlyArray<Moment> => {
    if (!ids.has(data["draft_id"])) return []
    if (type === "invitation.sent") return [{ kind: "invitations_sent", at: createdAt }]
    return type === "invitation.accepted" ? [{ kind: "invitations_accepted", at: createdAt }] : []
  })
  const written = mine.flatMap(({ createdAt, messageId, status }): ReadonlyArray<Moment> => {
    const message = messageId === null ? undefined : tables.get(leadMessages, organizationId, messageId)
    const draft: Moment = { kind: `draft:${status}`, at: createdAt }
    return message === undefined ? [draft] : [draft, { kind: "messages_sent", at: message.date }]
  })
  return [...invitations, ...written]
}

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

const waitingOf = (tables: Tables, organizationId: string, missionId: string): WaitingMessages => {
  const mine = tables.all(drafts, organizationId).filter((row) => row.missionId === missionId)
  const approved = mine
    .filter(({ status }) => status === "READY_TO_SEND")
    .map(({ queueItemId }) => (queueItemId === null ? undefined : tables.get(queueItems, organizationId, queueItemId)))
  const isWaiting = (state: string) => state === "queued" || state === "waiting_relation"
  return {
    toReview: mine.filter(({ status }) => status === "PENDING_REVIEW").length,
    held: approved.filter((item) => item === undefined || (isWaiting(item.state) && !item.bypass)).length,
    bypassing: approved.filter((item) => item !== undefined && isWaiting(item.state) && item.bypass).length,
    ambiguous: approved.filter((item) => item?.state === "ambiguous").length
  }
}

/** Reads reports from memory. */
export const layer: Layer.Layer<MissionReportRepo, never, MemoryStore> = Layer.effect(
  MissionReportRepo,
  Effect.map(MemoryStore, (store) =>
    MissionReportRepo.of({
      waiting: (organizationId, missionId) => store.read((tables) => waitingOf(tables, organizationId, missionId)),
      activity: (organizationId, idOrHandle, window) =>
        store.read((tables) => {
          const mission = tables
            .all(missions, organizationId)
            .find(({ handle, id }) => id === idOrHandle || handle === idOrHandle)
          if (mission === undefined) return undefined
          const { handle, id, name, status } = mission
          const moments = [...leadMoments(tables, mission), ...draftMoments(tables, mission)]
          return { id, handle, name, status, counts: countsOf(moments, window) }
        })
    })
  )
)
