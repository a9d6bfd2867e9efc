/** Deleting old audit rows: what goes and what stays, and that nobody else can pass off a deletion as retention. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { runOperation } from "#cli/Operator.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { type ChainHead, parseHead } from "#core/workspace/audit/AuditRecord.ts"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import { Retention } from "#core/workspace/retention/Retention.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { type AuditLog, Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"
import { offer } from "./outreachRows.ts"

const day = 86_400_000
const forEver = { idempotency: 0, deliveries: 0, events: 0, importRows: 0 }

const write = (id: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => ok("offer.create", offer, { actor: actor(id) }))

/** Runs a round of a service that keeps audit rows for some days; returns how many went. */
const keep = (days: number) =>
  Effect.gen(function* () {
    let count = 0
    // Each by itself: in a round of all they have their turn once in hours.
    for (const id of yield* (yield* Workspaces).audit.organizations) {
      const { audit = 0, ...others } = yield* deleteOldRows(id)
      assert.deepStrictEqual(others, {})
      count += audit
    }
    return count
  }).pipe(Effect.provideService(Retention, { ...forEver, audit: days }))

const headOf = (id: string) =>
  Effect.gen(function* () {
    const { head } = yield* ok<{ readonly head: string }>("audit.head", {}, { actor: actor(id) })
    const parsed = parseHead(head)
    if (parsed === undefined) throw new Error(`${head} is no head`)
    return parsed.head
  })

const sequences = (id: string) =>
  Effect.map(
    ok<{ readonly entries: ReadonlyArray<{ readonly sequence: number }> }>("audit.list", {}, { actor: actor(id) }),
    ({ entries }) => entries.map(({ sequence }) => sequence)
  )

/** Deletes what is old of one organization. */
const deleteOf = (id: string) =>
  Effect.gen(function* () {
    const before = isoFromMillis((yield* Clock.currentTimeMillis) - day)
    const log = (yield* Workspaces).audit
    const { count } = yield* (yield* Transaction).run(log.deleteBefore(id, before, 100))
    return count
  })

/** A test after what others left is gone. */
const alone = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  TestClock.adjust("3650 days").pipe(Effect.andThen(keep(1)), Effect.andThen(test))

/** Three rows that retention deleted, and three that it kept. */
const halfKept = (id: string) =>
  Effect.gen(function* () {
    yield* organization(id)
    yield* write(id, 3)
    yield* headOf(id)
    yield* TestClock.adjust("3 days")
    yield* write(id, 3)
    yield* headOf(id)
    assert.strictEqual(yield* deleteOf(id), 3)
  })

