/** Replies as a person works through them: what waits, what is put aside, what is answered. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { isoFromMillis, now } from "#core/kernel/schema/IdsAndTime.ts"
import { agents, draftFor, lead, sent } from "../core/linkedin/linkedInWorld.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { actor, ask, code, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const tick = TestClock.adjust("1 second")

const message = Effect.fnUntraced(function* (lead_id: string, content: string, more: object = {}) {
  yield* tick
  yield* ok("lead.message.record", { lead_id, channel: "LINKEDIN", direction: "inbound", content, ...more })
})

const answer = (lead_id: string) => message(lead_id, "Thursday at ten.", { direction: "outbound" })

/** A lead who wrote. */
const writer = Effect.fnUntraced(function* (slug: string) {
  const lead_id = yield* lead(slug)
  yield* message(lead_id, `I am ${slug}`)
  return lead_id
})

const inState = (reply?: string) =>
  Effect.map(
    ok<{ items: ReadonlyArray<{ item_id: string; state: string }> }>("review.list", {
      tab: "replies",
      ...(reply === undefined ? {} : { reply })
    }),
    ({ items }) => {
      if (reply !== undefined) assert.isTrue(items.every(({ state }) => state === reply))
      return items.map(({ item_id }) => item_id)
    }
  )

const waiting = Effect.map(ok("review.counts", {}), ({ replies_waiting }) => Number(replies_waiting))

const snooze = (lead_id: string, until: string | null) => ok("linkedin.conversation.snooze", { lead_id, until })

const inHours = (hours: number) => Effect.map(now, (at) => isoFromMillis(Date.parse(at) + hours * 3_600_000))

const itemOf = (item_id: string) => Effect.map(ok("review.get", { item_id }), ({ item }) => item)

const request = (wish: object) => ok("linkedin.conversation.request-draft", wish)

/** What review.get says of the reply of a lead; undefined when the lead never wrote. */
const open = (item_id: string) => Effect.map(ask("review.get", { item_id }), ({ envelope }) => Object(envelope).data)

const nextOf = (lead_id: string) =>
  Effect.map(ok("lead.get", { lead_id }), ({ prospect_context }) => prospect_context.next_action?.kind ?? null)

