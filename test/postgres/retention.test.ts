/** Deleting old rows of large tables: what it reads, and that processes do not wait for each other. */

import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import type { DeletedKind } from "#core/workspace/retention/Retention.ts"
import { maxDeleted } from "#core/workspace/retention/RetentionWorker.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import * as Database from "#postgres/Database.ts"
import * as Repositories from "#postgres/repositories.ts"
import { copiedPostgresLayer, hasPostgres } from "../support/backends.ts"
import { organization } from "../support/organization.ts"
import { migrated, schemaId, type Template } from "../support/PostgresServer.ts"
import { reading } from "./reading.ts"

/** Rows of each table, half of which are from before `before`. */
const rows = 40_000
const sealed = 4_000
const before = "2026-06-01T00:00:00.000Z"
const when = `'${before}'::timestamptz + (n - ${rows / 2}) * interval '1 minute'`

const statements = [
  `insert into svc.idempotency_keys (organization_id, route, key, fingerprint, created_at)
   select 'org_' || n % 2 + 1, 'r', n::text, 'f', ${when} from generate_series(1, ${rows}) n`,
  `insert into svc.webhooks (organization_id, id, url, description, event_types, is_active, secrets, created_at, updated_at)
   select 'org_1', 'whk_1', 'https://a.example', '', '{}', false, '[]', now(), now()`,
  `insert into svc.webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, payload, state, created_at, ended_at)
   select 'org_1', n::text, 'whk_1', 'e', 't', '{}', 'delivered', ${when}, ${when} from generate_series(1, ${rows}) n`,
  `insert into svc.events (organization_id, id, sequence, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
   select 'org_' || n % 2 + 1, n::text, (n + 1) / 2, 't', 's', n::text, 'USER', 'u', '{}', ${when}
   from generate_series(1, ${rows}) n`,
  `insert into svc.missions (organization_id, id, handle, name, status, search_text, content, created_at, updated_at)
   select 'org_1', 'm', 'm', 'm', 'ACTIVE', 'm', '{}', now(), now()`,
  `insert into svc.imports (organization_id, id, mission_id, type, name, state, created_count, updated_count, skipped_count,
     invalid_count, enrolled_count, attempt, created_at, updated_at)
   select 'org_1', i::text, 'm', 'CSV', 'i', 'completed', 0, 0, 0, 0, 0, 1, now(), '${before}'::timestamptz + (i - 11) * interval '1 day'
   from generate_series(1, 20) i`,
  `insert into svc.import_rows (organization_id, import_id, position, outcome)
   select 'org_1', (n % 20 + 1)::text, n, 'created' from generate_series(1, ${rows}) n`,
  `insert into svc.audit_entries (organization_id, id, actor_kind, user_id, command_id, command_hash, outcome, created_at)
   select 'org_1', n::text, 'USER', 'u', 'c', 'h', 'ok', '${before}'::timestamptz + (n - ${sealed / 2}) * interval '1 minute'
   from generate_series(1, ${sealed}) n`,
  `insert into svc.api_keys (organization_id, key_id, name, user_id, actor_kind, mode, scopes, secrets, created_at, expires_at, session)
   select 'org_1', 'k' || n, 'n', 'u', 'USER', 'full', '{}', '[]', ${when}, ${when}, '{}' from generate_series(1, ${rows}) n`,
  `insert into svc.taken_mails (organization_id, hash, taken_at)
   select 'org_1', 'h' || n, ${when} from generate_series(1, ${rows}) n`,
  "analyze"
]

const aged: Template = {
  name: `svc_aged_${schemaId}_${statements.join().length}`,
  from: migrated,
  fill: (url) =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      for (const id of ["org_1", "org_2"]) yield* organization(id)
      for (const statement of statements) yield* sql.unsafe(statement).unprepared
    }).pipe(
      Effect.provide(Repositories.layer.pipe(Layer.provideMerge(Database.layer(url, { maxConnections: 1 })))),
      Effect.scoped
    )
}

const tables: Readonly<Record<DeletedKind, string>> = {
  idempotency: "idempotency_keys",
  deliveries: "webhook_deliveries",
  events: "events",
  importRows: "import_rows",
  mails: "taken_mails",
  sessions: "api_keys"
}
const kinds: ReadonlyArray<DeletedKind> = ["idempotency", "deliveries", "events", "importRows", "mails", "sessions"]

