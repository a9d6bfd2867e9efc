/** Approval requests in the in-memory store. */

import { newestFirst, type OrganizationId } from "@svc/core"
import { ApprovalsRepo, stateAt } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { approvals } from "../JournalMemory.ts"
import { MemoryStore } from "../MemoryStore.ts"

/** Keeps approval requests in memory. */
export const layer: Layer.Layer<ApprovalsRepo, never, MemoryStore> = Layer.effect(
  ApprovalsRepo,
  Effect.map(MemoryStore, (store) => {
    const find = (organizationId: OrganizationId, id: string) =>
      store.read((tables) => tables.get(approvals, organizationId, id))
    return ApprovalsRepo.of({
      find,
      hold: find,
      list: (organizationId, { hidden, now, state }, page) =>
        store.read((tables) =>
          newestFirst(
            tables
              .all(approvals, organizationId)
              .filter((row) => state === undefined || stateAt(row, now) === state)
              .filter(({ commandId }) => !hidden.includes(commandId)),
            page
          )
        ),
      replace: (row) => store.write((tables) => tables.set(approvals, row.organizationId, row.id, row))
    })
  })
)