eachBackend("replies", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are told apart by who wrote last, the lead's status and until when they are put aside", () =>
      Effect.gen(function* () {
        const until = yield* inHours(33)
        const [ada, bob, cleo, dan] = [
          yield* writer("ada"),
          yield* writer("bob"),
          yield* writer("cleo"),
          yield* writer("dan")
        ]
        yield* answer(bob)
        yield* snooze(cleo, until)
        yield* ok("lead.status.set", { lead_id: dan, status: "NotInterested" })
        assert.deepStrictEqual(yield* inState(), [dan, cleo, bob, ada])
        assert.deepStrictEqual(yield* inState("waiting"), [ada])
        assert.deepStrictEqual(yield* inState("answered"), [bob])
        assert.deepStrictEqual(yield* inState("snoozed"), [cleo])
        assert.deepStrictEqual(yield* inState("closed"), [dan])
        assert.strictEqual(yield* waiting, 1)
        assert.deepInclude(yield* ok("review.counts", { reply: "answered" }), { replies: 1, to_review: 0 })
        assert.strictEqual(yield* code("review.list", { tab: "replies", reply: "open" }), "INVALID_INPUT")
        yield* TestClock.adjust("33 hours")
        assert.deepStrictEqual(yield* inState("waiting"), [cleo, ada])
        assert.deepStrictEqual(yield* inState("snoozed"), [])
      }).pipe(inOrganization("org_replies"))
    )

    it.effect("are put aside until a time, without a change of status, and with their next action", () =>
      Effect.gen(function* () {
        const until = yield* inHours(33)
        const ada = yield* writer("ada")
        assert.strictEqual(yield* nextOf(ada), "reply_waiting")
        assert.deepStrictEqual(yield* snooze(ada, until.replace("Z", "+00:00")), {
          lead_id: ada,
          snoozed_until: until
        })
        assert.deepInclude(yield* itemOf(ada), { state: "snoozed", snoozed_until: until })
        const { lead: stored } = yield* ok("lead.get", { lead_id: ada })
        assert.strictEqual(stored.status, "Replied")
        assert.isNull(yield* nextOf(ada))
        const due = ok("lead.search", { needs_action: true })
        assert.deepStrictEqual((yield* due).leads, [])
        assert.deepStrictEqual(yield* snooze(ada, until), { lead_id: ada, snoozed_until: until })
        const events = yield* ok("event.list", { types: "conversation.snoozed" })
        assert.deepStrictEqual(
          events.events.map(({ data, subject }: { data: object; subject: object }) => ({ data, subject })),
          [{ data: { until }, subject: { type: "lead", id: ada } }]
        )
        const { export: file } = yield* ok("lead.export", { lead_id: ada })
        assert.strictEqual(file.leads[0].snoozedUntil, until)
        yield* TestClock.adjust("33 hours")
        assert.strictEqual(yield* nextOf(ada), "reply_waiting")
        assert.strictEqual((yield* due).leads.length, 1)
        assert.deepInclude(yield* itemOf(ada), { state: "waiting" })
        yield* snooze(ada, yield* inHours(48))
        yield* snooze(ada, null)
        assert.deepInclude(yield* itemOf(ada), { state: "waiting", snoozed_until: null })
      }).pipe(inOrganization("org_aside"))
    )

    it.effect("wait again once something new is said, and not for what was said before", () =>
      Effect.gen(function* () {
        const until = yield* inHours(33)
        const [ada, bob] = [yield* writer("ada"), yield* writer("bob")]
        for (const id of [ada, bob]) yield* snooze(id, until)
        yield* message(ada, "From long ago", { date: "1960-12-01T00:00:00Z" })
        assert.deepInclude(yield* itemOf(ada), { state: "snoozed" })
        yield* message(ada, "And one more thing")
        yield* answer(bob)
        assert.deepInclude(yield* itemOf(ada), { state: "waiting", snoozed_until: null })
        assert.deepInclude(yield* itemOf(bob), { state: "answered", snoozed_until: null })
      }).pipe(inOrganization("org_news"))
    )

    it.effect("stay put aside where leads are merged, unless the other one wrote later", () =>
      Effect.gen(function* () {
        const until = yield* inHours(33)
        const [ada, bob, cleo, dan] = [
          yield* writer("ada"),
          yield* writer("bob"),
          yield* writer("cleo"),
          yield* writer("dan")
        ]
        yield* snooze(bob, until)
        yield* snooze(cleo, until)
        yield* ok("lead.merge", { winner_lead_id: ada, loser_lead_ids: [bob] })
        yield* ok("lead.merge", { winner_lead_id: cleo, loser_lead_ids: [dan] })
        assert.deepInclude(yield* itemOf(ada), { state: "snoozed", snoozed_until: until })
        assert.deepInclude(yield* itemOf(cleo), { state: "waiting", snoozed_until: null })
        yield* snooze(bob, null)
        assert.deepInclude(yield* itemOf(ada), { state: "waiting" }, "a merged lead stands for its winner")
      }).pipe(inOrganization("org_merged"))
    )

    it.effect("are only put aside until a time to come, and only those of one's own organization", () =>
      Effect.gen(function* () {
        const until = yield* inHours(33)
        const ada = yield* writer("ada")
        for (const hours of [-1, 367 * 24]) {
          const refused = { lead_id: ada, until: yield* inHours(hours) }
          assert.strictEqual(yield* code("linkedin.conversation.snooze", refused), "INVALID_INPUT")
        }
        const silent = { lead_id: yield* lead("silent"), until }
        assert.strictEqual(yield* code("linkedin.conversation.snooze", silent), "WRONG_STATE")
        const other = { actor: actor("org_elsewhere") }
        assert.strictEqual(yield* code("linkedin.conversation.snooze", { lead_id: ada, until }, other), "NOT_FOUND")
        assert.deepInclude(yield* itemOf(ada), { state: "waiting" })
      }).pipe(inOrganization("org_limits"))
    )

    it.effect(
      "come with the open draft, with whom a new one would be from, and with whether the lead may be contacted",
      () =>
        Effect.gen(function* () {
          yield* agents(2)
          yield* ok("POST /missions", { name: "Old", handle: "old", agentHandle: "bob-berg" })
          const { lead_id } = (yield* draftFor("ada", { agent_handle: "ada-martin" })).lead
          const sentFirst = yield* open(lead_id)
          assert.strictEqual(sentFirst, undefined, "no reply yet")
          yield* message(lead_id, "Tell me more", { sender_name: "Ada L." })
          const first = yield* open(lead_id)
          assert.deepInclude(first.draft, { status: "PENDING_REVIEW" })
          assert.match(first.content_hash, /^[0-9a-f]{64}$/)
          assert.deepInclude(first.thread[0], { direction: "inbound", sender_name: "Ada L.", text: "Tell me more" })
          assert.deepStrictEqual(first.draft_with, { mission: null, agent: null }, "two agents, and nothing says which")
          yield* ok("lead.mission.add", { mission_id: "old", lead_ids: [lead_id] })
          assert.deepInclude(first.lead, { suppression: null })
          const second = yield* open(lead_id)
          assert.deepInclude(second.draft_with.mission, { handle: "old", name: "Old" })
          assert.deepInclude(second.draft_with.agent, { handle: "bob-berg", name: "Bob Berg" })
          yield* sent(first.draft)
          const third = yield* open(lead_id)
          assert.isNull(third.draft)
          assert.deepInclude(third.draft_with.agent, { handle: "ada-martin" }, "the one that the lead knows")
          const found = yield* ok("linkedin.draft.get", { draft_id: first.draft.draft_id })
          assert.strictEqual(found.draft.status, "DISPATCHED")
          yield* ok("lead.suppress", { lead_id, reason: "Asked" })
          assert.deepStrictEqual((yield* open(lead_id)).lead.suppression, { reason: "Asked", until: null })
          yield* ok("mission.update", { mission_id: "old", status: "archived" })
          assert.isNull((yield* open(lead_id)).draft_with.mission)
          const elsewhere = { actor: actor("org_elsewhere") }
          assert.strictEqual(yield* code("review.get", { item_id: lead_id }, elsewhere), "NOT_FOUND")
        }).pipe(inOrganization("org_details"))
    )

    it.effect("are drafted by writers who are asked, until something is written", () =>
      Effect.gen(function* () {
        yield* agents()
        yield* ok("POST /missions", { name: "M", handle: "m", agentHandle: "ada-martin" })
        const ada = yield* writer("ada")
        const wish = { lead_id: ada, mission_id: "m", instructions: "Thank her" }
        const asked = yield* request(wish)
        assert.deepInclude(asked.draft_request, { instructions: "Thank her", by: "usr_org_asked" })
        assert.match(asked.draft_request.mission_id, /^[a-z]+_/)
        assert.deepStrictEqual(yield* request(wish), asked, "the same again changes nothing")
        assert.strictEqual(yield* nextOf(ada), "draft_requested")
        yield* snooze(ada, yield* inHours(33))
        assert.strictEqual(yield* nextOf(ada), "draft_requested", "also of a snoozed reply")
        const { leads } = yield* ok("lead.search", { sort: "action" })
        assert.deepInclude(leads[0], { lead_id: ada, next_action: "draft_requested" })
        assert.deepStrictEqual((yield* open(ada)).lead.draft_request, asked.draft_request)
        const { export: file } = yield* ok("lead.export", { lead_id: ada })
        assert.deepInclude(file.leads[0].draftRequest, { instructions: "Thank her" })
        const { events } = yield* ok("event.list", { types: "draft.requested" })
        assert.deepStrictEqual(
          events.map(({ data, subject }: { data: object; subject: object }) => ({ data, subject })),
          [
            {
              data: { instructions: "Thank her", mission_id: asked.draft_request.mission_id },
              subject: { type: "lead", id: ada }
            }
          ]
        )
        const { draft } = yield* ok("linkedin.draft.create", { lead_id: ada, variations: ["Thank you"] })
        assert.isNull((yield* open(ada)).lead.draft_request)
        const again = { lead_id: ada, instructions: "Shorter" }
        assert.strictEqual(yield* code("linkedin.conversation.request-draft", again), "DRAFT_OPEN")
        yield* ok("linkedin.draft.cancel", { draft_id: draft.draft_id })
        yield* request(again)
        yield* ok("linkedin.draft.reopen", { draft_id: draft.draft_id })
        yield* ok("linkedin.draft.create", { lead_id: ada, variations: ["Thanks"], replace_open: true })
        assert.isNull((yield* open(ada)).lead.draft_request)
        assert.strictEqual((yield* open(ada)).lead.status, "Replied")
      }).pipe(inOrganization("org_asked"))
    )

    it.effect("are asked for no longer once withdrawn or answered, and moved where leads are merged", () =>
      Effect.gen(function* () {
        const [ada, bob, cleo] = [yield* writer("ada"), yield* writer("bob"), yield* writer("cleo")]
        const instructions = "Thank them"
        for (const lead_id of [ada, bob, cleo]) yield* request({ lead_id, instructions })
        const { draft_request } = yield* request({ lead_id: ada, instructions: null })
        assert.isNull(draft_request)
        assert.strictEqual(yield* nextOf(ada), "reply_waiting")
        yield* answer(bob)
        assert.isNull((yield* open(bob)).lead.draft_request)
        yield* ok("lead.merge", { winner_lead_id: ada, loser_lead_ids: [cleo] })
        assert.deepInclude((yield* open(ada)).lead.draft_request, { instructions })
        assert.strictEqual(yield* nextOf(ada), "draft_requested")
        yield* ok("lead.suppress", { lead_id: bob, reason: "Asked" })
        const refused = { lead_id: bob, instructions }
        assert.strictEqual(yield* code("linkedin.conversation.request-draft", refused), "LEAD_SUPPRESSED")
        const other = { actor: actor("org_elsewhere") }
        const wish = { lead_id: ada, instructions }
        assert.strictEqual(yield* code("linkedin.conversation.request-draft", wish, other), "NOT_FOUND")
        const lost = { ...wish, mission_id: "none" }
        assert.strictEqual(yield* code("linkedin.conversation.request-draft", lost), "NOT_FOUND")
      }).pipe(inOrganization("org_withdrawn"))
    )

    it.effect("are never both drafted and still asked for, however the two come together", () =>
      Effect.gen(function* () {
        yield* agents()
        for (const slug of ["ada", "bob", "cleo", "dan"]) {
          const lead_id = yield* writer(slug)
          yield* Effect.all(
            [
              ask("linkedin.conversation.request-draft", { lead_id, instructions: "Thank" }),
              ask("linkedin.draft.create", { lead_id, variations: ["Thank you"] })
            ],
            { concurrency: "unbounded" }
          )
          const found = yield* open(lead_id)
          assert.isNotNull(found.draft)
          assert.isNull(found.lead.draft_request)
        }
      }).pipe(inOrganization("org_both"))
    )

    it.effect("end as the later of an answer and a snooze says that come at the same time", () =>
      Effect.gen(function* () {
        const until = yield* inHours(33)
        const ada = yield* writer("ada")
        yield* tick
        yield* Effect.all(
          [message(ada, "One more", {}), snooze(ada, until), snooze(ada, yield* inHours(48)), snooze(ada, null)],
          { concurrency: "unbounded" }
        )
        const { snoozed_until, state } = yield* itemOf(ada)
        assert.strictEqual(state, snoozed_until === null ? "waiting" : "snoozed")
        const { prospect_context } = yield* ok("lead.get", { lead_id: ada })
        assert.strictEqual(prospect_context.conversation.length, 2, "no message is lost")
      }).pipe(inOrganization("org_race"))
    )
  })
)
