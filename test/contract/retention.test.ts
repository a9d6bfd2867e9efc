/** What is deleted because of its age, on every store: each kind after its own time, oldest first, and never more. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { Retention, type RetentionDays, type RetentionKind } from "#core/workspace/retention/Retention.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { ask, code, keyed, ok, refused } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const forEver: RetentionDays = { idempotency: 0, deliveries: 0, events: 0, importRows: 0, audit: 0 }

/** Runs one round that keeps one kind for some days and everything else for ever; answers how many went. */
const keep = (kind: RetentionKind, days: number) =>
  Effect.provideService(
    Effect.map(Effect.flatMap(CurrentOrganization, deleteOldRows), (deleted) => {
      assert.deepStrictEqual(
        Object.keys(deleted).filter((one) => one !== kind),
        []
      )
      return deleted[kind] ?? 0
    }),
    Retention,
    { ...forEver, [kind]: days }
  )

const deleteSome = (kind: RetentionKind, limit: number) =>
  Effect.gen(function* () {
    const now = isoFromMillis(yield* Clock.currentTimeMillis)
    return yield* (yield* Workspaces).deleteBefore(yield* CurrentOrganization, kind, now, limit)
  })

const offer = (name: string) => ({ name, one_liner: "One", value_proposition: "Two" })
const makeOffers = (count: number) =>
  Effect.forEach(Array.from({ length: count }), (_, n) => ok("offer.create", offer(`Offer ${n}`)))

const sequences = (organizationId: string) =>
  Effect.map(
    Effect.flatMap(Workspaces, ({ events: feed }) =>
      feed.read(organizationId, { after: 0, types: undefined, limit: 100 })
    ),
    ({ events }) => events.map(({ sequence }) => sequence)
  )

eachBackend("retention", (layer) =>
  it.layer(layer)((it) => {
    it.effect("keeps everything for ever that it is told to keep for ever", () =>
      Effect.gen(function* () {
        yield* ok("offer.create", offer("Kept"), keyed("kept"))
        yield* TestClock.adjust("3650 days")
        assert.deepStrictEqual(yield* Effect.provideService(deleteOldRows("org_0"), Retention, forEver), {})
      }).pipe(inOrganization("org_0"))
    )

    it.effect("forgets the result of a request after its days, which then has an effect again", () =>
      Effect.gen(function* () {
        const create = ok("offer.create", offer("Again"), keyed("again"))
        const first = yield* create
        yield* TestClock.adjust("7 days")
        assert.strictEqual(yield* keep("idempotency", 7), 0, "after exactly 7 days")
        assert.deepStrictEqual(yield* create, first)
        yield* TestClock.adjust("1 milli")
        assert.isAtLeast(yield* keep("idempotency", 7), 1)
        assert.notDeepEqual(yield* create, first)
      }).pipe(inOrganization("org_1"))
    )

    it.effect("deletes a bounded number of rows at a time", () =>
      Effect.gen(function* () {
        for (const key of ["a", "b", "c"]) yield* ok("offer.create", offer(key), keyed(key))
        yield* TestClock.adjust("1 day")
        assert.deepStrictEqual(yield* deleteSome("idempotency", 2), { count: 2, isMore: true })
        assert.strictEqual((yield* deleteSome("idempotency", 2)).count, 1)
        assert.deepStrictEqual(yield* deleteSome("idempotency", 2), { count: 0, isMore: false })
      }).pipe(inOrganization("org_2"))
    )

    it.effect("deletes events from the oldest on, keeps the numbers, and tells a reader who missed them", () =>
      Effect.gen(function* () {
        yield* makeOffers(3)
        yield* sequences("org_3")
        yield* TestClock.adjust("2 days")
        yield* makeOffers(2)
        assert.deepStrictEqual(yield* sequences("org_3"), [1, 2, 3, 4, 5])
        assert.strictEqual(yield* keep("events", 1), 3)
        assert.deepStrictEqual(yield* sequences("org_3"), [4, 5])
        assert.strictEqual(
          yield* refused("event.list", { after: 2, limit: 10 }),
          [
            "400 INVALID_CURSOR Events 3 to 3 were deleted, since the service does not keep events that old. Read what you",
            "need with other commands, then continue with after 3."
          ].join(" ")
        )
        assert.strictEqual(yield* code("event.list", { after: 3, limit: 10 }), "ok", "it has read all that was deleted")
        assert.strictEqual(
          (yield* ok("event.list", { limit: 10 })).events.length,
          2,
          "a new reader begins with the oldest"
        )
        yield* TestClock.adjust("30 days")
        assert.strictEqual(yield* keep("events", 1), 1, "the last one stays")
        yield* makeOffers(1)
        assert.deepStrictEqual(yield* sequences("org_3"), [5, 6], "numbers go on")
      }).pipe(inOrganization("org_3"))
    )

    it.effect("keeps events that an active webhook has not got yet", () =>
      Effect.gen(function* () {
        const hook = yield* ok("webhook.create", { url: "https://a.example/hook" })
        const { webhook_id } = hook.webhook
        const [created = 0] = yield* sequences("org_4")
        yield* makeOffers(3)
        yield* sequences("org_4")
        yield* TestClock.adjust("30 days")
        yield* keep("events", 1)
        assert.includeMembers(yield* sequences("org_4"), [created + 1, created + 2, created + 3])
        yield* ok("webhook.update", { webhook_id, is_active: false })
        yield* TestClock.adjust("2 days")
        yield* keep("events", 1)
        assert.lengthOf(yield* sequences("org_4"), 1)
      }).pipe(inOrganization("org_4"))
    )

    it.effect("deletes the rows of imports that have not changed since, which then cannot be undone", () =>
      Effect.gen(function* () {
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
        yield* ok("mission.create", { name: "Rows", agent_handle: "ada" })
        const importOf = (name: string, count: number) =>
          ok("import.csv", {
            mission_id: "rows",
            name,
            content: `Email\n${Array.from({ length: count }, (_, n) => `${name}${n}@example.com\n`).join("")}`
          })
        const old = yield* importOf("old", 5)
        yield* TestClock.adjust("100 days")
        const young = yield* importOf("young", 2)
        yield* TestClock.adjust("81 days")
        const rows = ({ import_id }: { readonly import_id: string }) =>
          Effect.map(ok("import.leads.list", { import_id, limit: 10 }), ({ leads }) => leads.length)
        assert.deepStrictEqual([yield* rows(old), yield* rows(young)], [5, 2])
        assert.strictEqual(yield* keep("importRows", 180), 5)
        assert.deepStrictEqual([yield* rows(old), yield* rows(young)], [0, 2])
        assert.strictEqual(yield* keep("importRows", 180), 0)
        const shown = yield* ok("import.get", { import_id: old.import_id })
        assert.strictEqual(shown.import.created_count, 5, "its numbers stay")
        assert.match(
          yield* refused("import.undo", { import_id: old.import_id }),
          /^409 WRONG_STATE The rows of this import were deleted on .* Delete leads with lead\.erase\.$/
        )
        const undone = yield* ask("import.undo", { import_id: young.import_id })
        assert.isTrue(undone.envelope.ok)
      }).pipe(inOrganization("org_5"))
    )
  })
)