eachBackend("retention of audit rows", (layer) =>
  it.layer(layer)((it) => {
    it.effect("deletes the oldest ones, records it, and verification starts after them", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        yield* write("org_1", 1)
        const first = yield* headOf("org_1")
        yield* write("org_1", 2)
        const third = yield* headOf("org_1")
        yield* TestClock.adjust("3 days")
        yield* write("org_1", 2)
        const fifth = yield* headOf("org_1")
        assert.strictEqual(yield* keep(0), 0, "0 is for ever")
        assert.strictEqual(yield* keep(1), 3)
        assert.strictEqual(yield* keep(1), 0)
        assert.deepStrictEqual(yield* sequences("org_1"), [5, 4])
        const { start, ...verdict } = yield* verifyAudit("org_1")
        assert.deepInclude(verdict, { ok: true, rows: 2, head: fifth })
        const deletedAt = isoFromMillis(yield* Clock.currentTimeMillis)
        assert.deepInclude(start, { ...third, deletedAt })
        const { events } = yield* (yield* Workspaces).events.read("org_1", {
          after: 0,
          types: ["audit.deleted"],
          limit: 9
        })
        assert.deepStrictEqual(
          events.map(({ data }) => data),
          [{ head: `org_1:3:${third.hash}`, sequence: 3, count: 3 }]
        )

        const expecting = (...heads: ReadonlyArray<ChainHead>) => verifyAudit("org_1", heads)
        assert.isTrue((yield* expecting(third, fifth)).ok, "the last deleted row is still known")
        const older = yield* expecting(first, fifth)
        assert.deepInclude(older, { ok: false, broken: undefined, unchecked: [first] })
        const another = yield* expecting({ ...third, hash: first.hash })
        assert.deepInclude(another, { ok: false, unchecked: [] })
        assert.strictEqual(another.broken?.sequence, 3)
        const expect = `org_1:1:${first.hash}`
        const { ok: isOk, organizations } = yield* runOperation("audit.verify", { organization_id: "org_1", expect })
        assert.isFalse(isOk)
        const [told] = Array.isArray(organizations) ? organizations : []
        assert.deepInclude(told, { ok: false, rows: 2, first_row: 4, broken: null, unchecked: [expect] })
        assert.strictEqual(
          told.note,
          `Verified from row 4; older rows were deleted by retention on ${deletedAt}. The heads in unchecked cannot be ` +
            "checked: they are older than the kept rows. Expect a head of row 3 or later."
        )

        yield* TestClock.adjust("3 days")
        assert.strictEqual(yield* keep(1), 2)
        assert.deepInclude(yield* verifyAudit("org_1", [fifth]), { ok: true, rows: 0 })
        yield* write("org_1", 1)
        assert.deepStrictEqual(yield* sequences("org_1"), [6], "numbers go on")
        assert.deepInclude(yield* verifyAudit("org_1"), { ok: true, rows: 1 })
      }).pipe(alone)
    )

    it.effect("keeps whole days, of each organization its own", () =>
      Effect.gen(function* () {
        yield* organization("org_early")
        yield* organization("org_late")
        yield* TestClock.adjust(day - ((yield* Clock.currentTimeMillis) % day))
        yield* write("org_early", 1)
        yield* headOf("org_early")
        yield* TestClock.adjust(2 * day - 1)
        yield* write("org_late", 1)
        yield* headOf("org_late")
        assert.strictEqual(yield* keep(1), 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* keep(1), 1)
        assert.deepStrictEqual([yield* sequences("org_early"), yield* sequences("org_late")], [[], [1]])
        yield* TestClock.adjust(day)
        assert.strictEqual(yield* keep(1), 1)
      }).pipe(alone)
    )

    it.effect("deletes a bounded number in each transaction", () =>
      Effect.gen(function* () {
        yield* organization("org_many")
        yield* write("org_many", 7)
        yield* headOf("org_many")
        yield* TestClock.adjust("2 days")
        const now = isoFromMillis(yield* Clock.currentTimeMillis)
        const { audit } = yield* Workspaces
        const { count } = yield* (yield* Transaction).run(audit.deleteBefore("org_many", now, 2))
        assert.strictEqual(count, 2)
        assert.deepStrictEqual(yield* sequences("org_many"), [7, 6, 5, 4, 3])
        assert.strictEqual(yield* keep(1), 5)
        assert.deepInclude(yield* verifyAudit("org_many"), { ok: true, rows: 0 })
      }).pipe(alone)
    )

    it.effect("does not break a verification that runs at the same time", () =>
      Effect.gen(function* () {
        yield* organization("org_racing")
        yield* write("org_racing", 3)
        yield* headOf("org_racing")
        yield* TestClock.adjust("3 days")
        yield* write("org_racing", 2)
        const log = (yield* Workspaces).audit
        const before = isoFromMillis(yield* Clock.currentTimeMillis)
        yield* TestClock.adjust(1)
        yield* write("org_racing", 1)
        // Between reading the start and reading the rows.
        const { run } = yield* Transaction
        const workspaces = yield* Workspaces
        const audit = {
          ...log,
          chain: (id, after, limit) => Effect.andThen(run(log.deleteBefore(id, before, 2)), log.chain(id, after, limit))
        } satisfies AuditLog
        const verdict = yield* Effect.provideService(verifyAudit("org_racing"), Workspaces, { ...workspaces, audit })
        assert.deepInclude(verdict, { ok: true, rows: 3 })
      }).pipe(alone)
    )

    it.effect("never deletes rows that are not sealed", () =>
      Effect.gen(function* () {
        if (Option.isNone(yield* Effect.serviceOption(SqlClient))) return
        yield* organization("org_open")
        yield* write("org_open", 2)
        yield* TestClock.adjust("3 days")
        assert.strictEqual(yield* keep(1), 0)
        const log = (yield* Workspaces).audit
        assert.strictEqual(yield* log.seal("org_open", 1), 1)
        assert.strictEqual(yield* keep(1), 1)
        assert.deepInclude(yield* verifyAudit("org_open"), { ok: true, rows: 1 })
      }).pipe(alone)
    )

    it.effect("is found when somebody else moves the start, forges it, or puts rows before it", () =>
      Effect.gen(function* () {
        const found = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(found)) return
        const sql = found.value
        const isForged = { sequence: 4, id: null, problem: "the recorded start of the kept rows was moved or forged" }
        const brokenOf = (id: string) => Effect.map(verifyAudit(id), ({ broken }) => broken)

        yield* halfKept("org_moved")
        yield* sql`
          update svc.audit_heads h set start_sequence = 4, start_hash = a.hash from svc.audit_entries a
          where h.organization_id = 'org_moved' and a.organization_id = 'org_moved' and a.sequence = 4`
        yield* sql`delete from svc.audit_entries where organization_id = 'org_moved' and sequence = 4`
        assert.deepStrictEqual(yield* brokenOf("org_moved"), isForged)
        yield* TestClock.adjust("3 days")
        assert.strictEqual(yield* deleteOf("org_moved"), 0, "nothing is deleted after a forged start")

        yield* halfKept("org_dated")
        yield* sql`update svc.audit_heads set start_deleted_at = '2020-01-01' where organization_id = 'org_dated'`
        assert.deepStrictEqual(yield* brokenOf("org_dated"), { ...isForged, sequence: 3 })

        yield* halfKept("org_copied")
        yield* halfKept("org_other")
        yield* sql`
          update svc.audit_heads h set start_sequence = o.start_sequence, start_hash = o.start_hash,
            start_deleted_at = o.start_deleted_at, start_signature = o.start_signature
          from svc.audit_heads o where h.organization_id = 'org_copied' and o.organization_id = 'org_other'`
        assert.deepStrictEqual(yield* brokenOf("org_copied"), { ...isForged, sequence: 3 })

        yield* halfKept("org_reset")
        yield* sql`
          update svc.audit_heads set start_sequence = 0, start_hash = '', start_deleted_at = null, start_signature = ''
          where organization_id = 'org_reset'`
        assert.deepInclude(yield* brokenOf("org_reset"), { problem: "row 1 is missing; the next row is 4" })

        yield* halfKept("org_replayed")
        yield* sql`create table starts as select * from svc.audit_heads where organization_id = 'org_replayed'`
        yield* TestClock.adjust("3 days")
        yield* write("org_replayed", 1)
        yield* headOf("org_replayed")
        assert.strictEqual(yield* deleteOf("org_replayed"), 3)
        yield* sql`
          update svc.audit_heads h set start_sequence = o.start_sequence, start_hash = o.start_hash,
            start_deleted_at = o.start_deleted_at, start_signature = o.start_signature
          from starts o where h.organization_id = 'org_replayed'`
        yield* sql`drop table starts`
        assert.deepInclude(yield* brokenOf("org_replayed"), { problem: "row 4 is missing; the next row is 7" })

        yield* halfKept("org_inserted")
        yield* sql`
          insert into svc.audit_entries select (jsonb_populate_record(a, '{"id": "aud_x", "sequence": 2}')).*
          from svc.audit_entries a where organization_id = 'org_inserted' and sequence = 4`
        assert.deepInclude(yield* brokenOf("org_inserted"), { sequence: 2, id: "aud_x" })

        yield* halfKept("org_rewound")
        yield* sql`delete from svc.audit_entries where organization_id = 'org_rewound'`
        yield* sql`update svc.audit_heads set sequence = 2 where organization_id = 'org_rewound'`
        assert.deepInclude(yield* brokenOf("org_rewound"), { sequence: 2 })
      }).pipe(alone)
    )

    it.effect("keeps rows that do not fit the chain, however old they say they are", () =>
      Effect.gen(function* () {
        const found = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(found)) return
        const sql = found.value
        for (const name of ["org_aged", "org_changed"]) {
          yield* organization(name)
          yield* write(name, 4)
          yield* headOf(name)
        }
        yield* sql`update svc.audit_entries set created_at = created_at - interval '9 days'
          where organization_id = 'org_aged' and sequence < 3`
        assert.strictEqual(yield* keep(1), 0, "their age was changed")
        assert.deepInclude((yield* verifyAudit("org_aged")).broken, { sequence: 1 })
        yield* sql`update svc.audit_entries set user_id = 'usr_x' where organization_id = 'org_changed' and sequence = 3`
        yield* TestClock.adjust("3 days")
        assert.strictEqual(yield* keep(1), 2, "those before the changed one")
        assert.deepStrictEqual(yield* sequences("org_changed"), [4, 3])
        assert.deepInclude((yield* verifyAudit("org_changed")).broken, { sequence: 3 })
      }).pipe(alone)
    )
  })
)
