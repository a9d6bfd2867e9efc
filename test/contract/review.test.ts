/** The review queue: what is in each tab, how much, and what a reviewer reads of one item. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { scopes } from "#core/kernel/command/Permission.ts"
import { agents, draftFor, lead, sent } from "../core/linkedin/linkedInWorld.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { actor, ask, code, counted, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

interface Item {
  readonly item_id: string
  readonly kind: string
  readonly state: string
  readonly problem: string | null
  readonly leaves_at: string | null
}

const list = (input: object = {}) =>
  Effect.map(ok<{ items: ReadonlyArray<Item> }>("review.list", input), ({ items }) => items)
const ids = (input: object = {}) => Effect.map(list(input), (items) => items.map(({ item_id }) => item_id))
const states = (input: object = {}) =>
  Effect.map(list(input), (items) => items.map(({ kind, state }) => `${kind} ${state}`))

/** Every item of a tab, read in pages of two. */
const paged = Effect.fnUntraced(function* (tab: string) {
  const found: Array<string> = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const input = cursor === undefined ? { tab, limit: 2 } : { tab, limit: 2, cursor }
    const page: { items: ReadonlyArray<Item>; next_cursor: string | null } = yield* ok("review.list", input)
    found.push(...page.items.map(({ item_id }) => item_id))
    cursor = page.next_cursor
  }
  return found
})

const tick = TestClock.adjust("1 second")

/** A workspace with something in each tab; answers the ids. */
const prepare = Effect.gen(function* () {
  const organizationId = yield* CurrentOrganization
  yield* ok("agent.create", {
    first_name: "Ada",
    last_name: "Martin",
    email_accounts: [{ provider: "SMTP", email: "ada@sender.example" }]
  })
  const proof = { type: "TESTIMONIAL", content: "They close in 4 days", keyResult: "4 days", company: "Navy" }
  yield* ok("offer.create", {
    offer_id: "audit",
    name: "Audit",
    one_liner: "One",
    value_proposition: "Gain",
    references: [proof]
  })
  const mission = { name: "M", handle: "m", agentHandle: "ada-martin", offerId: "audit" }
  yield* ok("POST /missions", { ...mission, emailReviewStrategy: "MANUAL" })
  const clean = yield* draftFor("clean", { mission_id: "m" })
  yield* tick
  const broken = yield* draftFor("broken", { variations: ["Hello [Name]", "Hi there broken"] })
  yield* tick
  const lead_id = String((yield* ok("lead.upsert", { email: "g@x.example", name: "Grace", score: 70 })).lead_id)
  const mail = { lead_id, mission_id: "m", subject: "Invoices", body_text: "Hello Grace" }
  const { email } = yield* ok("email.send", mail)
  yield* tick
  const approved = yield* draftFor("approved")
  yield* ok("linkedin.draft.approve", { draft_id: approved.draft_id })
  yield* tick
  const gone = yield* draftFor("gone")
  yield* sent(gone)
  yield* tick
  const lost = yield* draftFor("lost-unknown")
  assert.strictEqual(
    yield* code("linkedin.draft.approve", { draft_id: lost.draft_id, send_now: true }),
    "SEND_OUTCOME_UNKNOWN"
  )
  yield* tick
  const writer = yield* lead("writer")
  const reply = { lead_id: writer, channel: "LINKEDIN", direction: "inbound", content: "Tell me more" }
  yield* ok("lead.message.record", reply)
  yield* tick
  const program = actor(organizationId, {
    kind: "AI_AGENT",
    userId: "usr_bot",
    keyId: "aaaaaaaaaaaa",
    policies: { key: { agents: "ask" }, organization: {} }
  })
  const held = yield* ask("linkedin.draft.approve", { draft_id: clean.draft_id }, { actor: program })
  return {
    clean: clean.draft_id,
    broken: broken.draft_id,
    email: String(email.email_id),
    approved: approved.draft_id,
    gone: gone.draft_id,
    lost: lost.draft_id,
    writer,
    request: String(held.envelope.meta.approval_request_id)
  }
})

