/** Rules for approval requests: who decides, until when, who is told, and what whoever asked gets to know. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway, type OutgoingEmail } from "#core/email/EmailGateway.ts"
import { mailApprovals, NoticeSender } from "#core/email/notices/mailApprovals.ts"
import { PublicUrl } from "#core/kernel/command/Execution.ts"
import type { ApprovalRules } from "#core/kernel/command/Permission.ts"
import { expireRequests } from "#core/workspace/approvals/settleRequest.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, code, ok, refused } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"
import { offer } from "./outreachRows.ts"

const sent: Array<OutgoingEmail> = []
/** A mail server that is down for the addresses of one host, and takes the others. */
const email = Layer.succeed(EmailGateway, {
  send: (mail) =>
    Effect.sync(() => {
      if (mail.to.address.endsWith("@down.example")) return { _tag: "Unavailable", reason: "down" } as const
      sent.push(mail)
      return { _tag: "Confirmed", messageId: mail.messageId } as const
    })
})

const program = (organizationId: string, rules: ApprovalRules = {}) =>
  actor(organizationId, {
    kind: "AI_AGENT",
    userId: "usr_bot",
    keyId: "aaaaaaaaaaaa",
    policies: { key: { mutate: "ask" }, organization: rules }
  })

const by = (organizationId: string, userId: string) => ({ actor: actor(organizationId, { userId }) })

let names = 0
/** Asks for a new offer; answers the id of the request. */
const asked = (organizationId: string, rules?: ApprovalRules, offer_id = `offer-${++names}`) =>
  Effect.map(ask("offer.create", { ...offer, offer_id }, { actor: program(organizationId, rules) }), ({ envelope }) => {
    assert.isTrue(envelope.meta.approval_required, JSON.stringify(envelope))
    return envelope.meta.approval_request_id
  })

const approve = (approval_request_id: string) => ({ approval_request_id, decision: "approve" })
const reject = (approval_request_id: string) => ({ approval_request_id, decision: "reject" })

const types = "approval.requested,approval.decided,approval.expired"
/** The events about a request: type and data. */
const eventsOf = (organizationId: string, id: string) =>
  Effect.gen(function* () {
    const found = []
    for (let after = 0, next = -1; next !== after; ) {
      after = Math.max(0, next)
      const page = yield* ok("event.list", { types, after, limit: 100 }, by(organizationId, "usr_a"))
      found.push(...page.events.filter((event: { subject: { id: string } }) => event.subject.id === id))
      next = page.next
    }
    return found
  })
const typesOf = (organizationId: string, id: string) =>
  Effect.map(eventsOf(organizationId, id), (events) => events.map(({ type }: { type: string }) => type))

const mailed = mailApprovals().pipe(
  Effect.provideService(NoticeSender, "svc@example.com"),
  Effect.provideService(PublicUrl, () => "https://svc.example.com")
)

/** Another process, whose clock is ahead. */
const ahead = <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number) =>
  Effect.flatMap(Clock.Clock, (clock) =>
    Effect.provideService(effect, Clock.Clock, {
      ...clock,
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + millis)
    })
  )
const days = (count: number) => count * 86_400_000

