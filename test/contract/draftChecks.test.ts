/** Checking drafts, and approving several at once, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { currentOwner, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ask, ok, refused, statementsOf, warned } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const lead = (slug: string, name: string, extra: Record<string, unknown> = {}) =>
  Effect.map(
    ok("lead.upsert", { linkedin_url: `https://www.linkedin.com/in/${slug}`, name, ...extra }),
    ({ lead_id }) => String(lead_id)
  )

const draft = (lead_id: string, ...variations: ReadonlyArray<string>) =>
  Effect.map(
    ok("linkedin.draft.create", { lead_id, variations, agent_handle: "ada-martin", mission_id: "spring" }),
    (output) => String(output.draft.draft_id)
  )

const found = (input: object) =>
  Effect.map(ok("linkedin.draft.check", input), ({ findings }) =>
    findings.map(({ code, path, severity }: Record<string, string>) => `${severity} ${code} ${path}`)
  )

const template = (name: string, company: string) =>
  `Hi ${name}, I saw that ${company} still closes its books by hand every single month. Worth a look together?`

/** The agent Ada, and her mission `spring` with an offer. */
const prepare = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("offer.create", {
    offer_id: "audit",
    name: "Audit",
    one_liner: "Books in order",
    value_proposition: "Teams save 30% of their time",
    references: [{ type: "CASE_STUDY", content: "Acme closed in 12 days instead of 16.", company: "Acme" }]
  })
  yield* ok("mission.create", {
    name: "Spring",
    handle: "spring",
    agent_handle: "ada-martin",
    offer_id: "audit",
    description: "Companies of 50 people",
    example_messages: ["We talk for 17 hours"]
  })
})

