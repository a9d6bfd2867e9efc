/**
 * Nobody gets a key that may do more than theirs, or for longer: every kind of key makes every kind of key, rotates every other one
 * and signs in with it, and what comes of it is compared, command by command.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commands } from "#core/commands.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { noPolicies, permissions, type Scope } from "#core/kernel/command/Permission.ts"
import { permissionOf, refusal } from "#core/kernel/command/Policy.ts"
import { type ApiKey, actorOfKey, parseKey } from "#core/workspace/organizations/ApiKey.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, make } from "../support/World.ts"

const [soon, later] = ["2099-01-01T00:00:00.000Z", "2099-02-01T00:00:00.000Z"]

/** Every combination of one value of each field; undefined leaves a field out. */
const combined = (fields: Readonly<Record<string, ReadonlyArray<unknown>>>): ReadonlyArray<object> => {
  let all: ReadonlyArray<object> = [{}]
  for (const [name, values] of Object.entries(fields)) {
    all = all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value })))
  }
  return all
}

const managing: ReadonlyArray<Scope> = ["keys:manage", "leads:read", "email:send"]

const kinds = ["USER", "AI_AGENT"]

/** The keys that an owner makes, and their policies. */
const parents = combined({ scopes: [["admin"], managing], actor_kind: kinds, expires_at: [undefined, soon] })

const policies = [{}, { approval: "ask" }, { agents: "deny" }] as const

/** The keys that each of them asks for. */
const wanted = combined({
  scopes: [undefined, ["leads:read"], ["admin"], ["email:send", "email:approve"]],
  mode: [undefined, "draft_only"],
  actor_kind: [undefined, ...kinds],
  expires_at: [undefined, later],
  user_id: [undefined, "usr_other"]
})

/** How strictly a command is answered: 0 for one that runs, 3 for one that no approval helps. */
const strictness = (key: ApiKey, command: AnyCommand): number => {
  const by = actorOfKey(key)
  if (refusal(by, command) !== undefined) return 3
  return permissions.indexOf(permissionOf(by.policies ?? noPolicies, command, by.kind))
}

/** What a key has more than another one. */
const surplus = (key: ApiKey, than: ApiKey): ReadonlyArray<string> => [
  ...commands.flatMap((command: AnyCommand) =>
    strictness(key, command) < strictness(than, command) ? [command.id] : []
  ),
  ...(than.expiresAt !== null && (key.expiresAt ?? "~") > than.expiresAt ? ["a later expiry"] : []),
  ...(key.userId !== than.userId && !than.scopes.includes("admin") ? ["another user"] : [])
]

it.effect(
  "nobody gets a key that may do more than theirs",
  () =>
    Effect.gen(function* () {
      yield* organization("org_a")
      const { findKey } = yield* Workspaces
      const keyOf = Effect.fnUntraced(function* (keyId: string) {
        return (yield* findKey(keyId)) ?? (yield* Effect.die(`no key ${keyId}`))
      })
      const owner = actor("org_a")
      const run = (command: string, input: object, by = owner) =>
        Effect.map(ask(command, input, { actor: by }), ({ envelope }) =>
          envelope.ok ? Object(envelope.data) : undefined
        )
      const keys: Array<string> = []
      for (const policy of policies) {
        for (const input of parents) {
          const { key } = yield* run("key.create", { name: "Parent", ...input })
          if (Object.keys(policy).length > 0) yield* run("policy.set", { key_id: key.key_id, ...policy })
          keys.push(key.key_id)
        }
      }
      const tried = { made: 0, refused: 0 }
      const compare = Effect.fnUntraced(function* (what: string, id: string | undefined, parent: ApiKey) {
        tried[id === undefined ? "refused" : "made"]++
        if (id === undefined) return
        const more = surplus(yield* keyOf(id), parent)
        assert.deepStrictEqual(more, [], `${what} by ${JSON.stringify(parent)}`)
      })
      for (const id of keys) {
        const parent = yield* keyOf(id)
        const by = actorOfKey(parent)
        for (const input of wanted) {
          const made = yield* run("key.create", { name: "Child", ...input }, by)
          yield* compare(JSON.stringify(input), made && parseKey(made.api_key)?.keyId, parent)
        }
        for (const key_id of keys) {
          const rotated = yield* run("key.rotate", { key_id }, by)
          yield* compare(`rotating ${key_id}`, rotated && key_id, parent)
          const linked = yield* run("session.link.create", { key_id }, by)
          yield* compare(`signing in with ${key_id}`, linked && key_id, parent)
        }
      }
      assert.isAbove(tried.made, 500)
      assert.isAbove(tried.refused, 500)
    }).pipe(Effect.provide(make({ backend: "memory" }))),
  120_000
)
