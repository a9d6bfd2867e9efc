import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { plainOf, type StoredJson } from "#core/kernel/schema/Json.ts"
import { type Offer, OffersRepo } from "#core/offers/Offer.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"

const at = (second: number) => `2026-11-21T08:00:${String(second).padStart(2, "0")}.000Z`

const offer = (organizationId: string, id: string, second = 0): Offer => ({
  id,
  organizationId,
  name: `Offer ${id}`,
  oneLiner: "One line",
  valueProposition: "Gain",
  description: null,
  landingPageUrl: "https://example.com/ü?q=1",
  salesBriefUrl: null,
  isDraft: id === "d",
  lastUsedAt: null,
  references: [],
  problemSolutions: [{ problem: "p", solution: "s", feature: "" }],
  differentiators: [{ title: "t", description: null }],
  resources: [],
  createdAt: at(second),
  updatedAt: at(second)
})

eachBackend("offers", (layer) =>
  it.layer(layer)((it) => {
    it.effect("keeps an offer as it was given, for its organization alone", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        yield* organization("org_2")
        const repo = yield* OffersRepo
        assert.isUndefined(yield* repo.insert(offer("org_1", "a")))
        assert.deepStrictEqual(yield* repo.find("org_1", "a"), offer("org_1", "a"))
        assert.isUndefined(yield* repo.find("org_2", "a"))
        assert.isUndefined(yield* repo.insert(offer("org_2", "a", 3)))
        assert.deepStrictEqual(yield* repo.insert(offer("org_1", "a", 9)), offer("org_1", "a"))
        assert.deepStrictEqual(yield* repo.find("org_2", "a"), offer("org_2", "a", 3))
      })
    )

    it.effect("replaces only what was seen", () =>
      Effect.gen(function* () {
        yield* organization("org_5")
        const repo = yield* OffersRepo
        yield* repo.insert(offer("org_5", "a"))
        const changed = { ...offer("org_5", "a"), name: "Changed", updatedAt: at(1) }
        assert.isFalse(yield* repo.replace(changed, at(7)))
        assert.isTrue(yield* repo.replace(changed, at(0)))
        assert.isFalse(yield* repo.replace({ ...changed, name: "Late" }, at(0)))
        assert.deepStrictEqual(yield* repo.find("org_5", "a"), changed)
      })
    )

    it.effect("notes the latest use, whatever else changes", () =>
      Effect.gen(function* () {
        yield* organization("org_4")
        yield* organization("org_4b")
        const repo = yield* OffersRepo
        yield* repo.insert(offer("org_4", "used"))
        yield* repo.touch("org_4", "used", at(8))
        yield* repo.touch("org_4", "used", at(7))
        yield* repo.touch("org_4b", "used", at(9))
        assert.deepStrictEqual(yield* repo.find("org_4", "used"), { ...offer("org_4", "used"), lastUsedAt: at(8) })
        const changed = { ...offer("org_4", "used"), name: "Changed", updatedAt: at(1) }
        assert.isTrue(yield* repo.replace(changed, at(0)))
        assert.deepStrictEqual(yield* repo.find("org_4", "used"), { ...changed, lastUsedAt: at(8) })
      })
    )

    it.effect("pages newest first without gaps or repeats, ids breaking ties", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        const repo = yield* OffersRepo
        for (const id of ["b", "B", "d", "c"]) yield* repo.insert(offer("org_3", id, 5))
        yield* repo.insert(offer("org_3", "new", 6))
        const all = { query: undefined, isDraft: undefined }
        const seen: Array<string> = []
        let after: ReadonlyArray<string | number> | undefined
        do {
          const page: {
            items: ReadonlyArray<Offer | StoredJson<Offer>>
            next: ReadonlyArray<string | number> | undefined
          } = yield* repo.list("org_3", all, { limit: 2, after })
          seen.push(...page.items.map((item) => plainOf(item).id))
          after = page.next
        } while (after !== undefined)
        assert.deepStrictEqual(seen, ["new", "d", "c", "b", "B"])
        const drafts = yield* repo.list("org_3", { query: "oFFer D", isDraft: true }, { limit: 5, after: undefined })
        assert.deepStrictEqual(
          drafts.items.map((item) => plainOf(item).id),
          ["d"]
        )
      })
    )

    it.effect("undoes everything of a transaction that fails", () =>
      Effect.gen(function* () {
        yield* organization("org_6")
        const repo = yield* OffersRepo
        const transaction = yield* Transaction
        const failed = yield* Effect.flip(
          transaction.run(Effect.andThen(repo.insert(offer("org_6", "gone")), Effect.fail("no")))
        )
        assert.strictEqual(failed, "no")
        assert.isUndefined(yield* repo.find("org_6", "gone"))
      })
    )
  })
)
