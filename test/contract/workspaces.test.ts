import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import { generateKey, parseKey } from "#core/workspace/organizations/ApiKey.ts"
import * as Authentication from "#core/workspace/organizations/Authentication.ts"
import * as Provisioning from "#core/workspace/organizations/Provisioning.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { eachBackend } from "./backends.ts"

const codeOf = (text: string) =>
  Effect.flatMap(Authentication.Authentication, ({ authenticate }) =>
    Effect.match(authenticate(text), { onSuccess: () => "ok", onFailure: ({ code }) => code })
  )

eachBackend("Organizations and keys", (layer) => {
  const all = Authentication.layer.pipe(Layer.provideMerge(layer))

  it.effect("a new organization's key acts in it with every right, and no other key does", () =>
    Effect.gen(function* () {
      const { organization, text } = yield* Provisioning.createOrganization("Acme")
      const actor = yield* (yield* Authentication.Authentication).authenticate(text)
      assert.strictEqual(actor.organizationId, organization.id)
      const known = yield* (yield* Workspaces).listOrganizations
      assert.deepInclude(
        known.map(({ id, name }) => ({ id, name })),
        { id: organization.id, name: "Acme" }
      )
      assert.strictEqual(actor.kind, "USER")
      assert.include(actor.scopes, "linkedin:send")
      assert.strictEqual(yield* codeOf(generateKey()), "UNAUTHENTICATED")
      assert.strictEqual(yield* codeOf("svc_live_nonsense"), "UNAUTHENTICATED")
      // The right id with another secret is as unknown as a wrong id.
      assert.strictEqual(yield* codeOf(generateKey(parseKey(text)?.keyId)), "UNAUTHENTICATED")
      assert.notInclude(
        JSON.stringify(yield* (yield* Workspaces).listKeys(organization.id)),
        parseKey(text)?.secret ?? "no secret"
      )
    }).pipe(Effect.provide(all))
  )

  it.effect("a first organization is made once, however many ask at the same time", () =>
    Effect.gen(function* () {
      const made = yield* Effect.all(
        Array.from({ length: 8 }, (_, index) => Provisioning.bootstrap(`first ${index}`)),
        { concurrency: "unbounded" }
      )
      const winners = made.flatMap((one) => (one === undefined ? [] : [one.organization.id]))
      const oldest = yield* (yield* Workspaces).oldestOrganization
      assert.isAtMost(winners.length, 1)
      if (winners.length === 1) assert.strictEqual(oldest?.id, winners[0])
      assert.strictEqual((yield* Provisioning.ensureOrganization("again")).id, oldest?.id)
    }).pipe(Effect.provide(all))
  )

  it.effect("what an operator does to keys is in the organization's audit, refusals too", () =>
    Effect.gen(function* () {
      const { organization } = yield* Provisioning.createOrganization("Audited")
      const { key } = yield* Provisioning.createKey(organization.id, { name: "second" })
      yield* TestClock.adjust("1 second")
      yield* Provisioning.rotateKey(key.keyId, 60)
      yield* Provisioning.revokeKey(key.keyId)
      assert.strictEqual((yield* Effect.flip(Provisioning.rotateKey(key.keyId, 60))).code, "WRONG_STATE")
      const log = (yield* Workspaces).audit
      const any = {
        commandId: undefined,
        actorKind: undefined,
        keyId: undefined,
        outcome: undefined,
        after: undefined,
        before: undefined
      }
      const page = { limit: 10, after: undefined }
      const { items } = yield* log.list(organization.id, { ...any, actorKind: "OPERATOR" }, page)
      const told = items.map(({ commandId, outcome, subject }) => `${commandId} ${outcome} ${subject?.id}`)
      assert.deepStrictEqual(
        told.toSorted(),
        [
          `operator.orgs.create ok ${organization.id}`,
          `operator.keys.create ok ${key.keyId}`,
          `operator.keys.rotate ok ${key.keyId}`,
          `operator.keys.revoke ok ${key.keyId}`,
          `operator.keys.rotate WRONG_STATE ${key.keyId}`
        ].toSorted()
      )
      assert.deepInclude(yield* verifyAudit(organization.id), { ok: true, rows: 5 })
    }).pipe(Effect.provide(all))
  )

  it.effect("a rotated key holds with both secrets until the overlap ends", () =>
    Effect.gen(function* () {
      const { key, text } = yield* Provisioning.createOrganization("Rotating")
      const { text: fresh } = yield* Provisioning.rotateKey(key.keyId, 3600)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* codeOf(text), "ok")
      assert.strictEqual(yield* codeOf(fresh), "ok")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* codeOf(text), "KEY_EXPIRED")
      assert.strictEqual(yield* codeOf(fresh), "ok")
    }).pipe(Effect.provide(all))
  )

  it.effect("a revoked key is refused within a second, an expired one at its instant", () =>
    Effect.gen(function* () {
      const { key, organization, text } = yield* Provisioning.createOrganization("Ending")
      assert.strictEqual(yield* codeOf(text), "ok")
      yield* Provisioning.revokeKey(key.keyId)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* codeOf(text), "KEY_REVOKED")
      assert.strictEqual((yield* Effect.flip(Provisioning.rotateKey(key.keyId, 0))).code, "WRONG_STATE")

      const expiresAt = "1970-01-01T01:00:00.000Z"
      const dated = yield* Provisioning.createKey(organization.id, { name: "dated", expiresAt })
      assert.strictEqual(yield* codeOf(dated.text), "ok")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* codeOf(dated.text), "KEY_EXPIRED")
    }).pipe(Effect.provide(all))
  )

  it.effect("keys keep what they were asked to be; an AI agent gets a drafter's rights", () =>
    Effect.gen(function* () {
      const { organization } = yield* Provisioning.createOrganization("Keys")
      yield* TestClock.adjust("1 second")
      const bot = yield* Provisioning.createKey(organization.id, { actorKind: "AI_AGENT", mode: "draft_only" })
      const actor = yield* (yield* Authentication.Authentication).authenticate(bot.text)
      assert.deepStrictEqual([actor.kind, actor.mode], ["AI_AGENT", "draft_only"])
      assert.include(actor.scopes, "linkedin:draft")
      assert.notInclude(actor.scopes, "linkedin:approve")
      const names = (yield* (yield* Workspaces).listKeys(organization.id)).map(({ name }) => name)
      assert.deepStrictEqual(names, ["first key", "key"])
      assert.strictEqual((yield* Effect.flip(Provisioning.createKey("org_nope", {}))).code, "NOT_FOUND")
      assert.strictEqual((yield* Effect.flip(Provisioning.revokeKey("nope"))).code, "NOT_FOUND")
    }).pipe(Effect.provide(all))
  )

  it.effect("the last use of a key is noted, and never goes back", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Provisioning.createOrganization("Used")
      const workspaces = yield* Workspaces
      yield* workspaces.touchKey(key.keyId, "2026-11-21T08:00:00.000Z")
      yield* workspaces.touchKey(key.keyId, "2026-11-21T07:00:00.000Z")
      assert.strictEqual((yield* workspaces.listKeys(organization.id))[0]?.lastUsedAt, "2026-11-21T08:00:00.000Z")
    }).pipe(Effect.provide(all))
  )
})