eachOutreach("checks of drafts", (layer) =>
  it.layer(layer)((it) => {
    it.effect("go by lead, mission, offer and what was written to others", () =>
      Effect.gen(function* () {
        yield* prepare
        const grace = yield* lead("grace", "Grace Hopper", { company: "Example Corp", headline: "Runs 12 plants" })
        const alan = yield* lead("alan", "Alan Turing", { company: "Northwind" })
        const first = yield* draft(grace, template("Grace", "Example Corp"))
        assert.deepStrictEqual(yield* found({ draft_id: first }), [])
        const second = yield* draft(alan, template("Alan", "Northwind"), "Hi Grace, may I ask [Company] one question?")
        assert.deepStrictEqual(yield* found({ draft_id: second }), [
          "warning repeated_body variations[0].body_text",
          "error placeholder variations[1].body_text",
          "error wrong_name variations[1].body_text"
        ])
        const supported = "Your 12 plants with 50 people: Acme went from 16 days to 12, 30% less, in 17 hours."
        const context = { lead_id: grace, mission_id: "spring" }
        assert.deepStrictEqual(yield* found({ ...context, body_text: supported }), [])
        assert.deepStrictEqual(yield* found({ ...context, body_text: "Teams save 80% in 11 weeks." }), [
          "warning unsupported_claim body_text",
          "info unsupported_claim body_text"
        ])
        // Alone, a text is checked by itself only.
        assert.deepStrictEqual(yield* found({ body_text: "Teams save 80% in 11 weeks." }), [])
        const russian = "Здравствуйте, у меня к вам один вопрос о закрытии месяца."
        assert.deepStrictEqual(yield* found({ ...context, body_text: russian }), [
          "warning language_mismatch body_text"
        ])
        assert.deepStrictEqual(yield* found({ ...context, body_text: "Hi Bob, hello" }), ["info wrong_name body_text"])
        const reversed = "Hi Grace, \u202eerom yas ll'I\u202c"
        assert.deepStrictEqual(yield* found({ ...context, body_text: reversed }), [
          "warning hidden_characters body_text"
        ])
        const stored = yield* draft(yield* lead("ada", "Ada Byron", {}), reversed)
        const { findings } = yield* ok("review.get", { item_id: stored })
        const codes = findings.map(({ code, start }: { code: string; start: number }) => `${code} ${start}`)
        assert.include(codes, "hidden_characters 10")
        const links = "See https://a.example and https://b.example"
        assert.deepStrictEqual(yield* found({ lead_id: grace, body_text: links }), ["warning many_links body_text"])
        const one = { lead_id: grace, body_text: "See https://a.example" }
        assert.deepStrictEqual(yield* found(one), ["info link_in_first_message body_text"])
        assert.deepStrictEqual(yield* found({ body_text: "x".repeat(8_001) }), ["error too_long body_text"])
        assert.deepStrictEqual(yield* found({ body_text: "x".repeat(1_901) }), ["warning long body_text"])
        assert.deepStrictEqual(yield* found({ body_text: "x".repeat(1_900) }), [])
        // In place of the stored texts, in their context.
        const replaced = { draft_id: second, body_text: "Hi Grace, 80%?" }
        assert.deepStrictEqual(yield* found(replaced), [
          "error wrong_name body_text",
          "warning unsupported_claim body_text"
        ])
        assert.strictEqual((yield* statementsOf(found({ draft_id: second }))) ?? 1, 1)
        yield* ok("linkedin.draft.cancel", { draft_id: first })
        assert.notInclude(yield* found({ draft_id: second }), "warning repeated_body variations[0].body_text")
      }).pipe(inOrganization("org_check"))
    )

    it.effect("refuse what is not there, and another organization's", () =>
      Effect.gen(function* () {
        yield* organization("org_refuse_b")
        yield* prepare
        const other = { actor: owner("org_refuse_b") }
        const id = yield* draft(yield* lead("grace", "Grace Hopper"), "Hello Grace")
        assert.include(yield* refused("linkedin.draft.check", { draft_id: id }, other), "404 NOT_FOUND")
        const text = { body_text: "Hello" }
        assert.include(
          yield* refused("linkedin.draft.check", { ...text, mission_id: "spring" }, other),
          "404 NOT_FOUND"
        )
        assert.include(yield* refused("linkedin.draft.check", { ...text, lead_id: "ld_none" }), "404 NOT_FOUND")
        assert.include(yield* refused("linkedin.draft.check", {}), "400 INVALID_INPUT draft_id or body_text")
        const both = { draft_id: id, mission_id: "spring" }
        assert.include(yield* refused("linkedin.draft.check", both), "400 INVALID_INPUT lead_id and mission_id")
      }).pipe(inOrganization("org_refuse"))
    )

    it.effect("create-many stores each draft on its own merits, and a refused one changes nothing", () =>
      Effect.gen(function* () {
        yield* prepare
        const people = yield* Effect.forEach(["a", "b", "c", "d"], (name) => lead(`batch-${name}`, `Batch ${name}`))
        const [one = "", two = "", three = "", four = ""] = people
        yield* ok("lead.status.set", { lead_id: three, status: "DoNotContact" })
        const kept = yield* draft(four, "What was there before")
        const text = (body_text: string) => [{ body_text }]
        const to = { agent_handle: "ada-martin", mission_id: "spring" }
        const drafts = [
          { ...to, lead_id: one, variations: ["Hi Batch, save 80%!"] },
          { ...to, lead_id: "ld_none", variations: text("For nobody") },
          { ...to, lead_id: three, variations: text("For a suppressed person") },
          // Its evidence is wrong, so the open draft that it would replace stays.
          {
            ...to,
            lead_id: four,
            replace_open: true,
            variations: text("New"),
            evidence: [{ claim: "not in it", references: ["lead.company"] }]
          },
          { ...to, lead_id: one, variations: text("A second one for the first person") },
          { ...to, lead_id: two, variations: text("Hello, may I ask one question?") },
          { ...to, lead_id: two, agent_id: "other", variations: text("By two agents") }
        ]
        const { results } = yield* ok("linkedin.draft.create-many", { drafts })
        assert.deepStrictEqual(
          results.map(({ error, lead_id, ok }: { lead_id: string; ok: boolean; error: { code: string } | null }) => [
            lead_id,
            ok,
            error?.code ?? null
          ]),
          [
            [one, true, null],
            [null, false, "NOT_FOUND"],
            [null, false, "LEAD_SUPPRESSED"],
            [null, false, "INVALID_INPUT"],
            [null, false, "DRAFT_OPEN"],
            [two, true, null],
            [null, false, "INVALID_INPUT"]
          ]
        )
        const stored = yield* ok("linkedin.draft.get", { draft_id: results[0].draft_id })
        assert.strictEqual(stored.draft.variations[0].body_text, "Hi Batch, save 80%!")
        const checked = yield* ok("linkedin.draft.check", { draft_id: results[0].draft_id })
        assert.deepStrictEqual(results[0].findings, checked.findings)
        assert.isNotEmpty(checked.findings)
        // The hash is that of the stored text: an approval with it is accepted.
        const { content_hash, draft_id } = results[5]
        const approved = yield* ok("linkedin.draft.approve", { draft_id, content_hash })
        assert.strictEqual(approved.draft.status, "READY_TO_SEND")
        const before = yield* ok("linkedin.draft.get", { draft_id: kept })
        assert.strictEqual(before.draft.status, "PENDING_REVIEW")
        const { drafts: all } = yield* ok("linkedin.draft.list", { limit: 100 })
        assert.lengthOf(all, 3)
        assert.include(yield* refused("linkedin.draft.create-many", { drafts: [] }), "400 INVALID_INPUT drafts")
      }).pipe(inOrganization("org_batch"))
    )

    it.effect("approve-many approves each draft on its own merits", () =>
      Effect.gen(function* () {
        yield* prepare
        const people = yield* Effect.forEach(["a", "b", "c", "d"], (name) => lead(`many-${name}`, `Many ${name}`))
        const [one = "", two = "", three = "", four = ""] = yield* Effect.forEach(people, (id) =>
          draft(id, "First", "Second")
        )
        yield* ok("linkedin.draft.cancel", { draft_id: three })
        yield* ok("lead.status.set", { lead_id: people[3], status: "DoNotContact" })
        const items = [
          { draft_id: two, variation_index: 1 },
          { draft_id: "drf_none", variation_index: 0 },
          { draft_id: three, variation_index: 0 },
          { draft_id: one },
          { draft_id: four, variation_index: 0 },
          { draft_id: one.toLowerCase(), variation_index: 0 }
        ]
        const { results } = yield* ok("linkedin.draft.approve-many", { items })
        assert.deepStrictEqual(
          results.map(({ draft_id, error, ok }: { draft_id: string; ok: boolean; error: { code: string } | null }) => [
            draft_id,
            ok,
            error?.code ?? null
          ]),
          [
            [two, true, null],
            ["drf_none", false, "NOT_FOUND"],
            [three, false, "DRAFT_FINAL"],
            [one, false, "VARIATION_REQUIRED"],
            [four, false, "DRAFT_FINAL"],
            [one.toLowerCase(), false, "NOT_FOUND"]
          ]
        )
        assert.deepStrictEqual(results[0].draft, (yield* ok("linkedin.draft.get", { draft_id: two })).draft)
        assert.deepInclude(results[0].draft, {
          status: "READY_TO_SEND",
          selected_body_text: "Second",
          approved_by_actor_kind: "USER"
        })
        const again = yield* ok("linkedin.draft.approve-many", { items: items.slice(0, 1) })
        assert.deepStrictEqual(again.results[0].draft, results[0].draft)
        const hash = { draft_id: one, variation_index: 0, content_hash: "0".repeat(64) }
        const changed = yield* ok("linkedin.draft.approve-many", { items: [hash] })
        assert.strictEqual(changed.results[0].error.code, "CONTENT_CHANGED")
        const long = { draft_id: one, variation_index: 0, body_text: "x".repeat(1_901) }
        assert.match(
          (yield* warned("linkedin.draft.approve-many", { items: [long] }))[0] ?? "",
          /^long_message: items\[0\]/
        )
        const twice = yield* refused("linkedin.draft.approve-many", { items: [{ draft_id: one }, { draft_id: one }] })
        assert.include(twice, "400 INVALID_INPUT items[1].draft_id")
        assert.include(yield* refused("linkedin.draft.approve-many", { items: [] }), "400 INVALID_INPUT items")
        const drafter = { ...(yield* currentOwner), mode: "draft_only" as const }
        const { envelope } = yield* ask(
          "linkedin.draft.approve-many",
          { items: [{ draft_id: one }] },
          { actor: drafter }
        )
        assert.strictEqual(envelope.status, 403)
        const sending = yield* refused("linkedin.draft.approve-many", { items: [{ draft_id: one, send_now: true }] })
        assert.include(sending, "400 UNKNOWN_FIELD")
      }).pipe(inOrganization("org_many"))
    )
  })
)
