/** Everything that may be in the review queue, in the in-memory store: the rules that the SQL of PostgreSQL follows. */
import type { InstantText, LeadId, MissionId } from "@svc/core"
import { agentName, compareText, isDeferred, stateAt } from "@svc/core/internal"
import type { DraftRow, EmailRow, Invitation, Transmission } from "@svc/core/outreach"
import { type ReviewEntry, type ReviewFilter, type ReviewTab, replyStateOf } from "@svc/core/review"
import type { ApprovalRow } from "@svc/core/workspace"
import * as Struct from "effect/Struct"
import { agents } from "../agents/AgentsMemory.ts"
import { approvals } from "../JournalMemory.ts"
import { leadMessages, leadMissions, leads } from "../leads/LeadTables.ts"
import type { Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { drafts, messageOf, transmissions } from "../outreach/LinkedInTables.ts"
import { missionOfTransmission } from "../outreach/transmissionViews.ts"

/** An entry with its places: the instant that orders it, by tab. */
export interface PlacedEntry {
  readonly entry: ReviewEntry
  readonly places: Partial<Readonly<Record<ReviewTab, InstantText>>>
  /** What a query is looked for in, beside the lead. */
  readonly text: string
  /** Ids and handles of missions and agents that it belongs to. */
  readonly missions: ReadonlyArray<string>
  readonly agents: ReadonlyArray<string>
}

type Times = Pick<ReviewFilter, "at" | "since">

const leadOf = (tables: Tables, id: LeadId): ReviewEntry["lead"] => {
  const row = tables.get(leads, id)
  return row === undefined ? null : Struct.pick(row, ["id", "name", "jobTitle", "company", "score", "timezone"])
}

const agentOf = (tables: Tables, id: string): ReviewEntry["agent"] => {
  const row = tables.get(agents, id)
  if (row === undefined) return null
  return { ...Struct.pick(row, ["id", "handle", "timezone", "workingHours"]), name: agentName(row) }
}

const named = (...records: ReadonlyArray<{ readonly id: string; readonly handle: string } | null>) =>
  records.flatMap((record) => (record === null ? [] : [record.id, record.handle]))

const missionRef = (tables: Tables, id: MissionId | null): ReviewEntry["mission"] => {
  const row = tables.get(missions, id)
  return row === undefined ? null : Struct.pick(row, ["id", "handle", "name"])
}

const peopleOf = (tables: Tables, row: Pick<DraftRow, "leadId" | "agentId" | "missionId">) => ({
  lead: leadOf(tables, row.leadId),
  agent: agentOf(tables, row.agentId),
  mission: missionRef(tables, row.missionId)
})

const unknown = {
  reason: null,
  lead: null,
  agent: null,
  mission: null,
  flagged: false,
  snoozedUntil: null,
  rewriteRequested: false,
  queueId: null,
  notBefore: null
} as const

type Known = Omit<ReviewEntry, keyof typeof unknown | "place"> & Partial<ReviewEntry>

/** An entry at its places, by default found by its own text, mission and agent. */
const placed = (
  known: Known,
  places: PlacedEntry["places"],
  found: Partial<Omit<PlacedEntry, "entry" | "places">> = {}
): PlacedEntry => {
  const entry = { ...unknown, place: known.createdAt, ...known }
  return { entry, places, text: entry.text, missions: named(entry.mission), agents: named(entry.agent), ...found }
}

const leavesFrom = ({ createdAt, notBefore }: Transmission): InstantText => notBefore ?? createdAt

const draftEntry = (tables: Tables, row: DraftRow, { at, since }: Times): PlacedEntry => {
  const { review, status } = row
  const item = messageOf(tables, row)
  const deferred = isDeferred(review, at)
  const states = {
    PENDING_REVIEW:
      review.rewrite !== null ? "rewriting" : deferred ? "snoozed" : item?.state === "failed" ? "failed" : "in_review",
    READY_TO_SEND: item?.state ?? "blocked",
    DISPATCHED: "sent",
    CANCELLED: review.rejection === null ? "cancelled" : "rejected"
  }
  const state = states[status]
  const isPending = status === "PENDING_REVIEW"
  const isProblem = (isPending && item?.state === "failed") || state === "ambiguous" || state === "blocked"
  const isLeaving = status === "READY_TO_SEND" && ["queued", "waiting_relation", "sending"].includes(state)
  return placed(
    {
      itemId: row.id,
      kind: "message",
      state,
      reason: item?.reason ?? null,
      ...peopleOf(tables, row),
      text: row.selectedBodyText ?? row.variations[0] ?? "",
      ...Struct.pick(review, ["flagged", "snoozedUntil"]),
      rewriteRequested: review.rewrite !== null,
      queueId: row.queueItemId,
      notBefore: item?.notBefore ?? null,
      ...Struct.pick(row, ["createdAt", "updatedAt"])
    },
    {
      ...(isPending ? { [deferred ? "snoozed" : "to_review"]: row.createdAt } : {}),
      ...(isLeaving && item !== undefined ? { approved: leavesFrom(item) } : {}),
      ...(row.dispatchedAt !== null && row.dispatchedAt >= since ? { sent: row.dispatchedAt } : {}),
      ...(isProblem ? { problems: row.updatedAt } : {})
    },
    { text: row.selectedBodyText ?? row.variations.join(" ") }
  )
}

const transmissionEntry = (tables: Tables, row: EmailRow | Invitation, { since }: Times): PlacedEntry => {
  const { state } = row
  const mission = missionOfTransmission(tables, row)
  const text = row.kind === "email" ? row.bodyText : (row.note ?? "")
  const isSent = state === "sent" || state === "pending" || state === "accepted"
  const isProblem = state === "ambiguous" || (state === "failed" && row.updatedAt >= since)
  return placed(
    {
      itemId: row.id,
      ...Struct.pick(row, ["kind", "state", "reason", "notBefore", "createdAt", "updatedAt"]),
      ...peopleOf(tables, { ...row, missionId: mission?.id ?? null }),
      text,
      queueId: row.id
    },
    {
      ...(state === "in_review" ? { to_review: row.createdAt } : {}),
      ...(state === "queued" || state === "sending" ? { approved: leavesFrom(row) } : {}),
      ...(isSent && row.sentAt !== null && row.sentAt >= since ? { sent: row.sentAt } : {}),
      ...(isProblem ? { problems: row.updatedAt } : {})
    },
    { text: `${row.kind === "email" ? row.subject : ""} ${text}` }
  )
}

const approvalEntry = (row: ApprovalRow, { at }: Times): PlacedEntry => {
  const state = stateAt(row, at)
  return placed(
    {
      itemId: row.id,
      kind: "approval",
      state,
      reason: row.reason === "" ? null : row.reason,
      text: row.commandId,
      createdAt: row.createdAt,
      updatedAt: row.resolvedAt ?? row.createdAt
    },
    state === "pending" ? { to_review: row.createdAt } : {}
  )
}

const replyEntries = (tables: Tables, { at, since }: Times): ReadonlyArray<PlacedEntry> =>
  tables.all(leads).flatMap((row): ReadonlyArray<PlacedEntry> => {
    const { id, lastInboundAt, snoozedUntil } = row
    if (lastInboundAt === null || row.mergedInto !== null) return []
    const mine = ({ leadId }: { readonly leadId: LeadId }) => leadId === id
    const [latest] = tables
      .where(leadMessages, (message) => mine(message) && message.direction === "inbound")
      .toSorted((a, b) => compareText(b.date, a.date) || compareText(b.id, a.id))
    const linked = tables
      .where(leadMissions, mine)
      .toSorted((a, b) => compareText(b.linkedAt, a.linkedAt) || compareText(b.missionId, a.missionId))
      .map(({ missionId }) => missionRef(tables, missionId))
    return [
      placed(
        {
          itemId: id,
          kind: "reply",
          state: replyStateOf(row, at),
          lead: leadOf(tables, id),
          mission: linked[0] ?? null,
          text: latest?.content ?? "",
          snoozedUntil,
          createdAt: lastInboundAt,
          updatedAt: lastInboundAt
        },
        lastInboundAt >= since ? { replies: lastInboundAt } : {},
        {
          missions: named(...linked),
          agents: named(...tables.where(drafts, mine).map(({ agentId }) => agentOf(tables, agentId)))
        }
      )
    ]
  })

/** Every entry of an organization. */
export const entriesIn = (tables: Tables, times: Times): ReadonlyArray<PlacedEntry> => [
  ...tables.all(drafts).map((row) => draftEntry(tables, row, times)),
  ...tables
    .all(transmissions)
    .flatMap((row) => (row.kind === "message" ? [] : [transmissionEntry(tables, row, times)])),
  ...tables.all(approvals).map((row) => approvalEntry(row, times)),
  ...replyEntries(tables, times)
]