const suite = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(aged))))((it) => {
    for (const kind of kinds) {
      it.effect(`reads of ${tables[kind]} hardly more than it deletes, and every old row goes in the end`, () =>
        Effect.gen(function* () {
          const repo = yield* Workspaces
          const first = yield* reading(tables[kind], repo.deleteBefore("org_1", kind, before, maxDeleted))
          assert.deepStrictEqual(first.answer, { count: maxDeleted, isMore: true })
          assert.isAtMost(first.rows, maxDeleted * 3)
          let count = maxDeleted
          for (let isMore = true; isMore; ) {
            const done = yield* repo.deleteBefore("org_1", kind, before, maxDeleted)
            count += done.count
            isMore = done.isMore
          }
          // Half of these are of another organization.
          const old = kind === "events" || kind === "idempotency" ? rows / 4 : rows / 2
          assert.isAtMost(Math.abs(count - old), 1)
          const none = yield* reading(tables[kind], repo.deleteBefore("org_1", kind, before, maxDeleted))
          assert.deepStrictEqual(none.answer, { count: 0, isMore: false })
          assert.isAtMost(none.rows, 10, "nothing is left to look at")
        })
      )
    }
  })

const shared = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(aged))))((it) => {
    it.effect("is shared by processes that do it at the same time, without waiting", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient
        const repo = yield* Workspaces
        for (const kind of kinds) {
          const deleteSome = repo.deleteBefore("org_1", kind, before, 100)
          yield* sql.withTransaction(
            Effect.gen(function* () {
              assert.strictEqual((yield* deleteSome).count, 100)
              // Another connection: the first one's transaction is still open.
              const other = yield* Effect.promise(() => Effect.runPromise(deleteSome))
              // Events have an order, so one process deletes those of an organization.
              assert.strictEqual(other.count, kind === "events" ? 0 : 100, kind)
            })
          )
        }
      })
    )
  })

const sealAll = Effect.gen(function* () {
  const log = (yield* Workspaces).audit
  while ((yield* log.seal("org_1", 1_000)) === 1_000);
  return log
})

const audit = () =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(copiedPostgresLayer(aged))))((it) => {
    it.effect("reads of audit rows hardly more than it deletes, and leaves a chain that another process works on", () =>
      Effect.gen(function* () {
        const log = yield* sealAll
        const sql = yield* PgClient
        const deleteSome = log.deleteBefore("org_1", before, maxDeleted)
        const first = yield* reading("audit_entries", deleteSome)
        assert.strictEqual(first.answer.count, maxDeleted)
        assert.isAtMost(first.rows, maxDeleted * 3)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            assert.strictEqual((yield* log.deleteBefore("org_1", before, 100)).count, 100)
            // Another connection: the first one's transaction is still open.
            const other = yield* Effect.promise(() => Effect.runPromise(sql.withTransaction(deleteSome)))
            assert.strictEqual(other.count, 0)
          })
        )
        const rest = yield* sql.withTransaction(deleteSome)
        assert.strictEqual(rest.count, sealed / 2 - 1 - maxDeleted - 100)
        assert.deepInclude(yield* verifyAudit("org_1"), { ok: true, rows: sealed / 2 + 1 })
      })
    )

    it.effect("is waited for by sealing, which goes on from the same end", () =>
      Effect.gen(function* () {
        const log = yield* sealAll
        const sql = yield* PgClient
        yield* sql`
          insert into svc.audit_entries (organization_id, id, actor_kind, user_id, command_id, command_hash, outcome, created_at)
          values ('org_1', 'new', 'USER', 'u', 'c', 'h', 'ok', now())`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* log.deleteBefore("org_1", before, 100)
            const other = yield* Effect.promise(() => Effect.runPromise(log.sealIfFree("org_1", 10)))
            assert.strictEqual(other, 0)
          })
        )
        assert.deepInclude(yield* verifyAudit("org_1"), { ok: true })
        assert.strictEqual((yield* log.head("org_1")).sequence, sealed + 1)
      })
    )
  })

describe.skipIf(!hasPostgres())("retention on large tables", () => {
  suite()
  shared()
  audit()
})
