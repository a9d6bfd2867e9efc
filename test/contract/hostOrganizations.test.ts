/** Organizations by a host's own ids, and the keys that a host issues. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import { ensureExternal, issueHostKey } from "#core/workspace/organizations/hostOperations.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

/** What operators did, in any order. */
const audited = (organizationId: string) =>
  Effect.gen(function* () {
    const any = { commandId: undefined, keyId: undefined, outcome: undefined, after: undefined, before: undefined }
    const { items } = yield* (yield* Workspaces).audit.list(
      organizationId,
      { ...any, actorKind: "OPERATOR" },
      { limit: 100, after: undefined }
    )
    return items.map(({ commandId, outcome }) => `${commandId} ${outcome}`).toSorted()
  })

const refusal = <R>(effect: Effect.Effect<unknown, Failure, R>) =>
  Effect.map(Effect.flip(effect), ({ code, message }) => `${code} ${message}`)

eachBackend("Organizations of a host", (world) => {
  it.effect("are found by the host's id, and their name follows", () =>
    Effect.gen(function* () {
      const acme = yield* ensureExternal({ externalId: "c-1", name: "Acme" })
      assert.deepInclude(acme, { externalId: "c-1", name: "Acme" })
      assert.deepStrictEqual(yield* ensureExternal({ externalId: " c-1 ", name: "Acme" }), acme)
      assert.deepStrictEqual(yield* ensureExternal({ externalId: "c-1" }), acme)
      const renamed = yield* ensureExternal({ externalId: "c-1", name: "Acme & Sons" })
      assert.deepStrictEqual(renamed, { ...acme, name: "Acme & Sons" })
      assert.deepStrictEqual(yield* (yield* Workspaces).findOrganization(acme.id), renamed)
      const other = yield* ensureExternal({ externalId: "C-1" })
      assert.notStrictEqual(other.id, acme.id)
      assert.strictEqual(other.name, "C-1")
      assert.deepStrictEqual(yield* audited(acme.id), ["operator.orgs.create ok", "operator.orgs.rename ok"])
      // What every request of a known customer costs.
      const statements = yield* statementsOf(ensureExternal({ externalId: "c-1", name: "Acme & Sons" }))
      assert.include([undefined, 1], statements)
      const workspaces = yield* Workspaces
      assert.isFalse(yield* workspaces.createExternalOrganization({ ...other, id: "org_second" }))
      assert.isFalse(yield* workspaces.renameOrganization(other.id, other.name))
      assert.isUndefined(yield* workspaces.findOrganization("org_second"))
      assert.deepStrictEqual(yield* (yield* Workspaces).listKeys(acme.id), [])
    }).pipe(Effect.provide(world))
  )

  it.effect("are made once, renamed once and audited once, however many ask at the same time", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 20; round++) {
        const ask = (name: string) =>
          Effect.all(
            Array.from({ length: 8 }, () => ensureExternal({ externalId: `race-${round}`, name })),
            { concurrency: "unbounded" }
          )
        const made = [...(yield* ask("Before")), ...(yield* ask("After"))]
        const ids = [...new Set(made.map(({ id }) => id))]
        assert.lengthOf(ids, 1)
        assert.deepStrictEqual(yield* audited(ids[0] ?? ""), ["operator.orgs.create ok", "operator.orgs.rename ok"])
      }
    }).pipe(Effect.provide(world))
  )

  it.effect("are refused with what is wrong, and nothing is made", () =>
    Effect.gen(function* () {
      const refused: ReadonlyArray<readonly [unknown, RegExp]> = [
        [{}, /^INVALID_INPUT .*externalId/],
        [{ externalId: " " }, /^INVALID_INPUT .*externalId/],
        [{ externalId: 7 }, /^INVALID_INPUT .*externalId/],
        [{ externalId: "a\0b" }, /^INVALID_INPUT .*externalId/],
        [{ externalId: "x".repeat(201) }, /^INVALID_INPUT .*externalId/],
        [{ externalId: "c-2", name: "a\nb" }, /^INVALID_INPUT .*name/],
        [{ externalId: "c-2", nmae: "b" }, /^UNKNOWN_FIELD .*nmae/]
      ]
      for (const [input, expected] of refused) assert.match(yield* refusal(ensureExternal(input)), expected)
      assert.isUndefined(yield* (yield* Workspaces).findExternalOrganization("c-2"))
    }).pipe(Effect.provide(world))
  )

  it.effect("get keys from their host, with the limits of key.create and an entry in the audit", () =>
    Effect.gen(function* () {
      const { id } = yield* ensureExternal({ externalId: "keys" })
      const bot = yield* issueHostKey({ organizationId: id, userId: "ada", name: "Bot", kind: "AI_AGENT" })
      assert.deepInclude(bot.key, { organizationId: id, userId: "ada", name: "Bot", actorKind: "AI_AGENT" })
      assert.notInclude(bot.key.scopes, "linkedin:approve")
      const reader = yield* issueHostKey({
        organizationId: id,
        name: "Reader",
        scopes: ["events:read"],
        mode: "draft_only",
        expiresAt: "2099-01-01T00:00:00Z"
      })
      assert.deepInclude(reader.key, {
        scopes: ["events:read"],
        mode: "draft_only",
        expiresAt: "2099-01-01T00:00:00.000Z"
      })
      assert.match(reader.key.userId, /^usr_/)
      const asked = { organizationId: id, name: "x" }
      const refused: ReadonlyArray<readonly [unknown, RegExp]> = [
        [{ ...asked, organizationId: "org_none" }, /^NOT_FOUND /],
        [{ organizationId: id }, /^INVALID_INPUT .*name/],
        [{ ...asked, scopes: [] }, /^INVALID_INPUT .*scopes/],
        [{ ...asked, scopes: ["leads:burn"] }, /^INVALID_INPUT .*scopes/],
        [{ ...asked, kind: "SYSTEM" }, /^INVALID_INPUT .*kind/],
        [{ ...asked, expiresAt: "tomorrow" }, /^INVALID_INPUT .*expiresAt/],
        [{ ...asked, expiresAt: "1969-01-01T00:00:00Z" }, /^INVALID_INPUT expiresAt is in the past/]
      ]
      for (const [input, expected] of refused) assert.match(yield* refusal(issueHostKey(input)), expected)
      assert.deepStrictEqual((yield* (yield* Workspaces).listKeys(id)).map(({ name }) => name).toSorted(), [
        "Bot",
        "Reader"
      ])
      assert.deepStrictEqual(yield* audited(id), [
        "operator.keys.create ok",
        "operator.keys.create ok",
        "operator.orgs.create ok"
      ])
    }).pipe(Effect.provide(world))
  )
})
