import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { type EventType, eventTypes } from "#core/kernel/journal/Event.ts"
import { Journal, Transaction } from "#core/kernel/journal/Journal.ts"
import { Ids } from "#core/kernel/schema/IdsAndTime.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { effort } from "../support/effort.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ask, code, ok, statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"
import { offer } from "./outreachRows.ts"

const createdAt = "2026-11-21T08:00:00.000Z"

/** Writes events of a type in the open transaction and answers their ids. */
const write = (organizationId: string, type: EventType, count = 1) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const events = yield* Effect.forEach(Array.from({ length: count }), () =>
      Effect.map(ids.next("evt"), (id) => ({
        id,
        organizationId,
        type,
        subject: { type: "lead", id: "ld_1" },
        actor: { kind: "USER" as const, id: "usr_1" },
        data: { status: "New" },
        keyId: null,
        createdAt
      }))
    )
    yield* (yield* Journal).append(organizationId, [{ events, audit: undefined, idempotency: undefined }])
    return events.map(({ id }) => id)
  })

const read = (organizationId: string, after = 0, limit = 100, types?: ReadonlyArray<EventType>) =>
  Effect.flatMap(Workspaces, ({ events: feed }) => feed.read(organizationId, { after, types, limit }))

describe("event types", () => {
  it("are each listed once", () => {
    const added = [
      "lead.follow_up_due",
      "email.review.expired",
      "email.queued",
      "email.cancelled",
      "email.failed",
      "email.unknown",
      "webhook.disabled",
      "audit.head",
      "audit.deleted",
      "draft.rejected",
      "draft.reopened",
      "draft.snoozed",
      "draft.requested",
      "conversation.snoozed",
      "draft.flagged",
      "draft.rewrite_requested",
      "approval.requested",
      "approval.decided",
      "approval.expired",
      "grant.created",
      "grant.revoked",
      "invitation.queued",
      "email.bounced",
      "email.complained",
      "email.auto_replied",
      "mailbox.status_changed"
    ]
    assert.strictEqual(new Set(eventTypes).size, eventTypes.length)
    assert.strictEqual(eventTypes.filter((type) => !added.includes(type)).length, 36)
    assert.includeMembers([...eventTypes], added)
  })
})

