/** What mission.stats and mission.next-actions read, and pausing, completing and deleting missions, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { ReportsRepo } from "#core/reports/ReportsRepo.ts"
import { statisticsOf } from "#core/reports/statistics/MissionStatistics.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { ok, refused, statementsOf, warned } from "../support/World.ts"
import { eachOutreach, onDay } from "./outreachWorld.ts"

const lead = (slug: string, extra: Record<string, unknown> = {}) =>
  Effect.map(
    ok("lead.upsert", { linkedin_url: `https://www.linkedin.com/in/${slug}`, name: slug, ...extra }),
    ({ lead_id }) => String(lead_id)
  )

const draft = (lead_id: string, mission_id: string | undefined, text = `Hello ${lead_id}`) =>
  Effect.map(
    ok("linkedin.draft.create", {
      lead_id,
      variations: [text],
      agent_handle: "ada-martin",
      ...(mission_id === undefined ? {} : { mission_id })
    }),
    (output) => String(output.draft.draft_id)
  )

const message = (lead_id: string, direction: "inbound" | "outbound", date?: string) =>
  ok("lead.message.record", {
    lead_id,
    channel: "EMAIL",
    direction,
    content: `${direction} ${date}`,
    ...(date === undefined ? {} : { date })
  })

const at = "2026-11-25T12:00:00.000Z"
const unlimited = { from: undefined, to: undefined, unit: "day" } as const

/** The agent Ada, who is in charge of the missions, from the first day on. */
const addMissions = Effect.fnUntraced(function* (...handles: ReadonlyArray<string>) {
  yield* onDay(0)
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  for (const handle of handles) {
    yield* ok("mission.create", { name: `Mission ${handle}`, handle, agent_handle: "ada-martin" })
  }
})

/** Two missions whose leads wait for all kinds of work; two leads wait for some in no mission, or in another one. */
const addWork = Effect.gen(function* () {
  yield* addMissions("one", "work")
  for (const slug of ["silent", "first", "second", "third"]) {
    const id = yield* lead(slug, { mission_id: "one" })
    if (slug !== "silent") yield* draft(id, "one")
    if (slug === "third") yield* message(id, "inbound")
  }
  yield* onDay(9)
  for (const [index, mission] of ["work", "work", "one", undefined, "work", "work"].entries()) {
    const id = yield* lead(`worker-${index}`, {
      score: (index * 37) % 50,
      ...(mission === undefined ? {} : { mission_id: mission })
    })
    if (index % 2 === 0) yield* draft(id, mission)
    if (index === 1 || index === 4) yield* message(id, "inbound")
  }
  const stopped = yield* lead("stopped", { mission_id: "work" })
  yield* message(stopped, "inbound")
  yield* ok("lead.status.set", { lead_id: stopped, status: "DoNotContact" })
})

