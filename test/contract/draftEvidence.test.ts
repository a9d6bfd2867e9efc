/** What the claims of a draft rest on, and what a check finds of it, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { actor, counted, ok, refused, statementsOf, warned } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

interface Item {
  readonly variation_index?: number
  readonly claim: string
  readonly references: ReadonlyArray<string>
}

const text =
  "Hello Grace, your post on month-end closing was clear. You led 40 people at Initech. Acme closes 4 days earlier."
const claims = {
  post: { claim: "month-end closing", references: ["lead.recentPosts[0]"] },
  role: { claim: "You led 40 people at Initech", references: ["lead.experience[0]"] },
  proof: { claim: "Acme closes 4 days earlier", references: ["offer.references[0]"] }
} satisfies Record<string, Item>

/** A mission with an offer, and a lead with facts; answers ids of the lead, a note and a message. */
const prepare = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("offer.create", {
    offer_id: "audit",
    name: "Audit",
    one_liner: "Books in order",
    value_proposition: "Teams save 30%",
    references: [
      {
        type: "CASE_STUDY",
        content: "Acme closed its books 4 days earlier.",
        company: "Acme",
        url: "https://a.example/80"
      }
    ]
  })
  yield* ok("mission.create", {
    name: "Spring",
    agent_handle: "ada-martin",
    offer_id: "audit",
    key_message: "Since 1998, 12 hours are enough"
  })
  const { lead_id } = yield* ok("lead.upsert", {
    linkedin_url: "https://www.linkedin.com/in/grace",
    name: "Grace Hopper",
    company: "Example Corp",
    recent_posts: [{ content: "Why month-end closing takes a week", date: "2026-01-01", likes: 7 }],
    experience: [{ role: "Lead of 40 people", company: "Initech", duration: "3 years" }]
  })
  const { note_id } = yield* ok("lead.note.add", { lead_id, text: "She has 250 customers in Lyon" })
  const { message_id } = yield* ok("lead.message.record", {
    lead_id,
    channel: "LINKEDIN",
    direction: "inbound",
    content: "We have 17 plants"
  })
  return { lead_id: String(lead_id), note: String(note_id), message: String(message_id) }
})

const draft = (lead_id: string, variations: ReadonlyArray<string>, evidence: ReadonlyArray<Item>) =>
  Effect.map(ok("linkedin.draft.create", { lead_id, mission_id: "spring", variations, evidence }), (output) =>
    String(output.draft.draft_id)
  )

/** What a check finds: severity, code, and the words it is about. */
const found = (draft_id: string) =>
  Effect.map(
    Effect.all([ok("linkedin.draft.check", { draft_id }), ok("review.get", { item_id: draft_id })]),
    ([{ findings }, { draft: shown, findings: placed }]) => {
      assert.strictEqual(findings.length, placed.length)
      return placed.map((finding: Record<string, unknown>) => {
        const body = shown.selected_body_text ?? shown.variations[Number(finding["variation_index"])].body_text
        const quote = finding["start"] === null ? "" : ` ${body.slice(finding["start"], finding["end"])}`
        return `${finding["severity"]} ${finding["code"]}${quote}`
      })
    }
  )

const evidenceOf = (draft_id: string) => Effect.map(ok("linkedin.draft.get", { draft_id }), ({ evidence }) => evidence)

