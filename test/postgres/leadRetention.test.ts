/** What retention reads of an organization with many leads: what is older than the shortest time, a page at a time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Position } from "#core/kernel/schema/Page.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { planted, plantedLeads } from "./plantedLeads.ts"
import { reading } from "./reading.ts"

describe.skipIf(!hasPostgres())("retention of many leads", () => {
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(planted))))((it) => {
    const page = (before: string, after?: Position) =>
      Effect.flatMap(PrivacyRepo, ({ unchangedSince }) => unchangedSince("org_1", before, { limit: 1_000, after }))

    it.effect("reads a page off the order of the last changes, also a deep one", () =>
      Effect.gen(function* () {
        const before = "2027-01-01T00:00:00.000Z"
        const first = yield* page(before)
        assert.deepStrictEqual([first.items.length, first.items[0]?.id], [1_000, `ld_${plantedLeads}`])
        for (const table of ["lead_recency", "leads"]) {
          const { answer, entries } = yield* reading(table, page(before, first.next))
          assert.lengthOf(answer.items, 1_000)
          assert.isAtMost(entries, 1_100, table)
        }
      })
    )

    it.effect("reads next to nothing where nothing is that old", () =>
      Effect.gen(function* () {
        for (const table of ["lead_recency", "leads"]) {
          const { answer, entries, rows } = yield* reading(table, page("2026-11-19T00:00:00.000Z"))
          assert.deepStrictEqual(answer, { items: [], next: undefined })
          assert.isAtMost(entries + rows, 20, table)
        }
      })
    )
  })
})
