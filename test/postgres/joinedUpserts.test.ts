/** Upserts that come at the same time share transactions, and each ends as if it were alone. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { hasPostgres } from "../support/backends.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import * as World from "../support/World.ts"

const callers = 40
const rounds = 10

const person = (n: number) => ({ email: `p${n}@example.com`, name: `Person ${n}` })

const upserts = <A, E, R>(run: (n: number) => Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: callers }, (_, n) => run(n)),
    { concurrency: "unbounded" }
  )

const counted = (sql: PgClient, table: "leads" | "events" | "audit_entries", organization: string) =>
  Effect.map(
    sql<{ count: number }>`
      select count(*)::int as count from ${sql.literal(`svc.${table}`)} where organization_id = ${organization}`,
    ([row]) => row?.count
  )

/** What a test does in a transaction of its own connection, until `end`. */
const beside = <A, E, R>(sql: PgClient, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const [begun, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const fiber = yield* Effect.forkChild(
      sql.withTransaction(
        effect.pipe(Effect.andThen(Deferred.succeed(begun, undefined)), Effect.andThen(Deferred.await(end)))
      )
    )
    yield* Deferred.await(begun)
    return Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber))
  })

/** Until a statement waits for another transaction. */
const isWaiting = (sql: PgClient) =>
  Effect.repeat(sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`, {
    until: ([row]) => (row?.n ?? 0) > 0
  })

describe.skipIf(!hasPostgres())("upserts at the same time", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("share transactions, with events and audit rows of each", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const counter = yield* StatementCounter
        const [codes, { control, statements }] = yield* counter.of(upserts((n) => World.code("lead.upsert", person(n))))
        assert.deepStrictEqual([...new Set(codes)], ["ok"])
        // Far fewer than three statements and a commit for each.
        assert.isAtMost(control, 8)
        assert.isAtMost(statements, 12)
        assert.strictEqual(yield* counted(sql, "leads", "org_shared"), callers)
        assert.strictEqual(yield* counted(sql, "events", "org_shared"), callers)
        assert.strictEqual(yield* counted(sql, "audit_entries", "org_shared"), callers)
      }).pipe(inOrganization("org_shared"))
    )

    it.effect("fail alone", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        yield* World.lead({ email: "a@example.com" })
        yield* World.lead({ email: "b@example.com", linkedin_url: "https://www.linkedin.com/in/b" })
        const planted: Readonly<Record<number, readonly [object, string]>> = {
          5: [{ email: "a@example.com", linkedin_url: "https://www.linkedin.com/in/b" }, "IDENTITY_CONFLICT"],
          11: [{ ...person(11), mission_id: "msn_nowhere" }, "NOT_FOUND"],
          17: [{ name: "Nobody" }, "IDENTIFIER_REQUIRED"],
          23: [{ lead_id: "ld_NOBODY" }, "NOT_FOUND"]
        }
        const codes = yield* upserts((n) => World.code("lead.upsert", planted[n]?.[0] ?? person(n)))
        codes.forEach((code, n) => {
          assert.strictEqual(code, planted[n]?.[1] ?? "ok", `request ${n}`)
        })
        assert.strictEqual(yield* counted(sql, "leads", "org_planted"), callers - 4 + 2)
      }).pipe(inOrganization("org_planted"))
    )

    it.effect("of drafts share transactions, and of one lead and agent a single one is stored", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const counter = yield* StatementCounter
        yield* World.ok("agent.create", { first_name: "Ada", last_name: "Joined", handle: "ada" })
        yield* World.ok("mission.create", { name: "Joined", handle: "joined" })
        yield* upserts((n) => World.code("lead.upsert", person(n)))
        const write = (n: number, more = {}) =>
          World.code("linkedin.draft.create", {
            email: `p${n}@example.com`,
            mission_id: "joined",
            variations: [`Hello ${n}`],
            ...more
          })
        const [codes, { control, statements }] = yield* counter.of(upserts((n) => write(n)))
        assert.deepStrictEqual([...new Set(codes)], ["ok"])
        assert.isAtMost(control, 8)
        assert.isAtMost(statements, 20)
        const replacing = [
          { replace_open: true },
          {},
          { agent_handle: "ada", agent_id: "other" },
          { mission_id: "nowhere" }
        ]
        const results = yield* upserts((n) => write(n % 4, replacing[n % 4]))
        assert.deepStrictEqual(
          [0, 1, 2, 3].map((place) => [...new Set(results.filter((_, n) => n % 4 === place))]),
          [["ok"], ["DRAFT_OPEN"], ["INVALID_INPUT"], ["NOT_FOUND"]]
        )
        const again = yield* upserts(() => write(callers))
        assert.deepStrictEqual([...new Set(again)], ["NOT_FOUND"])
        yield* World.lead(person(callers))
        const rivals = yield* upserts(() => write(callers))
        assert.deepStrictEqual(rivals.toSorted(), [...Array.from({ length: callers - 1 }, () => "DRAFT_OPEN"), "ok"])
        const [open] = yield* sql<{ n: number }>`
          select count(*)::int as n from svc.linkedin_drafts where organization_id = 'org_drafts' and status = 'PENDING_REVIEW'`
        assert.strictEqual(open?.n, callers + 1)
      }).pipe(inOrganization("org_drafts"))
    )

    it.effect("of one lead wait for each other, by whichever identifier", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const id = yield* World.lead({ email: "one@example.com", linkedin_url: "https://www.linkedin.com/in/one" })
        const references = [
          { lead_id: id },
          { email: "one@example.com" },
          { linkedin_url: "https://www.linkedin.com/in/one" }
        ]
        const fields = ["name", "company", "headline", "location", "phone"]
        const counter = yield* StatementCounter
        yield* counter.reset
        for (let round = 0; round < rounds; round++) {
          const codes = yield* Effect.forEach(
            fields,
            (field, n) => World.code("lead.upsert", { ...references[(n + round) % 3], [field]: `+49 30 1234${round}` }),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([...new Set(codes)], ["ok"])
          // Each saw what the one before had written: none wrote back what it had read of another one's field.
          const [row] = yield* sql<Record<string, string>>`
            select name, company, headline, profile ->> 'location' as location, profile ->> 'phone' as phone
            from svc.leads where organization_id = 'org_one'`
          assert.deepStrictEqual(row, Object.fromEntries(fields.map((field) => [field, `+49 30 1234${round}`])))
        }
        assert.notInclude((yield* counter.read).texts, "ROLLBACK")
        assert.strictEqual(yield* counted(sql, "leads", "org_one"), 1)
        assert.strictEqual(yield* counted(sql, "audit_entries", "org_one"), rounds * fields.length + 1)
      }).pipe(inOrganization("org_one"))
    )

    it.effect("do not wait for a lead that another transaction holds, but for the one that names it", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const id = yield* World.lead({ email: "held@example.com" })
        const counter = yield* StatementCounter
        yield* counter.reset
        const release = yield* beside(sql, sql`select 1 from svc.leads where id = ${id} for update`)
        const running = yield* Effect.forEach(Array.from({ length: callers }).keys(), (n) => {
          const input = n === 20 ? { email: "held@example.com", name: "Held" } : person(n)
          return Effect.forkChild(World.code("lead.upsert", input))
        })
        const [held, ...others] = [running[20], ...running.filter((_, n) => n !== 20)]
        for (const other of others) assert.strictEqual(other && (yield* Fiber.join(other)), "ok")
        assert.isUndefined(held?.pollUnsafe())
        assert.notInclude((yield* counter.read).texts, "ROLLBACK")
        yield* release
        assert.strictEqual(held && (yield* Fiber.join(held)), "ok")
      }).pipe(inOrganization("org_held"))
    )

    it.effect("leave nothing half done when another transaction takes an identifier", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const id = yield* World.lead({ email: "other@example.com" })
        const taken = person(7).email
        const release = yield* beside(
          sql,
          sql`insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
            values ('org_taken', 'email', ${taken}, ${id}, false)`
        )
        const running = yield* Effect.forkChild(upserts((n) => World.code("lead.upsert", person(n))))
        yield* isWaiting(sql)
        yield* release
        assert.deepStrictEqual([...new Set(yield* Fiber.join(running))], ["ok"])
        // The taken one is the other lead now; everybody else was stored once.
        assert.strictEqual(yield* counted(sql, "leads", "org_taken"), callers)
        assert.strictEqual((yield* World.ok("lead.get", { email: taken }))["lead"]["lead_id"] ?? id, id)
      }).pipe(inOrganization("org_taken"))
    )

    it.effect("with one idempotency key take effect once, among others", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const codes = yield* upserts((n) =>
          n % 4 === 0
            ? World.code("lead.upsert", person(0), { options: { idempotencyKey: "same" } })
            : World.code("lead.upsert", person(n), { options: { idempotencyKey: `key ${n}` } })
        )
        assert.strictEqual(codes.filter((code) => code === "ok").length >= callers * 0.75 + 1, true)
        assert.deepStrictEqual(
          codes.filter((code) => code !== "ok" && code !== "IDEMPOTENCY_IN_PROGRESS"),
          []
        )
        assert.strictEqual(yield* counted(sql, "events", "org_keys"), callers * 0.75 + 1)
        assert.strictEqual(yield* counted(sql, "leads", "org_keys"), callers * 0.75 + 1)
      }).pipe(inOrganization("org_keys"))
    )

    it.effect("that merge leads or remove an identifier take effect among others", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const [first, second] = [
          yield* World.lead({ email: "one@example.com" }),
          yield* World.lead({ linkedin_url: "https://www.linkedin.com/in/one" })
        ]
        const both = yield* World.lead({ email: "both@example.com", linkedin_url: "https://www.linkedin.com/in/both" })
        const planted: Readonly<Record<number, object>> = {
          3: { email: "one@example.com", linkedin_url: "https://www.linkedin.com/in/one", on_conflict: "merge" },
          8: { lead_id: both, email: null }
        }
        const codes = yield* upserts((n) => World.code("lead.upsert", planted[n] ?? person(n)))
        assert.deepStrictEqual([...new Set(codes)], ["ok"])
        const merged = yield* sql`
          select 1 from svc.leads where organization_id = 'org_merged' and merged_into in (${first}, ${second})`
        assert.lengthOf(merged, 1)
        assert.strictEqual(yield* World.code("lead.get", { email: "both@example.com" }), "NOT_FOUND")
        assert.strictEqual(yield* counted(sql, "audit_entries", "org_merged"), callers + 3)
      }).pipe(inOrganization("org_merged"))
    )

    it.effect("whose connection is lost fail with UNAVAILABLE or are stored, and nothing else", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const lost = sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`
        let stored = 0
        for (let round = 0; round < rounds; round++) {
          const running = yield* Effect.forkChild(
            upserts((n) => World.code("lead.upsert", person(round * callers + n)))
          )
          for (let turn = 0; turn < 3 && running.pollUnsafe() === undefined; turn++) yield* Effect.ignore(lost)
          const codes = yield* Fiber.join(running)
          assert.deepStrictEqual(
            codes.filter((code) => code !== "ok" && code !== "UNAVAILABLE"),
            []
          )
          stored += codes.filter((code) => code === "ok").length
        }
        // A commit whose answer was lost may have been stored.
        assert.isAtLeast((yield* counted(sql, "leads", "org_lost")) ?? 0, stored)
        assert.strictEqual(yield* counted(sql, "audit_entries", "org_lost"), yield* counted(sql, "leads", "org_lost"))
      }).pipe(inOrganization("org_lost"))
    )
  })
})
