/** Counting what waits, in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { emails } from "../email/EmailTables.ts"
import { imports } from "../imports/ImportTables.ts"
import { queueItems } from "../linkedin/LinkedInTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { deliveries } from "../webhooks/WebhookTables.ts"
import { allOrganizations } from "../workspace/WorkspacesMemory.ts"
import { Backlog, type BacklogCount, type BacklogQueue, backlogStates } from "./Backlog.ts"

const statesOf = (tables: Tables, organizationId: string): Readonly<Record<BacklogQueue, ReadonlyArray<string>>> => ({
  linkedin: tables.all(queueItems, organizationId).map(({ state }) => state),
  email: tables.all(emails, organizationId).map(({ state }) => state),
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

/** Counts in memory. */
export const layer: Layer.Layer<Backlog, never, MemoryStore> = Layer.effect(
  Backlog,
  Effect.map(MemoryStore, (store) =>
    Backlog.of({
      read: store.read((tables) => ({
        waiting: count(tables).filter((one) => one.count > 0),
        connections: []
      }))
    })
  )
)
