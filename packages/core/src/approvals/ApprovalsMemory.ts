/** Requests for approval in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { approvals } from "../JournalMemory.ts"
import { MemoryStore } from "../MemoryStore.ts"
import { newestFirst } from "../Page.ts"
import { ApprovalsRepo, stateAt } from "./ApprovalsRepo.ts"

/** Keeps requests in memory. */
export const layer: Layer.Layer<ApprovalsRepo, never, MemoryStore> = Layer.effect(
  ApprovalsRepo,
  Effect.map(MemoryStore, (store) => {
    const find = (organizationId: string, id: string) =>
      store.read((tables) => tables.get(approvals, organizationId, id))
    return ApprovalsRepo.of({
      find,
      hold: find,
      list: (organizationId, { now, state }, page) =>
        store.read((tables) =>
          newestFirst(
            tables.all(approvals, organizationId).filter((row) => state === undefined || stateAt(row, now) === state),
            page
          )
        ),
      replace: (row) => store.write((tables) => tables.set(approvals, row.organizationId, row.id, row))
    })
  })
)
