/** What keys did, in the in-memory store. */
import { partsOfImports, RunsRepo } from "@svc/core/runs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { audit, type EventRow, events } from "../JournalMemory.ts"
import { MemoryStore } from "../MemoryStore.ts"

const leadIdOf = ({ data }: EventRow): string | null => (typeof data.lead_id === "string" ? data.lead_id : null)

const isLive = ({ undoes, undoneAt }: EventRow): boolean => undoes !== true && undoneAt === null

const isLinking = ({ data, type }: EventRow): boolean =>
  type === "mission.leads_added" || (Array.isArray(data.changed) && data.changed.includes("leads"))

/** Reads and marks what keys did. */
export const layer: Layer.Layer<RunsRepo, never, MemoryStore> = Layer.effect(
  RunsRepo,
  Effect.map(MemoryStore, (store) =>
    RunsRepo.of({
      activity: (organizationId, { after, before, keyId: wanted }, limit) =>
        store.read((tables) =>
          tables
            .all(audit, organizationId)
            .filter(({ createdAt, outcome }) => outcome === "ok" && createdAt >= after && createdAt < before)
            .filter(({ actorKind, keyId }) => (wanted === undefined ? actorKind === "AI_AGENT" : keyId === wanted))
            .toSorted((a, b) => b.sequence - a.sequence)
            .flatMap(({ actorKind, commandId, createdAt, keyId, userId }) =>
              keyId === null || actorKind === "OPERATOR" ? [] : [{ actorKind, commandId, createdAt, keyId, userId }]
            )
            .slice(0, limit)
        ),
      changes: (organizationId, { keyId, since, until }, limit) =>
        store.read((tables) =>
          tables
            .all(events, organizationId)
            .filter((event) => event.keyId === keyId && event.createdAt >= since && event.createdAt < until)
            .filter((event) => isLive(event) && (event.former !== undefined || !partsOfImports.includes(event.type)))
            .toSorted((a, b) => b.sequence - a.sequence)
            .slice(0, limit)
            .map((event) => {
              const { createdAt, former = null, id, sequence, subject, type } = event
              return { id, position: sequence, type, subject, leadId: leadIdOf(event), former, createdAt }
            })
        ),
      touched: (organizationId, { change, ids, kind, span }) =>
        store.read((tables) => {
          const others = tables
            .all(events, organizationId)
            .filter((event) => isLive(event) && event.sequence > change.position)
            .filter(({ createdAt, keyId }) => keyId !== span.keyId || createdAt >= span.until)
          const isAbout = (id: string) => (event: EventRow) =>
            (kind === "lead" && leadIdOf(event) === id) ||
            (event.subject.type === kind && event.subject.id === id && (kind !== "mission" || !isLinking(event)))
          return ids.filter((id) => others.some(isAbout(id)))
        }),
      markUndone: (organizationId, eventId, at) =>
        store.write((tables) => {
          const event = tables.get(events, organizationId, eventId)
          if (event === undefined || event.undoneAt !== null) return false
          const { former: _, ...rest } = event
          tables.set(events, organizationId, eventId, { ...rest, undoneAt: at })
          return true
        })
    })
  )
)
