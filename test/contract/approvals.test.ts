import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { etagOf } from "#core/kernel/command/Envelope.ts"
import { type ActorKind, noPolicies, type PolicyLayers, scopeBundles } from "#core/kernel/command/Permission.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { callOf } from "../support/rest.ts"
import { actor, ask, code, keyed, ok, statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"
import { offer } from "./outreachRows.ts"

const asking: PolicyLayers = { ...noPolicies, key: { mutate: "ask" } }

const program = (organizationId: string) =>
  actor(organizationId, { kind: "AI_AGENT", userId: "usr_bot", keyId: "aaaaaaaaaaaa", policies: asking })

const person = (organizationId: string) => ({ actor: actor(organizationId, { policies: noPolicies }) })

/** Asks for a run and answers the id of the request. */
const askedFor = (organizationId: string, command: string, input: object, call: object = {}) =>
  Effect.map(ask(command, input, { actor: program(organizationId), ...call }), ({ envelope }) => {
    assert.isTrue(envelope.ok, JSON.stringify(envelope))
    assert.isTrue(envelope.meta.approval_required)
    assert.deepStrictEqual(envelope.ok && envelope.data, { account_id: organizationId, approval_required: true })
    return envelope.meta.approval_request_id
  })

eachBackend("approvals", (layer) =>
  it.layer(layer)((it) => {
    it.effect("wait while a policy denies what was asked for", () =>
      Effect.gen(function* () {
        yield* organization("org_denied")
        const approval_request_id = yield* askedFor("org_denied", "offer.create", { ...offer, offer_id: "a" })
        const resolve = ["approval.resolve", { approval_request_id, decision: "approve" }] as const
        const by = { actor: actor("org_denied") }
        yield* ok("policy.set", { mutate: "deny" }, by)
        assert.strictEqual(yield* code(...resolve, by), "APPROVAL_POLICY")
        assert.strictEqual(yield* code("offer.get", { offer_id: "a" }, by), "NOT_FOUND")
        const { approval } = yield* ok("approval.get", { approval_request_id }, by)
        assert.strictEqual(approval.state, "pending")
        yield* ok("policy.set", { mutate: "ask" }, by)
        assert.strictEqual((yield* ok(...resolve, by)).approval.outcome, "ok")
      })
    )

    it.effect("of a person are not approved by the same person with another key", () =>
      Effect.gen(function* () {
        yield* organization("org_two_keys")
        const by = (keyId: string, userId = "usr_one", kind: ActorKind = "USER") => ({
          actor: actor("org_two_keys", { kind, keyId, userId, policies: asking })
        })
        const request = (offer_id: string, asker: ReturnType<typeof by>) =>
          Effect.map(
            ask("offer.create", { ...offer, offer_id }, asker),
            ({ envelope }) => envelope.meta.approval_request_id
          )
        const decide = (approval_request_id: string, decision: string, decider: ReturnType<typeof by>) =>
          code("approval.resolve", { approval_request_id, decision }, decider)
        const id = yield* request("a", by("aaaaaaaaaaaa"))
        assert.strictEqual(yield* decide(id, "approve", by("bbbbbbbbbbbb")), "APPROVAL_POLICY")
        assert.strictEqual(yield* decide(id, "approve", by("cccccccccccc", "usr_other")), "ok")
        const withdrawn = yield* request("b", by("aaaaaaaaaaaa"))
        assert.strictEqual(yield* decide(withdrawn, "reject", by("bbbbbbbbbbbb")), "ok")
        // What an AI agent asks for with a key of the person is the person's to decide.
        const ofAgent = yield* request("c", by("dddddddddddd", "usr_one", "AI_AGENT"))
        assert.strictEqual(yield* decide(ofAgent, "approve", by("aaaaaaaaaaaa")), "ok")
      })
    )

    it.effect("keep a run until a person approves it, and run it once", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const id = yield* askedFor("org_1", "offer.create", { ...offer, offer_id: "a" })
        assert.strictEqual(yield* code("offer.get", { offer_id: "a" }, person("org_1")), "NOT_FOUND")
        // Asking again for the same is the same request.
        assert.strictEqual(yield* askedFor("org_1", "offer.create", { ...offer, offer_id: "a" }), id)
        const shown = yield* ok("approval.get", { approval_request_id: id }, person("org_1"))
        assert.deepInclude(shown.approval, {
          state: "pending",
          command_id: "offer.create",
          requested_by: { kind: "AI_AGENT", user_id: "usr_bot", key_id: "aaaaaaaaaaaa" },
          resolved_by: null,
          outcome: null
        })
        assert.deepStrictEqual(shown.input, { ...offer, offer_id: "a" })
        const list = (state?: string) => ok("approval.list", state === undefined ? {} : { state }, person("org_1"))
        assert.lengthOf((yield* list()).approvals, 1)
        const resolve = { approval_request_id: id, decision: "approve", reason: "Fine" }
        const resolved = yield* ok("approval.resolve", resolve, person("org_1"))
        assert.strictEqual(resolved.result.offer.id, "a")
        assert.deepInclude(resolved.approval, { state: "approved", outcome: "ok", reason: "Fine" })
        assert.strictEqual(resolved.approval.resolved_by.user_id, "usr_org_1")
        assert.strictEqual((yield* ok("offer.get", { offer_id: "a" }, person("org_1"))).offer.name, offer.name)
        assert.isNull((yield* ok("approval.get", { approval_request_id: id }, person("org_1"))).input)
        assert.strictEqual(yield* code("approval.resolve", resolve, person("org_1")), "WRONG_STATE")
        assert.lengthOf((yield* list()).approvals, 0)
        assert.lengthOf((yield* list("approved")).approvals, 1)
        assert.lengthOf((yield* list("all")).approvals, 1)
        const { entries } = yield* ok("audit.list", {}, person("org_1"))
        const audit = entries.map((row: { command_id: string; outcome: string; actor: { user_id: string } }) =>
          [row.command_id, row.outcome, row.actor.user_id].join(" ")
        )
        assert.sameMembers(audit, [
          "offer.create approval_required usr_bot",
          "offer.create approval_required usr_bot",
          "offer.create ok usr_org_1",
          "approval.resolve ok usr_org_1",
          "approval.resolve WRONG_STATE usr_org_1"
        ])
      })
    )

    it.effect("run nothing when rejected, twice decided, or expired", () =>
      Effect.gen(function* () {
        yield* organization("org_2")
        const id = yield* askedFor("org_2", "offer.create", { ...offer, offer_id: "a" })
        const reject = { approval_request_id: id, decision: "reject" }
        assert.strictEqual((yield* ok("approval.resolve", reject, person("org_2"))).approval.state, "rejected")
        assert.strictEqual(
          yield* code("approval.resolve", { ...reject, decision: "approve" }, person("org_2")),
          "WRONG_STATE"
        )
        const late = yield* askedFor("org_2", "offer.create", { ...offer, offer_id: "b" })
        assert.notStrictEqual(late, id)
        yield* TestClock.adjust("7 days")
        const resolve = { approval_request_id: late, decision: "approve" }
        assert.strictEqual(yield* code("approval.resolve", resolve, person("org_2")), "WRONG_STATE")
        assert.lengthOf((yield* ok("approval.list", { state: "expired" }, person("org_2"))).approvals, 1)
        // Asked for again, it waits again.
        const again = yield* askedFor("org_2", "offer.create", { ...offer, offer_id: "b" })
        assert.notStrictEqual(again, late)
        const decision = { ...resolve, approval_request_id: again }
        assert.isNotNull((yield* ok("approval.resolve", decision, person("org_2"))).result)
        assert.strictEqual(yield* code("offer.get", { offer_id: "a" }, person("org_2")), "NOT_FOUND")
      })
    )

    it.effect("tell how an approved run was refused, and wait on when who approves may not run it", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        yield* ok("offer.create", { ...offer, offer_id: "taken" }, person("org_3"))
        const taken = yield* askedFor("org_3", "offer.create", { ...offer, name: "Other", offer_id: "taken" })
        const answer = yield* ok(
          "approval.resolve",
          { approval_request_id: taken, decision: "approve" },
          person("org_3")
        )
        assert.deepInclude(answer.approval, { state: "approved", outcome: "DUPLICATE_ID" })
        assert.deepStrictEqual([answer.result, answer.error.code], [null, "DUPLICATE_ID"])
        const id = yield* askedFor("org_3", "offer.create", { ...offer, offer_id: "c" })
        const resolve = { approval_request_id: id, decision: "approve" }
        const reader = actor("org_3", { scopes: scopeBundles.read_only, policies: noPolicies })
        assert.strictEqual(yield* code("approval.resolve", resolve, { actor: reader }), "FORBIDDEN_SCOPE")
        assert.strictEqual(
          (yield* ok("approval.get", { approval_request_id: id }, person("org_3"))).approval.state,
          "pending"
        )
        assert.strictEqual((yield* ok("approval.resolve", resolve, person("org_3"))).approval.outcome, "ok")
      })
    )

    it.effect("are decided by people of the same organization only, once however many try", () =>
      Effect.gen(function* () {
        yield* organization("org_4")
        yield* organization("org_5")
        const id = yield* askedFor("org_4", "offer.create", { ...offer, offer_id: "a" })
        const resolve = { approval_request_id: id, decision: "approve" }
        const bot = actor("org_4", { kind: "AI_AGENT", policies: noPolicies })
        assert.strictEqual(yield* code("approval.resolve", resolve, { actor: bot }), "APPROVAL_POLICY")
        assert.strictEqual(yield* code("approval.resolve", resolve, person("org_5")), "NOT_FOUND")
        assert.strictEqual(yield* code("approval.get", { approval_request_id: id }, person("org_5")), "NOT_FOUND")
        assert.lengthOf((yield* ok("approval.list", { state: "all" }, person("org_5"))).approvals, 0)
        yield* Effect.all(
          Array.from({ length: 6 }, () => ask("approval.resolve", resolve, person("org_4"))),
          { concurrency: "unbounded" }
        )
        const { entries } = yield* ok("audit.list", { command_id: "offer.create", outcome: "ok" }, person("org_4"))
        assert.lengthOf(entries, 1)
        const { events } = yield* ok("event.list", { types: "approval.decided" }, person("org_4"))
        assert.lengthOf(events, 1)
        assert.strictEqual(
          (yield* ok("approval.get", { approval_request_id: id }, person("org_4"))).approval.outcome,
          "ok"
        )
      })
    )

    it.effect("stay decided when somebody approves at the same time who may not run it", () =>
      Effect.gen(function* () {
        yield* organization("org_15")
        // A key gets no rights that its creator lacks.
        const narrow = { actor: actor("org_15", { scopes: ["keys:manage", "missions:read"], policies: noPolicies }) }
        for (let round = 0; round < 20; round++) {
          const name = `Key ${round}`
          const id = yield* askedFor("org_15", "key.create", { name, actor_kind: "USER", scopes: ["offers:read"] })
          const request = { approval_request_id: id }
          const resolve = { ...request, decision: "approve" }
          const resolves = [person("org_15"), narrow, person("org_15")].map((by) =>
            code("approval.resolve", resolve, by)
          )
          const codes = yield* Effect.all(resolves, { concurrency: "unbounded" })
          for (const told of codes) assert.include(["ok", "FORBIDDEN_SCOPE", "WRONG_STATE"], told)
          const { approval } = yield* ok("approval.get", request, person("org_15"))
          assert.strictEqual(approval.state, "approved", codes.join(" "))
          if (approval.outcome === null) yield* ok("approval.resolve", resolve, person("org_15"))
          const after = yield* ok("approval.get", request, person("org_15"))
          assert.deepInclude(after.approval, { state: "approved", outcome: "ok" }, codes.join(" "))
          assert.strictEqual(yield* code("approval.resolve", { ...resolve, decision: "reject" }, narrow), "WRONG_STATE")
        }
        const { events } = yield* ok("event.list", { types: "approval.decided" }, person("org_15"))
        assert.lengthOf(events, 20)
        const { entries } = yield* ok("audit.list", { command_id: "key.create", outcome: "ok" }, person("org_15"))
        assert.lengthOf(entries, 20)
      })
    )

    it.effect("answer an idempotency key with the same request, and leave dry runs and reads alone", () =>
      Effect.gen(function* () {
        yield* organization("org_6")
        const id = yield* askedFor("org_6", "offer.create", { ...offer, offer_id: "a" }, keyed("k"))
        yield* ok("approval.resolve", { approval_request_id: id, decision: "approve" }, person("org_6"))
        const again = yield* ask(
          "offer.create",
          { ...offer, offer_id: "a" },
          { actor: program("org_6"), ...keyed("k") }
        )
        assert.isTrue(again.replayed)
        assert.strictEqual(again.envelope.meta.approval_request_id, id)
        assert.isTrue((yield* ask("offer.list", {}, { actor: program("org_6") })).envelope.ok)
        const dry = { options: { responseProfile: "full", dryRun: true, idempotencyKey: undefined } } as const
        const tried = yield* ok("offer.create", { ...offer, offer_id: "dry" }, { actor: program("org_6"), ...dry })
        assert.strictEqual(tried.offer.id, "dry")
        const compact = { options: { responseProfile: "compact", dryRun: false, idempotencyKey: undefined } } as const
        yield* askedFor("org_6", "offer.create", { ...offer, offer_id: "compact" }, compact)
        // What a key's policy asks about is its own decisions too.
        const asked = { actor: actor("org_6", { policies: { ...noPolicies, key: { approval: "ask" } } }) }
        const decision = { approval_request_id: id, decision: "reject" }
        assert.isTrue((yield* ask("approval.resolve", decision, asked)).envelope.meta.approval_required)
        assert.isTrue((yield* ask("policy.set", { approval: null }, asked)).envelope.meta.approval_required)
      })
    )

    it.effect("follow the policy of the organization, and of a key before it", () =>
      Effect.gen(function* () {
        yield* organization("org_7")
        const workspaces = yield* Workspaces
        const [key] = yield* workspaces.listKeys("org_7")
        const key_id = key?.keyId ?? ""
        // No policies on the actor: they are looked up.
        const owner = { actor: actor("org_7") }
        const nothing = { approval: null, mutate: null, agents: null }
        const approvals = { approvers: null, expiry_days: 7, client_answers: false }
        const texts = { disclosure: null, disclosure_for: "all", evidence: null, email_authentication: null }
        const leads = { lawful_basis: null, retention_days: null }
        assert.deepStrictEqual(yield* ok("policy.get", {}, owner), {
          approvals,
          texts,
          leads,
          organization: nothing,
          keys: []
        })
        yield* ok("policy.set", { mutate: "deny" }, owner)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* code("offer.create", { ...offer, offer_id: "a" }, owner), "APPROVAL_POLICY")
        assert.isTrue((yield* ask("offer.list", {}, owner)).envelope.ok)
        yield* ok("policy.set", { key_id, mutate: "allow" }, owner)
        assert.deepStrictEqual((yield* workspaces.findKey(key_id))?.policies, {
          key: { mutate: "allow" },
          organization: { mutate: "deny" }
        })
        const set = yield* ok("policy.set", { approval: "deny" }, owner)
        assert.deepStrictEqual(set, {
          policy: { approval: "deny", mutate: "deny", agents: null },
          approvals,
          texts,
          leads,
          organization: { approval: "deny", mutate: "deny", agents: null },
          keys: [{ key_id, name: "first", policy: { approval: null, mutate: "allow", agents: null } }]
        })
        yield* TestClock.adjust("1 second")
        // The organization's own policy cannot lock out who takes it back.
        const cleared = yield* ok("policy.set", { approval: null, mutate: null }, owner)
        assert.deepStrictEqual(cleared.organization, nothing)
        yield* TestClock.adjust("1 second")
        yield* ok("offer.create", { ...offer, offer_id: "a" }, owner)
        assert.strictEqual(yield* code("policy.set", { key_id: "aaaaaaaaaaaa" }, owner), "NOT_FOUND")
        const bot = { actor: actor("org_7", { kind: "AI_AGENT" }) }
        assert.strictEqual(yield* code("policy.set", { mutate: "allow" }, bot), "APPROVAL_POLICY")
        yield* organization("org_8")
        assert.strictEqual(yield* code("policy.set", { key_id }, { actor: actor("org_8") }), "NOT_FOUND")
        assert.deepStrictEqual((yield* ok("policy.get", {}, { actor: actor("org_8") })).keys, [])
      })
    )

    it.effect("keep every rule that is set at the same time as others", () =>
      Effect.gen(function* () {
        yield* organization("org_11")
        const owner = { actor: actor("org_11") }
        for (let round = 0; round < 10; round++) {
          yield* ok("policy.set", { approval: null, mutate: null, agents: null }, owner)
          const rules = [{ approval: "ask" }, { mutate: "allow" }, { agents: "deny" }]
          yield* Effect.forEach(rules, (rule) => ok("policy.set", rule, owner), { concurrency: "unbounded" })
          const { organization: found } = yield* ok("policy.get", {}, owner)
          assert.deepStrictEqual(found, { approval: "ask", mutate: "allow", agents: "deny" })
        }
      })
    )

    it.effect("know a rule for programs that approve or send, of the organization and of a key", () =>
      Effect.gen(function* () {
        yield* organization("org_10")
        const owner = { actor: actor("org_10") }
        const set = yield* ok("policy.set", { agents: "deny" }, owner)
        assert.deepStrictEqual(set.organization, { approval: null, mutate: null, agents: "deny" })
        yield* TestClock.adjust("1 second")
        const bot = actor("org_10", { kind: "AI_AGENT" })
        yield* ok("offer.create", { ...offer, offer_id: "a" }, { actor: bot })
        yield* ok("policy.set", { mutate: "allow" }, owner)
        assert.strictEqual((yield* ok("policy.get", {}, owner)).organization.agents, "deny")
        // A program cannot make itself a key that may more.
        const asking = actor("org_10", { kind: "AI_AGENT", policies: { key: { agents: "ask" }, organization: {} } })
        const made = yield* ok("key.create", { name: "Another" }, { actor: asking })
        const key = yield* (yield* Workspaces).findKey(made.key.key_id)
        assert.deepStrictEqual(key?.policies, {
          key: { agents: "ask" },
          organization: { agents: "deny", mutate: "allow" }
        })
      })
    )

    it.effect("are rejected once, and answer the same again under the same key", () =>
      Effect.gen(function* () {
        yield* organization("org_21")
        const id = yield* askedFor("org_21", "offer.create", { ...offer, offer_id: "a" })
        const reject = { approval_request_id: id, decision: "reject", reason: "Not now" }
        const call = { ...person("org_21"), ...keyed("reject") }
        const first = yield* ask("approval.resolve", reject, call)
        const again = yield* ask("approval.resolve", reject, call)
        assert.isTrue(first.envelope.ok && !first.replayed && again.replayed)
        assert.deepStrictEqual(again.envelope, {
          ...first.envelope,
          meta: { ...first.envelope.meta, warnings: again.envelope.meta.warnings }
        })
      })
    )

    it.effect("keep what If-Match names with the request, and check it when it is approved", () =>
      Effect.gen(function* () {
        yield* organization("org_22")
        const read = "GET /offers/{offerId}"
        const change = "PATCH /offers/{offerId}"
        const by = (name: string, ifMatch: string) =>
          ask(
            change,
            { offerId: "a", name, ifMatch },
            { actor: program("org_22"), ...callOf(change, { offerId: "a", name, ifMatch }) }
          )
        yield* ok("offer.create", { ...offer, offer_id: "a" }, person("org_22"))
        const tag = Effect.map(ok(read, { offerId: "a" }, person("org_22")), (shown) => etagOf(shown.offer))
        const stale = yield* by("New", '"of-another-version"')
        assert.deepInclude(stale.envelope, { ok: false, status: 412 })
        const { envelope } = yield* by("New", yield* tag)
        const resolve = { approval_request_id: envelope.meta.approval_request_id, decision: "approve" }
        yield* ok("offer.update", { offer_id: "a", description: "changed meanwhile" }, person("org_22"))
        const refusal = yield* ok("approval.resolve", resolve, person("org_22"))
        assert.strictEqual(refusal.approval.outcome, "PRECONDITION_FAILED")
        const second = yield* by("New", yield* tag)
        const approved = yield* ok(
          "approval.resolve",
          { ...resolve, approval_request_id: second.envelope.meta.approval_request_id },
          person("org_22")
        )
        assert.strictEqual(approved.approval.outcome, "ok")
        assert.strictEqual((yield* ok("offer.get", { offer_id: "a" }, person("org_22"))).offer.name, "New")
      })
    )

    it.effect("cost nothing where no policy is", () =>
      Effect.gen(function* () {
        yield* organization("org_9")
        yield* ok("offer.create", { ...offer, offer_id: "a" }, person("org_9"))
        // The change and its journal.
        assert.include(
          [undefined, 3],
          yield* statementsOf(ok("offer.update", { offer_id: "a", name: "Other" }, person("org_9")))
        )
      })
    )
  })
)
