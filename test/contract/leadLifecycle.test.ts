import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { accepted, code, counted, lead, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const typesOf = (events: ReadonlyArray<{ readonly type: string }>) => events.map(({ type }) => type)

const timeline = (lead_id: string) => Effect.map(ok("lead.timeline", { lead_id, limit: 100 }), ({ events }) => events)

/** An agent with missions, one of them archived, and an offer. */
const prepare = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("offer.create", {
    offer_id: "books",
    name: "Invoice automation",
    one_liner: "Invoices that book themselves",
    value_proposition: "Finance teams close the month four days earlier"
  })
  for (const handle of ["spring", "autumn"]) {
    yield* ok("mission.create", { name: handle, handle, agent_handle: "ada-martin", offer_id: "books" })
  }
  yield* ok("mission.create", { name: "old", handle: "old", agent_handle: "ada-martin" })
  yield* ok("mission.update", { mission_id: "old", status: "archived" })
})

eachBackend("lead lifecycle", (layer) =>
  it.layer(layer)((it) => {
    it.effect("sets any status with a reason, once, and never leaves DoNotContact", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "s@example.com", linkedin_url: "linkedin.com/in/s-status" })
        yield* TestClock.adjust("1 second")
        const set = (status: string, reason?: string) =>
          ok("lead.status.set", { lead_id, status, ...(reason === undefined ? {} : { reason }) })
        const first = yield* set("Interested", "Called back")
        assert.deepStrictEqual(yield* set("Interested"), first)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* ok("lead.status.set", { lead_id, status: "New" })).lead.status, "New")
        yield* TestClock.adjust("1 second")
        yield* set("DoNotContact", "Unsubscribed")
        assert.strictEqual(yield* code("lead.status.set", { lead_id, status: "New" }), "LEAD_SUPPRESSED")
        const [last, before, ...rest] = yield* timeline(lead_id)
        assert.deepStrictEqual(
          [last.data, before.type],
          [{ from: "New", to: "DoNotContact", reason: "Unsubscribed" }, "lead.suppressed"]
        )
        assert.deepStrictEqual(typesOf(rest), ["lead.status_changed", "lead.status_changed", "lead.created"])
        assert.deepStrictEqual(rest[1].data, { from: "New", to: "Interested", reason: "Called back" })
        const { prospect_context } = yield* ok("lead.get", { lead_id })
        assert.deepStrictEqual(prospect_context.suppression, { reason: "Unsubscribed", until: null })
        assert.strictEqual(
          yield* code("lead.upsert", { email: "s@example.com", name: "S", lead_id: "ld_x" }),
          "NOT_FOUND"
        )
        // The lead itself may still be looked after, and take identifiers that it was suppressed by.
        yield* ok("lead.upsert", { lead_id, company: "Known" })
        assert.strictEqual(yield* code("lead.status.set", { lead_id: "ld_none", status: "New" }), "NOT_FOUND")
      }).pipe(inOrganization("org_status"))
    )

    it.effect("keeps notes, messages and events in one timeline, page by page, each lead's own", () =>
      Effect.gen(function* () {
        yield* organization("org_timeline_b")
        const lead_id = yield* lead({ email: "t@example.com" })
        const other = yield* lead({ email: "t2@example.com" })
        yield* TestClock.adjust("1 second")
        const { note_id } = yield* ok("lead.note.add", { lead_id, text: "Line one\nline two" })
        yield* TestClock.adjust("1 second")
        const outbound = { lead_id, channel: "EMAIL", direction: "outbound", content: "Hello", external_id: "x-1" }
        const sent = yield* ok("lead.message.record", outbound)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(
          (yield* ok("lead.message.record", { ...outbound, content: "Other" })).message_id,
          sent.message_id
        )
        yield* ok("lead.message.record", {
          lead_id,
          channel: "EMAIL",
          direction: "inbound",
          content: "Hi",
          sender_name: "T"
        })
        yield* ok("lead.note.add", { lead_id: other, text: "Elsewhere" })
        const all = yield* timeline(lead_id)
        const shown = all.map(({ data, type }: { type: string; data: Record<string, unknown> }) =>
          [type, data.text ?? data.content ?? data.to ?? ""].join(" ").trim()
        )
        assert.deepStrictEqual(shown.toSorted(), [
          "lead.created",
          "lead.replied",
          "lead.status_changed Contacted",
          "lead.status_changed Replied",
          "message Hello",
          "message Hi",
          "note Line one\nline two"
        ])
        assert.deepInclude(
          all.find(({ type }: { type: string }) => type === "note"),
          {
            id: note_id,
            actor: { kind: "USER", id: "usr_org_timeline" }
          }
        )
        const pages: Array<{ readonly id: string }> = []
        let cursor: string | null = null
        do {
          const page: { events: ReadonlyArray<{ id: string }>; next_cursor: string | null } = yield* ok(
            "lead.timeline",
            {
              lead_id,
              limit: 2,
              ...(cursor === null ? {} : { cursor })
            }
          )
          pages.push(...page.events)
          cursor = page.next_cursor
        } while (cursor !== null)
        assert.deepStrictEqual(pages, all)
        assert.strictEqual(yield* code("lead.timeline", { lead_id }, { actor: owner("org_timeline_b") }), "NOT_FOUND")
        assert.strictEqual(
          yield* code("lead.message.record", { ...outbound, lead_id: other }),
          "INVALID_INPUT",
          "an external id of another lead's message"
        )
        const future = { ...outbound, external_id: "x-2", date: "2199-01-01T00:00:00Z" }
        assert.strictEqual(yield* code("lead.message.record", future), "INVALID_INPUT")
      }).pipe(inOrganization("org_timeline"))
    )

    it.effect("lists who waits for an answer, longest first", () =>
      Effect.gen(function* () {
        yield* organization("org_inbox_b")
        const message = { channel: "LINKEDIN", direction: "inbound", content: "Anybody there?" }
        const ids: Array<string> = []
        for (const name of ["w1", "w2", "w3", "w4"]) {
          yield* TestClock.adjust("1 second")
          const lead_id = yield* lead({ email: `${name}@example.com`, company: "Waiting Ltd" })
          yield* ok("lead.message.record", { ...message, lead_id })
          ids.push(lead_id)
        }
        const [w1 = "", w2 = "", w3 = "", w4 = ""] = ids
        yield* TestClock.adjust("1 second")
        yield* ok("lead.message.record", { ...message, lead_id: w2, direction: "outbound" })
        yield* ok("lead.status.set", { lead_id: w3, status: "NotInterested" })
        const inbox = yield* ok("resource.inbox", {})
        const waiting = inbox.leads.filter(({ company }: { company: string }) => company === "Waiting Ltd")
        assert.deepStrictEqual(
          waiting.map(({ lead_id }: { lead_id: string }) => lead_id),
          [w1, w4]
        )
        assert.strictEqual(inbox.total, inbox.leads.length)
        assert.strictEqual(waiting[0].message.content, "Anybody there?")
        assert.deepStrictEqual((yield* ok("resource.inbox", {}, { actor: owner("org_inbox_b") })).total, 0)
      }).pipe(inOrganization("org_inbox"))
    )

    it.effect("links a thousand leads to a mission in a few statements", () =>
      Effect.gen(function* () {
        yield* organization("org_thousand_b")
        yield* prepare
        const ids: Array<string> = []
        for (let n = 0; n < 5; n++) ids.push(yield* lead({ email: `m${n}@example.com` }))
        const [a = "", b = "", c = ""] = ids
        yield* ok("lead.status.set", { lead_id: c, status: "DoNotContact" })
        const many = [...ids, a, "ld_none", ...Array.from({ length: 990 }, (_, n) => `ld_none_${n}`)]
        const { data, statements } = yield* counted("lead.mission.add", { lead_ids: many, mission_id: "spring" })
        assert.deepStrictEqual([data.added, data.already, data.refused.length], [4, 0, 992])
        assert.deepStrictEqual(data.refused.slice(0, 2), [
          { lead_id: c, code: "LEAD_SUPPRESSED" },
          { lead_id: "ld_none", code: "NOT_FOUND" }
        ])
        assert.isAtMost(statements, 6)
        const again = yield* ok("lead.mission.add", { lead_ids: [a, b], mission_id: "spring" })
        assert.deepStrictEqual([again.added, again.already], [0, 2])
        assert.strictEqual((yield* ok("lead.search", { mission_id: "spring" })).count, 4)
        const removal = yield* counted("lead.mission.remove", { lead_ids: [a, b, c, "ld_none"], mission_id: "spring" })
        assert.deepInclude(removal.data, {
          removed: 2,
          already: 1,
          refused: [{ lead_id: "ld_none", code: "NOT_FOUND" }]
        })
        assert.isAtMost(removal.statements, 7)
        assert.strictEqual((yield* ok("lead.search", { mission_id: "spring" })).count, 2)
        assert.strictEqual(yield* code("lead.mission.add", { lead_ids: [a], mission_id: "old" }), "MISSION_ARCHIVED")
        assert.strictEqual(yield* code("lead.mission.add", { lead_ids: [a], mission_id: "none" }), "NOT_FOUND")
        const foreign = yield* code(
          "lead.mission.add",
          { lead_ids: [a], mission_id: "spring" },
          { actor: owner("org_thousand_b") }
        )
        assert.strictEqual(foreign, "NOT_FOUND")
        yield* ok("mission.update", { mission_id: "spring", status: "archived" })
        assert.strictEqual((yield* ok("lead.search", { mission_id: "spring", needs_action: true })).count, 0)
        const { keepActions } = yield* LeadsRepo
        assert.isFalse(
          yield* keepActions(owner("org_thousand").organizationId, yield* now),
          "few leads are kept at once"
        )
      }).pipe(inOrganization("org_thousand"))
    )

    it.effect("finds what may be duplicates, by reason, page by page", () =>
      Effect.gen(function* () {
        const people = [
          { email: "grace.hopper@example.com", name: "Grace Hopper", company: "Navy", phone: "+1 (555) 010-0200" },
          { email: "gracehopper+news@example.com", name: "G. Hopper", company: "Navy" },
          { email: "g@example.org", name: "grace hopper", company: "NAVY", phone: "1 555 0100200" },
          { email: "alone@example.org", name: "Grace Hopper", company: "" },
          { email: "alone2@example.org", name: "Grace Hopper", company: "", phone: "123" },
          { email: "alone3@example.org", name: "Other", company: "Elsewhere", phone: "123" }
        ]
        const ids: Array<string> = []
        for (const person of people) ids.push(yield* lead(person))
        const [a, b, c] = ids
        const { groups } = yield* ok("lead.duplicates", {})
        assert.deepStrictEqual(groups, [
          { reason: "same_email_hint", lead_ids: [a, b], count: 2 },
          { reason: "same_name_and_company", lead_ids: [a, c], count: 2 },
          { reason: "same_phone", lead_ids: [a, c], count: 2 }
        ])
        const first = yield* ok("lead.duplicates", { limit: 1 })
        const second = yield* ok("lead.duplicates", { limit: 1, cursor: first.next_cursor })
        const third = yield* ok("lead.duplicates", { limit: 1, cursor: second.next_cursor })
        assert.deepStrictEqual([...first.groups, ...second.groups, ...third.groups], groups)
        assert.isNull(third.next_cursor)
        yield* ok("lead.merge", { winner_lead_id: a, loser_lead_ids: [b, c] })
        assert.deepStrictEqual((yield* ok("lead.duplicates", {})).groups, [])
        assert.isAtMost((yield* counted("lead.duplicates", {})).statements, 3)
      }).pipe(inOrganization("org_duplicates"))
    )

    it.effect("merges leads with their history, and the ids of the losers lead to the winner", () =>
      Effect.gen(function* () {
        yield* prepare
        const a = yield* lead({ email: "ma@example.com", name: "M A", company: "First", custom_id: "c-a" })
        const b = yield* lead({ email: "mb@example.com", name: "M B", location: "Oslo", custom_id: "c-b" })
        const c = yield* lead({ linkedin_url: "linkedin.com/in/mc", name: "M C", mission_handle: "autumn" })
        yield* ok("lead.note.add", { lead_id: b, text: "About B" })
        yield* ok("lead.message.record", { lead_id: c, channel: "EMAIL", direction: "inbound", content: "From C" })
        yield* TestClock.adjust("1 second")
        yield* ok("lead.upsert", { lead_id: c, company: "Latest" })
        yield* ok("linkedin.draft.create", { lead_id: c, agent_handle: "ada-martin", variations: ["Dear C"] })
        const { data: merged, warnings } = yield* accepted("lead.merge", { winner_lead_id: a, loser_lead_ids: [b, c] })
        assert.deepStrictEqual([merged.lead_id, merged.merged], [a, [b, c]])
        assert.deepInclude(merged.lead, { name: "M A", company: "First", location: "Oslo", status: "Replied" })
        assert.deepStrictEqual(merged.lead.missions, ["autumn"])
        assert.include(warnings.join(), "c-b")
        for (const id of [b, c]) assert.strictEqual((yield* ok("lead.get", { lead_id: id })).lead_id, a)
        assert.strictEqual((yield* ok("lead.get", { email: "mb@example.com" })).lead_id, a)
        assert.strictEqual(yield* code("lead.get", { custom_id: "c-b" }), "NOT_FOUND")
        const events = yield* timeline(b)
        assert.deepStrictEqual(typesOf(events).filter((type) => type === "lead.created").length, 3)
        assert.include(typesOf(events), "note")
        assert.include(typesOf(events), "message")
        const { drafts } = yield* ok("linkedin.draft.list", { lead_id: a })
        assert.strictEqual(drafts.length, 1)
        assert.deepStrictEqual((yield* ok("lead.merge", { winner_lead_id: a, loser_lead_ids: [b] })).merged, [])
        assert.strictEqual(yield* code("lead.merge", { winner_lead_id: a, loser_lead_ids: [a] }), "INVALID_INPUT")
        assert.strictEqual(yield* code("lead.merge", { winner_lead_id: a, loser_lead_ids: ["ld_none"] }), "NOT_FOUND")
        const limited = { ...owner("org_merge"), scopes: ["leads:read", "leads:write"] as const }
        assert.strictEqual(
          yield* code("lead.merge", { winner_lead_id: a, loser_lead_ids: [b] }, { actor: limited }),
          "FORBIDDEN_SCOPE"
        )
      }).pipe(inOrganization("org_merge"))
    )

    it.effect("merges by the latest values when asked, and never two members of LinkedIn", () =>
      Effect.gen(function* () {
        const a = yield* lead({ email: "la@example.com", name: "Old Name", company: "Old" })
        yield* TestClock.adjust("1 second")
        const b = yield* lead({ email: "lb@example.com", name: "New Name", company: "New" })
        const { lead: merged } = yield* ok("lead.merge", {
          winner_lead_id: a,
          loser_lead_ids: [b],
          field_policy: "latest"
        })
        assert.deepInclude(merged, { id: a, name: "New Name", company: "New" })
        const one = yield* lead({ linkedin_id: "urn:li:member:117649604", name: "One" })
        const two = yield* lead({ linkedin_id: "urn:li:member:355293488", name: "Two" })
        assert.strictEqual(
          yield* code("lead.merge", { winner_lead_id: one, loser_lead_ids: [two] }),
          "IDENTITY_CONFLICT"
        )
      }).pipe(inOrganization("org_latest"))
    )

    it.effect("suppresses the winner when a loser must not be contacted", () =>
      Effect.gen(function* () {
        const winner = yield* lead({ email: "dw@example.com" })
        const loser = yield* lead({ email: "dl@example.com" })
        yield* ok("lead.suppress", { lead_id: loser, reason: "Asked on the phone" })
        const { lead: merged } = yield* ok("lead.merge", { winner_lead_id: winner, loser_lead_ids: [loser] })
        assert.strictEqual(merged.status, "DoNotContact")
        const { results } = yield* ok("lead.suppression.check", {
          identifiers: [winner, "dw@example.com", "dl@example.com"]
        })
        assert.deepStrictEqual(
          results.map(({ suppressed }: { suppressed: boolean }) => suppressed),
          [true, true, true]
        )
        yield* ok("lead.suppression.lift", { lead_id: winner, reason: "Agreed again" })
        const after = yield* ok("lead.suppression.check", {
          identifiers: [winner, loser, "dw@example.com", "dl@example.com"]
        })
        assert.isFalse(after.results.some(({ suppressed }: { suppressed: boolean }) => suppressed))
      }).pipe(inOrganization("org_winner"))
    )

    it.effect("explains a score the same way every time", () =>
      Effect.gen(function* () {
        yield* prepare
        const lead_id = yield* lead({
          email: "score@example.com",
          name: "Scored Person",
          job_title: "Vice President Finance",
          headline: "Closing the month earlier",
          company: "Example",
          score: 71
        })
        const explained = yield* ok("lead.score.explain", { lead_id, offer_id: "books" })
        assert.strictEqual(explained.score, 71)
        const sum = explained.parts.reduce((all: number, { points }: { points: number }) => all + points, 0)
        assert.strictEqual(explained.estimate, sum)
        const parts = Object.fromEntries(
          explained.parts.map((part: { name: string; points: number; why: string }) => [part.name, part])
        )
        assert.strictEqual(parts.seniority.points, 20)
        assert.include(parts.offer_fit.why, "finance")
        assert.include(parts.offer_fit.why, "month")
        const alone = yield* counted("lead.score.explain", { lead_id })
        assert.deepStrictEqual(
          alone.data.parts.map(({ name }: { name: string }) => name),
          ["completeness", "seniority", "activity"]
        )
        assert.isAtMost(alone.statements, 1)
        assert.strictEqual(yield* code("lead.score.explain", { lead_id, offer_id: "none" }), "NOT_FOUND")
      }).pipe(inOrganization("org_score"))
    )

    it.effect("speaks REST", () =>
      Effect.gen(function* () {
        yield* prepare
        const { lead: stored } = yield* ok("POST /leads", {
          email: "rest@example.com",
          name: "Rest Person",
          jobTitle: "CFO",
          companyIndustry: "Food",
          missionHandle: "autumn"
        })
        assert.deepInclude(stored, { name: "Rest Person", jobTitle: "CFO", companyIndustry: "Food", mission: "autumn" })
        assert.deepStrictEqual((yield* ok("GET /leads/{leadId}", { leadId: stored.id })).lead, stored)
        const { leads } = yield* ok("GET /leads", { query: "rest@", status: "New", mission: "autumn" })
        assert.deepStrictEqual(
          leads.map(({ id }: { id: string }) => id),
          [stored.id]
        )
        assert.strictEqual(yield* code("GET /leads/{leadId}", { leadId: "ld_none" }), "NOT_FOUND")
      }).pipe(inOrganization("org_rest"))
    )
  })
)