eachBackendWith({ email })("rules for approval requests", (layer) =>
  it.layer(layer)((it) => {
    it.effect("name who decides, and refuse others; whoever asked may still withdraw", () =>
      Effect.gen(function* () {
        yield* organization("org_1")
        const approvers = [{ user_id: "usr_a", email: "Ann@Example.com" }, { user_id: "usr_b" }]
        const set = yield* ok("policy.set", { approvers }, by("org_1", "usr_a"))
        assert.deepStrictEqual(set.approvals, {
          approvers: [
            { user_id: "usr_a", email: "Ann@example.com" },
            { user_id: "usr_b", email: null }
          ],
          expiry_days: 7,
          client_answers: false
        })
        yield* TestClock.adjust("1 second")
        const id = yield* asked("org_1")
        const why = yield* refused("approval.resolve", approve(id), by("org_1", "usr_c"))
        assert.match(why, /^403 APPROVAL_POLICY Only named approvers can decide .*usr_a, usr_b\. Ask one of them/)
        assert.strictEqual(yield* code("approval.resolve", reject(id), by("org_1", "usr_c")), "APPROVAL_POLICY")
        const { approval } = yield* ok("approval.get", { approval_request_id: id }, by("org_1", "usr_c"))
        assert.deepInclude(approval, { state: "pending", approvers: ["usr_a", "usr_b"] })
        assert.strictEqual((yield* ok("approval.resolve", approve(id), by("org_1", "usr_b"))).approval.outcome, "ok")
        const own = yield* asked("org_1")
        const requester = actor("org_1", { userId: "usr_bot", keyId: "aaaaaaaaaaaa" })
        assert.strictEqual(
          (yield* ok("approval.resolve", reject(own), { actor: requester })).approval.state,
          "rejected"
        )
        yield* ok("policy.set", { approvers: null }, by("org_1", "usr_c"))
        yield* TestClock.adjust("1 second")
        const free = yield* asked("org_1")
        assert.strictEqual((yield* ok("approval.resolve", approve(free), by("org_1", "usr_c"))).approval.outcome, "ok")
      })
    )

    it.effect("are refused where they make no sense, by what is wrong", () =>
      Effect.gen(function* () {
        yield* organization("org_2")
        const set = (input: object) => refused("policy.set", input, by("org_2", "usr_a"))
        const one = { user_id: "usr_a" }
        assert.match(
          yield* set({ approvers: [{ ...one, email: "nobody" }] }),
          /^400 INVALID_EMAIL approvers\[0\]\.email: /
        )
        assert.match(yield* set({ approvers: [one, one] }), /^400 INVALID_INPUT approvers\[1\]\.user_id repeats a user/)
        assert.match(yield* set({ approvers: [] }), /^400 INVALID_INPUT /)
        for (const expiry_days of [0, 91, 1.5]) assert.match(yield* set({ expiry_days }), /^400 INVALID_INPUT /)
        assert.match(
          yield* set({ key_id: "aaaaaaaaaaaa", client_answers: true }),
          /INVALID_INPUT .*Send them without key_id/
        )
      })
    )

    it.effect("that expire at the same time do so in the order of their ids", () =>
      Effect.gen(function* () {
        yield* organization("org_together")
        const requested: Array<string> = []
        for (let count = 0; count < 8; count++) requested.push(yield* asked("org_together", { expiryDays: 1 }))
        yield* TestClock.adjust("2 days")
        yield* expireRequests()
        const { events } = yield* ok("event.list", { types: "approval.expired" }, by("org_together", "usr_a"))
        assert.deepStrictEqual(
          events.map(({ subject }: { readonly subject: { readonly id: string } }) => subject.id),
          requested
        )
      })
    )

    it.effect("say until when: requests expire once, are told as expired, and are asked for anew", () =>
      Effect.gen(function* () {
        yield* organization("org_3")
        yield* ok("policy.set", { expiry_days: 2 }, by("org_3", "usr_a"))
        const rules = { expiryDays: 2 }
        const id = yield* asked("org_3", rules, "late")
        assert.strictEqual(yield* asked("org_3", rules, "late"), id, "the same request")
        const { events } = yield* ok("event.list", { types: "approval.requested" }, by("org_3", "usr_a"))
        assert.lengthOf(events, 1, "announced once")
        const at = yield* Clock.currentTimeMillis
        const shown = (request = id) =>
          Effect.map(
            ok("approval.get", { approval_request_id: request }, by("org_3", "usr_a")),
            ({ approval }) => approval
          )
        assert.strictEqual(Date.parse((yield* shown()).expires_at) - at, days(2))
        yield* TestClock.adjust("47 hours")
        assert.strictEqual(yield* expireRequests(), 0)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* shown()).state, "expired")
        assert.strictEqual(yield* expireRequests(), 1)
        assert.strictEqual(yield* expireRequests(), 0)
        assert.deepInclude(yield* shown(), { state: "expired", resolved_by: null, ask_again_after_seconds: null })
        assert.match(
          yield* refused("approval.resolve", approve(id), by("org_3", "usr_a")),
          /^409 WRONG_STATE The request is already expired/
        )
        const anew = yield* asked("org_3", rules, "late")
        assert.notStrictEqual(anew, id)
        assert.deepStrictEqual(yield* typesOf("org_3", id), ["approval.requested", "approval.expired"])
        // Nobody's worker was there: the decision that comes too late stores it, or the next request for the same.
        yield* TestClock.adjust("2 days")
        assert.strictEqual(yield* code("approval.resolve", approve(anew), by("org_3", "usr_a")), "WRONG_STATE")
        assert.deepStrictEqual(yield* typesOf("org_3", anew), ["approval.requested", "approval.expired"])
        const third = yield* asked("org_3", rules, "late")
        yield* TestClock.adjust("2 days")
        const fourth = yield* asked("org_3", rules, "late")
        assert.notStrictEqual(fourth, third)
        const [, gone] = yield* eventsOf("org_3", third)
        assert.deepInclude(gone, { type: "approval.expired" })
        assert.strictEqual(gone.data.replaced_by, fourth)
        assert.strictEqual(
          (yield* ok("approval.resolve", approve(fourth), by("org_3", "usr_a"))).approval.outcome,
          "ok"
        )
      })
    )

    it.effect("let a request be decided once or expire, however they meet", () =>
      Effect.gen(function* () {
        yield* organization("org_4")
        for (let round = 0; round < 40; round++) {
          const offer_id = `race-${round}`
          const id = yield* asked("org_4", {}, offer_id)
          const results = yield* Effect.all(
            [
              ahead(expireRequests(), days(8)),
              code("approval.resolve", approve(id), by("org_4", "usr_a")),
              code("approval.resolve", reject(id), by("org_4", "usr_b"))
            ],
            { concurrency: "unbounded" }
          )
          const { approval } = yield* ok("approval.get", { approval_request_id: id }, by("org_4", "usr_a"))
          const exists = yield* code("offer.get", { offer_id }, by("org_4", "usr_a"))
          assert.strictEqual(exists, approval.state === "approved" ? "ok" : "NOT_FOUND", JSON.stringify(results))
          const [expiries, ...decisions] = results
          const won = decisions.filter((result) => result === "ok").length + expiries
          assert.strictEqual(won, 1, JSON.stringify([results, approval]))
          const last = approval.state === "expired" ? "approval.expired" : "approval.decided"
          assert.deepStrictEqual(yield* typesOf("org_4", id), ["approval.requested", last])
        }
      })
    )

    it.effect("tell approvers by email, with a link and nothing of what the request holds", () =>
      Effect.gen(function* () {
        yield* organization("org_5")
        const approvers = [
          { user_id: "usr_a", email: "ann@example.com" },
          { user_id: "usr_b", email: "bob@down.example" },
          { user_id: "usr_c" }
        ]
        yield* ok("policy.set", { approvers }, by("org_5", "usr_a"))
        yield* mailed
        sent.length = 0
        const id = yield* asked("org_5", { approvers }, "secret-offer")
        assert.strictEqual(yield* mailed, 1)
        const [first] = sent
        assert.deepInclude(first, { subject: "Approval requested: Create an offer", html: null })
        assert.deepStrictEqual([first?.from.address, first?.to.address], ["svc@example.com", "ann@example.com"])
        assert.include(first?.text, `https://svc.example.com/review/d/${id}`)
        assert.include(first?.text, "The AI agent of usr_bot asked for it.")
        for (const held of ["secret-offer", offer.name]) assert.notInclude(JSON.stringify(sent), held)
        // The address that was not reached is tried again, the other one is not told twice.
        assert.strictEqual(yield* mailed, 0)
        const [row] = [yield* (yield* Workspaces).approvals.find("org_5", id)]
        assert.deepStrictEqual(row?.mailTo, ["bob@down.example"])
        yield* ok("approval.resolve", approve(id), by("org_5", "usr_c"))
        assert.strictEqual(yield* mailed, 1)
        assert.strictEqual(sent[1]?.subject, "Approved: Create an offer")
        assert.include(sent[1]?.text, "Decided by usr_c.")
        const late = yield* asked("org_5", { approvers })
        yield* mailed
        yield* TestClock.adjust("8 days")
        yield* expireRequests()
        assert.strictEqual(yield* mailed, 1)
        assert.deepInclude(sent[3], { subject: "Expired without a decision: Create an offer" })
        assert.include(sent[3]?.text, late)
        assert.strictEqual(new Set(sent.map(({ messageId }) => messageId)).size, 4)
        // After a day it is no news.
        yield* asked("org_5", { approvers })
        yield* TestClock.adjust("25 hours")
        assert.strictEqual(yield* mailed, 0)
      })
    )

    it.effect("send each notice once, however many processes send", () =>
      Effect.gen(function* () {
        yield* organization("org_6")
        const approvers = [{ user_id: "usr_a", email: "once@example.com" }]
        yield* Effect.forEach(Array.from({ length: 12 }), () => asked("org_6", { approvers }))
        sent.length = 0
        yield* Effect.all([mailed, mailed, mailed, mailed], { concurrency: "unbounded" })
        const ours = sent.filter(({ to }) => to.address === "once@example.com")
        assert.deepStrictEqual([ours.length, new Set(ours.map(({ messageId }) => messageId)).size], [12, 12])
      })
    )

    it.effect("tell whoever asked what came of it, and of nobody else's request", () =>
      Effect.gen(function* () {
        yield* organization("org_7")
        const bot = { actor: program("org_7") }
        const id = yield* asked("org_7", {}, "told")
        const get = (request = id, call: object = bot) => ok("approval.get", { approval_request_id: request }, call)
        assert.deepInclude((yield* get()).approval, { link: `/review/d/${id}`, ask_again_after_seconds: 30 })
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual((yield* get()).approval.ask_again_after_seconds, 300)
        yield* ok("approval.resolve", approve(id), by("org_7", "usr_a"))
        const after = yield* get()
        assert.deepInclude(after.approval, { state: "approved", outcome: "ok", ask_again_after_seconds: null })
        assert.strictEqual(after.approval.resolved_by.user_id, "usr_a")
        assert.deepStrictEqual([after.result.offer.id, after.error], ["told", null])
        const taken = yield* asked("org_7", {}, "told-too")
        yield* ok("offer.create", { ...offer, name: "Taken", offer_id: "told-too" }, by("org_7", "usr_a"))
        yield* ok("approval.resolve", approve(taken), by("org_7", "usr_a"))
        const failed = yield* get(taken)
        assert.deepStrictEqual([failed.result, failed.error.code], [null, "DUPLICATE_ID"])
        assert.include(failed.error.message, "told-too")
        // Another agent, and a draft-only key of the same user.
        const others = [
          actor("org_7", { kind: "AI_AGENT", userId: "usr_bot", keyId: "bbbbbbbbbbbb" }),
          actor("org_7", { mode: "draft_only", userId: "usr_bot", keyId: "bbbbbbbbbbbb" })
        ]
        for (const other of others) {
          assert.strictEqual(yield* code("approval.get", { approval_request_id: id }, { actor: other }), "NOT_FOUND")
          assert.lengthOf((yield* ok("approval.list", { state: "all" }, { actor: other })).approvals, 0)
        }
        assert.lengthOf((yield* ok("approval.list", { state: "all" }, bot)).approvals, 2)
      })
    )

    it.effect("hold a request to what was shown: asked for with other content, it is another request", () =>
      Effect.gen(function* () {
        yield* organization("org_8")
        yield* ok("agent.create", { first_name: "Mia", last_name: "Lo" }, by("org_8", "usr_a"))
        const { lead_id } = yield* ok(
          "lead.upsert",
          { name: "Person", linkedin_url: "https://www.linkedin.com/in/p8" },
          by("org_8", "usr_a")
        )
        const variations = [{ body_text: "First" }]
        const { draft } = yield* ok(
          "linkedin.draft.create",
          { lead_id, agent_handle: "mia-lo", variations },
          by("org_8", "usr_a")
        )
        const { draft_id } = draft
        const asking = { policies: { key: { agents: "ask" as const }, organization: {} } }
        const bot = { actor: actor("org_8", { kind: "AI_AGENT", userId: "usr_bot", keyId: "aaaaaaaaaaaa", ...asking }) }
        const request = Effect.map(ask("linkedin.draft.approve", { draft_id }, bot), ({ envelope }) => envelope.meta)
        const first = (yield* request).approval_request_id
        assert.strictEqual((yield* request).approval_request_id, first)
        yield* ok("linkedin.draft.update", { draft_id, variations: [{ body_text: "Second" }] }, bot)
        const second = (yield* request).approval_request_id
        assert.notStrictEqual(second, first)
        const old = yield* ok("approval.get", { approval_request_id: first }, bot)
        assert.deepStrictEqual([old.approval.state, old.input], ["expired", null])
        const shown = yield* ok("approval.get", { approval_request_id: second }, bot)
        assert.strictEqual(shown.input.body_text, "Second")
        assert.strictEqual(
          (yield* ok("approval.resolve", approve(second), by("org_8", "usr_a"))).approval.outcome,
          "ok"
        )
      })
    )
  })
)
