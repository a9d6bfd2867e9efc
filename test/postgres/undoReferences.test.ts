/** Undoing an import: every table that refers to leads is asked, and so is who refers to one meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { hasPostgres } from "../support/backends.ts"
import { inOrganization } from "../support/inOrganization.ts"
import * as World from "../support/World.ts"
import { ask, code, lead, ok } from "../support/World.ts"

const prepare = Effect.gen(function* () {
  const email_accounts = [{ provider: "SMTP", email: "ada@sender.example" }]
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada", email_accounts })
  yield* ok("mission.create", { name: "Undone", agent_handle: "ada" })
  yield* ok("mission.create", { name: "Elsewhere" })
})

const importOf = Effect.fnUntraced(function* (name: string) {
  const content = `Email,LinkedIn,Tags\n${name}@example.com,linkedin.com/in/undo-${name},Fair\n`
  const { import_id } = yield* ok("import.csv", { mission_id: "undone", content, again: true })
  const { lead: found } = yield* ok("lead.get", { email: `${name}@example.com` })
  return { import_id, lead_id: String(found.id) }
})

const email = (lead_id: string) => ({ lead_id, mission_id: "undone", subject: "Hello", body_text: "Hello" })

/** What refers to a lead in each table, and why the lead is kept then; undefined where it goes along. */
const references: Readonly<
  Record<
    string,
    { readonly add?: (lead_id: string) => Effect.Effect<unknown, never, World.World>; readonly reason?: string }
  >
