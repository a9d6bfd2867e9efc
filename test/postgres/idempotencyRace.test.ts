/** Concurrent retries with one idempotency key: one effect, and the same answer for everyone. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { plainMeta } from "#core/kernel/command/Envelope.ts"
import { Journal, Transaction } from "#core/kernel/journal/Journal.ts"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import * as JournalPg from "#postgres/JournalPg.ts"
import { agents, draftFor } from "../core/linkedin/linkedInWorld.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import * as World from "../support/World.ts"

const keys = 40
const callers = 6

describe.skipIf(!hasPostgres())("an idempotency key under concurrent retries", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("takes effect once, whether or not the first request has committed", () =>
      Effect.gen(function* () {
        const id = yield* World.lead({ email: "retry@example.com" })
        for (let n = 0; n < keys; n++) {
          const options = { idempotencyKey: `key-${n}` }
          const input = { lead_id: id, text: `note ${n}` }
          const retried = Effect.gen(function* () {
            for (;;) {
              const answer = yield* World.code("lead.note.add", input, { options })
              if (answer !== "IDEMPOTENCY_IN_PROGRESS") return answer
            }
          })
          const answers = yield* Effect.all(
            Array.from({ length: callers }, () => retried),
            { concurrency: callers }
          )
          assert.deepStrictEqual([...new Set(answers)], ["ok"])
        }
        const sql = yield* SqlClient
        const rows = yield* sql<{ text: string; count: number }>`
          select text, count(*)::int as count from svc.lead_notes group by text having count(*) <> 1`
        assert.deepStrictEqual(rows, [])
        const [total] = yield* sql<{ count: number }>`select count(*)::int as count from svc.lead_notes`
        assert.strictEqual(total?.count, keys)
      }).pipe(inOrganization("org_retries"))
    )

    it.effect("is held by an approval that runs, and free as soon as its process is dead", () =>
      Effect.gen(function* () {
        yield* agents()
        const { draft_id, lead } = yield* draftFor("killed")
        const context = yield* Effect.context<World.World>()
        const sql = yield* SqlClient
        // In a fiber of its own, whose statements are on another connection.
        const approval = (changes: object = {}) =>
          Effect.runPromise(
            Effect.provideContext(
              World.code("linkedin.draft.approve", { draft_id, ...changes }, { options: { idempotencyKey: "killed" } }),
              context
            )
          )
        const killed = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select 1 from svc.leads where id = ${lead.lead_id} for update`
            const first = approval()
            const waiting = sql<{ pid: number }>`
              select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
            let found = yield* waiting
            while (found.length === 0) found = yield* waiting
            assert.strictEqual(yield* Effect.promise(() => approval()), "IDEMPOTENCY_IN_PROGRESS")
            assert.deepStrictEqual(
              yield* sql`select key from svc.idempotency_keys where key = 'killed'`,
              [],
              "no claim"
            )
            yield* sql`select pg_terminate_backend(${found[0]?.pid ?? 0})`
            return first
          })
        )
        // What a dead process leaves: a broken connection, nothing else.
        assert.strictEqual(yield* Effect.promise(() => killed), "UNAVAILABLE")
        assert.strictEqual(yield* Effect.promise(() => approval()), "ok")
        assert.strictEqual(yield* Effect.promise(() => approval()), "ok", "the stored result")
        const { events } = yield* World.ok("event.list", { types: "draft.approved" })
        assert.lengthOf(events, 1)
        assert.strictEqual(yield* Effect.promise(() => approval({ send_now: true })), "IDEMPOTENCY_MISMATCH")
      }).pipe(inOrganization("org_killed"))
    )

    it.effect("keeps one outcome: a run that comes second is refused and leaves nothing", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const transaction = yield* Transaction
        const organizationId = yield* CurrentOrganization
        const store = (note: string) =>
          transaction.run(
            journal.append(organizationId, [
              {
                events: [],
                audit: undefined,
                idempotency: {
                  organizationId,
                  route: "command:test",
                  key: "one",
                  fingerprint: "f",
                  envelope: { ok: true, status: 200, data: note, meta: plainMeta("f", []) },
                  createdAt: "2026-01-01T00:00:00.000Z"
                }
              }
            ])
          )
        yield* store("first")
        assert.strictEqual((yield* Effect.flip(store("second"))).code, "IDEMPOTENCY_IN_PROGRESS")
        const [held] = yield* transaction.run(journal.hold([{ organizationId, route: "command:test", key: "one" }]))
        assert.strictEqual(held?._tag === "Done" && held.record.envelope.ok && held.record.envelope.data, "first")
      }).pipe(inOrganization("org_outcomes"))
    )
  })
})

describe.skipIf(!hasPostgres())("an idempotency key that a run has claimed", () => {
  it.layer(JournalPg.layer.pipe(Layer.provideMerge(postgresLayer)))((it) => {
    it.effect("stays claimed for servers whose clocks are ahead", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const at =
          (seconds: number) =>
          <A, E, R>(effect: Effect.Effect<A, E, R>) =>
            Effect.andThen(TestClock.setTime(1_800_000_000_000 + seconds * 1_000), effect)
        const claim = (key: string) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const [seen, staleBefore] = [isoFromMillis(now), isoFromMillis(now - 30_000)]
            return journal.claim({ organizationId: "org_a", route: "command:x", key }, "hash", seen, staleBefore)
          })
        for (const seconds of [0, 1, -1, 31, -31, 59, -59, 90, -90, 3_600, -3_600]) {
          assert.strictEqual((yield* at(0)(claim(`key${seconds}`)))._tag, "New")
          assert.strictEqual((yield* at(seconds)(claim(`key${seconds}`)))._tag, "Running", `${seconds} s`)
        }
      })
    )
  })
})
