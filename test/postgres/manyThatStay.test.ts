/** What is repeated until it is complete ends, however much stays. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { Retention } from "#core/workspace/retention/Retention.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { hasPostgres } from "../support/backends.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import * as World from "../support/World.ts"
import { actor, counted, lead, ok } from "../support/World.ts"

const many = 10_000

describe.skipIf(!hasPostgres())("ten thousand things that stay", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect(
      "are passed over once when an import is undone",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* ok("mission.create", { name: "Many", handle: "many" })
          const rows = Array.from({ length: many }, (_, n) => `stays${n}@example.com`)
          const content = `Email\n${rows.join("\n")}\ngoes@example.com\n`
          const { import_id } = yield* ok("import.csv", { mission_id: "many", content })
          yield* sql`
            insert into svc.lead_notes (organization_id, id, lead_id, text, user_id, actor_kind, created_at)
            select organization_id, 'nt_' || id, id, 'Called.', 'usr_1', 'USER', now() from svc.leads
            where organization_id = 'org_many_stay' and email <> 'goes@example.com'`
          const { data, statements } = yield* counted("import.undo", { import_id })
          assert.deepStrictEqual([data.removed, data.kept], [1, many])
          assert.isAtMost(statements, 60)
        }).pipe(inOrganization("org_many_stay")),
      120_000
    )

    it.effect("are looked at in pages of audit rows that may be empty", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`
          insert into svc.audit_entries (organization_id, id, sequence, hash, actor_kind, user_id, command_id, command_hash, outcome, created_at)
          select 'org_many_rows', 'aud_' || n, n, '', 'USER', 'usr_1', case n when 1 then 'lead.erase' else 'lead.upsert' end, '', 'ok',
            timestamptz '2026-05-01Z' + n * interval '1 minute'
          from generate_series(1, 50001) n`
        const filter = { command_id: "lead.erase" }
        const empty = yield* ok("audit.list", filter)
        assert.lengthOf(empty.entries, 0)
        const { entries, next_cursor } = yield* ok("audit.list", { ...filter, cursor: empty.next_cursor })
        assert.deepStrictEqual([entries.map(({ id }: { readonly id: string }) => id), next_cursor], [["aud_1"], null])
      }).pipe(inOrganization("org_many_rows"))
    )

    it.effect("are passed over once when an agent's run is undone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const key_id = "agentkeymany"
        const by = { actor: actor("org_many_changes", { kind: "AI_AGENT", keyId: key_id }) }
        const first = yield* lead({ email: "first@example.com" }, by)
        yield* sql`
          insert into svc.events (organization_id, sequence, id, type, subject_type, subject_id, actor_kind, actor_id, data, key_id, created_at)
          select organization_id, sequence + n, 'evt_0' || lpad(n::text, 25, '0'), 'lead.updated', 'lead', 'ld_of_others' || n, actor_kind, actor_id, '{}',
            key_id, created_at
          from svc.events, generate_series(1, ${many}::int) n
          where organization_id = 'org_many_changes' and type = 'lead.created' and subject_id = ${first}`
        yield* sql`update svc.event_heads set sequence = sequence + ${many} where organization_id = 'org_many_changes'`
        const last = yield* lead({ email: "last@example.com" }, by)
        const { data, statements } = yield* counted("agent-run.undo", { key_id, since: "1960-01-01T00:00:00Z" })
        assert.deepStrictEqual([data.undone, data.kept, data.complete], [2, many, true])
        assert.isAtMost(statements, 80)
        for (const lead_id of [first, last]) assert.strictEqual(yield* World.code("lead.get", { lead_id }), "NOT_FOUND")
      }).pipe(inOrganization("org_many_changes"))
    )

    it.effect("hold up no other organization when old audit rows are deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const broken = Array.from({ length: 6 }, (_, n) => `org_audit_${n}`)
        for (const id of [...broken, "org_audit_z"]) {
          yield* organization(id)
          yield* ok("offer.create", { name: "Offer", is_draft: true }, { actor: actor(id) })
          yield* ok("audit.head", {}, { actor: actor(id) })
        }
        yield* sql`update svc.audit_entries set user_id = 'forged' where organization_id = any (${broken}::text[])`
        const left = sql<{ readonly id: string }>`
          select distinct organization_id as id from svc.audit_entries where organization_id like 'org_audit_%' order by 1`
        yield* TestClock.adjust("3 days")
        const days = { idempotency: 0, deliveries: 0, events: 0, importRows: 0, audit: 1 }
        assert.isAtLeast((yield* Effect.provideService(deleteOldRows(), Retention, days)).audit ?? 0, 1)
        assert.deepStrictEqual(
          (yield* left).map(({ id }) => id),
          broken
        )
      }).pipe(inOrganization("org_audit_owner"))
    )
  })
})