eachBackend("the review queue", (layer) =>
  it.layer(layer)((it) => {
    it.effect("has every kind in its tab, in order, with real totals", () =>
      Effect.gen(function* () {
        const made = yield* prepare
        const toReview = [made.clean, made.broken, made.email, made.request]
        assert.deepStrictEqual(yield* ids(), toReview)
        assert.deepStrictEqual(yield* paged("to_review"), toReview)
        assert.deepStrictEqual(yield* states(), [
          "message in_review",
          "message in_review",
          "email in_review",
          "approval pending"
        ])
        assert.deepStrictEqual(yield* ids({ tab: "approved" }), [made.approved])
        assert.deepStrictEqual(yield* ids({ tab: "sent" }), [made.gone])
        assert.deepStrictEqual(yield* ids({ tab: "problems" }), [made.lost])
        assert.deepStrictEqual(yield* ids({ tab: "replies" }), [made.writer])
        assert.deepStrictEqual(yield* ids({ tab: "snoozed" }), [])
        const { data, statements } = yield* counted("review.counts", {})
        assert.deepStrictEqual(data, {
          to_review: 4,
          approved: 1,
          sent: 1,
          replies: 1,
          replies_waiting: 1,
          problems: 1,
          snoozed: 0,
          leaving_today: 1
        })
        assert.isAtMost(statements, 2)
        assert.isAtMost((yield* counted("review.list", {})).statements, 2)
        assert.isAtMost((yield* counted("review.list", { tab: "approved" })).statements, 4)
        assert.isAtMost((yield* counted("review.list", { tab: "replies" })).statements, 1)
      }).pipe(inOrganization("org_tabs"))
    )

    it.effect("is filtered by kind, mission, agent, score, finding, flag and words, lists and totals alike", () =>
      Effect.gen(function* () {
        const made = yield* prepare
        const filters: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
          [{ kind: ["message"] }, [made.clean, made.broken]],
          [{ kind: ["email", "approval"] }, [made.email, made.request]],
          [{ mission_id: "m" }, [made.clean, made.email]],
          [{ agent_handle: "ada-martin" }, [made.clean, made.broken, made.email]],
          [{ agent_handle: "nobody" }, []],
          [{ min_score: 50 }, [made.email]],
          [{ flagged: true }, []],
          [{ flagged: false, kind: ["message"] }, [made.clean, made.broken]],
          [{ query: "GRACE" }, [made.email]],
          [{ query: "hi there" }, [made.broken]],
          [{ query: "draft.approve" }, [made.request]]
        ]
        for (const [filter, expected] of filters) {
          assert.deepStrictEqual(yield* ids(filter), expected, JSON.stringify(filter))
          assert.strictEqual((yield* ok("review.counts", filter)).to_review, expected.length, JSON.stringify(filter))
        }
        assert.deepStrictEqual(yield* ids({ finding: "error" }), [made.broken])
        assert.deepStrictEqual(yield* ids({ finding: "any" }), [made.broken])
        assert.deepStrictEqual(yield* ids({ finding: "none" }), [made.clean])
        assert.deepStrictEqual(yield* ids({ tab: "replies", mission_id: "m" }), [])
        assert.strictEqual(yield* code("review.list", { mission_id: "none" }), "NOT_FOUND")
        assert.strictEqual(yield* code("review.list", { tab: "nope" }), "INVALID_INPUT")
      }).pipe(inOrganization("org_filters"))
    )

    it.effect("shows of an item what is needed to decide, and only what the key may read", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        const made = yield* prepare
        const broken = yield* ok("review.get", { item_id: made.broken })
        assert.strictEqual(broken.draft.draft_id, made.broken)
        assert.deepInclude(broken.item.findings, { errors: 1 })
        const [placeholder] = broken.findings
        assert.deepInclude(placeholder, { variation_index: 0, code: "placeholder", start: 6, end: 12 })
        assert.match(broken.content_hash, /^[0-9a-f]{64}$/)
        assert.strictEqual(broken.lead.name, "broken")
        const approved = yield* ok("review.get", { item_id: made.approved })
        assert.isString(approved.departure.leaves_at)
        assert.strictEqual(approved.departure.position_in_line, 1)
        assert.isNull(approved.problem)
        const lost = yield* ok("review.get", { item_id: made.lost })
        assert.deepStrictEqual(
          lost.problem.choices.map(({ command, input }: { command: string; input: { outcome: string } }) => [
            command,
            input.outcome
          ]),
          [
            ["linkedin.queue.resolve", "sent"],
            ["linkedin.queue.resolve", "not_sent"]
          ]
        )
        yield* ok(lost.problem.choices[0].command, lost.problem.choices[0].input)
        assert.deepStrictEqual(yield* ids({ tab: "problems" }), [])
        const email = yield* ok("review.get", { item_id: made.email })
        assert.deepInclude(email, { subject: "Invoices", draft: null })
        assert.strictEqual(email.content_hash, email.email.content_hash)
        assert.strictEqual(email.mission.handle, "m")
        assert.deepInclude(email.offer, { name: "Audit", proof: ["Navy: 4 days: They close in 4 days"] })
        const reply = yield* ok("review.get", { item_id: made.writer })
        assert.deepStrictEqual(
          reply.thread.map(({ text }: { text: string }) => text),
          ["Tell me more"]
        )
        const request = yield* ok("review.get", { item_id: made.request })
        assert.deepInclude(request.approval.input, { draft_id: made.clean })
        assert.deepStrictEqual(request.approval.names, { [made.clean]: "clean" })
        const blind = scopes.filter((scope) => scope !== "admin" && scope !== "leads:read")
        const unnamed = { actor: actor(organizationId, { scopes: blind }) }
        assert.deepStrictEqual((yield* ok("review.get", { item_id: made.request }, unnamed)).approval.names, {})
        const narrow = { actor: actor(organizationId, { scopes: ["linkedin:read"] }) }
        assert.deepInclude(yield* ok("review.get", { item_id: made.broken }, narrow), { lead: null, thread: [] })
        assert.strictEqual(yield* code("review.get", { item_id: made.email }, narrow), "NOT_FOUND")
        assert.deepStrictEqual(
          (yield* ok("review.list", {}, narrow)).items.map(({ kind }: Item) => kind),
          ["message", "message"]
        )
        // Approval requests for commands outside the scopes are not shown.
        const reader = { actor: actor(organizationId, { scopes: scopes.filter((scope) => scope.endsWith(":read")) }) }
        assert.deepStrictEqual(yield* ok("review.counts", { kind: ["approval"] }, reader), {
          to_review: 0,
          approved: 0,
          sent: 0,
          replies: 0,
          replies_waiting: 0,
          problems: 0,
          snoozed: 0,
          leaving_today: 0
        })
        for (const item_id of ["drf_none", "nonsense", "que_1"]) {
          assert.strictEqual(yield* code("review.get", { item_id }), "NOT_FOUND")
        }
      }).pipe(inOrganization("org_items"))
    )

    it.effect("shows who else looks at an item, for 30 seconds", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* agents()
        const { draft_id } = yield* draftFor("watched")
        const { draft_id: other } = yield* draftFor("other")
        const key = yield* ok("key.create", { name: "Ada's laptop", scopes: ["linkedin:read"] })
        const self = { keyId: key.key.key_id, userId: "usr_ada" } as const
        const ada = { actor: actor(organizationId, { ...self, scopes: ["linkedin:read"] }) }
        const looks = (item_id: string, as: object = {}) => ok("review.open", { item_id }, as)
        assert.deepStrictEqual(yield* looks(draft_id, ada), { viewers: [] })
        yield* TestClock.adjust("20 seconds")
        const { viewers } = yield* looks(draft_id)
        assert.deepStrictEqual(
          viewers.map(({ name }: { name: string }) => name),
          ["Ada's laptop"]
        )
        // One's own other device is oneself; an AI agent that acts for the same user is not.
        const phone = { actor: actor(organizationId, { ...self, keyId: null, scopes: ["linkedin:read"] }) }
        assert.deepStrictEqual((yield* ok("review.get", { item_id: draft_id }, phone)).viewers.length, 1)
        const program = { actor: actor(organizationId, { ...self, kind: "AI_AGENT", scopes: ["linkedin:read"] }) }
        assert.deepStrictEqual((yield* ok("review.get", { item_id: draft_id }, program)).viewers.length, 2)
        assert.deepStrictEqual(yield* looks(other), { viewers: [] })
        yield* looks(draft_id, ada)
        yield* TestClock.adjust("20 seconds")
        // Since the first look, as there was no pause.
        assert.deepStrictEqual((yield* ok("review.get", { item_id: draft_id })).viewers, viewers)
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(yield* looks(draft_id), { viewers: [] })
        yield* TestClock.adjust("1 second")
        assert.notStrictEqual((yield* looks(draft_id, ada)).viewers[0].since, viewers[0].since)
        assert.strictEqual(yield* code("review.open", { item_id: "drf_none" }), "NOT_FOUND")
      }).pipe(inOrganization("org_viewers"))
    )

    it.effect("names the users of keys, by their oldest key, and nobody of another organization", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* ok("key.create", { name: "Ada's laptop", user_id: "usr_ada" })
        yield* TestClock.adjust("1 second")
        yield* ok("key.create", { name: "Ada's script", user_id: "usr_ada" })
        yield* TestClock.adjust("1 second")
        yield* ok("key.create", { name: "Claude", user_id: "usr_ada", actor_kind: "AI_AGENT" })
        const narrow = { actor: actor(organizationId, { scopes: ["linkedin:read"] }) }
        const { people } = yield* ok("review.people", {}, narrow)
        assert.deepStrictEqual(
          people.filter(({ user_id }: { user_id: string }) => user_id === "usr_ada"),
          [
            { user_id: "usr_ada", actor_kind: "USER", name: "Ada's laptop" },
            { user_id: "usr_ada", actor_kind: "AI_AGENT", name: "Claude" }
          ]
        )
        const other = { actor: actor("org_elsewhere", { scopes: ["linkedin:read"] }) }
        assert.deepStrictEqual(yield* ok("review.people", {}, other), { people: [] })
      }).pipe(inOrganization("org_people"))
    )

    it.effect("keeps sent messages and replies for 30 days", () =>
      Effect.gen(function* () {
        yield* prepare
        yield* TestClock.adjust("29 days")
        assert.deepInclude(yield* ok("review.counts", {}), { sent: 1, replies: 1 })
        yield* TestClock.adjust("2 days")
        assert.deepInclude(yield* ok("review.counts", {}), { sent: 0, replies: 0, problems: 1 })
      }).pipe(inOrganization("org_old"))
    )

    it.effect("shows nothing of another organization", () =>
      Effect.gen(function* () {
        yield* agents()
        assert.deepStrictEqual(yield* ids(), [])
        assert.deepInclude(yield* ok("review.counts", {}), { to_review: 0, replies: 0, sent: 0, problems: 0 })
      }).pipe(inOrganization("org_other"))
    )
  })
)
