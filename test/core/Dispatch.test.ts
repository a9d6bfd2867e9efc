import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commandHash } from "#core/kernel/command/Envelope.ts"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import * as OffersMemory from "#memory/offers/OffersMemory.ts"
import { owner } from "../support/memory.ts"
import { ask, code, keyed, make, ok, refused } from "../support/World.ts"

const testLayer = make({ backend: "memory" })

const offer = { name: "Invoices", one_liner: "They book themselves", value_proposition: "Four days earlier" }

const stored = Effect.flatMap(MemoryStore, (store) =>
  store.read("org_a", (tables) => ({
    offers: tables.all(OffersMemory.offers).length,
    events: tables.all(JournalMemory.events).map(({ type }) => type),
    audit: tables.all(JournalMemory.audit).map(({ commandId, outcome }) => `${commandId} ${outcome}`)
  }))
)

describe("Dispatch", () => {
  it.effect("answers an envelope with the hash of the input after defaults", () =>
    Effect.gen(function* () {
      const { envelope } = yield* ask("offer.create", offer)
      assert.isTrue(envelope.ok)
      assert.strictEqual(envelope.status, 200)
      assert.strictEqual(
        envelope.meta.command_hash,
        commandHash("org_a", "offer.create", { ...offer, is_draft: false })
      )
      assert.deepStrictEqual(yield* stored, { offers: 1, events: ["offer.created"], audit: ["offer.create ok"] })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("refuses unknown commands, fields and bad values with what would be right", () =>
    Effect.gen(function* () {
      assert.include(yield* refused("offer.craete", {}), "404 UNKNOWN_COMMAND")
      assert.include(yield* refused("offer.craete", {}), "offer.create")
      assert.include(yield* refused("offer.create", { ...offer, one_linr: "x" }), "Did you mean one_liner?")
      assert.include(yield* refused("offer.list", { limit: 0 }), "limit must be a value between 1 and 100")
      assert.include(yield* refused("offer.create", { name: "a\u0000b" }), "400 INVALID_INPUT name: must not contain")
      assert.include(yield* refused("offer.create", { name: "x" }), "one_liner, value_proposition: required")
      assert.include(yield* refused("offer.create", []), "400 INVALID_JSON")
      assert.include(yield* refused("offer.get", { offer_id: "nope" }), "404 NOT_FOUND")
      assert.deepStrictEqual(yield* stored, { offers: 0, events: [], audit: [] })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("leaves nothing behind after a dry run", () =>
    Effect.gen(function* () {
      const { envelope } = yield* ask("offer.create", offer, { options: { dryRun: true } })
      assert.isTrue(envelope.ok)
      assert.strictEqual(envelope.meta.warnings[0], "dry_run")
      assert.deepStrictEqual(yield* stored, { offers: 0, events: [], audit: [] })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("answers a repeated idempotency key from the record, and refuses another request under it", () =>
    Effect.gen(function* () {
      const first = yield* ask("offer.create", offer, keyed("k1"))
      const second = yield* ask("offer.create", offer, keyed("k1"))
      assert.isFalse(first.replayed)
      assert.isTrue(second.replayed)
      assert.deepStrictEqual(second.envelope, first.envelope)
      const other = { ...offer, name: "Other" }
      assert.strictEqual(yield* code("offer.create", other, keyed("k1")), "IDEMPOTENCY_MISMATCH")
      assert.strictEqual((yield* stored).offers, 1)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("checks scope and mode before it looks at the input", () =>
    Effect.gen(function* () {
      const reader = { ...owner(), scopes: scopeBundles.read_only }
      assert.strictEqual(yield* code("offer.create", 7, { actor: reader }), "FORBIDDEN_SCOPE")
      const draftOnly = { ...owner(), mode: "draft_only" as const }
      assert.strictEqual(yield* code("offer.create", offer, { actor: draftOnly }), "APPROVAL_POLICY")
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("shows another organization nothing, cursors included", () =>
    Effect.gen(function* () {
      for (const name of ["a", "b", "c"]) yield* ask("offer.create", { ...offer, offer_id: name })
      const { next_cursor: cursor } = yield* ok("offer.list", { limit: 2 })
      yield* ok("offer.list", { limit: 2, cursor })
      const other = { actor: owner("org_b") }
      assert.strictEqual(yield* code("offer.list", { limit: 2, cursor }, other), "INVALID_CURSOR")
      assert.strictEqual(yield* code("offer.get", { offer_id: "a" }, other), "NOT_FOUND")
    }).pipe(Effect.provide(testLayer))
  )
})
