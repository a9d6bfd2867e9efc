import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { noPolicies, scopeBundles } from "#core/kernel/command/Permission.ts"
import { parseKey } from "#core/workspace/organizations/ApiKey.ts"
import * as Authentication from "#core/workspace/organizations/Authentication.ts"
import { withNewSecret } from "#core/workspace/organizations/Provisioning.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, code, keyed, ok, refused, statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const codeOf = (text: string) =>
  Effect.flatMap(Authentication.Authentication, ({ authenticate }) =>
    Effect.match(authenticate(text), { onSuccess: () => "ok", onFailure: ({ code }) => code })
  ).pipe(Effect.provide(Layer.fresh(Authentication.layer)))

/** Everything the journal kept, as text, where it can be asked. */
const journalText = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient)
  if (Option.isNone(sql)) return ""
  const rows = yield* sql.value`
    select row_to_json(k)::text as row from svc.idempotency_keys k union all select row_to_json(a)::text from svc.audit_entries a
    union all select row_to_json(e)::text from svc.events e union all select row_to_json(k)::text from svc.api_keys k`
  return JSON.stringify(rows)
})

eachBackend("keys", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are made, listed, rotated and revoked, and hold accordingly", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const person = { actor: actor("org_1") }
        const made = yield* ok("key.create", { name: "Sync", scopes: ["events:read"] }, person)
        assert.deepInclude(made.key, { name: "Sync", scopes: ["events:read"], user_id: "usr_org_1", mode: "full" })
        assert.include([undefined, 1], yield* statementsOf(ok("key.list", {}, person)))
        assert.strictEqual(yield* codeOf(made.api_key), "ok")
        const { keys } = yield* ok("key.list", {}, person)
        assert.deepStrictEqual(keys.map(({ name }: { name: string }) => name).sort(), ["Sync", "first"])
        assert.notInclude(JSON.stringify(keys), parseKey(made.api_key)?.secret ?? "?")
        const key_id = made.key.key_id
        const fresh = yield* ok("key.rotate", { key_id, overlap_seconds: 0 }, person)
        assert.strictEqual(yield* codeOf(made.api_key), "KEY_EXPIRED")
        assert.strictEqual(yield* codeOf(fresh.api_key), "ok")
        const { events } = yield* Effect.flatMap(Workspaces, ({ events: feed }) =>
          feed.read("org_1", { after: 0, types: ["key.rotated"], limit: 5 })
        )
        assert.deepStrictEqual(events[0]?.subject, { type: "key", id: key_id })
        const revoked = yield* ok("key.revoke", { key_id }, person)
        assert.isString(revoked.key.revoked_at)
        // When it was last used is noted beside the runs, and so at any time.
        assert.deepInclude((yield* ok("key.revoke", { key_id }, person)).key, {
          key_id,
          revoked_at: revoked.key.revoked_at
        })
        assert.strictEqual(yield* codeOf(fresh.api_key), "KEY_REVOKED")
        assert.strictEqual(yield* code("key.rotate", { key_id }, person), "WRONG_STATE")
      })
    )

    it.effect("are another organization's secret", () =>
      Effect.gen(function* () {
        yield* organization("org_2")
        yield* organization("org_3")
        const { key } = yield* ok("key.create", { name: "Mine" }, { actor: actor("org_2") })
        for (const command of ["key.rotate", "key.revoke"]) {
          assert.strictEqual(yield* code(command, { key_id: key.key_id }, { actor: actor("org_3") }), "NOT_FOUND")
        }
        assert.isUndefined(yield* (yield* Workspaces).holdKey("org_3", key.key_id))
      })
    )

    it.effect("can do no more than who hands them out", () =>
      Effect.gen(function* () {
        yield* organization("org_4")
        const full = yield* ok("key.create", { name: "Full" }, { actor: actor("org_4") })
        const narrow = actor("org_4", { scopes: ["keys:manage", "leads:read"] })
        const create = (input: object) => code("key.create", { name: "x", ...input }, { actor: narrow })
        assert.strictEqual(yield* create({ scopes: ["leads:read", "admin"] }), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* create({ scopes: ["leads:read"] }), "ok")
        const standard = yield* ok("key.create", { name: "x" }, { actor: narrow })
        assert.deepStrictEqual(standard.key.scopes, ["keys:manage", "leads:read"])
        const drafter = yield* ok("key.create", { name: "x", actor_kind: "AI_AGENT" }, { actor: narrow })
        assert.deepStrictEqual(drafter.key.scopes, ["leads:read"])
        assert.strictEqual(yield* code("key.rotate", { key_id: full.key.key_id }, { actor: narrow }), "FORBIDDEN_SCOPE")
        const program = actor("org_4", { kind: "AI_AGENT" })
        assert.strictEqual(
          yield* code("key.create", { name: "x", actor_kind: "USER" }, { actor: program }),
          "FORBIDDEN_SCOPE"
        )
        assert.strictEqual(
          yield* code("key.rotate", { key_id: full.key.key_id }, { actor: program }),
          "FORBIDDEN_SCOPE"
        )
        assert.strictEqual((yield* ok("key.create", { name: "x" }, { actor: program })).key.actor_kind, "AI_AGENT")
        // A key that is asked about may neither make nor take over one that is not.
        const policies = { ...noPolicies, key: { approval: "ask" } } as const
        const asked = actor("org_4", { policies })
        assert.strictEqual(yield* code("key.rotate", { key_id: full.key.key_id }, { actor: asked }), "APPROVAL_POLICY")
        const child = yield* ok("key.create", { name: "x" }, { actor: asked })
        const stored = yield* (yield* Workspaces).findKey(child.key.key_id)
        assert.deepStrictEqual(stored?.policies?.key, { approval: "ask" })
        const reader = actor("org_4", { scopes: scopeBundles.read_only })
        assert.strictEqual(yield* code("key.list", {}, { actor: reader }), "FORBIDDEN_SCOPE")
        assert.strictEqual(
          yield* code("key.create", { name: "x", expires_at: "1969-01-01T00:00:00Z" }, { actor: actor("org_4") }),
          "INVALID_INPUT"
        )
      })
    )

    it.effect("are valid for no longer than the key that makes, rotates or signs in with them", () =>
      Effect.gen(function* () {
        yield* organization("org_21")
        const owner = { actor: actor("org_21") }
        const [soon, later] = ["2099-01-01T00:00:00.000Z", "2099-01-02T00:00:00.000Z"]
        const lasting = yield* ok("key.create", { name: "Lasting" }, owner)
        assert.isNull(lasting.key.expires_at)
        const parent = yield* ok("key.create", { name: "Parent", expires_at: soon }, owner)
        const by = { actor: actor("org_21", { keyId: parent.key.key_id }) }
        const child = yield* ok("key.create", { name: "Child" }, by)
        assert.strictEqual(child.key.expires_at, soon)
        const earlier = { name: "Earlier", expires_at: "2098-01-01T00:00:00Z" }
        assert.strictEqual((yield* ok("key.create", earlier, by)).key.expires_at, "2098-01-01T00:00:00.000Z")
        const refusals = [
          yield* refused("key.create", { name: "Late", expires_at: later }, by),
          yield* refused("key.rotate", { key_id: lasting.key.key_id }, by),
          yield* refused("session.link.create", { key_id: lasting.key.key_id }, by)
        ]
        for (const refusal of refusals) assert.include(refusal, `403 FORBIDDEN_SCOPE Your key expires at ${soon}`)
        assert.lengthOf((yield* ok("key.list", {}, owner)).keys, 5)
        yield* ok("key.rotate", { key_id: parent.key.key_id }, by)
        yield* ok("session.link.create", {}, by)
        yield* ok("key.revoke", { key_id: lasting.key.key_id }, by)
      })
    )

    it.effect("are handed out with the rights that the key has by then, whatever it was authenticated with", () =>
      Effect.gen(function* () {
        yield* organization("org_22")
        const owner = { actor: actor("org_22") }
        const { key_id } = (yield* ok("key.create", { name: "Parent" }, owner)).key
        const by = { actor: actor("org_22", { keyId: key_id, policies: noPolicies }) }
        yield* ok("policy.set", { key_id, approval: "ask" }, owner)
        const child = yield* ok("key.create", { name: "Child" }, by)
        assert.deepStrictEqual((yield* (yield* Workspaces).findKey(child.key.key_id))?.policies?.key, {
          approval: "ask"
        })
        const free = yield* ok("key.create", { name: "Free" }, owner)
        assert.strictEqual(yield* code("key.rotate", { key_id: free.key.key_id }, by), "APPROVAL_POLICY")
        yield* ok("key.revoke", { key_id }, owner)
        for (const [command, input] of [
          ["key.create", { name: "Late" }],
          ["key.rotate", { key_id: child.key.key_id }],
          ["session.link.create", { key_id: child.key.key_id }]
        ] as const) {
          assert.strictEqual(yield* code(command, input, by), "FORBIDDEN_SCOPE", command)
        }
      })
    )

    it.effect("are managed by whoever has their rights, and another user's by an administrator only", () =>
      Effect.gen(function* () {
        yield* organization("org_14")
        const admin = actor("org_14")
        const full = yield* ok("key.create", { name: "Full" }, { actor: admin })
        const theirs = yield* ok(
          "key.create",
          { name: "Theirs", user_id: "usr_other", scopes: ["leads:read"] },
          { actor: admin }
        )
        const mine = yield* ok("key.create", { name: "Mine", scopes: ["leads:read"] }, { actor: admin })
        const narrow = actor("org_14", { scopes: ["keys:manage", "leads:read"] })
        const attempt = (command: string, input: object, by = narrow) => code(command, input, { actor: by })
        for (const command of ["key.rotate", "key.revoke"]) {
          assert.strictEqual(yield* attempt(command, { key_id: full.key.key_id }), "FORBIDDEN_SCOPE", command)
          assert.strictEqual(yield* attempt(command, { key_id: theirs.key.key_id }), "FORBIDDEN_SCOPE", command)
          assert.strictEqual(yield* attempt(command, { key_id: mine.key.key_id }), "ok", command)
        }
        const forAnother = { name: "x", user_id: "usr_other", scopes: ["leads:read"] }
        assert.strictEqual(yield* attempt("key.create", forAnother), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* attempt("key.create", forAnother, admin), "ok")
        const own = { ...narrow, userId: "usr_other", keyId: theirs.key.key_id, scopes: ["keys:manage"] as const }
        assert.strictEqual(yield* attempt("key.revoke", { key_id: theirs.key.key_id }, own), "ok", "a key ends itself")
      })
    )

    it.effect("are shown once: neither a repeated answer, nor a dry run, nor the journal holds the text", () =>
      Effect.gen(function* () {
        yield* organization("org_5")
        const call = { actor: actor("org_5"), ...keyed("make-1") }
        const first = yield* ask("key.create", { name: "Once" }, call)
        const again = yield* ask("key.create", { name: "Once" }, call)
        assert.isTrue(first.envelope.ok && again.envelope.ok && again.replayed)
        if (!first.envelope.ok || !again.envelope.ok) return
        const text: string = Object(first.envelope.data).api_key
        assert.strictEqual(yield* codeOf(text), "ok")
        assert.deepStrictEqual(again.envelope.data, { ...Object(first.envelope.data), api_key: null })
        assert.include(again.envelope.meta.warnings.join(), "api_key")
        assert.notInclude(yield* journalText, parseKey(text)?.secret ?? "?")
        const dry = yield* ok(
          "key.create",
          { name: "Dry" },
          { actor: actor("org_5"), options: { ...call.options, idempotencyKey: undefined, dryRun: true } }
        )
        assert.isNull(dry.api_key)
        assert.lengthOf((yield* ok("key.list", {}, { actor: actor("org_5") })).keys, 2)
      })
    )

    it.effect("rotating without overlap ends a secret that an earlier rotation left a day", () =>
      Effect.gen(function* () {
        const until = "2026-11-22T08:00:00.000Z"
        const at = "2026-11-21T08:00:00.000Z"
        yield* organization("org_6")
        const [key] = yield* (yield* Workspaces).listKeys("org_6")
        if (key === undefined) return assert.fail("no key")
        const once = withNewSecret(key, at, until).key
        const twice = withNewSecret(once, at, at).key
        assert.deepStrictEqual(
          twice.secrets.map(({ validUntil }) => validUntil),
          [at, at, null]
        )
      })
    )
  })
)
