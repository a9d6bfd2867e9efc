/** Questions to the users of MCP clients: what an answer decides, and that none counts twice, late, elsewhere or for others. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type ActorIdentity, PublicUrl } from "#core/kernel/command/Execution.ts"
import type { ApprovalRules } from "#core/kernel/command/Permission.ts"
import { expireRequests } from "#core/workspace/approvals/settleRequest.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, code, ok, refused } from "../support/World.ts"
import { eachBackend } from "./backends.ts"
import { offer } from "./outreachRows.ts"

const agent = (organizationId: string, changes: Partial<ActorIdentity> = {}, rules: ApprovalRules = {}) => ({
  actor: actor(organizationId, {
    kind: "AI_AGENT",
    userId: "usr_owner",
    keyId: "aaaaaaaaaaaa",
    client: { name: "An editor", version: "1" },
    policies: { key: { mutate: "ask" }, organization: rules },
    ...changes
  })
})
const person = (organizationId: string, userId = "usr_a") => ({ actor: actor(organizationId, { userId }) })

const setRules = (organizationId: string, rules: object) =>
  Effect.andThen(ok("policy.set", rules, person(organizationId)), TestClock.adjust("1 second"))

let names = 0
const asked = (organizationId: string, offer_id = `offer-${++names}`) =>
  Effect.map(ask("offer.create", { ...offer, offer_id }, agent(organizationId)), ({ envelope }) => {
    assert.isTrue(envelope.meta.approval_required, JSON.stringify(envelope))
    return envelope.meta.approval_request_id
  })

const questionFor = (
  organizationId: string,
  approval_request_id: string,
  more: object = {},
  by = agent(organizationId)
) =>
  Effect.map(
    ok("approval.ask-client", { approval_request_id, modes: ["form"], ...more }, by),
    ({ question }) => question
  )

const answer = (organizationId: string, state: string, action = "accept", by = agent(organizationId)) =>
  ok("approval.answer", { state, action }, by)
const refusal = (organizationId: string, state: string, more: object = {}, by = agent(organizationId)) =>
  refused("approval.answer", { state, action: "accept", ...more }, by)

const shown = (organizationId: string, approval_request_id: string) =>
  Effect.map(ok("approval.get", { approval_request_id }, person(organizationId)), ({ approval }) => approval)

eachBackend("questions to the users of clients", (layer) =>
  it.layer(layer)((it) => {
    it.effect("decide nothing unless the organization says so", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const id = yield* asked("org_1")
        assert.isNull(yield* questionFor("org_1", id))
        assert.isNull(yield* questionFor("org_1", id, { modes: ["form", "url"] }), "no public URL to open")
        const link = Effect.provideService(
          questionFor("org_1", id, { modes: ["form", "url"] }),
          PublicUrl,
          () => "https://svc.example"
        )
        const { message, mode, state } = yield* link
        assert.strictEqual(mode, "url")
        assert.notInclude(message, offer.name)
        const noted = yield* answer("org_1", state)
        assert.deepInclude(noted.approval, { state: "pending", resolved_by: null, decided_through: null })
        assert.deepInclude(noted.approval.client_answer, { client: "An editor", action: "accept", decides: false })
        assert.strictEqual(
          (yield* ok("approval.resolve", { approval_request_id: id, decision: "approve" }, person("org_1"))).approval
            .outcome,
          "ok"
        )
        assert.isNull(yield* questionFor("org_1", id), "nothing is left to decide")
      })
    )

    it.effect("where it does, accept approves in the name of the key's user, decline rejects, cancel leaves open", () =>
      Effect.gen(function* () {
        yield* organization("org_2")
        yield* setRules("org_2", { client_answers: true })
        const id = yield* asked("org_2", "accepted")
        const question = yield* questionFor("org_2", id)
        assert.include(question.message, "Create an offer (offer.create)?")
        assert.include(question.message, `name: ${offer.name}`)
        const { approval, error, result } = yield* answer("org_2", question.state)
        assert.deepInclude(approval, { state: "approved", outcome: "ok", decided_through: "An editor" })
        assert.deepStrictEqual(approval.resolved_by, { kind: "USER", user_id: "usr_owner", key_id: "aaaaaaaaaaaa" })
        assert.deepStrictEqual([result.offer.id, error], ["accepted", null])
        const { entries } = yield* ok("audit.list", { limit: 10 }, person("org_2"))
        assert.includeMembers(
          entries.map((row: { command_id: string; outcome: string }) => `${row.command_id} ${row.outcome}`),
          ["approval.answer ok", "offer.create ok", "approval.ask-client ok", "offer.create approval_required"]
        )
        const other = yield* asked("org_2", "declined")
        const declined = yield* ok(
          "approval.answer",
          { state: (yield* questionFor("org_2", other)).state, action: "decline", reason: "Not now" },
          agent("org_2")
        )
        assert.deepInclude(declined.approval, { state: "rejected", reason: "Not now", decided_through: "An editor" })
        const third = yield* asked("org_2", "open")
        const closed = yield* answer("org_2", (yield* questionFor("org_2", third)).state, "cancel")
        assert.deepInclude(closed.approval, { state: "pending", decided_through: null })
        for (const offer_id of ["declined", "open"]) {
          assert.strictEqual(yield* code("offer.get", { offer_id }, person("org_2")), "NOT_FOUND")
        }
      })
    )

    it.effect("are answered once, and only the latest", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        yield* setRules("org_3", { client_answers: true })
        const id = yield* asked("org_3")
        const first = yield* questionFor("org_3", id)
        const second = yield* questionFor("org_3", id)
        assert.match(
          yield* refusal("org_3", first.state),
          /^409 WRONG_STATE The question was answered, or is not the latest/
        )
        yield* answer("org_3", second.state, "cancel")
        assert.match(yield* refusal("org_3", second.state), /^409 WRONG_STATE /)
        assert.strictEqual((yield* shown("org_3", id)).state, "pending")
        const third = yield* questionFor("org_3", id)
        yield* answer("org_3", third.state)
        assert.match(yield* refusal("org_3", third.state), /^409 WRONG_STATE /)
        assert.deepInclude(yield* shown("org_3", id), { state: "approved", outcome: "ok" })
      })
    )

    it.effect("are answered by nobody else: not forged, of another tenant, key or call, or too late", () =>
      Effect.gen(function* () {
        yield* organization("org_4")
        yield* organization("org_5")
        for (const org of ["org_4", "org_5"]) yield* setRules(org, { client_answers: true })
        const id = yield* asked("org_4")
        const call = "a".repeat(64)
        const { state } = yield* questionFor("org_4", id, { call })
        const [body = "", mark = ""] = state.split(".")
        const payload = JSON.parse(Buffer.from(body, "base64url").toString())
        const forged = Buffer.from(JSON.stringify({ ...payload, until: payload.until + 1 })).toString("base64url")
        const states = [`${forged}.${mark}`, `${state}x`, `${body}.`, body, "x", `${body}.${mark}.${mark}`]
        for (const wrong of states) {
          assert.match(yield* refusal("org_4", wrong, { call }), /^400 INVALID_INPUT state was not signed/)
        }
        const others = [
          agent("org_5"),
          agent("org_4", { keyId: "bbbbbbbbbbbb" }),
          agent("org_4", { userId: "usr_other" })
        ]
        for (const other of others) {
          assert.match(yield* refusal("org_4", state, { call }, other), /^400 INVALID_INPUT state was not signed/)
        }
        assert.match(yield* refusal("org_4", state), /^400 INVALID_INPUT state belongs to another call/)
        assert.match(yield* refusal("org_4", state, { call: "b".repeat(64) }), /belongs to another call/)
        const drafter = agent("org_4", { mode: "draft_only" })
        assert.strictEqual(
          yield* code("approval.answer", { state, action: "accept", call }, drafter),
          "APPROVAL_POLICY"
        )
        for (const other of others) {
          const input = { approval_request_id: id, modes: ["form"] }
          assert.strictEqual(yield* code("approval.ask-client", input, other), "NOT_FOUND")
        }
        yield* TestClock.adjust("1 hour")
        assert.match(yield* refusal("org_4", state, { call }), /^409 WRONG_STATE The question is too old/)
        const late = yield* questionFor("org_4", id)
        yield* TestClock.adjust("30 minutes")
        assert.strictEqual((yield* answer("org_4", late.state)).approval.state, "approved")
      })
    )

    it.effect("approve nothing but what was shown", () =>
      Effect.gen(function* () {
        yield* organization("org_9")
        yield* setRules("org_9", { client_answers: true })
        const id = yield* asked("org_9", "shown")
        const { state } = yield* questionFor("org_9", id)
        const repo = (yield* Workspaces).approvals
        const row = yield* repo.find("org_9", id)
        if (row === undefined) return assert.fail("no request")
        yield* repo.replace({ ...row, input: { ...row.input, name: "Slipped in" } })
        assert.match(
          yield* refusal("org_9", state),
          /^409 CONTENT_CHANGED The request holds other content than was shown/
        )
        assert.strictEqual((yield* shown("org_9", id)).state, "pending")
      })
    )

    it.effect("count by the rules of the moment of the answer", () =>
      Effect.gen(function* () {
        yield* organization("org_6")
        yield* setRules("org_6", { client_answers: true })
        const id = yield* asked("org_6")
        const before = yield* questionFor("org_6", id)
        yield* setRules("org_6", { client_answers: false })
        const noted = yield* answer("org_6", before.state)
        assert.deepInclude(noted.approval, { state: "pending" })
        assert.isFalse(noted.approval.client_answer.decides)
        yield* setRules("org_6", { client_answers: true, approvers: [{ user_id: "usr_a" }] })
        assert.isNull(yield* questionFor("org_6", id), "the user of the key may not decide")
        yield* setRules("org_6", { approvers: [{ user_id: "usr_owner" }] })
        const after = yield* questionFor("org_6", id)
        yield* setRules("org_6", { approvers: [{ user_id: "usr_a" }] })
        assert.strictEqual((yield* answer("org_6", after.state)).approval.state, "pending")
      })
    )

    it.effect("show everything, so that no text passes for a field, or show no form", () =>
      Effect.gen(function* () {
        yield* organization("org_7")
        yield* setRules("org_7", { client_answers: true })
        const held = (description: string) =>
          Effect.map(
            ask("offer.create", { ...offer, offer_id: `o-${++names}`, description }, agent("org_7")),
            ({ envelope }) => envelope.meta.approval_request_id
          )
        const sly = yield* held("Fine\nname: Another\r\noffer_id: other\u2028one_liner: x")
        const { message } = yield* questionFor("org_7", sly)
        assert.include(message, "description: \n> Fine\n> name: Another\n> offer_id: other\n> one_liner: x")
        assert.isNull(yield* questionFor("org_7", yield* held("x".repeat(7_000))))
      })
    )

    it.effect("decide once, however an answer, a person and the expiry meet", () =>
      Effect.gen(function* () {
        yield* organization("org_8")
        yield* setRules("org_8", { client_answers: true })
        for (let round = 0; round < 40; round++) {
          const offer_id = `meet-${round}`
          const id = yield* asked("org_8", offer_id)
          const { state } = yield* questionFor("org_8", id)
          const results = yield* Effect.all(
            [
              code("approval.answer", { state, action: "accept" }, agent("org_8")),
              code("approval.answer", { state, action: "accept" }, agent("org_8")),
              code("approval.resolve", { approval_request_id: id, decision: "reject" }, person("org_8")),
              Effect.as(expireRequests(), "ok")
            ],
            { concurrency: "unbounded" }
          )
          const after = yield* shown("org_8", id)
          const exists = yield* code("offer.get", { offer_id }, person("org_8"))
          assert.strictEqual(exists, after.state === "approved" ? "ok" : "NOT_FOUND", JSON.stringify([results, after]))
          assert.include(["approved", "rejected"], after.state)
          // Two copies of one answer: at least one comes too late.
          assert.isTrue(results.slice(0, 2).includes("WRONG_STATE"), JSON.stringify(results))
        }
      })
    )
  })
)
