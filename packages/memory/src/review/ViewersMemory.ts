/** Who looks at an item of the review queue, in the in-memory store. */
import type { OrganizationId } from "@svc/core"
import { compareText } from "@svc/core/leads"
import { type Looking, type Viewer, ViewersRepo } from "@svc/core/review"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { globalPartition, MemoryStore, type Tables, table } from "../MemoryStore.ts"
import { keys } from "../workspace/WorkspacesMemory.ts"

interface Look extends Looking, Viewer {
  readonly expiresAt: string
}

const looks = table<Look>("review_viewers")
const keyOf = ({ itemId, viewerId }: Looking): string => `${itemId}/${viewerId}`

const othersOf = (
  tables: Tables,
  organizationId: OrganizationId,
  { itemId, viewerId }: Looking,
  at: string
): ReadonlyArray<Viewer> =>
  tables
    .all(looks, organizationId)
    .filter((look) => look.itemId === itemId && look.viewerId !== viewerId && look.expiresAt > at)
    .toSorted((a, b) => compareText(a.since, b.since) || compareText(a.viewerId, b.viewerId))
    .map(({ name, since }) => ({ name, since }))

/** Keeps looks in memory. */
export const layer: Layer.Layer<ViewersRepo, never, MemoryStore> = Layer.effect(
  ViewersRepo,
  Effect.map(MemoryStore, (store) =>
    ViewersRepo.of({
      look: (organizationId, looking, at, until) =>
        store.write((tables) => {
          tables.removeWhere(looks, organizationId, (look) => look.expiresAt <= at && keyOf(look) !== keyOf(looking))
          const before = tables.get(looks, organizationId, keyOf(looking))
          const key = tables.get(keys, globalPartition, looking.viewerId)
          const isLasting = before !== undefined && before.expiresAt > at
          tables.set(looks, organizationId, keyOf(looking), {
            ...looking,
            name: key?.organizationId === organizationId ? key.name : looking.viewerId,
            since: isLasting ? before.since : at,
            expiresAt: until
          })
          return othersOf(tables, organizationId, looking, at)
        }),
      others: (organizationId, looking, at) => store.read((tables) => othersOf(tables, organizationId, looking, at))
    })
  )
)