> = {
  import_rows: { add: () => importOf("importrows"), reason: "IN_OTHER_IMPORT" },
  lead_actions: {},
  lead_identities: {},
  lead_labels: {},
  lead_messages: {
    add: (lead_id) => ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Hello" }),
    reason: "CONTACTED"
  },
  lead_missions: {
    add: (lead_id) => ok("lead.mission.add", { mission_id: "elsewhere", lead_ids: [lead_id] }),
    reason: "IN_OTHER_MISSION"
  },
  lead_notes: { add: (lead_id) => ok("lead.note.add", { lead_id, text: "Called." }), reason: "NOTED" },
  lead_recency: {},
  lead_relations: {
    add: (lead_id) => ok("linkedin.invitation.send", { lead_id, agent_handle: "ada" }),
    reason: "CONTACTED"
  },
  leads: {
    add: (lead_id) =>
      Effect.flatMap(lead({ email: "loser@example.com", name: "Loser" }), (loser) =>
        ok("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [loser] })
      ),
    reason: "MERGED"
  },
  linkedin_drafts: {
    add: (lead_id) => ok("linkedin.draft.create", { lead_id, agent_handle: "ada", variations: ["Hello"] }),
    reason: "DRAFTED"
  },
  mission_activity: {
    add: (lead_id) => ok("lead.status.set", { lead_id, status: "Interested" }),
    reason: "CHANGED"
  },
  suppressions: { add: (lead_id) => ok("lead.suppress", { lead_id, reason: "Asked" }), reason: "SUPPRESSED" },
  // Of people who were erased: the lead is gone then.
  tombstones: {},
  transmissions: { add: (lead_id) => ok("email.send", email(lead_id)), reason: "CONTACTED" },
  // Of e-mails that were claimed: a transmission keeps the lead.
  unsubscribe_tokens: {}
}

/** The tables with a foreign key to leads, and those with an id of one. */
const referring = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
      select c.relname::text as name from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.confrelid = 'svc.leads'::regclass
      union
      select c.relname::text from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = (select l.relnamespace from pg_class l where l.oid = 'svc.leads'::regclass)
        and c.relkind = 'r' and a.attname in ('lead_id', 'merged_into')
      order by name`,
    (rows) => rows.map(({ name }) => name)
  ).pipe(Effect.orDie)

const refersTo = Effect.fnUntraced(function* (sql: SqlClient, table: string, lead_id: string) {
  const column = table === "leads" ? "merged_into" : "lead_id"
  return (yield* sql`select 1 from svc.${sql(table)} where ${sql(column)} = ${lead_id}`).length > 0
}, Effect.orDie)

/** Undoes an import for each table that may refer to its lead; on a database, all tables are asked. */
const undoEach = Effect.gen(function* () {
  const sql = Option.getOrUndefined(yield* Effect.serviceOption(SqlClient))
  yield* prepare
  const tables = sql === undefined ? [] : yield* referring(sql)
  if (sql !== undefined) {
    assert.deepStrictEqual(tables, Object.keys(references), "a table of the catalogue is not in the test")
  }
  for (const [table, { add, reason }] of Object.entries(references)) {
    const { import_id, lead_id } = yield* importOf(table.replaceAll("_", ""))
    if (add !== undefined) {
      yield* add(lead_id)
      if (sql !== undefined) assert.isTrue(yield* refersTo(sql, table, lead_id), table)
    }
    const { kept_because, removed } = yield* ok("import.undo", { import_id })
    const expected = reason === undefined ? [] : [{ reason, count: 1, lead_ids: [lead_id] }]
    assert.deepStrictEqual([kept_because, removed], [expected, reason === undefined ? 1 : 0], table)
    assert.strictEqual(yield* code("lead.get", { lead_id }), reason === undefined ? "NOT_FOUND" : "ok", table)
    if (reason !== undefined || sql === undefined) continue
    for (const other of tables) assert.isFalse(yield* refersTo(sql, other, lead_id), other)
  }
})

it.layer(World.make({ backend: "memory" }))("an import that is undone in memory", (it) => {
  it.effect("keeps the leads that anything refers to", () => undoEach.pipe(inOrganization("org_undo_tables")))
})

describe.skipIf(!hasPostgres())("an import that is undone", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("keeps the leads that any table refers to, and leaves nothing of the others", () =>
      undoEach.pipe(inOrganization("org_undo_tables"))
    )

    /** Runs both at once, on a connection each; the first gets the lead before the second. */
    const oneAfterTheOther = Effect.fnUntraced(function* <A, B, R, S>(
      lead_id: string,
      first: Effect.Effect<A, never, R>,
      second: Effect.Effect<B, never, S>
    ) {
      const sql = yield* SqlClient
      const isHeld = yield* Deferred.make<void>()
      const isFree = yield* Deferred.make<void>()
      const holding = sql.withTransaction(
        sql`select 1 from svc.leads where id = ${lead_id} for update`.pipe(
          Effect.andThen(Deferred.succeed(isHeld, undefined)),
          Effect.andThen(Deferred.await(isFree))
        )
      )
      const untilWaiting = (count: number) =>
        Effect.repeat(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          { until: (found) => found.length === count }
        )
      const holder = yield* Effect.forkChild(holding)
      yield* Deferred.await(isHeld)
      const early = yield* Effect.forkChild(first)
      yield* untilWaiting(1)
      const late = yield* Effect.forkChild(second)
      yield* untilWaiting(2)
      yield* Deferred.succeed(isFree, undefined)
      yield* Fiber.join(holder)
      return [yield* Fiber.join(early), yield* Fiber.join(late)] as const
    }, Effect.orDie)

    it.effect("keeps a lead to whom an email is written meanwhile, or the email finds no lead", () =>
      Effect.gen(function* () {
        yield* prepare
        const outcome = (command: string, input: object) =>
          Effect.map(ask(command, input), ({ envelope }) =>
            envelope.ok ? `ok ${Object(envelope.data).removed ?? ""}` : envelope.error.code
          )
        const faster = yield* importOf("faster")
        assert.deepStrictEqual(
          yield* oneAfterTheOther(
            faster.lead_id,
            outcome("email.send", email(faster.lead_id)),
            outcome("import.undo", { import_id: faster.import_id })
          ),
          ["ok ", "ok 0"]
        )
        const slower = yield* importOf("slower")
        assert.deepStrictEqual(
          yield* oneAfterTheOther(
            slower.lead_id,
            outcome("import.undo", { import_id: slower.import_id }),
            outcome("email.send", email(slower.lead_id))
          ),
          ["ok 1", "NOT_FOUND"]
        )
        const { emails } = yield* ok("email.list", {})
        assert.deepStrictEqual(
          emails.map(({ lead: to }: { lead: { id: string } }) => to.id),
          [faster.lead_id]
        )
      }).pipe(inOrganization("org_undo_race"))
    )
  })
})
