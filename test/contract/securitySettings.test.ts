/** A security setting holds from its answer on in the process that made it, and within a second in another one of the same store. */
import { assert, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { type ActorIdentity, defaultOptions } from "#core/kernel/command/Execution.ts"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import * as Authentication from "#core/workspace/organizations/Authentication.ts"
import { createKey, type KeyRequest } from "#core/workspace/organizations/Provisioning.ts"
import { SignIn, layer as signInLayer } from "#core/workspace/sessions/SignIn.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, commands, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

/** What a process has of its own. */
type Process = Context.Context<Authentication.Authentication | Dispatch>

/** Who calls: a key, a session of the review page, or a host's own actor. */
type Caller = { readonly key: string } | { readonly session: string } | { readonly actor: ActorIdentity }

const identified = Effect.fnUntraced(function* (caller: Caller) {
  const { authenticate, authenticateSession } = yield* Authentication.Authentication
  if ("actor" in caller) return caller.actor
  return yield* "key" in caller ? authenticate(caller.key) : authenticateSession(caller.session)
})

/** The code of a call of which nothing is kept. */
const codeIn = (process: Process, caller: Caller, command: string, input: object) =>
  Effect.gen(function* () {
    const by = yield* identified(caller)
    const { run } = yield* Dispatch
    const { envelope } = yield* run({ command, input, actor: by, options: { ...defaultOptions, dryRun: true } })
    return envelope.ok ? "ok" : envelope.error.code
  }).pipe(
    Effect.catch((failure) => Effect.succeed(failure.code)),
    Effect.provideContext(process)
  )

const note = { command: "lead.upsert", input: { email: "somebody@example.com" } }

/** A call, the setting that ends it, and how it is refused then. */
const made = Effect.fnUntraced(function* (organizationId: string, request: KeyRequest = {}) {
  const { key, text } = yield* createKey(organizationId, { userId: "usr_lea", ...request })
  return { caller: { key: text }, keyId: key.keyId, ...note }
})

const leadWith = (organizationId: string, email: string) =>
  Effect.map(ok("lead.upsert", { name: "Grace", email }, { actor: actor(organizationId) }), ({ lead_id }) => ({
    lead_id: String(lead_id)
  }))

const drafted = Effect.fnUntraced(function* (organizationId: string) {
  const by = { actor: actor(organizationId) }
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" }, by)
  const lead = yield* leadWith(organizationId, "grace@example.com")
  const variations = [{ body_text: "Shall we?" }]
  const { draft } = yield* ok("linkedin.draft.create", { ...lead, agent_handle: "ada-martin", variations }, by)
  return { ...(yield* made(organizationId)), command: "linkedin.draft.approve", input: { draft_id: draft.draft_id } }
})

const settings = {
  "an organization's policy, for its keys": (id: string) =>
    Effect.map(made(id), (call) => ({ ...call, set: ["policy.set", { mutate: "deny" }], code: "APPROVAL_POLICY" })),
  "an organization's policy, for a host's actors": (id: string) =>
    Effect.succeed({
      ...note,
      caller: { actor: actor(id) },
      set: ["policy.set", { mutate: "deny" }],
      code: "APPROVAL_POLICY"
    }),
  "a policy for AI agents": (id: string) =>
    Effect.map(made(id, { actorKind: "AI_AGENT", scopes: ["linkedin:approve"] }), ({ caller }) => ({
      caller,
      command: "linkedin.usage.set-limits",
      input: { account_id: "acc_1", limits: {} },
      set: ["policy.set", { agents: "deny" }],
      code: "APPROVAL_POLICY"
    })),
  "a key's policy": (id: string) =>
    Effect.map(made(id), (call) => ({
      ...call,
      set: ["policy.set", { key_id: call.keyId, mutate: "deny" }],
      code: "APPROVAL_POLICY"
    })),
  "a revoked key": (id: string) =>
    Effect.map(made(id), (call) => ({ ...call, set: ["key.revoke", { key_id: call.keyId }], code: "KEY_REVOKED" })),
  "the old secret of a rotated key": (id: string) =>
    Effect.map(made(id), (call) => ({
      ...call,
      set: ["key.rotate", { key_id: call.keyId, overlap_seconds: 0 }],
      code: "KEY_EXPIRED"
    })),
  "a session of a revoked key": Effect.fnUntraced(function* (id: string) {
    const call = yield* made(id)
    const { authenticate } = yield* Authentication.Authentication
    const { text } = yield* (yield* SignIn).withKey(yield* authenticate(call.caller.key), call.caller.key)
    return { ...call, caller: { session: text }, set: ["key.revoke", { key_id: call.keyId }], code: "UNAUTHENTICATED" }
  }),
  approvers: Effect.fnUntraced(function* (id: string) {
    const asking = actor(id, {
      userId: "usr_bot",
      keyId: "bbbbbbbbbbbb",
      policies: { ...noPolicies, key: { mutate: "ask" } }
    })
    const { envelope } = yield* ask(note.command, note.input, { actor: asking })
    return {
      ...(yield* made(id)),
      command: "approval.resolve",
      input: { approval_request_id: envelope.meta.approval_request_id, decision: "approve" },
      set: ["policy.set", { approvers: [{ user_id: `usr_${id}` }] }],
      code: "APPROVAL_POLICY"
    }
  }),
  "what texts must say": (id: string) =>
    Effect.map(drafted(id), (call) => ({
      ...call,
      set: ["policy.set", { disclosure: "Written by an AI assistant." }],
      code: "DISCLOSURE_REQUIRED"
    })),
  "a suppressed person": (id: string) =>
    Effect.map(drafted(id), (call) => ({
      ...call,
      set: ["lead.suppress", { email: "grace@example.com", reason: "asked", until: "2099-01-01T00:00:00Z" }],
      code: "LEAD_SUPPRESSED"
    })),
  "a suppressed domain": (id: string) =>
    Effect.map(drafted(id), (call) => ({
      ...call,
      set: ["lead.suppress", { domain: "example.com", reason: "asked" }],
      code: "LEAD_SUPPRESSED"
    }))
}

eachBackend("security settings", (layer) =>
  it.layer(signInLayer.pipe(Layer.provideMerge(Authentication.layer), Layer.provideMerge(layer)))((it) => {
    it.effect.each(Object.entries(settings).map(([name, setting], index) => ({ name, setting, index })))(
      "$name",
      ({ index, setting }) =>
        Effect.gen(function* () {
          const id = `org_${index}`
          yield* organization(id)
          const here: Process = yield* Effect.context<Authentication.Authentication | Dispatch>()
          const there: Process = yield* Layer.build(
            Layer.fresh(Authentication.layer.pipe(Layer.provideMerge(commands)))
          )
          const { caller, code, command, input, set } = yield* setting(id)
          for (const process of [here, there]) {
            assert.notStrictEqual(yield* codeIn(process, caller, command, input), code)
          }
          const [by, change] = set
          yield* ok(String(by), change, { actor: actor(id) })
          assert.strictEqual(yield* codeIn(here, caller, command, input), code, "here")
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* codeIn(there, caller, command, input), code, "there")
        })
    )
  })
)
