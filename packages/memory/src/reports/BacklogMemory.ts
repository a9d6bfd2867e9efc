/** Counts the backlog in the in-memory store. */

import type { OrganizationId } from "@svc/core"
import type { Transmission } from "@svc/core/outreach"
import { Backlog, type BacklogCount, type BacklogQueue, backlogStates } from "@svc/core/reports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { imports } from "../imports/ImportTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { transmissions } from "../outreach/LinkedInTables.ts"
import { deliveries } from "../webhooks/WebhooksMemory.ts"
import { allOrganizations } from "../workspace/WorkspacesMemory.ts"

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

/** Counts the backlog in memory. */
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