eachBackend("the evidence of a draft", (layer) =>
  it.layer(layer)((it) => {
    it.effect("is kept, shown and compared with the facts, and supports figures", () =>
      Effect.gen(function* () {
        const { lead_id, message, note } = yield* prepare
        const more = `${text} You have 250 customers in Lyon and 17 plants, since 1998.`
        const evidence = [
          claims.post,
          claims.role,
          claims.proof,
          { claim: "250 customers in Lyon", references: [`notes.${note}`] },
          { claim: "17 plants", references: [`messages.${message}`, "lead.company"] },
          { claim: "since 1998", references: ["brief.key_message"] }
        ]
        const input = { lead_id, mission_id: "spring", variations: [more], evidence }
        const { data, statements } = yield* counted("linkedin.draft.create", input)
        const { lead_id: other } = yield* ok("lead.upsert", { email: "bob@example.com", name: "Bob" })
        const plain = yield* counted("linkedin.draft.create", { ...input, lead_id: other, evidence: [] })
        assert.strictEqual(statements, plain.statements, "evidence costs no statement")
        const { draft_id } = data.draft
        assert.deepStrictEqual(yield* found(draft_id), [])
        const kept = evidence.map((item) => ({ variation_index: 0, ...item, is_stale: false }))
        assert.deepStrictEqual(yield* evidenceOf(draft_id), kept)
        const facts = [
          ["Why month-end closing takes a week 2026-01-01"],
          ["Initech 3 years Lead of 40 people"],
          ["Acme Acme closed its books 4 days earlier."],
          ["She has 250 customers in Lyon"],
          ["We have 17 plants", "Example Corp"],
          ["Since 1998, 12 hours are enough"]
        ]
        const shown = yield* ok("review.get", { item_id: draft_id })
        assert.deepStrictEqual(
          shown.evidence,
          kept.map((item, index) => ({ ...item, facts: facts[index] }))
        )
        const scopes = ["linkedin:read", "offers:read"] as const
        const narrow = { actor: actor("org_evidence", { scopes, policies: noPolicies }) }
        const { evidence: covered } = yield* ok("review.get", { item_id: draft_id }, narrow)
        assert.deepStrictEqual(
          covered.map((item: { readonly facts: unknown }) => item.facts),
          facts.map((texts, index) => (index === 2 ? texts : texts.map(() => null)))
        )
        const { export: file } = yield* ok("lead.export", { lead_id })
        assert.deepStrictEqual(
          file.drafts[0].evidence.map(({ claim }: Item) => claim),
          evidence.map(({ claim }) => claim)
        )
        assert.strictEqual((yield* statementsOf(ok("linkedin.draft.check", { draft_id }))) ?? 1, 1)
        // Without evidence, what stands in notes and messages supports nothing.
        yield* ok("linkedin.draft.update", { draft_id, evidence: [] })
        assert.deepStrictEqual(yield* evidenceOf(draft_id), [])
        assert.isNotEmpty(yield* found(draft_id))
      }).pipe(inOrganization("org_evidence"))
    )

    it.effect("is found wanting where a fact is not there, or has another figure or name", () =>
      Effect.gen(function* () {
        const { lead_id } = yield* prepare
        const other = yield* ok("lead.upsert", { email: "bob@example.com", name: "Bob" })
        const { note_id } = yield* ok("lead.note.add", { lead_id: other.lead_id, text: "at Umbrella" })
        const wrong = "Hello Grace, you led 40 people at Umbrella, and Acme closes 9 days earlier than in 2019."
        const evidence = [
          { claim: "40 people at Umbrella", references: ["lead.experience[0]"] },
          { claim: "Acme closes 9 days earlier than in 2019", references: ["offer.references[0]", "lead.jobTitle"] },
          { claim: "9 days", references: ["offer.references[0]"] },
          { claim: "Hello Grace", references: ["lead.recentPosts[7]", "notes.note_none"] },
          { claim: "at Umbrella", references: [`notes.${note_id}`] }
        ]
        const draft_id = yield* draft(lead_id, [wrong], evidence)
        const own = (yield* found(draft_id)).filter((line: string) => line.includes("evidence"))
        assert.deepStrictEqual(own, [
          "warning evidence_mismatch Umbrella",
          "error evidence_unknown Acme closes 9 days earlier than in 2019",
          "error evidence_mismatch 9",
          "error evidence_unknown Hello Grace",
          "error evidence_unknown at Umbrella"
        ])
        // The number in the reference's URL supports nothing.
        yield* ok("linkedin.draft.update", {
          draft_id,
          variations: ["Save 80 hours in 2019"],
          evidence: [{ claim: "80 hours in 2019", references: ["offer.references[0]"] }]
        })
        assert.includeMembers(yield* found(draft_id), ["error evidence_mismatch 80", "error evidence_mismatch 2019"])
        yield* ok("offer.update", {
          offer_id: "audit",
          references: [{ type: "STATS", content: "80 hours less in 2019" }]
        })
        assert.deepStrictEqual(yield* found(draft_id), [])
        yield* ok("offer.update", { offer_id: "audit", references: [] })
        assert.include(yield* found(draft_id), "error evidence_unknown 80 hours in 2019")
      }).pipe(inOrganization("org_wanting"))
    )

    it.effect("becomes stale when an edit removes the claim, and holds when it keeps it", () =>
      Effect.gen(function* () {
        const { lead_id } = yield* prepare
        const draft_id = yield* draft(lead_id, [text], [claims.post, claims.proof])
        const edited = "Hello Grace, Acme closes 4 days earlier."
        const warnings = yield* warned("linkedin.draft.update", { draft_id, variations: [edited] })
        assert.match(String(warnings), /evidence_stale: .*evidence\[0\]\. Send/)
        assert.deepStrictEqual(
          (yield* evidenceOf(draft_id)).map(({ is_stale }: { is_stale: boolean }) => is_stale),
          [true, false]
        )
        assert.deepStrictEqual(yield* found(draft_id), ["warning evidence_stale"])
        yield* ok("linkedin.draft.update", { draft_id, variations: [text] })
        assert.deepStrictEqual(yield* found(draft_id), [])
        yield* ok("linkedin.draft.approve", { draft_id, body_text: "Hello Grace, a question" })
        assert.deepStrictEqual(yield* found(draft_id), ["warning evidence_stale", "warning evidence_stale"])
        const { lead_id: other } = yield* ok("lead.upsert", { email: "bob@example.com", name: "Grace Two" })
        yield* ok("linkedin.draft.update", { draft_id, lead_id: other })
        assert.deepStrictEqual(yield* found(draft_id), [
          "info unsupported_claim 40",
          "warning evidence_stale",
          "warning evidence_stale"
        ])
      }).pipe(inOrganization("org_stale"))
    )

    it.effect(
      "is stored with each of several drafts, and bad evidence refuses one of them before it replaces another",
      () =>
        Effect.gen(function* () {
          const { lead_id } = yield* prepare
          const open = yield* draft(lead_id, [text], [])
          const { lead_id: other } = yield* ok("lead.upsert", { email: "bob@example.com", name: "Bob" })
          const drafts = [
            { lead_id, variations: [text], evidence: [{ ...claims.post, claim: "not there" }], replace_open: true },
            { lead_id: other, variations: [text], evidence: [claims.post], model: "writer-4" }
          ]
          const { results } = yield* ok("linkedin.draft.create-many", { drafts })
          assert.deepInclude(results[0], { ok: false, draft_id: null })
          assert.match(results[0].error.message, /^evidence\[0\]\.claim: not in variation 0/)
          assert.strictEqual((yield* ok("linkedin.draft.get", { draft_id: open })).draft.status, "PENDING_REVIEW")
          assert.lengthOf(yield* evidenceOf(results[1].draft_id), 1)
          assert.include(
            results[1].findings.map((finding: { code: string }) => finding.code),
            "evidence_unknown"
          )
        }).pipe(inOrganization("org_several"))
    )

    it.effect("is refused with its path where it cannot be, and another organization's facts are unknown", () =>
      Effect.gen(function* () {
        const { lead_id, note } = yield* prepare
        const ofItem = (changes: object) => ({
          lead_id,
          mission_id: "spring",
          variations: [text],
          evidence: [claims.post, claims.role, { ...claims.proof, ...changes }]
        })
        const bad: ReadonlyArray<readonly [object, RegExp]> = [
          [{ claim: "We close five days earlier" }, /^400 INVALID_INPUT evidence\[2\]\.claim: not in variation 0/],
          [{ variation_index: 1 }, /^400 INVALID_INPUT evidence\[2\]\.variation_index: there is no variation 1/],
          [{ variation_index: 3 }, /^400 INVALID_INPUT evidence\[2\]\.variation_index/],
          [
            { references: ["offer.proof"] },
            /^400 INVALID_INPUT evidence\[2\]\.references\[0\].* offer\.references\[1\]/
          ],
          [{ references: ["lead.company", "lead.phone"] }, /^400 INVALID_INPUT evidence\[2\]\.references\[1\]/],
          [{ references: ["lead.constructor"] }, /^400 INVALID_INPUT evidence\[2\]\.references\[0\]/],
          [{ references: [] }, /^400 INVALID_INPUT evidence\[2\]\.references/],
          [{ references: Array(6).fill("lead.company") }, /^400 INVALID_INPUT evidence\[2\]\.references/],
          [{ claim: "x".repeat(501) }, /^400 INVALID_INPUT evidence\[2\]\.claim/],
          [{ source: "me" }, /^400 UNKNOWN_FIELD evidence\[2\]\.source/]
        ]
        for (const [changes, expected] of bad) {
          assert.match(String(yield* refused("linkedin.draft.create", ofItem(changes))), expected)
        }
        const many = { ...ofItem({}), evidence: Array(21).fill(claims.post) }
        assert.match(String(yield* refused("linkedin.draft.create", many)), /^400 INVALID_INPUT evidence/)
        const draft_id = yield* draft(lead_id, [text], [{ ...claims.post, references: [`notes.${note}`] }])
        const update = { draft_id, evidence: [{ ...claims.post, claim: "not there" }] }
        assert.match(String(yield* refused("linkedin.draft.update", update)), /^400 INVALID_INPUT evidence\[0\]\.claim/)

        yield* organization("org_other")
        const other = { actor: actor("org_other", { policies: noPolicies }) }
        yield* ok("agent.create", { first_name: "Bob", last_name: "Berg" }, other)
        const theirs = yield* ok("lead.upsert", { email: "eve@example.com", name: "Eve" }, other)
        const of = (reference: string) =>
          Effect.map(
            ok(
              "linkedin.draft.create",
              {
                lead_id: theirs.lead_id,
                variations: ["Hi Eve"],
                evidence: [{ claim: "Hi Eve", references: [reference] }],
                replace_open: true
              },
              other
            ),
            (output) => output.draft.draft_id
          )
        const checked = (reference: string) =>
          Effect.flatMap(of(reference), (id) =>
            Effect.map(ok("linkedin.draft.check", { draft_id: id }, other), ({ findings }) =>
              findings.map(({ code, message }: Record<string, string>) => `${code} ${message?.replace(reference, "?")}`)
            )
          )
        assert.deepStrictEqual(yield* checked(`notes.${note}`), yield* checked("notes.note_none"))
      }).pipe(inOrganization("org_paths"))
    )
  })
)
