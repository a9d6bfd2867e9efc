import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import type { AuditEntry } from "#core/kernel/journal/Journal.ts"
import { type ChainHead, chainProblem, emptyChain, parseHead, seal } from "#core/workspace/audit/AuditRecord.ts"
import { sealRound } from "#core/workspace/audit/SealWorker.ts"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, code, keyed, ok, statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"
import { offer } from "./outreachRows.ts"

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id: "aud_1",
  organizationId: "org_a",
  actorKind: "USER",
  userId: "usr_1",
  keyId: null,
  commandId: "offer.create",
  commandHash: "ab",
  subject: { type: "offer", id: "off_1" },
  outcome: "ok",
  createdAt: "2026-11-21T08:00:00.000Z",
  ...changes
})

describe("a chain of audit rows", () => {
  it("does not fit when any row says something else, is gone, or stands elsewhere", () => {
    const text = fc.string({ minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), fc.nat(), text, (ids, place, other) => {
        let head = emptyChain
        const records = ids.map((id) => {
          const record = seal("key", head, entry({ id, userId: id }))
          head = record
          return record
        })
        const at = place % records.length
        const [before, record] = [records[at - 1] ?? emptyChain, records[at]]
        if (record === undefined) throw new Error("no record")
        assert.isUndefined(chainProblem("key", before, record))
        for (const changed of [
          { ...record, userId: `${record.userId}${other}` },
          { ...record, keyId: other },
          { ...record, subject: null },
          { ...record, outcome: "DENIED" },
          { ...record, createdAt: "2026-11-21T08:00:00.001Z" }
        ]) {
          assert.isDefined(chainProblem("key", before, changed))
        }
        assert.isDefined(chainProblem("another key", before, record))
        const next = records[at + 1]
        if (next !== undefined) assert.isDefined(chainProblem("key", before, next))
      })
    )
  })
})