eachBackend("event feed", (layer) =>
  it.layer(layer)((it) => {
    it.effect("has the latest event of a type, however many others came before", () =>
      Effect.gen(function* () {
        yield* organization("org_latest")
        const transaction = yield* Transaction
        yield* transaction.run(write("org_latest", "lead.created", 30))
        assert.lengthOf((yield* read("org_latest", 0, 100)).events, 30)
        const ids = yield* transaction.run(write("org_latest", "lead.replied"))
        const page = yield* read("org_latest", 0, 10, ["lead.replied"])
        assert.deepStrictEqual(
          page.events.map(({ id }) => id),
          ids
        )
      })
    )

    it.effect("numbers from 1 without gaps, each organization for itself, and keeps every field", () =>
      Effect.gen(function* () {
        const first = yield* write("org_1", "lead.created", 3)
        yield* write("org_2", "lead.created")
        const second = yield* write("org_1", "lead.updated", 2)
        const page = yield* read("org_1")
        assert.deepStrictEqual(
          page.events.map(({ id, sequence }) => [id, sequence]),
          [...first, ...second].map((id, index) => [id, index + 1])
        )
        assert.strictEqual(page.next, 5)
        assert.deepStrictEqual(page.events[0], {
          id: first[0] ?? "",
          organizationId: "org_1",
          sequence: 1,
          type: "lead.created",
          subject: { type: "lead", id: "ld_1" },
          actor: { kind: "USER", id: "usr_1" },
          data: { status: "New" },
          createdAt
        })
        assert.deepStrictEqual(
          (yield* read("org_2")).events.map(({ sequence }) => sequence),
          [1]
        )
        assert.deepStrictEqual(yield* read("org_none", 7), { events: [], next: 7, oldest: 0 })
      })
    )

    it.effect("pages by number, and goes past what a filter leaves out", () =>
      Effect.gen(function* () {
        for (const type of ["lead.created", "lead.updated", "lead.created", "lead.replied"] as const) {
          yield* write("org_3", type)
        }
        const types: ReadonlyArray<EventType> = ["lead.created"]
        const first = yield* read("org_3", 0, 1, types)
        assert.deepStrictEqual([first.events.length, first.next], [1, 1])
        const second = yield* read("org_3", first.next, 1, types)
        assert.deepStrictEqual([second.events[0]?.sequence, second.next], [3, 3])
        assert.deepStrictEqual(yield* read("org_3", second.next, 1, types), { events: [], next: 4, oldest: 1 })
        assert.deepStrictEqual(yield* read("org_3", 99), { events: [], next: 99, oldest: 1 })
        const recent = yield* Effect.flatMap(Workspaces, ({ events: feed }) => feed.recent("org_3", 2))
        assert.deepStrictEqual(
          recent.map(({ sequence }) => sequence),
          [4, 3]
        )
      })
    )

    it.effect("shows nothing of a transaction that was undone, and leaves no gap for it", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        yield* write("org_4", "lead.created")
        yield* Effect.flip(transaction.run(Effect.andThen(write("org_4", "lead.updated"), Effect.fail("no"))))
        const [kept] = yield* write("org_4", "lead.replied")
        const { events } = yield* read("org_4")
        assert.deepStrictEqual(
          events.map(({ sequence, type }) => [sequence, type]),
          [
            [1, "lead.created"],
            [2, "lead.replied"]
          ]
        )
        assert.strictEqual(events[1]?.id, kept)
      })
    )

    it.effect("readers miss no event while 16 writers commit out of order and roll back", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const written: Array<string> = []
        const rounds = Math.max(13, effort(40))
        let writing = 16
        const writer = Effect.gen(function* () {
          for (let round = 0; round < rounds; round++) {
            const count = yield* Random.nextIntBetween(1, 4)
            const [before, after] = [yield* Random.nextIntBetween(0, 6), yield* Random.nextIntBetween(0, 3)]
            const appended = Effect.andThen(Effect.sleep(before), write("org_5", "lead.updated", count))
            const held = Effect.tap(appended, () => Effect.sleep(after))
            if (yield* Random.nextBoolean) written.push(...(yield* transaction.run(held)))
            else yield* Effect.flip(transaction.run(Effect.andThen(held, Effect.fail("rolled back"))))
          }
          writing--
        })
        const reader = Effect.fnUntraced(function* (limit: number) {
          const seen: Array<{ readonly id: string; readonly sequence: number }> = []
          let after = 0
          for (;;) {
            const isLast = writing === 0
            const page = yield* read("org_5", after, limit)
            for (const { id, sequence } of page.events) seen.push({ id, sequence })
            after = page.next
            if (page.events.length === 0 && isLast) return seen
            if (page.events.length === 0) yield* Effect.sleep(1)
          }
        })
        const writers = Array.from({ length: 16 }, () => writer)
        const [, ...readers] = yield* Effect.all(
          [Effect.all(writers, { concurrency: "unbounded" }), reader(1), reader(7)],
          { concurrency: "unbounded" }
        )
        for (const seen of readers) {
          assert.deepStrictEqual(
            seen.map(({ sequence }) => sequence),
            seen.map((_, index) => index + 1)
          )
          assert.deepStrictEqual(seen.map(({ id }) => id).sort(), written.toSorted())
        }
      }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
    )

    it.effect("event.list answers envelopes, filters and says what is wrong with a type", () =>
      Effect.gen(function* () {
        const actor = owner("org_6")
        yield* organization("org_6")
        yield* ok("offer.create", { ...offer, offer_id: "a" }, { actor })
        yield* ok("offer.update", { offer_id: "a", name: "Other" }, { actor })
        const all = yield* ok("event.list", {}, { actor })
        assert.strictEqual(all.next, 2)
        assert.deepInclude(all.events[0], {
          type: "offer.created",
          organization_id: "org_6",
          sequence: 1,
          actor: { kind: "USER", id: "usr_org_6" },
          subject: { type: "offer", id: "a" },
          data: { name: offer.name }
        })
        const some = yield* ok("event.list", { types: "offer.updated, lead.created", limit: 5 }, { actor })
        assert.deepStrictEqual(
          some.events.map(({ sequence }: { sequence: number }) => sequence),
          [2]
        )
        assert.deepStrictEqual(yield* ok("event.list", { after: 2 }, { actor }), { events: [], next: 2 })
        const { envelope } = yield* ask("event.list", { types: "lead.craeted" }, { actor })
        assert.include(envelope.ok ? "" : envelope.error.message, "lead.created?")
        assert.strictEqual(yield* code("event.list", { types: "" }, { actor }), "INVALID_INPUT")
        assert.strictEqual(yield* code("event.list", { after: -1 }, { actor }), "INVALID_INPUT")
        assert.strictEqual(yield* code("event.list", {}, { actor: { ...actor, scopes: [] } }), "FORBIDDEN_SCOPE")
        assert.include([undefined, 1], yield* statementsOf(ok("event.list", {}, { actor })))
      })
    )
  })
)
