/** Notes and timelines in the in-memory store. */

import type { LeadId, StoredEvent } from "@svc/core"
import { compareText } from "@svc/core/internal"
import * as Leads from "@svc/core/leads"
import * as Struct from "effect/Struct"
import { events } from "../JournalMemory.ts"
import { type MemoryStore, pageBy, type Tables } from "../MemoryStore.ts"
import { leadMessages, leadNotes, leads, liveLead } from "./LeadTables.ts"

/** A lead, followed to the one it was merged into, and the ids of that one and all leads merged into it. */
export const leadIdsOf = (
  tables: Tables,
  leadId: LeadId
): { readonly live: Leads.LeadRow; readonly ids: ReadonlyArray<string> } | undefined => {
  const live = liveLead(tables, leadId)
  if (live === undefined) return undefined
  const merged = tables.where(leads, ({ mergedInto }) => mergedInto === live.id)
  return { live, ids: [live.id, ...merged.map(({ id }) => id).sort(compareText)] }
}

/** Whether an event is about one of the leads, or names it. */
export const isAbout = ({ data, subject }: StoredEvent, ids: ReadonlyArray<string>): boolean =>
  (subject.type === "lead" && ids.includes(subject.id)) ||
  (typeof data.lead_id === "string" && ids.includes(data.lead_id))

const isOmitted = ({ data, type }: StoredEvent): boolean =>
  Leads.timelineOmittedTypes.some((omitted) => omitted === type) ||
  (type === "lead.updated" && Array.isArray(data.changed) && data.changed.join() === "notes")

const entriesOf = (tables: Tables, ids: ReadonlyArray<string>): ReadonlyArray<Leads.TimelineEntry> => [
  ...tables
    .where(events, (event) => isAbout(event, ids) && !isOmitted(event))
    .map(({ actor, createdAt, data, id, subject, type }) => ({
      id,
      at: createdAt,
      type,
      actor: { kind: actor.kind, id: actor.id },
      data: subject.type === "lead" ? data : { ...data, [`${subject.type}_id`]: subject.id }
    })),
  ...tables
    .where(leadMessages, ({ leadId }) => ids.includes(leadId))
    .map(({ channel, content, date, direction, id, senderName }) => ({
      id,
      at: date,
      type: "message",
      actor: null,
      data: { direction, channel, content, sender_name: senderName }
    })),
  ...tables
    .where(leadNotes, ({ leadId }) => ids.includes(leadId))
    .map(({ actorKind, createdAt, id, text, userId }) => ({
      id,
      at: createdAt,
      type: "note",
      actor: { kind: actorKind, id: userId },
      data: { text }
    }))
]

const unansweredOf = (tables: Tables): ReadonlyArray<Leads.UnansweredLead> =>
  tables
    .where(leads, (row) => row.mergedInto === null && row.status !== "DoNotContact" && row.status !== "NotInterested")
    .flatMap(({ company, id, lastInboundAt, lastOutboundAt, name, status }) => {
      if (lastInboundAt === null || lastInboundAt <= (lastOutboundAt ?? "")) return []
      const [latest] = tables
        .where(leadMessages, (row) => row.leadId === id && row.direction === "inbound")
        .toSorted((a, b) => compareText(b.date, a.date) || compareText(b.id, a.id))
      const message = latest === undefined ? null : { id: latest.id, channel: latest.channel, content: latest.content }
      return [{ id, name, company, status, lastInboundAt, message }]
    })

/** Keeps notes in memory. */
export const leadHistoryMemory = (store: MemoryStore["Service"]): Leads.LeadHistory => ({
  addNote: (note, leadUpdatedAt) =>
    store.write(note.organizationId, (tables) => {
      tables.set(leadNotes, note.id, note)
      const row = tables.get(leads, note.leadId)
      if (row !== undefined) tables.set(leads, row.id, { ...row, updatedAt: leadUpdatedAt })
    }),
  timeline: store.reading((tables, leadId, page) => {
    const found = leadIdsOf(tables, leadId)
    return found && pageBy(entriesOf(tables, found.ids), "desc", Leads.timelinePosition, page)
  }),
  conversation: store.reading((tables, leadId, channel, page) => {
    const found = leadIdsOf(tables, leadId)
    if (found === undefined) return undefined
    const messages = tables
      .where(leadMessages, (row) => found.ids.includes(row.leadId) && row.channel === channel)
      .map(Struct.pick(["id", "direction", "content", "senderName", "externalId", "date", "mail"]))
    return pageBy(messages, "desc", Leads.conversationPosition, page)
  }),
  unanswered: store.reading((tables, page) => {
    const all = unansweredOf(tables)
    return { ...pageBy(all, "asc", Leads.unansweredPosition, page), total: all.length }
  })
})
