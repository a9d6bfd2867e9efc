/** What keys did, in the in-memory store. */
import { partsOfImports, RunsRepo } from "@svc/core/runs"
import { audit, type EventRow, events } from "../JournalMemory.ts"
import { leads } from "../leads/LeadTables.ts"
import { repository } from "../MemoryStore.ts"

const isLive = ({ undoes, undoneAt }: EventRow): boolean => undoes !== true && undoneAt === null

const isLinking = ({ data, type }: EventRow): boolean =>
  type === "mission.leads_added" || (Array.isArray(data.changed) && data.changed.includes("leads"))

/** Reads and marks what keys did. */
export const layer = repository(RunsRepo)((store) => ({
  activity: store.reading((tables, { after, before, keyId: wanted }, limit) =>
    tables
      .where(audit, ({ createdAt, outcome }) => outcome === "ok" && createdAt >= after && createdAt < before)
      .filter(({ actorKind, keyId }) => (wanted === undefined ? actorKind === "AI_AGENT" : keyId === wanted))
      .toSorted((a, b) => b.sequence - a.sequence)
      .flatMap(({ actorKind, commandId, createdAt, keyId, userId }) =>
        keyId === null || actorKind === "OPERATOR" ? [] : [{ actorKind, commandId, createdAt, keyId, userId }]
      )
      .slice(0, limit)
  ),
  changes: store.reading((tables, { keyId, since, until }, before = Number.POSITIVE_INFINITY, limit) =>
    tables
      .where(events, (event) => event.keyId === keyId && event.createdAt >= since && event.createdAt < until)
      .filter((event) => isLive(event) && !partsOfImports.includes(event.type) && !("import_id" in event.data))
      .filter(({ sequence }) => sequence < before)
      .toSorted((a, b) => b.sequence - a.sequence)
      .slice(0, limit)
      .map(({ actor, createdAt, data, id, sequence, subject, type }) => {
        return { id, position: sequence, type, subject, data, actor, createdAt }
      })
  ),
  touched: store.reading((tables, { change, ids, kind, span }) => {
    const others = tables
      .where(events, (event) => isLive(event) && event.sequence > change.position)
      .filter(({ createdAt, keyId }) => keyId !== span.keyId || createdAt >= span.until)
    const isAbout = (id: string) => (event: EventRow) =>
      (["lead", "mission"].includes(kind) && event.data[`${kind}_id`] === id) ||
      (event.subject.type === kind && event.subject.id === id && (kind !== "mission" || !isLinking(event)))
    const isMerged = (id: string) => kind === "lead" && tables.get(leads, id)?.mergedInto != null
    return ids.filter((id) => isMerged(id) || others.some(isAbout(id)))
  }),
  previous: store.reading((tables, keyId, changes) => {
    const others = tables.where(events, (event) => event.keyId !== keyId)
    return changes.map(({ position, subject: { id, type } }) =>
      others
        .filter(({ sequence, subject }) => sequence < position && subject.type === type && subject.id === id)
        .reduce<EventRow | undefined>((a, b) => (a !== undefined && a.sequence > b.sequence ? a : b), undefined)
    )
  }),
  markUndone: store.writing((tables, eventIds, at) => {
    if (tables.get(events, eventIds[0])?.undoneAt !== null) return false
    const isMarked = ({ id }: EventRow) => eventIds.includes(id)
    tables.updateWhere(events, isMarked, (event) => ({ ...event, undoneAt: at }))
    return true
  })
}))
