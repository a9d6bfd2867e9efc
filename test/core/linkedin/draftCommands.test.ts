import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import { contentHashOf, type LinkedInDraft } from "#core/outreach/LinkedInDraft.ts"
import { owner } from "../../support/memory.ts"
import { ask, ok, verdict } from "../../support/World.ts"
import { type Approved, agents, draftFor, eventTypes, lead, linkedInWorld, read } from "./linkedInWorld.ts"

const create = "linkedin.draft.create"
const approve = "linkedin.draft.approve"

describe("LinkedIn drafts", () => {
  it.effect("are created for review, in the closed shape of the specification", () =>
    Effect.gen(function* () {
      yield* agents()
      const { mission } = yield* ok<{ mission: { id: string } }>("mission.create", {
        name: "Spring outreach",
        agent_handle: "ada-martin"
      })
      yield* ok("lead.upsert", {
        email: "grace@example.com",
        name: "Grace Hopper",
        company: "Navy",
        linkedin_url: "https://www.linkedin.com/in/grace"
      })
      const { draft } = yield* ok<{ draft: LinkedInDraft }>(create, {
        email: "grace@example.com",
        mission_id: "spring-outreach",
        variations: ["One", { body_text: "Two", position: 1 }, { body_text: "Thrée" }]
      })
      const { agent, lead: person, created_at, draft_id, ...rest } = draft
      assert.match(draft_id, /^drf_/)
      assert.deepStrictEqual(rest, {
        status: "PENDING_REVIEW",
        channel: "LINKEDIN",
        dispatched_queue_item_id: null,
        dispatched_message_id: null,
        dispatched_external_message_id: null,
        selected_variation_index: null,
        selected_body_text: null,
        approved_at: null,
        cancelled_at: null,
        dispatched_at: null,
        updated_at: created_at,
        created_by_user_id: "usr_org_a",
        created_by_actor_kind: "USER",
        approved_by_user_id: null,
        approved_by_actor_kind: null,
        mission: { mission_id: mission.id, handle: "spring-outreach", name: "Spring outreach" },
        variations: [
          { position: 0, body_text: "One" },
          { position: 1, body_text: "Two" },
          { position: 2, body_text: "Thrée" }
        ]
      })
      assert.deepStrictEqual(agent.handle, "ada-martin")
      assert.strictEqual(agent.name, "Ada Martin")
      assert.deepStrictEqual([person.name, person.company_name, person.job_title], ["Grace Hopper", "Navy", null])
      assert.deepStrictEqual(yield* read(draft), draft)
      assert.deepStrictEqual(yield* eventTypes("draft."), ["draft.created"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("refuse what cannot be drafted", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* verdict(create, { variations: [] }), "400 IDENTIFIER_REQUIRED")
      const lead_id = yield* lead("grace")
      assert.strictEqual(yield* verdict(create, { lead_id, variations: [] }), "400 INVALID_INPUT", "no agent")
      yield* agents(2)
      assert.strictEqual(yield* verdict(create, { lead_id, variations: [] }), "400 INVALID_INPUT", "two agents")
      const good = { lead_id, agent_handle: "bob-berg", variations: [] }
      const bad: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
        [{ lead_id: "ld_other" }, "404 NOT_FOUND"],
        [{ prospect_id: "ld_other" }, "400 INVALID_INPUT"],
        [{ agent_handle: "nobody" }, "404 NOT_FOUND"],
        [{ mission_id: "nothing" }, "404 NOT_FOUND"],
        [{ variations: ["a", "b", "c", "d"] }, "400 INVALID_INPUT"],
        [{ variations: [" "] }, "400 INVALID_INPUT"],
        [{ variations: ["x".repeat(8_001)] }, "400 INVALID_INPUT"],
        [{ variations: [{ body: "x" }] }, "400 INVALID_INPUT"],
        [{ colour: "red" }, "400 UNKNOWN_FIELD"]
      ]
      for (const [change, expected] of bad) {
        const said = yield* verdict(create, { ...good, ...change })
        const isUnknownBody = "variations" in change && expected === "400 INVALID_INPUT" && said === "400 UNKNOWN_FIELD"
        assert.isTrue(said === expected || isUnknownBody, `${JSON.stringify(change).slice(0, 60)}: ${said}`)
      }
      assert.strictEqual(yield* verdict(create, good), "ok")
      yield* ok("mission.create", { name: "Old", handle: "old", agent_handle: "ada-martin" })
      yield* ok("mission.update", { mission_id: "old", status: "archived" })
      assert.strictEqual(yield* verdict(create, { lead_id, variations: [], mission_id: "old" }), "409 MISSION_ARCHIVED")
      yield* ok("lead.upsert", { lead_id, status: "DoNotContact" })
      assert.strictEqual(yield* verdict(create, good), "409 LEAD_SUPPRESSED")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("are one open draft a lead and agent; replace_open cancels the other", () =>
    Effect.gen(function* () {
      yield* agents(2)
      const first = yield* draftFor("grace", { agent_handle: "ada-martin" })
      const again = { lead_id: first.lead.lead_id, agent_handle: "ada-martin", variations: ["Anew"] }
      const refused = yield* ask(create, again)
      assert.isFalse(refused.envelope.ok)
      assert.include(refused.envelope.ok ? "" : refused.envelope.error.message, first.draft_id)
      assert.strictEqual(yield* verdict(create, { ...again, agent_handle: "bob-berg" }), "ok", "another agent may")
      const { draft } = yield* ok<{ draft: LinkedInDraft }>(create, { ...again, replace_open: true })
      assert.strictEqual((yield* read(first)).status, "CANCELLED")
      assert.strictEqual(draft.status, "PENDING_REVIEW")
      assert.deepStrictEqual(yield* eventTypes("draft."), [
        "draft.created",
        "draft.created",
        "draft.cancelled",
        "draft.created"
      ])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("are approved by variation, by text and by hash", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace", { variations: ["A", "B"] })
      const { draft_id } = draft
      assert.strictEqual(yield* verdict(approve, { draft_id }), "409 VARIATION_REQUIRED")
      assert.strictEqual(yield* verdict(approve, { draft_id, variation_index: 2 }), "400 INVALID_INPUT")
      assert.strictEqual(yield* verdict(approve, { draft_id, variation_index: 9 }), "400 INVALID_INPUT")
      const hash = contentHashOf({ leadId: draft.lead.lead_id, agentId: draft.agent.agent_id, variations: ["A", "B"] })
      const stale = hash.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))
      assert.strictEqual(
        yield* verdict(approve, { draft_id, variation_index: 1, content_hash: stale }),
        "409 CONTENT_CHANGED"
      )
      assert.strictEqual(yield* verdict(approve, { draft_id, invitation_note: "hi" }), "400 INVALID_INPUT")
      const first = yield* ok<Approved>(approve, { draft_id, variation_index: 1, content_hash: hash })
      assert.strictEqual(first.mode, "approved")
      assert.isNull(first.dispatch_result)
      assert.strictEqual(first.draft.status, "READY_TO_SEND")
      assert.strictEqual(first.draft.selected_body_text, "B")
      assert.strictEqual(first.draft.approved_by_user_id, "usr_org_a")
      assert.deepStrictEqual(yield* ok<Approved>(approve, { draft_id }), first, "approving again changes nothing")
      const edited = yield* ok<Approved>(approve, { draft_id, variation_index: 0, body_text: "A, but better" })
      assert.deepStrictEqual(
        [edited.draft.selected_variation_index, edited.draft.selected_body_text],
        [0, "A, but better"]
      )
      assert.deepStrictEqual(edited.draft.variations, draft.variations)
      assert.deepStrictEqual(yield* eventTypes("draft."), ["draft.created", "draft.approved", "draft.approved"])
      const empty = yield* draftFor("hedy", { variations: [] })
      assert.strictEqual(yield* verdict(approve, { draft_id: empty.draft_id }), "409 DRAFT_EMPTY")
      assert.strictEqual(yield* verdict(approve, { draft_id: empty.draft_id, body_text: "Written now" }), "ok")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("lose their approval when text, lead or mission change, with a warning", () =>
    Effect.gen(function* () {
      yield* agents()
      const draft = yield* draftFor("grace")
      const { draft_id } = draft
      yield* ok(approve, { draft_id })
      const same = yield* ask("linkedin.draft.update", { draft_id, variations: ["Hello grace"] })
      assert.deepStrictEqual(same.envelope.meta.warnings, [])
      assert.strictEqual((yield* read(draft)).status, "READY_TO_SEND")
      const changed = yield* ask("linkedin.draft.update", { draft_id, variations: ["Other"] })
      assert.match(changed.envelope.meta.warnings[0] ?? "", /^approval_cleared/)
      const after = yield* read(draft)
      assert.deepStrictEqual(
        [after.status, after.approved_at, after.approved_by_user_id, after.selected_body_text],
        ["PENDING_REVIEW", null, null, null]
      )
      yield* ok(approve, { draft_id })
      const other = yield* lead("hedy")
      const moved = yield* ok<{ draft: LinkedInDraft }>("linkedin.draft.update", { draft_id, lead_id: other })
      assert.deepStrictEqual([moved.draft.lead.lead_id, moved.draft.status], [other, "PENDING_REVIEW"])
      const rival = yield* draftFor("grace")
      const back = yield* verdict("linkedin.draft.update", { draft_id, lead_id: rival.lead.lead_id })
      assert.strictEqual(back, "409 DRAFT_OPEN")
      yield* ok("mission.create", { name: "Spring", agent_handle: "ada-martin" })
      yield* ok(approve, { draft_id })
      const filed = yield* ok<{ draft: LinkedInDraft }>("linkedin.draft.update", { draft_id, mission_id: "spring" })
      assert.deepStrictEqual([filed.draft.mission?.handle, filed.draft.status], ["spring", "PENDING_REVIEW"])
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("are cancelled once and for good", () =>
    Effect.gen(function* () {
      yield* agents()
      const { draft_id } = yield* draftFor("grace")
      const { draft } = yield* ok<{ draft: LinkedInDraft }>("linkedin.draft.cancel", { draft_id, reason: "no" })
      assert.strictEqual(draft.status, "CANCELLED")
      assert.isNotNull(draft.cancelled_at)
      for (const command of ["linkedin.draft.cancel", "linkedin.draft.update", approve]) {
        const input = command === "linkedin.draft.update" ? { draft_id, variations: [] } : { draft_id }
        assert.strictEqual(yield* verdict(command, input), "409 DRAFT_FINAL", command)
      }
      assert.strictEqual(yield* verdict(approve, { draft_id, send_now: true }), "409 DRAFT_FINAL")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("are listed newest first by status, lead, mission and agent, page by page", () =>
    Effect.gen(function* () {
      yield* agents(2)
      yield* ok("mission.create", { name: "Spring", agent_handle: "ada-martin" })
      const a = yield* draftFor("a", { agent_handle: "ada-martin", mission_id: "spring" })
      const b = yield* draftFor("b", { agent_handle: "bob-berg" })
      const c = yield* draftFor("c", { agent_handle: "ada-martin" })
      yield* ok(approve, { draft_id: b.draft_id })
      interface Page {
        readonly drafts: ReadonlyArray<LinkedInDraft>
        readonly next_cursor: string | null
      }
      const ids = (input: Record<string, unknown>) =>
        Effect.map(ok<Page>("linkedin.draft.list", input), ({ drafts }) => drafts.map(({ draft_id }) => draft_id))
      assert.deepStrictEqual(yield* ids({}), [c.draft_id, b.draft_id, a.draft_id])
      assert.deepStrictEqual(yield* ids({ status: ["READY_TO_SEND", "CANCELLED"] }), [b.draft_id])
      assert.deepStrictEqual(yield* ids({ mission_id: "spring" }), [a.draft_id])
      assert.deepStrictEqual(yield* ids({ agent_handle: "ada-martin" }), [c.draft_id, a.draft_id])
      assert.deepStrictEqual(yield* ids({ lead_id: c.lead.lead_id }), [c.draft_id])
      const first = yield* ok<Page>("linkedin.draft.list", { limit: 2 })
      assert.isNotNull(first.next_cursor)
      assert.deepStrictEqual(yield* ids({ limit: 2, cursor: first.next_cursor }), [a.draft_id])
      const foreign = { actor: owner("org_b") }
      assert.deepStrictEqual((yield* ok<Page>("linkedin.draft.list", {}, foreign)).drafts, [])
      assert.strictEqual(yield* verdict("linkedin.draft.get", { draft_id: a.draft_id }, foreign), "404 NOT_FOUND")
      assert.strictEqual(yield* verdict(approve, { draft_id: a.draft_id }, foreign), "404 NOT_FOUND")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("can be written but neither approved nor sent with a draft-only key", () =>
    Effect.gen(function* () {
      yield* agents()
      const lead_id = yield* lead("grace")
      const drafter = { actor: { ...owner(), kind: "AI_AGENT" as const, mode: "draft_only" as const } }
      const { draft } = yield* ok<{ draft: LinkedInDraft }>(create, { lead_id, variations: ["Hi"] }, drafter)
      assert.strictEqual(draft.created_by_actor_kind, "AI_AGENT")
      const { draft_id } = draft
      assert.strictEqual(yield* verdict(approve, { draft_id }, drafter), "403 APPROVAL_POLICY")
      assert.strictEqual(yield* verdict(approve, { draft_id, send_now: true }, drafter), "403 APPROVAL_POLICY")
      const approver = { actor: { ...owner(), scopes: scopeBundles.approver } }
      assert.strictEqual(yield* verdict(approve, { draft_id, send_now: true }, approver), "403 FORBIDDEN_SCOPE")
      assert.strictEqual(yield* verdict(approve, { draft_id }, approver), "ok")
      assert.strictEqual(yield* verdict("linkedin.draft.update", { draft_id, variations: ["Ho"] }, drafter), "ok")
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("name a long text in a warning", () =>
    Effect.gen(function* () {
      yield* agents()
      const lead_id = yield* lead("grace")
      const { envelope } = yield* ask(create, { lead_id, variations: ["short", "x".repeat(1_901)] })
      assert.deepStrictEqual(envelope.meta.warnings.length, 1)
      assert.match(envelope.meta.warnings[0] ?? "", /^long_message: text 1 has 1901/)
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("show one account for each agent, without linking any", () =>
    Effect.gen(function* () {
      yield* agents(2)
      interface Accounts {
        readonly accounts: ReadonlyArray<Record<string, unknown>>
      }
      const { accounts } = yield* ok<Accounts>("linkedin.account.list", {})
      assert.deepStrictEqual(
        accounts.map(({ agent_handle, name, public_url, status, tier }) => [
          agent_handle,
          name,
          public_url,
          status,
          tier
        ]),
        [
          ["ada-martin", "Ada Martin", null, "OK", "SALES_NAVIGATOR"],
          ["bob-berg", "Bob Berg", null, "OK", "SALES_NAVIGATOR"]
        ]
      )
      yield* ok("agent.delete", { agent_handle: "bob-berg" })
      assert.lengthOf((yield* ok<Accounts>("linkedin.account.list", {})).accounts, 1)
    }).pipe(Effect.provide(linkedInWorld))
  )
})
