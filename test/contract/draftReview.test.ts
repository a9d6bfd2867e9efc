/** What reviewers do with drafts besides approving them, on every store. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { agents, draftFor, read, sent } from "../core/linkedin/linkedInWorld.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { code, ok, warned } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

type Draft = Effect.Success<ReturnType<typeof draftFor>>

const decide = (verb: string, { draft_id }: Pick<Draft, "draft_id">, input: object = {}) =>
  Effect.map(ok(`linkedin.draft.${verb}`, { draft_id, ...input }), ({ draft }) => draft as Draft)
const refusal = (verb: string, { draft_id }: Pick<Draft, "draft_id">, input: object = {}) =>
  code(`linkedin.draft.${verb}`, { draft_id, ...input })
const shown = ({ draft_id }: Pick<Draft, "draft_id">) => ok("review.get", { item_id: draft_id })
const tab = (name: string) =>
  Effect.map(ok("review.list", { tab: name, limit: 100 }), ({ items }) =>
    items.map(({ item_id }: { item_id: string }) => item_id)
  )
const eventsOf = (draft: Pick<Draft, "draft_id">) =>
  Effect.map(ok("event.list", { limit: 100 }), ({ events }) =>
    events
      .filter(({ subject }: { subject: { id: string } }) => subject.id === draft.draft_id)
      .map(({ type }: { type: string }) => type)
  )
const textsTo = ({ lead }: Draft) =>
  Effect.flatMap(SimulatorLedger, (ledger) =>
    Effect.map(ledger.accepted, (all) => all.filter(({ leadId }) => leadId === lead.lead_id).map(({ text }) => text))
  )
const other = "0".repeat(64)

eachBackend("draft review", (layer) =>
  it.layer(layer)((it) => {
    it.effect("rejects with a reason for the writer, once, and only what was read", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("grace")
        yield* decide("approve", draft)
        assert.strictEqual(yield* refusal("reject", draft, { reason: "No", content_hash: other }), "CONTENT_CHANGED")
        const { content_hash } = yield* shown(draft)
        const rejected = yield* decide("reject", draft, { reason: "She left", content_hash })
        assert.deepInclude(rejected, { status: "CANCELLED" })
        assert.isNotNull(rejected.cancelled_at)
        const details = yield* shown(draft)
        assert.deepInclude(details.review.rejection, { reason: "She left", by: "usr_org_reject" })
        assert.strictEqual(details.item.state, "rejected")
        const { export: file } = yield* ok("lead.export", { lead_id: draft.lead.lead_id })
        assert.deepInclude(file.drafts[0], { rejection: "She left", rewrite: null, flag_note: null })
        assert.deepStrictEqual(yield* decide("reject", draft, { reason: "She left" }), rejected)
        assert.strictEqual(yield* refusal("reject", draft, { reason: "Another" }), "DRAFT_FINAL")
        assert.deepStrictEqual(yield* eventsOf(draft), ["draft.created", "draft.approved", "draft.rejected"])
        yield* TestClock.adjust("1 hour")
        yield* dispatchDue()
        assert.deepStrictEqual(yield* textsTo(draft), [])
        assert.strictEqual(yield* code("linkedin.draft.reject", { draft_id: "drf_none", reason: "x" }), "NOT_FOUND")
        assert.strictEqual(yield* refusal("reject", draft, { reason: " " }), "INVALID_INPUT")
      }).pipe(inOrganization("org_reject"))
    )

    it.effect("asks for a rewrite, which the next change of the texts answers", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("alan")
        yield* decide("approve", draft)
        const request = { draft_id: draft.draft_id, instructions: "Shorter" }
        assert.match(String(yield* warned("linkedin.draft.request-rewrite", request)), /approval_cleared/)
        assert.strictEqual((yield* read(draft)).status, "PENDING_REVIEW")
        assert.deepInclude((yield* shown(draft)).review.rewrite, { instructions: "Shorter" })
        assert.deepStrictEqual(yield* tab("to_review"), [])
        assert.deepStrictEqual(yield* tab("snoozed"), [draft.draft_id])
        const before = yield* read(draft)
        assert.deepStrictEqual(yield* decide("request-rewrite", draft, { instructions: "Shorter" }), before)
        yield* decide("update", draft, { mission_id: null })
        assert.isNotNull((yield* shown(draft)).review.rewrite)
        yield* decide("update", draft, { variations: ["Hi"] })
        assert.isNull((yield* shown(draft)).review.rewrite)
        assert.deepStrictEqual(yield* tab("to_review"), [draft.draft_id])
        yield* decide("request-rewrite", draft, { instructions: "Again" })
        yield* decide("approve", draft)
        assert.isNull((yield* shown(draft)).review.rewrite)
        assert.strictEqual(
          yield* refusal("request-rewrite", draft, { instructions: "x", content_hash: other }),
          "CONTENT_CHANGED"
        )
        yield* sent(draft)
        assert.strictEqual(yield* refusal("request-rewrite", draft, { instructions: "x" }), "DRAFT_FINAL")
        assert.strictEqual(yield* refusal("reject", draft, { reason: "x" }), "DRAFT_FINAL")
        assert.strictEqual(yield* refusal("reopen", draft), "DRAFT_FINAL")
      }).pipe(inOrganization("org_rewrite"))
    )

    it.effect("a text is not written over one that its writer did not read", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("grace")
        const { content_hash } = yield* shown(draft)
        const mine = { variations: ["Mine"], content_hash }
        yield* decide("update", draft, { variations: ["Theirs"] })
        assert.strictEqual(yield* refusal("update", draft, mine), "CONTENT_CHANGED")
        assert.strictEqual((yield* read(draft)).variations[0]?.body_text, "Theirs")
        const again = yield* shown(draft)
        yield* decide("update", draft, { ...mine, content_hash: again.content_hash.toUpperCase() })
        const saved = yield* read(draft)
        assert.strictEqual(saved.variations[0]?.body_text, "Mine")
        assert.deepStrictEqual(yield* decide("update", draft, mine), saved, "a repeated save changes nothing")
        assert.strictEqual(yield* refusal("update", draft, { ...mine, content_hash: "x" }), "INVALID_INPUT")
      }).pipe(inOrganization("org_unread"))
    )

    it.effect("snoozes until a time, and flags in every status", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("ada")
        const until = "1970-01-02T10:00:00+01:00"
        yield* decide("snooze", draft, { until })
        assert.deepStrictEqual(yield* tab("to_review"), [])
        assert.deepInclude((yield* shown(draft)).item, {
          state: "snoozed",
          snoozed_until: "1970-01-02T09:00:00.000Z"
        })
        const before = yield* read(draft)
        assert.deepStrictEqual(yield* decide("snooze", draft, { until }), before)
        yield* TestClock.adjust("33 hours")
        assert.deepStrictEqual(yield* tab("to_review"), [draft.draft_id])
        assert.strictEqual((yield* shown(draft)).item.state, "in_review")
        for (const past of [until, "1975-01-01T00:00:00Z"]) {
          assert.strictEqual(yield* refusal("snooze", draft, { until: past }), "INVALID_INPUT")
        }
        yield* decide("snooze", draft, { until: "1970-02-01T00:00:00Z" })
        yield* decide("snooze", draft, { until: null })
        assert.deepStrictEqual(yield* tab("to_review"), [draft.draft_id])
        yield* decide("approve", draft)
        assert.strictEqual(yield* refusal("snooze", draft, { until: null }), "WRONG_STATE")
        const flag = { flagged: true, note: "Is the price right?" }
        yield* decide("flag", draft, flag)
        const approved = yield* read(draft)
        assert.strictEqual(approved.status, "READY_TO_SEND")
        assert.deepStrictEqual(yield* decide("flag", draft, flag), approved)
        assert.deepInclude((yield* shown(draft)).review, { flagged: true, flag_note: flag.note })
        const cancelled = yield* decide("cancel", draft)
        assert.strictEqual(yield* refusal("snooze", draft, { until: null }), "DRAFT_FINAL")
        yield* TestClock.adjust("1 minute")
        const plain = yield* decide("flag", draft, { flagged: false })
        assert.strictEqual(plain.cancelled_at, cancelled.cancelled_at)
        assert.deepInclude((yield* shown(draft)).review, { flagged: false, flag_note: null })
        assert.deepStrictEqual(yield* eventsOf(draft), [
          "draft.created",
          "draft.snoozed",
          "draft.snoozed",
          "draft.snoozed",
          "draft.approved",
          "draft.flagged",
          "draft.cancelled",
          "draft.flagged"
        ])
      }).pipe(inOrganization("org_snooze"))
    )

    it.effect("reopens what was approved, cancelled or rejected, and sends nothing of it", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("emmy")
        const untouched = yield* decide("reopen", draft)
        assert.deepStrictEqual(untouched, draft)
        for (const [verb, input] of [
          ["approve", {}],
          ["cancel", {}],
          ["reject", { reason: "No" }]
        ] as const) {
          yield* decide(verb, draft, input)
          const reopened = yield* decide("reopen", draft)
          assert.deepInclude(reopened, {
            status: "PENDING_REVIEW",
            selected_body_text: null,
            approved_at: null,
            cancelled_at: null
          })
          assert.isNull((yield* shown(draft)).review.rejection)
          assert.deepStrictEqual(yield* tab("to_review"), [draft.draft_id])
        }
        yield* decide("approve", draft)
        yield* decide("cancel", draft)
        yield* decide("reopen", draft)
        yield* TestClock.adjust("1 hour")
        yield* dispatchDue()
        assert.deepStrictEqual(yield* textsTo(draft), [])
        assert.deepStrictEqual(yield* tab("approved"), [])
      }).pipe(inOrganization("org_reopen"))
    )

    it.effect("reopens nothing that could not be created", () =>
      Effect.gen(function* () {
        yield* agents(2)
        yield* ok("mission.create", { name: "M", agent_handle: "ada-martin" })
        const more = { agent_handle: "ada-martin", mission_id: "m" }
        const draft = yield* draftFor("rosa", more)
        yield* decide("cancel", draft)
        const { draft: rival } = yield* ok("linkedin.draft.create", {
          lead_id: draft.lead.lead_id,
          ...more,
          variations: ["x"]
        })
        assert.strictEqual(yield* refusal("reopen", draft), "DRAFT_OPEN")
        yield* decide("cancel", rival)
        yield* ok("mission.update", { mission_id: "m", status: "archived" })
        assert.strictEqual(yield* refusal("reopen", draft), "MISSION_ARCHIVED")
        yield* ok("mission.update", { mission_id: "m", status: "active" })
        yield* decide("reopen", draft)
        yield* decide("cancel", draft)
        const gone = yield* draftFor("hedy", { agent_handle: "bob-berg" })
        yield* decide("cancel", gone)
        yield* ok("agent.delete", { agent_handle: "bob-berg", force: true })
        assert.strictEqual(yield* refusal("reopen", gone), "WRONG_STATE")
        yield* ok("lead.suppress", { lead_id: draft.lead.lead_id, reason: "Asked" })
        assert.strictEqual(yield* refusal("reopen", draft), "LEAD_SUPPRESSED")
      }).pipe(inOrganization("org_refused"))
    )

    it.effect("tells the writer in the next actions, and nobody of what is snoozed", () =>
      Effect.gen(function* () {
        yield* agents()
        yield* ok("mission.create", { name: "M", agent_handle: "ada-martin" })
        const draft = yield* draftFor("joan", { mission_id: "m" })
        yield* ok("lead.mission.add", { mission_id: "m", lead_ids: [draft.lead.lead_id] })
        const kinds = (command: string, input: object, field: string) =>
          Effect.map(ok(command, input), (data) =>
            (data.actions ?? data.leads).map((one: Readonly<Record<string, unknown>>) => one[field])
          )
        const expectAction = Effect.fnUntraced(function* (kind: string | null) {
          const expected = kind === null ? [] : [kind]
          assert.deepStrictEqual(yield* kinds("mission.next-actions", {}, "kind"), expected)
          assert.deepStrictEqual(yield* kinds("mission.next-actions", { mission_id: "m" }, "kind"), expected)
          assert.deepStrictEqual(yield* kinds("lead.search", { sort: "action" }, "next_action"), [kind])
          const got = yield* ok("lead.get", { lead_id: draft.lead.lead_id })
          assert.strictEqual(got.prospect_context.next_action?.kind ?? null, kind)
        })
        yield* expectAction("draft_to_review")
        yield* decide("request-rewrite", draft, { instructions: "Shorter" })
        yield* expectAction("rewrite_requested")
        yield* decide("update", draft, { variations: ["Hi"] })
        yield* expectAction("draft_to_review")
        const until = isoFromMillis((yield* Clock.currentTimeMillis) + 86_400_000)
        yield* decide("snooze", draft, { until })
        yield* expectAction(null)
        yield* TestClock.adjust("25 hours")
        yield* expectAction("draft_to_review")
        yield* decide("approve", draft)
        yield* expectAction(null)
      }).pipe(inOrganization("org_actions"))
    )

    it.effect("says what is unknown and does not touch it", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("lost-unknown")
        assert.strictEqual(yield* refusal("approve", draft, { send_now: true }), "SEND_OUTCOME_UNKNOWN")
        for (const [verb, input] of [
          ["reject", { reason: "x" }],
          ["request-rewrite", { instructions: "x" }],
          ["reopen", {}]
        ] as const) {
          assert.strictEqual(yield* refusal(verb, draft, input), "SEND_OUTCOME_UNKNOWN", verb)
        }
      }).pipe(inOrganization("org_unknown"))
    )
  })
)
