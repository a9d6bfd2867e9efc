/** Reads at the same time share statements; each gets its own answer. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import type { SuppressionRow } from "#core/leads/suppression/Suppression.ts"
import { createKey } from "#core/workspace/organizations/Provisioning.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { sharedRead } from "#postgres/SharedRead.ts"
import { hasPostgres } from "../support/backends.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import * as World from "../support/World.ts"

const callers = 40

describe.skipIf(!hasPostgres())("reads at the same time", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("of leads share statements, and find what each asked for", () =>
      Effect.gen(function* () {
        const counter = yield* StatementCounter
        const ids = yield* Effect.forEach(Array.from({ length: callers }).keys(), (n) =>
          World.lead({ email: `p${n}@example.com`, name: `Person ${n}` })
        )
        // Those of one person that is two leads.
        const [winner, loser] = [
          yield* World.lead({ email: "w@example.com", name: "Winner" }),
          yield* World.lead({ email: "l@example.com" })
        ]
        yield* World.ask("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        const references = ids.map(
          (id, n) =>
            [
              { lead_id: id },
              { email: `p${n}@example.com` },
              { lead_id: "ld_NO" },
              { lead_id: loser },
              { lead_id: id, email: `p${n - 1}@example.com` }
            ][n % 5]
        )
        const [found, { control, statements }] = yield* counter.of(
          Effect.forEach(references, (reference) => World.ask("lead.get", reference), { concurrency: "unbounded" })
        )
        found.forEach((reply, n) => {
          const expected = [`Person ${n}"`, `Person ${n}"`, "NOT_FOUND", "Winner", "IDENTITY_CONFLICT"][n % 5] ?? ""
          assert.include(JSON.stringify(reply), expected)
        })
        assert.strictEqual(control, 0)
        // Four begin at once, and the others share the next.
        assert.isAtMost(statements, 8)
      }).pipe(inOrganization("org_reads"))
    )

    it.effect("of one page are one statement, which began after each of them", () =>
      Effect.gen(function* () {
        const counter = yield* StatementCounter
        const list = (input: object) =>
          Effect.map(World.ok("offer.list", input), ({ offers }) =>
            offers.map(({ name }: { readonly name: string }) => name)
          )
        const lists = (input: object) =>
          Effect.forEach(Array.from({ length: callers }), () => list(input), { concurrency: "unbounded" })
        for (const name of ["one", "two"]) yield* World.ok("offer.create", { name, is_draft: true })
        const [pages, { statements }] = yield* counter.of(lists({ limit: 2 }))
        for (const names of pages) assert.deepStrictEqual(names, ["two", "one"])
        assert.isAtMost(statements, 4)
        // Another page, filter or organization is another read.
        const others = yield* Effect.all([list({ limit: 1 }), list({ limit: 2 }), list({ query: "one", limit: 2 })], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(others, [["two"], ["two", "one"], ["one"]])
        for (let round = 0; round < 30; round++) {
          const name = `round ${round}`
          const fibers = yield* Effect.forEach(Array.from({ length: 10 }), () => Effect.forkChild(list({ limit: 1 })))
          yield* World.ok("offer.create", { name, is_draft: true })
          assert.deepStrictEqual(yield* list({ limit: 1 }), [name])
          yield* Effect.forEach(fibers, Fiber.join)
        }
      }).pipe(inOrganization("org_pages"))
    )

    it.effect("fail alone, and leave those of whoever went away", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const asked: Array<ReadonlyArray<number>> = []
        const double = sharedRead(
          sql,
          () => "all",
          (inputs: ReadonlyArray<number>) =>
            Effect.suspend(() => {
              asked.push(inputs)
              return inputs.includes(7) ? Effect.fail("seven") : Effect.succeed(inputs.map((n) => n * 2))
            }).pipe(Effect.delay(0))
        )
        const fibers = yield* Effect.forEach(Array.from({ length: callers }).keys(), (n) => Effect.forkChild(double(n)))
        yield* Effect.yieldNow
        const [gone] = fibers.slice(20)
        if (gone !== undefined) yield* Fiber.interrupt(gone)
        const exits = yield* Effect.forEach(fibers, Fiber.await)
        exits.forEach((exit, n) => {
          if (n === 20) assert.isTrue(Exit.hasInterrupts(exit))
          else assert.deepStrictEqual(exit, n === 7 ? Exit.fail("seven") : Exit.succeed(2 * n))
        })
        assert.isBelow(asked.length, callers + 10)
        assert.isAtMost(Math.max(...asked.map(({ length }) => length)), 64)
        // In a transaction a read is on its connection.
        assert.strictEqual(yield* sql.withTransaction(double(1)), 2)
      })
    )

    it.effect("of leads show the suppressions of each, whatever they name", () =>
      Effect.gen(function* () {
        const repo = yield* LeadsRepo
        const { addSuppressions } = yield* PrivacyRepo
        const org = "org_stopped"
        const emails = [
          "id@a.example",
          "address@b.example",
          "domain@c.example",
          "above@mail.d.example",
          "nobody@e.example"
        ]
        const ids = yield* Effect.forEach(emails, (email) => World.lead({ email }))
        const row = (kind: SuppressionRow["kind"], value: string) => ({
          ...{ organizationId: org, kind, value, leadId: null, reason: value, until: null },
          createdAt: "2026-11-24T00:00:00.000Z"
        })
        const shown = Effect.forEach(
          ids,
          (leadId) =>
            Effect.map(repo.find(org, { identities: [], leadId }), ({ leads }) =>
              leads.flatMap(({ suppressions }) => suppressions.map(({ kind, reason }) => `${kind} ${reason}`))
            ),
          { concurrency: "unbounded" }
        )
        // Without entries for domains at first: those are only looked for where there are any.
        yield* addSuppressions(org, [row("lead", ids[0] ?? ""), row("email", "address@b.example")])
        assert.deepStrictEqual(yield* shown, [[`lead ${ids[0]}`], ["email address@b.example"], [], [], []])
        yield* addSuppressions(org, [
          row("domain", "b.example"),
          row("domain", "c.example"),
          row("domain", "d.example")
        ])
        assert.deepStrictEqual(yield* shown, [
          [`lead ${ids[0]}`],
          ["domain b.example", "email address@b.example"],
          ["domain c.example"],
          ["domain d.example"],
          []
        ])
      }).pipe(inOrganization("org_stopped"))
    )

    it.effect("of one API key share statements, and see what was stored before they began", () =>
      Effect.gen(function* () {
        const counter = yield* StatementCounter
        const workspaces = yield* Workspaces
        const { key } = yield* createKey("org_keys", { name: "Lea" })
        const { key: other } = yield* createKey("org_keys", { name: "Ada" })
        const find = Effect.map(workspaces.findKey(key.keyId), (found) => found?.revokedAt)
        const [found, { statements }] = yield* counter.of(
          Effect.all([...Array.from({ length: callers }, () => find), workspaces.findKey(other.keyId)], {
            concurrency: "unbounded"
          })
        )
        assert.deepStrictEqual(found.slice(0, callers), Array(callers).fill(null))
        assert.deepInclude(found.at(-1), { name: "Ada", keyId: other.keyId })
        // Two begin at once, and the others share the next ones; the other key has its own.
        assert.isAtMost(statements, 5)
        const earlier = yield* Effect.forEach(
          Array.from({ length: callers }, () => find),
          (one) => Effect.forkChild(one)
        )
        yield* workspaces.updateKey({ ...key, revokedAt: "2026-11-24T00:00:00.000Z" })
        const later = yield* Effect.all(
          Array.from({ length: callers }, () => find),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(later, Array(callers).fill("2026-11-24T00:00:00.000Z"))
        yield* Effect.forEach(earlier, Fiber.join)
      }).pipe(inOrganization("org_keys"))
    )

    it.effect("never share a statement with another organization", () =>
      Effect.gen(function* () {
        yield* Effect.void.pipe(inOrganization("org_other"))
        const own = yield* World.lead({ email: "own@example.com" })
        const codes = yield* Effect.forEach(
          Array.from({ length: callers }).keys(),
          (n) => World.code("lead.get", { lead_id: own }, n % 2 === 0 ? {} : { actor: World.actor("org_other") }),
          { concurrency: "unbounded" }
        )
        codes.forEach((code, n) => {
          assert.strictEqual(code, n % 2 === 0 ? "ok" : "NOT_FOUND")
        })
      }).pipe(inOrganization("org_own"))
    )
  })
})
