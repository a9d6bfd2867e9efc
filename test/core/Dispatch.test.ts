import { assert, describe, it } from "@effect/vitest"
import * as Catalog from "@svc/core/Catalog"
import { Dispatch, layer as dispatchLayer } from "@svc/core/Dispatch"
import { commandHash } from "@svc/core/Envelope"
import { layerSequential } from "@svc/core/Ids"
import * as JournalMemory from "@svc/core/JournalMemory"
import { MemoryStore, layer as storeLayer } from "@svc/core/MemoryStore"
import { commands } from "@svc/core/offers/index"
import * as OffersMemory from "@svc/core/offers/OffersMemory"
import { layerSecretRandom } from "@svc/core/Page"
import { scopeBundles } from "@svc/core/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { owner } from "../support/memory.ts"

const repositories = Layer.mergeAll(JournalMemory.layer, OffersMemory.layer, layerSequential, layerSecretRandom).pipe(
  Layer.provideMerge(storeLayer)
)
const testLayer = dispatchLayer(Catalog.make(commands)).pipe(Layer.provideMerge(repositories))

const offer = { name: "Invoices", one_liner: "They book themselves", value_proposition: "Four days earlier" }

const run = (command: string, input: unknown, extra: Partial<Parameters<Dispatch["Service"]["run"]>[0]> = {}) =>
  Effect.flatMap(Dispatch, (dispatch) => dispatch.run({ command, input, actor: owner(), ...extra }))

const stored = Effect.flatMap(MemoryStore, (store) =>
  store.read((tables) => ({
    offers: tables.all(OffersMemory.offers, "org_a").length,
    events: tables.all(JournalMemory.events, "org_a").map(({ type }) => type),
    audit: tables.all(JournalMemory.audit, "org_a").map(({ commandId, outcome }) => `${commandId} ${outcome}`)
  }))
)

const options = { responseProfile: "full", dryRun: false, idempotencyKey: undefined } as const

describe("Dispatch", () => {
  it.effect("answers an envelope with the hash of the input after defaults", () =>
    Effect.gen(function* () {
      const { envelope } = yield* run("offer.create", offer)
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
      const failureOf = (command: string, input: unknown) =>
        Effect.map(run(command, input), ({ envelope }) =>
          envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code} ${envelope.error.message}`
        )
      assert.include(yield* failureOf("offer.craete", {}), "404 UNKNOWN_COMMAND")
      assert.include(yield* failureOf("offer.craete", {}), "offer.create")
      assert.include(yield* failureOf("offer.create", { ...offer, one_linr: "x" }), "did you mean one_liner?")
      assert.include(yield* failureOf("offer.list", { limit: 0 }), "limit must be a value between 1 and 100")
      assert.include(yield* failureOf("offer.create", { name: "a\u0000b" }), "400 INVALID_INPUT name: must not contain")
      assert.include(yield* failureOf("offer.create", { name: "x" }), "one_liner, value_proposition: required")
      assert.include(yield* failureOf("offer.create", []), "400 INVALID_JSON")
      assert.include(yield* failureOf("offer.get", { offer_id: "nope" }), "404 NOT_FOUND")
      assert.deepStrictEqual(yield* stored, { offers: 0, events: [], audit: [] })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("leaves nothing behind after a dry run", () =>
    Effect.gen(function* () {
      const { envelope } = yield* run("offer.create", offer, { options: { ...options, dryRun: true } })
      assert.isTrue(envelope.ok)
      assert.strictEqual(envelope.meta.warnings[0], "dry_run")
      assert.deepStrictEqual(yield* stored, { offers: 0, events: [], audit: [] })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("answers a repeated idempotency key from the record, and refuses another request under it", () =>
    Effect.gen(function* () {
      const keyed = { options: { ...options, idempotencyKey: "k1" } }
      const first = yield* run("offer.create", offer, keyed)
      const second = yield* run("offer.create", offer, keyed)
      assert.isFalse(first.replayed)
      assert.isTrue(second.replayed)
      assert.deepStrictEqual(second.envelope, first.envelope)
      const other = yield* run("offer.create", { ...offer, name: "Other" }, keyed)
      assert.strictEqual(other.envelope.ok ? "" : other.envelope.error.code, "IDEMPOTENCY_MISMATCH")
      assert.strictEqual((yield* stored).offers, 1)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("checks scope and mode before it looks at the input", () =>
    Effect.gen(function* () {
      const reader = { ...owner(), scopes: scopeBundles.read_only }
      const refused = yield* run("offer.create", 7, { actor: reader })
      assert.strictEqual(refused.envelope.ok ? "" : refused.envelope.error.code, "FORBIDDEN_SCOPE")
      const draftOnly = { ...owner(), mode: "draft_only" as const }
      const denied = yield* run("offer.create", offer, { actor: draftOnly })
      assert.strictEqual(denied.envelope.ok ? "" : denied.envelope.error.code, "APPROVAL_POLICY")
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("shows another organization nothing, cursors included", () =>
    Effect.gen(function* () {
      for (const name of ["a", "b", "c"]) yield* run("offer.create", { ...offer, offer_id: name })
      const page = yield* run("offer.list", { limit: 2 })
      const cursor = page.envelope.ok ? Reflect.get(Object(page.envelope.data), "next_cursor") : undefined
      const rest = yield* run("offer.list", { limit: 2, cursor })
      assert.isTrue(rest.envelope.ok)
      const other = { actor: owner("org_b") }
      const foreign = yield* run("offer.list", { limit: 2, cursor }, other)
      assert.strictEqual(foreign.envelope.ok ? "" : foreign.envelope.error.code, "INVALID_CURSOR")
      const read = yield* run("offer.get", { offer_id: "a" }, other)
      assert.strictEqual(read.envelope.ok ? "" : read.envelope.error.code, "NOT_FOUND")
    }).pipe(Effect.provide(testLayer))
  )
})