eachOutreach("reports of missions", (layer) =>
  it.layer(layer)((it) => {
    it.effect("count what happened when it happened, in all and over time", () =>
      Effect.gen(function* () {
        yield* addMissions("one", "two")
        // A lead that was contacted before it came into the mission counts from then on.
        const early = yield* lead("early", { status: "Contacted" })
        yield* message(early, "outbound", "2026-11-01T00:00:00Z")
        yield* onDay(1)
        const sent = yield* lead("sent", { mission_id: "one" })
        const other = yield* lead("other", { mission_id: "two" })
        const silent = yield* lead("silent-2nd", { mission_id: "one" })
        yield* ok("lead.mission.add", { mission_id: "one", lead_ids: [early, other] })
        yield* onDay(2)
        const first = yield* draft(sent, "one")
        yield* ok("linkedin.draft.approve", { draft_id: first, send_now: true })
        const second = yield* draft(other, "two")
        yield* ok("linkedin.draft.approve", { draft_id: second, send_now: true })
        const invitation = yield* draft(silent, "one")
        yield* ok("linkedin.draft.approve", { draft_id: invitation, send_now: true, send_invitation: true })
        yield* onDay(3)
        yield* message(sent, "inbound")
        yield* message(sent, "outbound")
        yield* onDay(8)
        yield* ok("lead.status.set", { lead_id: sent, status: "MeetingBooked" })
        yield* draft(early, "one")

        const { stats } = yield* ok("mission.stats", { mission_id: "one" })
        assert.deepInclude(stats, {
          leads: 4,
          contacted: 3,
          replied: 1,
          positive: 1,
          meetings: 1,
          invitations_sent: 1,
          invitations_accepted: 0,
          // The mission's draft, and the answer that was recorded; not that of mission two, nor what was sent before.
          messages_sent: 2,
          messages_received: 1,
          drafts: { PENDING_REVIEW: 1, READY_TO_SEND: 1, DISPATCHED: 1, CANCELLED: 0 },
          rates: { contacted: 0.75, replied: 0.3333, positive: 1, invitations_accepted: 0 }
        })
        const shown = (yield* ok("mission.get", { mission_id: "one" })).mission.stats
        assert.deepStrictEqual(shown, { leads: stats.leads, contacted: stats.contacted, replied: stats.replied })
        const zero = {
          leads: 0,
          contacted: 0,
          replied: 0,
          positive: 0,
          meetings: 0,
          invitations_sent: 0,
          invitations_accepted: 0,
          messages_sent: 0,
          messages_received: 0
        }
        assert.deepStrictEqual(stats.series, [
          { ...zero, period: "2026-11-17", leads: 4, contacted: 1 },
          { ...zero, period: "2026-11-18", contacted: 2, invitations_sent: 1, messages_sent: 1 },
          { ...zero, period: "2026-11-19", replied: 1, messages_sent: 1, messages_received: 1 },
          ...["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"].map((period) => ({ ...zero, period })),
          { ...zero, period: "2026-11-24", positive: 1, meetings: 1 }
        ])
        const weekly = yield* ok("mission.stats", { mission_id: "one", group_by: "week" })
        assert.deepStrictEqual(weekly.stats.series, [
          {
            ...zero,
            period: "2026-11-16",
            leads: 4,
            contacted: 3,
            replied: 1,
            invitations_sent: 1,
            messages_sent: 2,
            messages_received: 1
          },
          { ...zero, period: "2026-11-23", positive: 1, meetings: 1 }
        ])
        const window = { from: "2026-11-19T00:00:00Z", to: "2026-11-20T00:00:00Z" }
        const narrow = yield* ok("mission.stats", { mission_id: "one", ...window })
        assert.deepStrictEqual(narrow.stats.series, [
          { ...zero, period: "2026-11-19", replied: 1, messages_sent: 1, messages_received: 1 }
        ])
        assert.deepInclude(narrow.stats, { leads: 0, replied: 1, positive: 0, from: "2026-11-19T00:00:00.000Z" })
        assert.include(narrow.stats.rates, { contacted: null })
        assert.strictEqual((yield* statementsOf(ok("mission.stats", { mission_id: "one" }))) ?? 1, 1)
      }).pipe(inOrganization("org_counts"))
    )

    it.effect("count invitations however they were sent, in the missions that they were sent in", () =>
      Effect.gen(function* () {
        yield* addMissions("one", "two")
        const before = yield* lead("before-2nd")
        const both = yield* lead("both-2nd", { mission_id: "one" })
        yield* ok("lead.mission.add", { mission_id: "two", lead_ids: [both] })
        const drafted = yield* lead("drafted-2nd", { mission_id: "one" })
        yield* ok("lead.mission.add", { mission_id: "two", lead_ids: [drafted] })
        const invite = (lead_id: string) => ok("linkedin.invitation.send", { lead_id })
        assert.strictEqual((yield* invite(before)).result, "sent")
        yield* onDay(1)
        // It was sent before the mission began for this lead.
        yield* ok("lead.mission.add", { mission_id: "two", lead_ids: [before] })
        assert.strictEqual((yield* invite(both)).result, "sent")
        const draft_id = yield* draft(drafted, "one")
        yield* ok("linkedin.draft.approve", { draft_id, send_now: true, send_invitation: true })
        yield* onDay(2)
        for (const lead_id of [before, both]) yield* ok("linkedin.conversation.sync", { lead_id })
        const counted = (mission_id: string) =>
          Effect.map(ok("mission.stats", { mission_id }), ({ stats }) => [
            stats.invitations_sent,
            stats.invitations_accepted,
            stats.rates.invitations_accepted
          ])
        assert.deepStrictEqual(yield* counted("one"), [2, 1, 0.5])
        assert.deepStrictEqual(yield* counted("two"), [1, 1, 1])
        const { series } = (yield* ok("mission.stats", { mission_id: "one" })).stats
        assert.deepStrictEqual(
          series.map((one: Record<string, unknown>) => [one["invitations_sent"], one["invitations_accepted"]]),
          [
            [0, 0],
            [2, 0],
            [0, 1]
          ]
        )
      }).pipe(inOrganization("org_invited"))
    )

    it.effect("keep who opted out among the contacted and those who replied", () =>
      Effect.gen(function* () {
        yield* addMissions("one")
        const [written, answered, met, untouched] = [
          yield* lead("written", { mission_id: "one" }),
          yield* lead("answered", { mission_id: "one" }),
          yield* lead("met", { mission_id: "one", status: "MeetingBooked" }),
          yield* lead("untouched", { mission_id: "one" })
        ]
        yield* onDay(1)
        for (const id of [written, answered]) yield* message(id, "outbound")
        yield* onDay(2)
        yield* message(answered, "inbound")
        const { stats: before } = yield* ok("mission.stats", { mission_id: "one" })
        assert.deepInclude(before, { leads: 4, contacted: 3, replied: 2, positive: 1, meetings: 1 })
        yield* onDay(3)
        for (const lead_id of [written, answered, met, untouched]) {
          yield* ok("lead.status.set", { lead_id, status: "DoNotContact" })
        }
        const { stats } = yield* ok("mission.stats", { mission_id: "one" })
        assert.deepStrictEqual(stats, before)
        const shown = (yield* ok("mission.get", { mission_id: "one" })).mission.stats
        assert.deepStrictEqual(shown, { leads: 4, contacted: 3, replied: 2 })
      }).pipe(inOrganization("org_opted_out"))
    )

    it.effect("count who opted out twice by the status before the last time", () =>
      Effect.gen(function* () {
        yield* addMissions("one")
        for (let person = 0; person < 8; person++) {
          const lead_id = yield* lead(`twice-${person}`, { mission_id: "one" })
          yield* ok("lead.status.set", { lead_id, status: "DoNotContact" })
          yield* ok("lead.suppression.lift", { lead_id, reason: "Asked again" })
          yield* ok("lead.status.set", { lead_id, status: "Interested" })
          yield* ok("lead.status.set", { lead_id, status: "DoNotContact" })
        }
        const { stats } = yield* ok("mission.stats", { mission_id: "one" })
        assert.deepInclude(stats, { leads: 8, contacted: 8, replied: 8, positive: 8 })
      }).pipe(inOrganization("org_opted_out_twice"))
    )

    it.effect("read nothing of another organization, and refuse what is not there", () =>
      Effect.gen(function* () {
        yield* organization("org_foreign_b")
        yield* addMissions("one")
        yield* draft(yield* lead("reviewed", { mission_id: "one" }), "one")
        const report = yield* ReportsRepo
        for (const mission of ["one", undefined])
          assert.deepStrictEqual(yield* report.missionActivity("org_foreign_b", mission, unlimited), [])
        assert.deepStrictEqual(yield* (yield* ReportsRepo).nextActions("org_foreign_b", undefined, 10, at), [])
        assert.include(yield* refused("mission.stats", { mission_id: "nope" }), "404 NOT_FOUND")
        assert.include(yield* refused("mission.next-actions", { mission_id: "nope" }), "404 NOT_FOUND")
        const backwards = { mission_id: "one", from: "2026-11-20T00:00:00Z", to: "2026-11-20T00:00:00Z" }
        assert.include(yield* refused("mission.stats", backwards), "400 INVALID_INPUT from must be before to")
      }).pipe(inOrganization("org_foreign"))
    )

    it.effect("an empty mission has empty statistics", () =>
      Effect.gen(function* () {
        yield* ok("mission.create", { name: "Empty", handle: "empty" })
        const [activity] = yield* (yield* ReportsRepo).missionActivity(yield* CurrentOrganization, "empty", unlimited)
        assert.deepStrictEqual(activity?.counts, [])
        if (activity === undefined) return
        assert.deepStrictEqual(statisticsOf(activity, unlimited).stats.series, [])
      }).pipe(inOrganization("org_empty"))
    )

    it.effect("list next actions as lead.search sorted by action does", () =>
      Effect.gen(function* () {
        yield* addWork
        const organizationId = yield* CurrentOrganization
        const actions = yield* ReportsRepo
        const leads = yield* LeadsRepo
        const filter = { needsAction: true }
        for (const mission of [undefined, "work", "one"]) {
          for (const limit of [1, 2, 3, 5, 50]) {
            const page = yield* leads.search(
              organizationId,
              { ...filter, mission },
              "action",
              { limit, after: undefined },
              at
            )
            const expected = page.items.map(({ action, id }) => `${action} ${id}`)
            const listed = (yield* actions.nextActions(organizationId, mission, limit, at)).map(
              ({ action, id }) => `${action} ${id}`
            )
            assert.deepStrictEqual(listed, expected, `${mission} ${limit}`)
          }
        }
        const { actions: todo } = yield* ok("mission.next-actions", { mission_id: "work", limit: 2 })
        assert.strictEqual(todo[0].kind, "reply_waiting")
        assert.strictEqual(todo[0].mission.handle, "work")
        assert.match(todo[0].why, /wrote last/)
        const reviews = (yield* ok("mission.next-actions", {})).actions.filter(
          ({ kind }: { kind: string }) => kind === "draft_to_review"
        )
        for (const { draft_id } of reviews) assert.match(draft_id, /^drf_/)
        assert.isNotEmpty(reviews)
        assert.strictEqual((yield* statementsOf(ok("mission.next-actions", { limit: 5 }))) ?? 1, 1)
      }).pipe(inOrganization("org_actions"))
    )

    it.effect("ask for no work on leads of archived and completed missions only", () =>
      Effect.gen(function* () {
        yield* addMissions("open", "archived", "completed")
        const add = (slug: string, ...missions: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const id = yield* lead(slug)
            for (const mission_id of missions) yield* ok("lead.mission.add", { mission_id, lead_ids: [id] })
            return id
          })
        const finished = yield* add("finished", "archived", "completed")
        const reviewed = yield* add("reviewed", "completed")
        yield* draft(reviewed, "completed")
        const contacted = yield* add("contacted", "archived")
        yield* message(contacted, "outbound")
        const waiting = yield* add("waiting", "completed")
        yield* message(waiting, "inbound")
        const both = yield* add("both", "open", "completed")
        const free = yield* add("free")
        yield* draft(free, undefined)
        yield* onDay(9)
        const actionsOf = (mission?: string) =>
          Effect.map(
            ok("mission.next-actions", { limit: 50, ...(mission === undefined ? {} : { mission_id: mission }) }),
            ({
              actions
            }: {
              actions: ReadonlyArray<{ kind: string; lead_id: string; mission: null | { handle: string } }>
            }) => actions.map(({ kind, lead_id, mission }) => `${kind} ${lead_id} ${mission?.handle}`)
          )
        assert.lengthOf(yield* actionsOf(), 6)
        yield* ok("mission.update", { mission_id: "archived", status: "archived" })
        yield* ok("mission.complete", { mission_id: "completed" })
        const left = [
          // A reply is owed whatever became of the mission.
          `reply_waiting ${waiting} undefined`,
          `draft_to_review ${free} undefined`,
          `draft_missing ${both} open`
        ]
        assert.deepStrictEqual(yield* actionsOf(), left)
        assert.deepStrictEqual(yield* actionsOf("archived"), [])
        assert.deepStrictEqual(yield* actionsOf("completed"), [
          `reply_waiting ${waiting} completed`,
          `draft_missing ${both} completed`
        ])
        const kinds = (needs_action: boolean) =>
          Effect.map(ok("lead.search", { needs_action, sort: "action" }), ({ leads }) =>
            leads.map(({ lead_id }: { lead_id: string }) => lead_id)
          )
        assert.deepStrictEqual(yield* kinds(true), [waiting, free, both])
        assert.sameMembers(yield* kinds(false), [finished, reviewed, contacted])
        for (const id of [finished, reviewed, contacted]) {
          assert.isNull((yield* ok("lead.get", { lead_id: id })).prospect_context.next_action)
        }
      }).pipe(inOrganization("org_finished"))
    )

    it.effect("show the leads of a mission page by page", () =>
      Effect.gen(function* () {
        yield* addWork
        yield* ok("mission.create", { name: "Empty", handle: "empty" })
        const seen: Array<string> = []
        let cursor: string | null = null
        do {
          const page: { leads: ReadonlyArray<{ id: string }>; count: number; nextCursor: string | null } = yield* ok(
            "GET /missions/{missionHandle}/leads",
            { missionHandle: "work", limit: 2, ...(cursor === null ? {} : { cursor }) }
          )
          seen.push(...page.leads.map(({ id }) => id))
          cursor = page.nextCursor
          assert.strictEqual(page.count, 5)
        } while (cursor !== null)
        assert.lengthOf(new Set(seen), 5)
        const none = yield* ok("GET /missions/{missionHandle}/leads", { missionHandle: "empty" })
        assert.deepStrictEqual(none, { leads: [], count: 0, nextCursor: null })
        const page = { missionHandle: "work", limit: 2 }
        // One for what the handle stands for, one for the page.
        assert.isAtMost((yield* statementsOf(ok("GET /missions/{missionHandle}/leads", page))) ?? 1, 2)
      }).pipe(inOrganization("org_pages"))
    )

    it.effect("pause, resume and complete, and say what waits", () =>
      Effect.gen(function* () {
        yield* addMissions("life")
        const id = yield* lead("waiting-one", { mission_id: "life" })
        const approved = yield* draft(id, "life")
        yield* ok("linkedin.draft.approve", { draft_id: approved })
        const second = yield* lead("waiting-two", { mission_id: "life" })
        yield* draft(second, "life")
        const paused = yield* warned("mission.pause", { mission_id: "life", reason: "Holiday" })
        assert.strictEqual(paused[0], "Mission life is paused.")
        assert.match(paused[1] ?? "", /^waiting: 1 message approved; .*mission\.resume/)
        assert.lengthOf(paused, 2)
        const waiting = yield* (yield* MissionsRepo).waiting(
          yield* CurrentOrganization,
          (yield* ok("mission.get", { mission_id: "life" })).mission.id
        )
        assert.deepStrictEqual(waiting, { toReview: 1, held: 1, bypassing: 0, ambiguous: 0 })
        const before = yield* ok("GET /missions/{missionHandle}", { missionHandle: "life" })
        assert.strictEqual(before.mission.status, "PAUSED")
        yield* ok("mission.pause", { mission_id: "life" })
        assert.deepStrictEqual(yield* ok("GET /missions/{missionHandle}", { missionHandle: "life" }), before)
        assert.lengthOf(yield* warned("mission.resume", { mission_id: "life" }), 3)
        const completed = yield* warned("mission.complete", { mission_id: "life" })
        assert.match(completed.join(" "), /no longer sent.*1 message under review/)
        assert.include(yield* refused("mission.resume", { mission_id: "life" }), "409 WRONG_STATE")
      }).pipe(inOrganization("org_life"))
    )

    it.effect("refuse to approve and to send in a completed mission, until it is restored and resumed", () =>
      Effect.gen(function* () {
        yield* addMissions("over")
        const draft_id = yield* draft(yield* lead("late", { mission_id: "over" }), "over")
        yield* ok("mission.complete", { mission_id: "over" })
        for (const extra of [{}, { send_now: true }]) {
          const refusal = yield* refused("linkedin.draft.approve", { draft_id, ...extra })
          assert.match(refusal, /^409 WRONG_STATE A completed mission does not send\. .*mission\.resume/)
        }
        const { results } = yield* ok("linkedin.draft.approve-many", { items: [{ draft_id }] })
        assert.strictEqual(results[0].error.code, "WRONG_STATE")
        assert.strictEqual((yield* ok("linkedin.draft.get", { draft_id })).draft.status, "PENDING_REVIEW")
        for (const status of ["archived", "active"]) yield* ok("mission.update", { mission_id: "over", status })
        yield* ok("mission.resume", { mission_id: "over" })
        assert.strictEqual((yield* ok("linkedin.draft.approve", { draft_id })).draft.status, "READY_TO_SEND")
      }).pipe(inOrganization("org_over"))
    )

    it.effect("delete only a mission that nothing belongs to", () =>
      Effect.gen(function* () {
        yield* addMissions("one")
        for (const n of [1, 2, 3, 4, 5]) yield* lead(`kept-${n}`, { mission_id: "one" })
        assert.include(
          yield* refused("mission.delete", { mission_id: "one" }),
          "409 MISSION_IN_USE Mission one has 5 leads"
        )
        assert.include(yield* refused("mission.delete", { mission_id: "nope" }), "404 NOT_FOUND")
        yield* ok("mission.create", { name: "Gone", handle: "gone", agent_handle: "ada-martin" })
        yield* ok("POST /missions/{missionHandle}/leads", {
          missionHandle: "gone",
          leads: [{ email: "gone@example.com", name: "G" }]
        })
        const person = (yield* ok("lead.get", { email: "gone@example.com" })).lead_id
        const drafted = yield* draft(person, "gone")
        const one = yield* refused("mission.delete", { mission_id: "gone" })
        assert.include(one, "has 1 lead, 1 open draft and cannot be deleted")
        // A draft can be about somebody who is not in its mission.
        const outside = yield* lead("outside")
        const extra = yield* draft(outside, "gone")
        const removal = yield* ok("lead.mission.remove", { mission_id: "gone", lead_ids: [person, outside] })
        assert.deepInclude(removal, { removed: 1, already: 1, drafts_cancelled: 1 })
        assert.include(yield* refused("mission.delete", { mission_id: "gone" }), "has 1 open draft")
        yield* ok("linkedin.draft.cancel", { draft_id: extra })
        const { mission_id } = yield* ok("mission.delete", { mission_id: "gone" })
        assert.match(mission_id, /^mis_/)
        assert.include(yield* refused("mission.get", { mission_id: "gone" }), "404 NOT_FOUND")
        assert.isNull((yield* ok("linkedin.draft.get", { draft_id: drafted })).draft.mission)
        yield* ok("mission.create", { name: "Gone", handle: "gone" })
      }).pipe(inOrganization("org_kept"))
    )

    it.effect("leave the e-mails of a deleted mission without one", () =>
      Effect.gen(function* () {
        yield* addMissions("gone")
        const email_accounts = [{ provider: "SMTP", email: "ada@emailed.example" }]
        yield* ok("agent.update", { agent_handle: "ada-martin", email_accounts })
        yield* ok("mission.update", { mission_id: "gone", email_review_strategy: "MANUAL" })
        const lead_id = yield* lead("emailed", { email: "emailed@example.com" })
        const mail = { lead_id, mission_id: "gone", subject: "Hello", body_text: "Hello" }
        const { email } = yield* ok("email.send", mail)
        yield* ok("email.cancel", { email_id: email.email_id })
        yield* ok("mission.delete", { mission_id: "gone" })
        const { emails } = (yield* ok("lead.export", { lead_id })).export
        assert.deepStrictEqual(
          emails.map(({ mission_id }: { readonly mission_id: string | null }) => mission_id),
          [null]
        )
      }).pipe(inOrganization("org_emailed"))
    )
  })
)
