/** The table of due work: workers that settle beside writers lose nothing. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as SqlPg from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mailApprovals, NoticeSender } from "#core/email/notices/mailApprovals.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { DueWork } from "#core/kernel/background/DueWork.ts"
import { pollInboxes } from "#core/outreach/conversations/pollInboxes.ts"
import { dispatchRound, settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { expireRequests } from "#core/workspace/approvals/settleRequest.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import * as DueWorkPg from "#postgres/background/DueWorkPg.ts"
import { hasPostgres, postgresLayer } from "../support/backends.ts"
import { queueMessages } from "../support/queuedMessages.ts"
import * as World from "../support/World.ts"
import { reading } from "./reading.ts"

const rounds = 300
const idle = 500
const at = "2026-01-05T09:00:00.000Z"
const settling = { at, again: at }

const noted = (sql: PgClient) => sql`values ('org', 'audit', ${at}::timestamptz)`

const write = (sql: PgClient, id: string, pause: number) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`
        insert into svc.audit_entries (organization_id, id, actor_kind, user_id, command_id, command_hash, outcome, created_at)
        values ('org', ${id}, 'USER', 'usr', 'lead.get', '', 'ok', ${at}::timestamptz)`
      yield* DueWorkPg.noteWork(sql, noted(sql))
      yield* Effect.sleep(pause)
    })
  )

describe.skipIf(!hasPostgres())("due work", () => {
  it.layer(Layer.provideMerge(DueWorkPg.layer, postgresLayer), { excludeTestServices: true })((it) => {
    it.effect(`loses nothing that is written while a worker settles, in ${rounds} rounds`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlPg.PgClient
        const { find, settle } = yield* DueWork
        yield* sql`insert into svc.organizations (id, name, created_at) values ('org', 'Org', ${at}::timestamptz)`
        const work = Effect.gen(function* () {
          yield* sql`update svc.audit_entries set sequence = position('x' in id) + right(id, -1)::int
            where organization_id = 'org' and sequence is null`
          yield* settle("org", "audit", settling)
        })
        for (let round = 0; round < rounds; round++) {
          // The worker begins with a row, or without one.
          if (round % 2 === 0) yield* DueWorkPg.noteWork(sql, noted(sql))
          else yield* work
          yield* Effect.all(
            [
              write(sql, `x${round}`, round % 5),
              Effect.repeat(Effect.andThen(Effect.sleep(round % 4), work), { times: 2 }),
              work
            ],
            { concurrency: "unbounded" }
          )
          const waiting = yield* sql`select 1 from svc.audit_entries where organization_id = 'org' and sequence is null`
          const found = yield* find("audit", at, 10)
          if (waiting.length > 0) assert.deepStrictEqual(found, ["org"], `round ${round}`)
        }
        yield* work
        assert.deepStrictEqual(yield* find("audit", at, 10), [])
        const sealed = yield* sql<{ count: number }>`
          select count(*)::int as count from svc.audit_entries where organization_id = 'org' and sequence is not null`
        assert.deepStrictEqual(sealed, [{ count: rounds }])
      })
    )
  })

  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect(`of ${idle} organizations without any is read by nobody`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlPg.PgClient
        yield* queueMessages(sql, { prefix: "idle", organizations: idle, accountsEach: 1, itemsEach: 2 })
        yield* sql`update svc.transmissions set not_before = '2100-01-01'`
        yield* sql`
          insert into svc.due_work select id, kind, '2100-01-01' from svc.organizations,
            unnest('{approvals,emails,inboxes,linkedin,notices,outcomes,retention}'::text[]) kind`
        yield* sql`analyze`
        const round = Effect.all([
          dispatchRound(),
          settleUnknown(),
          dispatchEmails(),
          pollInboxes(),
          expireRequests(),
          Effect.provideService(mailApprovals(), NoticeSender, "svc@example.com"),
          deleteOldRows()
        ])
        for (const table of [
          "due_work",
          "organizations",
          "senders",
          "transmissions",
          "linkedin_drafts",
          "linkedin_accounts"
        ]) {
          const { entries, rows } = yield* reading(table, round)
          // The planner may look at the ends of an index; each of the seven rounds would read hundreds.
          assert.isAtMost(rows + entries, idle / 10, table)
        }
      })
    )
  })
})
