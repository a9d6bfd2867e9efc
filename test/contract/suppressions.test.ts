import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Position } from "#core/kernel/schema/Page.ts"
import type { Identity } from "#core/leads/identity/Identity.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import type { SuppressionRow } from "#core/leads/suppression/Suppression.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { CurrentOrganization, currentOwner, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { accepted, ask, code, counted, lead, ok, warned } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const at = (second: number) => `2026-11-21T08:00:${String(second).padStart(2, "0")}.000Z`

const row = (kind: SuppressionRow["kind"], value: string, changes: Partial<SuppressionRow> = {}): SuppressionRow => ({
  organizationId: "org_r",
  kind,
  value,
  leadId: null,
  reason: `Reason of ${value}`,
  until: null,
  createdAt: at(0),
  ...changes
})

const secondsFromNow = (seconds: number) =>
  Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis + seconds * 1000).toISOString())

const email = (value: string): Identity => ({ kind: "email", value, derived: false })

/** The agent Ada and her mission `spring`. */
const prepare = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
})

eachBackend("suppressions", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are stored once, only ever made longer, and found by what they name", () =>
      Effect.gen(function* () {
        yield* organization("org_r2")
        const repo = yield* PrivacyRepo
        const until = at(30)
        const ending = row("email", "a@sub.example.com", { until })
        assert.deepStrictEqual(yield* repo.addSuppressions("org_r", [ending]), { rows: [ending], written: 1 })
        const shorter = row("email", "a@sub.example.com", { until: at(20), reason: "Other" })
        assert.deepStrictEqual(yield* repo.addSuppressions("org_r", [shorter]), { rows: [ending], written: 0 })
        const forever = row("email", "a@sub.example.com", { reason: "For good", leadId: "ld_1", createdAt: at(9) })
        const stored = { ...forever, createdAt: at(0) }
        assert.deepStrictEqual(yield* repo.addSuppressions("org_r", [forever]), { rows: [stored], written: 1 })
        assert.deepStrictEqual(yield* repo.addSuppressions("org_r", [ending]), { rows: [stored], written: 0 })
        yield* repo.addSuppressions("org_r", [
          row("domain", "example.com", { createdAt: at(1) }),
          row("slug", "ada", { createdAt: at(2) })
        ])
        const found = yield* repo.findSuppressions("org_r", [
          email("a@sub.example.com"),
          email("b@example.com"),
          email("c@notexample.com"),
          { kind: "domain", value: "deep.sub.example.com" },
          { kind: "slug", value: "ada" },
          { kind: "slug", value: "eve" }
        ])
        const shown = found.map(({ entry, kind, value }) => `${kind} ${value}: ${entry.kind} ${entry.reason}`).sort()
        assert.deepStrictEqual(shown, [
          "domain deep.sub.example.com: domain Reason of example.com",
          "email a@sub.example.com: domain Reason of example.com",
          "email a@sub.example.com: email For good",
          "email b@example.com: domain Reason of example.com",
          "slug ada: slug Reason of ada"
        ])
        assert.deepStrictEqual(found.find(({ entry }) => entry.kind === "email")?.entry, {
          kind: "email",
          reason: "For good",
          until: null,
          leadId: "ld_1",
          createdAt: at(0)
        })
        assert.deepStrictEqual(yield* repo.findSuppressions("org_r2", [email("a@sub.example.com")]), [])
        const listed: Array<string> = []
        let after: Position | undefined
        do {
          const page: Effect.Success<ReturnType<typeof repo.listSuppressions>> = yield* repo.listSuppressions("org_r", {
            limit: 2,
            after
          })
          assert.deepStrictEqual([page.total, page.tombstones], [3, 0])
          listed.push(...page.items.map(({ value }) => value))
          after = page.next
        } while (after !== undefined)
        assert.deepStrictEqual(listed, ["ada", "example.com", "a@sub.example.com"])
        assert.deepStrictEqual(
          (yield* repo.liftSuppressions("org_r2", [email("a@sub.example.com")], undefined)).rows,
          []
        )
        const lifted = yield* repo.liftSuppressions("org_r", [{ kind: "slug", value: "ada" }], "ld_1")
        assert.deepStrictEqual(lifted.rows.map(({ value }) => value).sort(), ["a@sub.example.com", "ada"])
        assert.strictEqual((yield* repo.listSuppressions("org_r", { limit: 9, after: undefined })).total, 1)
      }).pipe(inOrganization("org_r"))
    )

    it.effect("of a lead for good: DoNotContact, no drafts, nothing imported, nothing new under its identifiers", () =>
      Effect.gen(function* () {
        yield* prepare
        const lead_id = yield* lead({
          email: "good@example.com",
          linkedin_url: "linkedin.com/in/for-good",
          name: "Good"
        })
        const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
        yield* TestClock.adjust("1 second")
        const { suppression } = yield* ok("lead.suppress", { email: "GOOD@example.com", reason: "Asked by mail" })
        assert.deepStrictEqual(
          [suppression.lead_id, suppression.reason, suppression.until, suppression.identifiers],
          [
            lead_id,
            "Asked by mail",
            null,
            [
              { kind: "email", value: "good@example.com" },
              { kind: "lead", value: lead_id },
              { kind: "slug", value: "for-good" }
            ]
          ]
        )
        assert.strictEqual((yield* ok("lead.get", { lead_id })).lead.status, "DoNotContact")
        assert.strictEqual((yield* ok("linkedin.draft.get", { draft_id: draft.draft_id })).draft.status, "CANCELLED")
        assert.strictEqual(yield* code("linkedin.draft.create", { lead_id, variations: ["Again"] }), "LEAD_SUPPRESSED")
        const again = yield* ok("lead.suppress", { lead_id, reason: "Asked by mail" })
        assert.deepStrictEqual(again.suppression, suppression)
        const until = yield* secondsFromNow(60)
        const shorter = yield* accepted("lead.suppress", { lead_id, reason: "For a while", until })
        assert.deepStrictEqual(shorter.data.suppression, suppression)
        assert.include(shorter.warnings.join(), "suppressed for longer")
        const { events } = yield* ok("lead.timeline", { lead_id, limit: 100 })
        assert.strictEqual(events.filter(({ type }: { type: string }) => type === "lead.suppressed").length, 1)

        // Another person may not take over an identifier, the lead itself may be looked after, an import leaves it alone.
        assert.strictEqual(
          yield* code(
            "lead.suppression.lift",
            { lead_id, reason: "no" },
            { actor: { ...(yield* currentOwner), scopes: ["leads:write"] } }
          ),
          "FORBIDDEN_SCOPE"
        )
        yield* ok("lead.upsert", { lead_id, email: null })
        yield* ok("lead.upsert", { lead_id, company: "Known", email: "good@example.com" })
        yield* ok("lead.upsert", { lead_id, email: "second@example.com" })
        const { import_id } = yield* ok("POST /missions/{missionHandle}/leads", {
          missionHandle: "spring",
          leads: [
            { email: "second@example.com", company: "Imported" },
            { linkedinUrl: "linkedin.com/in/for-good", email: "third@example.com", name: "X" },
            { email: "new@example.com" }
          ]
        })
        assert.isString(import_id)
        assert.strictEqual((yield* ok("lead.get", { lead_id })).lead.company, "Known")
        assert.strictEqual(yield* code("lead.get", { email: "third@example.com" }), "NOT_FOUND")
        assert.strictEqual(yield* code("lead.get", { email: "new@example.com" }), "ok")
        assert.strictEqual(yield* code("lead.status.set", { lead_id, status: "New" }), "LEAD_SUPPRESSED")

        const lifted = yield* accepted("lead.suppression.lift", { lead_id, reason: "Agreed again" })
        assert.strictEqual(lifted.data.suppression.lead_id, lead_id)
        assert.deepStrictEqual(lifted.warnings, [])
        assert.strictEqual((yield* ok("lead.get", { lead_id })).lead.status, "New")
        assert.isNull((yield* ok("lead.get", { lead_id })).prospect_context.suppression)
        assert.strictEqual(yield* code("linkedin.draft.create", { lead_id, variations: ["Again"] }), "ok")
        assert.strictEqual(yield* code("lead.suppression.lift", { lead_id, reason: "Agreed again" }), "NOT_FOUND")
        const { events: after } = yield* ok("lead.timeline", { lead_id, limit: 100 })
        assert.isTrue(after.some(({ type }: { type: string }) => type === "lead.unsuppressed"))
      }).pipe(inOrganization("org_good"))
    )

    it.effect("of somebody not known yet, by address, keep them from being created until they end", () =>
      Effect.gen(function* () {
        yield* organization("org_later_b")
        const until = yield* secondsFromNow(30)
        yield* ok("lead.suppress", { linkedin_url: "https://www.linkedin.com/in/not-yet/", reason: "Later", until })
        const input = { linkedin_url: "linkedin.com/in/Not-Yet", name: "Not Yet" }
        assert.strictEqual(yield* code("lead.upsert", input), "LEAD_SUPPRESSED")
        const other = yield* lead({ email: "other@example.com" })
        assert.strictEqual(yield* code("lead.upsert", { ...input, lead_id: other }), "LEAD_SUPPRESSED")
        assert.strictEqual(yield* code("lead.upsert", input, { actor: owner("org_later_b") }), "ok")
        const check = () =>
          Effect.map(
            ok("lead.suppression.check", { identifiers: ["linkedin.com/in/not-yet"] }),
            ({ results }) => results[0]
          )
        assert.deepStrictEqual(yield* check(), {
          identifier: "linkedin.com/in/not-yet",
          kind: "slug",
          suppressed: true,
          reason: "Later",
          until,
          error: null
        })
        assert.strictEqual(
          yield* code("lead.suppress", { email: "x@example.com", reason: "r", until: yield* secondsFromNow(0) }),
          "INVALID_INPUT"
        )
        yield* TestClock.adjust("31 seconds")
        assert.isFalse((yield* check()).suppressed)
        assert.strictEqual(yield* code("lead.upsert", input), "ok")
      }).pipe(inOrganization("org_later"))
    )

    it.effect("for some time keep the status, put what waits back under review, and end by themselves", () =>
      Effect.gen(function* () {
        yield* prepare
        const until = yield* secondsFromNow(30)
        const lead_id = yield* lead({ linkedin_url: "linkedin.com/in/some-time", name: "Some Time" })
        const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
        yield* ok("lead.suppress", { lead_id, reason: "On leave", until })
        const read = ok("linkedin.draft.get", { draft_id: draft.draft_id })
        assert.strictEqual((yield* read).draft.status, "PENDING_REVIEW")
        const view = yield* ok("lead.get", { lead_id })
        assert.strictEqual(view.lead.status, "New")
        assert.deepStrictEqual(view.prospect_context.suppression, { reason: "On leave", until })
        assert.isNull(view.prospect_context.next_action)
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id: draft.draft_id }), "LEAD_SUPPRESSED")
        const { import_id } = yield* ok("POST /missions/{missionHandle}/leads", {
          missionHandle: "spring",
          leads: [{ linkedinUrl: "linkedin.com/in/some-time", company: "Imported" }, { email: "filler@example.com" }]
        })
        assert.isString(import_id)
        assert.strictEqual((yield* ok("lead.get", { lead_id })).lead.company, "")
        yield* TestClock.adjust("31 seconds")
        assert.isNull((yield* ok("lead.get", { lead_id })).prospect_context.suppression)
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id: draft.draft_id }), "ok")
      }).pipe(inOrganization("org_time"))
    )

    it.effect("of a domain hold back drafts, sends and imports, below it too, and are lifted by its name", () =>
      Effect.gen(function* () {
        yield* prepare
        const lead_id = yield* lead({
          linkedin_url: "linkedin.com/in/at-domain",
          email: "person@mail.customer.example",
          name: "At Domain"
        })
        const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
        const { suppression } = yield* ok("lead.suppress", { domain: "@Customer.example", reason: "Customer" })
        assert.deepStrictEqual(suppression.identifiers, [{ kind: "domain", value: "customer.example" }])
        assert.isNull(suppression.lead_id)
        yield* ok("POST /missions/{missionHandle}/leads", {
          missionHandle: "spring",
          leads: [{ email: "person@mail.customer.example", company: "Imported" }, { email: "filler2@example.com" }]
        })
        assert.strictEqual((yield* ok("lead.get", { lead_id })).lead.company, "")
        yield* ok("lead.upsert", { email: "person@mail.customer.example", location: "Looked after" })
        yield* TestClock.adjust("1 minute")
        yield* dispatchDue({ organizationId: yield* CurrentOrganization })
        assert.strictEqual(
          (yield* ok("linkedin.draft.get", { draft_id: draft.draft_id })).draft.status,
          "PENDING_REVIEW"
        )
        assert.strictEqual(
          yield* code("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true }),
          "LEAD_SUPPRESSED"
        )
        assert.strictEqual(yield* code("lead.upsert", { email: "new@customer.example", name: "N" }), "LEAD_SUPPRESSED")
        assert.strictEqual(yield* code("lead.upsert", { email: "new@othercustomer.example", name: "N" }), "ok")
        const { results } = yield* ok("lead.suppression.check", {
          identifiers: [lead_id, "customer.example", "a.customer.example", "example", "someone@customer.example", "::"]
        })
        assert.deepStrictEqual(
          results.map(({ error, kind, suppressed }: Record<string, unknown>) => [kind, suppressed, error === null]),
          [
            ["lead", true, true],
            ["domain", true, true],
            ["domain", true, true],
            [null, false, false],
            ["email", true, true],
            [null, false, false]
          ]
        )
        const own = yield* ask("lead.suppression.lift", { lead_id, reason: "It is another branch" })
        assert.isFalse(own.envelope.ok)
        yield* ok("lead.suppress", { lead_id, reason: "Asked" })
        const warnings = yield* warned("lead.suppression.lift", { lead_id, reason: "Agreed" })
        assert.include(warnings.join(), "kind domain")
        yield* ok("lead.suppression.lift", { domain: "customer.example", reason: "No customer any more" })
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id: draft.draft_id }), "DRAFT_FINAL")
        assert.strictEqual(yield* code("lead.upsert", { email: "new@customer.example", name: "N" }), "ok")
        assert.strictEqual(
          yield* code("lead.suppression.lift", { domain: "customer.example", reason: "x" }),
          "NOT_FOUND"
        )
      }).pipe(inOrganization("org_domain"))
    )

    it.effect("say whom they mean in one way at a time, and are checked in one statement", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* code("lead.suppress", { reason: "r" }), "IDENTIFIER_REQUIRED")
        const both = { email: "a@example.com", domain: "example.com", reason: "r" }
        assert.strictEqual(yield* code("lead.suppress", both), "INVALID_INPUT")
        assert.strictEqual(yield* code("lead.suppress", { domain: "no domain", reason: "r" }), "INVALID_INPUT")
        assert.strictEqual(yield* code("lead.suppress", { lead_id: "ld_none", reason: "r" }), "NOT_FOUND")
        const identifiers = Array.from({ length: 500 }, (_, n) => `person-${n}@example.com`)
        const { data, statements } = yield* counted("lead.suppression.check", { identifiers })
        assert.strictEqual(data.results.length, 500)
        assert.isAtMost(statements, 1)
        assert.isAtMost((yield* counted("resource.suppressions", {})).statements, 1)
      }).pipe(inOrganization("org_named"))
    )

    it.effect(
      "keep an identifier from moving to another lead, which would have no next action and no reason for that",
      () =>
        Effect.gen(function* () {
          yield* prepare
          const linkedin_url = "https://www.linkedin.com/in/stopped"
          const stopped = yield* lead({ linkedin_url, email: "stopped@example.com", name: "Stopped" })
          yield* lead({
            custom_id: "other",
            email: "other@example.com",
            name: "Other",
            company: "Acme",
            mission_id: "spring"
          })
          yield* ok("lead.status.set", { lead_id: stopped, status: "DoNotContact" })
          const moving = { custom_id: "other", linkedin_url, on_conflict: "prefer_strongest" }
          assert.strictEqual(yield* code("lead.upsert", moving), "LEAD_SUPPRESSED")
          assert.strictEqual((yield* ok("lead.get", { linkedin_url })).lead_id, stopped)
          const { actions } = yield* ok("mission.next-actions", {})
          assert.deepStrictEqual(
            actions.map(({ name }: { readonly name: string }) => name),
            ["Other"]
          )
        }).pipe(inOrganization("org_moved"))
    )

    it.effect("do not cost lead.upsert a statement, DoNotContact included", () =>
      Effect.gen(function* () {
        yield* prepare
        yield* ok("lead.suppress", { domain: "elsewhere.example", reason: "r" })
        const create = yield* counted("lead.upsert", {
          email: "budget@example.com",
          name: "B",
          mission_handle: "spring"
        })
        assert.isAtMost(create.statements, 3)
        const stop = yield* counted("lead.upsert", { email: "stop@example.com", name: "S", status: "DoNotContact" })
        assert.isAtMost(stop.statements, 3)
        assert.strictEqual(yield* code("lead.upsert", { email: "stop@example.com", status: "New" }), "LEAD_SUPPRESSED")
        const { results } = yield* ok("lead.suppression.check", { identifiers: ["stop@example.com"] })
        assert.deepInclude(results[0], { suppressed: true, reason: "status DoNotContact" })
      }).pipe(inOrganization("org_budget"))
    )
  })
)