eachBackend("audit", (layer) =>
  it.layer(layer)((it) => {
    it.effect("holds who did what, newest first, by page and by filter", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const person = actor("org_1")
        const program = actor("org_1", { kind: "AI_AGENT", userId: "usr_bot", keyId: "aaaaaaaaaaaa" })
        yield* ok("offer.create", { ...offer, offer_id: "a" }, { actor: person })
        yield* ok("offer.update", { offer_id: "a", name: "Other" }, { actor: program })
        yield* ok("offer.get", { offer_id: "a" }, { actor: person })
        const list = (input: object) => ok("audit.list", input, { actor: person })
        const { entries, next_cursor } = yield* list({ limit: 1 })
        assert.deepInclude(entries[0], {
          command_id: "offer.update",
          actor: { kind: "AI_AGENT", user_id: "usr_bot", key_id: "aaaaaaaaaaaa" },
          subject: { type: "offer", id: "a" },
          outcome: "ok"
        })
        const rest = yield* list({ limit: 1, cursor: next_cursor })
        assert.strictEqual(rest.entries[0].command_id, "offer.create")
        assert.isNull(rest.next_cursor)
        const commands = (page: { entries: ReadonlyArray<{ command_id: string }> }) =>
          page.entries.map(({ command_id }) => command_id)
        assert.deepStrictEqual(commands(yield* list({ actor_kind: "USER" })), ["offer.create"])
        assert.deepStrictEqual(commands(yield* list({ command_id: "offer.update" })), ["offer.update"])
        assert.deepStrictEqual(commands(yield* list({ outcome: "FORBIDDEN_SCOPE" })), [])
        assert.deepStrictEqual(commands(yield* list({ after: "2100-01-01T00:00:00Z" })), [])
        assert.lengthOf(commands(yield* list({ before: "2100-01-01T00:00:00Z" })), 2)
        assert.lengthOf(commands(yield* ok("audit.list", {}, { actor: actor("org_other") })), 0)
        assert.include([undefined, 1], yield* statementsOf(list({})))
        assert.strictEqual(
          yield* code("audit.list", {}, { actor: actor("org_1", { scopes: scopeBundles.read_only }) }),
          "FORBIDDEN_SCOPE"
        )
      })
    )

    it.effect("is filtered by the key that was used, page by page, within one organization", () =>
      Effect.gen(function* () {
        yield* organization("org_keys")
        yield* organization("org_keys_other")
        const by = (organizationId: string, keyId: string) => ({
          actor: actor(organizationId, { kind: "AI_AGENT", userId: "usr_bot", keyId })
        })
        const person = { actor: actor("org_keys") }
        yield* ok("offer.create", { ...offer, offer_id: "a" }, by("org_keys", "bbbbbbbbbbbb"))
        yield* ok("offer.create", { ...offer, offer_id: "b" }, by("org_keys", "cccccccccccc"))
        yield* ok("offer.update", { offer_id: "b", name: "Other" }, by("org_keys", "bbbbbbbbbbbb"))
        yield* ok("offer.create", { ...offer, offer_id: "d" }, person)
        yield* ok("offer.create", { ...offer, offer_id: "e" }, by("org_keys_other", "bbbbbbbbbbbb"))
        const subjects = ({ entries }: { entries: ReadonlyArray<{ command_id: string; subject: { id: string } }> }) =>
          entries.map(({ command_id, subject }) => `${command_id} ${subject.id}`)
        const first = yield* ok("audit.list", { key_id: "bbbbbbbbbbbb", limit: 1 }, person)
        assert.deepStrictEqual(subjects(first), ["offer.update b"])
        const input = { key_id: "bbbbbbbbbbbb", limit: 1, cursor: first.next_cursor }
        const second = yield* ok("audit.list", input, person)
        assert.deepStrictEqual(subjects(second), ["offer.create a"])
        assert.isNull(second.next_cursor)
        assert.deepStrictEqual(subjects(yield* ok("audit.list", { key_id: "dddddddddddd" }, person)), [])
        assert.strictEqual(yield* code("audit.list", { ...input, key_id: "cccccccccccc" }, person), "INVALID_CURSOR")
        assert.strictEqual(yield* code("audit.list", { key_id: "not a key" }, person), "INVALID_INPUT")
      })
    )

    it.effect("is sealed without anybody reading it, by one process at a time", () =>
      Effect.gen(function* () {
        yield* organization("org_sealed")
        const person = actor("org_sealed")
        for (const offer_id of ["a", "b", "c"]) yield* ok("offer.create", { ...offer, offer_id }, { actor: person })
        const log = (yield* Workspaces).audit
        const rounds = Array.from({ length: 6 }, () => sealRound())
        yield* Effect.all(rounds, { concurrency: "unbounded" })
        assert.strictEqual((yield* log.chain("org_sealed", 0, 10)).length, 3)
        assert.deepInclude(yield* verifyAudit("org_sealed"), { ok: true, rows: 3 })
        yield* ok("offer.create", { ...offer, offer_id: "d" }, { actor: person })
        yield* sealRound()
        assert.strictEqual((yield* log.chain("org_sealed", 0, 10)).length, 4)
        const sql = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(sql)) return
        const due = sql.value`select 1 from svc.due_work where organization_id = 'org_sealed' and kind = 'audit'`
        assert.deepStrictEqual(yield* due, [], "nothing of an organization without new rows is looked at")
      })
    )

    it.effect("notes refusals that tell of an attempt, and no others", () =>
      Effect.gen(function* () {
        yield* organization("org_2")
        const person = actor("org_2")
        const reader = actor("org_2", { scopes: scopeBundles.read_only })
        yield* ok("offer.create", { ...offer, offer_id: "a" }, { actor: person })
        assert.strictEqual(
          yield* code("offer.create", { ...offer, offer_id: "a", name: "B" }, { actor: person }),
          "DUPLICATE_ID"
        )
        assert.strictEqual(yield* code("offer.create", offer, { actor: reader }), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* code("offer.create", { nmae: "x" }, { actor: person }), "UNKNOWN_FIELD")
        assert.strictEqual(yield* code("offer.update", { offer_id: "none" }, { actor: person }), "NOT_FOUND")
        assert.strictEqual(yield* code("audit.list", {}, { actor: reader }), "FORBIDDEN_SCOPE")
        const dry = { options: { responseProfile: "full", dryRun: true, idempotencyKey: undefined } } as const
        yield* code("offer.create", { ...offer, offer_id: "a", name: "C" }, { actor: person, ...dry })
        const { entries } = yield* ok("audit.list", {}, { actor: person })
        assert.deepStrictEqual(
          entries.map(({ outcome }: { outcome: string }) => outcome),
          ["FORBIDDEN_SCOPE", "DUPLICATE_ID", "ok"]
        )
        // A refusal is not kept under the idempotency key: the same request may succeed later.
        assert.strictEqual(
          yield* code("offer.create", { ...offer, offer_id: "a", name: "D" }, { actor: person, ...keyed("k") }),
          "DUPLICATE_ID"
        )
      })
    )

    it.effect("seals every row once, whoever asks at the same time, and the chain holds", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        const person = actor("org_3")
        for (let n = 0; n < 20; n++) yield* ok("offer.create", { ...offer, offer_id: `o${n}` }, { actor: person })
        yield* Effect.all(
          Array.from({ length: 8 }, () => ok("audit.list", { limit: 3 }, { actor: person })),
          { concurrency: "unbounded" }
        )
        const { entries } = yield* ok("audit.list", { limit: 100 }, { actor: person })
        assert.deepStrictEqual(
          entries.map(({ sequence }: { sequence: number }) => sequence),
          Array.from({ length: 20 }, (_, index) => 20 - index)
        )
        const verdict = yield* verifyAudit("org_3")
        assert.deepStrictEqual([verdict.ok, verdict.rows, verdict.head.hash], [true, 20, entries[0].hash])
        yield* ok("offer.update", { offer_id: "o1", name: "Other" }, { actor: person })
        assert.strictEqual((yield* verifyAudit("org_3")).rows, 21)
        assert.deepStrictEqual((yield* verifyAudit("org_none")).ok, true)
        assert.include(yield* (yield* Workspaces).audit.organizations, "org_3")
      })
    )

    it.effect("names the first row that was changed, removed in the middle, or removed at the end", () =>
      Effect.gen(function* () {
        const found = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(found)) return
        const sql = found.value
        for (const name of ["org_changed", "org_gap", "org_short"]) {
          yield* organization(name)
          for (let n = 0; n < 5; n++) {
            yield* ok("offer.create", { ...offer, offer_id: `o${n}` }, { actor: actor(name) })
          }
          assert.isTrue((yield* verifyAudit(name)).ok)
        }
        yield* sql`update svc.audit_entries set user_id = 'usr_x' where organization_id = 'org_changed' and sequence = 3`
        yield* sql`delete from svc.audit_entries where organization_id = 'org_gap' and sequence = 2`
        yield* sql`delete from svc.audit_entries where organization_id = 'org_short' and sequence >= 4`
        assert.deepInclude((yield* verifyAudit("org_changed")).broken, { sequence: 3 })
        assert.strictEqual((yield* verifyAudit("org_changed")).head.sequence, 2)
        assert.deepInclude((yield* verifyAudit("org_gap")).broken, { sequence: 3 })
        assert.deepInclude((yield* verifyAudit("org_short")).broken, { sequence: 4, id: null })
        // Rows of later runs are chained on, and do not hide what is missing.
        yield* ok("offer.update", { offer_id: "o1", name: "Other" }, { actor: actor("org_short") })
        assert.deepInclude((yield* verifyAudit("org_short")).broken, { sequence: 6 })
      })
    )

    it.effect("is found written anew by a head that was kept elsewhere, however well it was done", () =>
      Effect.gen(function* () {
        const found = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(found)) return
        const sql = found.value
        const headOf = (name: string) =>
          Effect.gen(function* () {
            const { head } = yield* ok<{ readonly head: string }>("audit.head", {}, { actor: actor(name) })
            const parsed = parseHead(head)
            assert.strictEqual(parsed?.organizationId, name)
            return parsed === undefined ? [] : [parsed.head]
          })
        const heads = new Map<string, ReadonlyArray<ChainHead>>()
        for (const name of ["org_cut", "org_resealed", "org_emptied"]) {
          yield* organization(name)
          for (let n = 0; n < 5; n++) {
            yield* ok("offer.create", { ...offer, offer_id: `o${n}` }, { actor: actor(name) })
          }
          heads.set(name, yield* headOf(name))
          assert.deepInclude(yield* verifyAudit(name, heads.get(name)), { ok: true, rows: 5 })
        }
        // The tail is cut, and the head is that of the row before.
        yield* sql`delete from svc.audit_entries where organization_id = 'org_cut' and sequence > 3`
        yield* sql`
          update svc.audit_heads h set sequence = a.sequence, hash = a.hash from svc.audit_entries a
          where h.organization_id = 'org_cut' and a.organization_id = 'org_cut' and a.sequence = 3`
        // A row says something else, and it and all after it are sealed again by the service itself.
        yield* sql`
          update svc.audit_heads h set sequence = a.sequence, hash = a.hash from svc.audit_entries a
          where h.organization_id = 'org_resealed' and a.organization_id = 'org_resealed' and a.sequence = 2`
        yield* sql`
          update svc.audit_entries set user_id = case sequence when 3 then 'usr_x' else user_id end, sequence = null, hash = null
          where organization_id = 'org_resealed' and sequence > 2`
        // Nothing is left.
        yield* sql`delete from svc.audit_entries where organization_id = 'org_emptied'`
        yield* sql`delete from svc.audit_heads where organization_id = 'org_emptied'`
        for (const [name, expected] of heads) {
          assert.isTrue((yield* verifyAudit(name)).ok, `${name}: nothing in the database tells`)
          const { broken, ok: isOk } = yield* verifyAudit(name, expected)
          assert.isFalse(isOk, name)
          assert.strictEqual(broken?.sequence, 5, name)
        }
        // What goes on afterwards hides nothing.
        for (let n = 5; n < 9; n++) {
          yield* ok("offer.create", { ...offer, offer_id: `o${n}` }, { actor: actor("org_cut") })
        }
        assert.isFalse((yield* verifyAudit("org_cut", heads.get("org_cut"))).ok)
      })
    )
  })
)
