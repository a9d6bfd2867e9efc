/** What an approver wants to leave at a time: nothing leaves before, on any store. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { actor, ok, refused } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const friday = "2026-11-20T15:00:00.000Z"
/** Monday at 9 in New York. */
const morning = "2026-11-23T14:00:00.000Z"

/** Friday: an agent in Berlin, a mission that reviews e-mails, and a lead in New York. */
const prepare = Effect.fnUntraced(function* (slug = "grace") {
  yield* TestClock.setTime(Date.parse(friday))
  const email_accounts = [{ provider: "SMTP", email: "ada@sender.example" }]
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", timezone: "Europe/Berlin", email_accounts })
  yield* ok("mission.create", { name: "Spring", agent_handle: "ada-martin", email_review_strategy: "MANUAL" })
  return yield* lead(slug)
})

const lead = (slug: string) => {
  const known = { linkedin_url: `https://www.linkedin.com/in/${slug}`, email: `${slug}@example.com` }
  return Effect.map(ok("lead.upsert", { ...known, name: slug, timezone: "America/New_York" }), ({ lead_id }) =>
    String(lead_id)
  )
}

const draft = (lead_id: string) =>
  Effect.map(ok("linkedin.draft.create", { lead_id, variations: ["Hello"] }), (made): string => made.draft.draft_id)

const approve = (draft_id: string, more: object = {}) => ok("linkedin.draft.approve", { draft_id, ...more })

const queued = Effect.map(ok("linkedin.queue.list", {}), ({ items }) => items)

const statusOf = (draft_id: string) =>
  Effect.map(ok("linkedin.draft.get", { draft_id }), (found): string => found.draft.status)

/** Rounds of the dispatcher just before and just after an instant: what became of a draft. */
const around = Effect.fnUntraced(function* (draft_id: string, instant: string) {
  yield* TestClock.setTime(Date.parse(instant) - 1_000)
  yield* dispatchDue()
  const before = yield* statusOf(draft_id)
  yield* TestClock.adjust("2 seconds")
  yield* dispatchDue()
  return [before, yield* statusOf(draft_id)]
})

const departs = ["READY_TO_SEND", "DISPATCHED"]

eachBackend("approvals for a time", (layer) =>
  it.layer(layer)((it) => {
    it.effect("send a message on the person's next working morning, and say so until then", () =>
      Effect.gen(function* () {
        const draft_id = yield* draft(yield* prepare())
        const approved = yield* approve(draft_id, { not_before: "next_morning" })
        assert.deepInclude(approved, { mode: "approved", dispatch_result: null })
        const [item] = yield* queued
        assert.deepInclude(item, {
          reason: "scheduled",
          not_before: morning,
          why: "Sends at the time that its approver set."
        })
        const { departure } = yield* ok("review.get", { item_id: draft_id })
        assert.deepInclude(departure, { leaves_at: morning, reason: "scheduled" })
        const [why] = (yield* ok("review.explain", { about: draft_id })).waits
        assert.deepInclude(why, { until: morning, reason: "scheduled", command: "linkedin.queue.cancel" })
        const { days } = yield* ok("linkedin.queue.forecast", {})
        assert.deepStrictEqual(
          days.flatMap(({ date, messages }: { date: string; messages: { leaves: number } }) =>
            messages.leaves === 0 ? [] : [`${date} ${messages.leaves}`]
          ),
          ["2026-11-23 1"]
        )
        const { events } = yield* ok("event.list", { types: "draft.approved" })
        assert.strictEqual(events[0].data.not_before, morning)
        assert.deepStrictEqual(yield* around(draft_id, morning), departs)
      }).pipe(inOrganization("org_morning"))
    )

    it.effect("move it when it is approved for another time, and change nothing without one", () =>
      Effect.gen(function* () {
        const draft_id = yield* draft(yield* prepare())
        const [first, second] = ["2026-11-21T10:00:00.000Z", "2026-11-20T18:00:00.000Z"]
        yield* approve(draft_id, { not_before: "2026-11-21T11:00:00+01:00" })
        yield* approve(draft_id, { not_before: first })
        yield* approve(draft_id)
        assert.deepStrictEqual(
          (yield* queued).map(({ not_before }: { not_before: string }) => not_before),
          [first]
        )
        const items = [{ draft_id, not_before: second }]
        assert.isTrue((yield* ok("linkedin.draft.approve-many", { items })).results[0].ok)
        assert.deepStrictEqual(yield* around(draft_id, second), departs)
      }).pipe(inOrganization("org_moved"))
    )

    it.effect("return it to review when the person replies before, and cost nothing when it is sent now", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const [replied, urgent] = [yield* draft(lead_id), yield* draft(yield* lead("urgent"))]
        for (const one of [replied, urgent]) yield* approve(one, { not_before: "next_morning" })
        yield* TestClock.adjust("1 hour")
        yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Yes?" })
        assert.strictEqual((yield* approve(urgent, { send_now: true })).draft.status, "DISPATCHED")
        assert.deepStrictEqual(yield* around(replied, morning), ["PENDING_REVIEW", "PENDING_REVIEW"])
      }).pipe(inOrganization("org_replied"))
    )

    it.effect("refuse other times, send_now, and agents that can't keep one", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const draft_id = yield* draft(lead_id)
        const refusal = (input: object) => refused("linkedin.draft.approve", { draft_id, ...input })
        for (const not_before of [friday, "2026-11-01T00:00:00Z", "2027-12-01T00:00:00Z"]) {
          assert.strictEqual(
            yield* refusal({ not_before }),
            "400 INVALID_INPUT not_before must be in the future, at most a year from now."
          )
        }
        assert.include(yield* refusal({ not_before: "tomorrow" }), "not_before must be next_morning, or an ISO 8601")
        assert.include(yield* refusal({ not_before: "next_morning", send_now: true }), "400 INVALID_INPUT not_before")
        yield* ok("agent.update", { agent_handle: "ada-martin", working_hours: { monday: [] } })
        assert.include(yield* refusal({ not_before: "next_morning" }), "the agent has no working days")
        assert.strictEqual(yield* statusOf(draft_id), "PENDING_REVIEW")
        yield* ok("linkedin.account.unlink", { agent_handle: "ada-martin" })
        assert.include(
          yield* refusal({ not_before: morning }),
          "409 WRONG_STATE not_before requires a LinkedIn account"
        )
      }).pipe(inOrganization("org_refused"))
    )

    it.effect("are kept in what a policy holds for a person", () =>
      Effect.gen(function* () {
        const draft_id = yield* draft(yield* prepare())
        yield* ok("policy.set", { agents: "ask" })
        const bot = { actor: actor("org_asked", { kind: "AI_AGENT", userId: "usr_bot" }) }
        yield* ok("linkedin.draft.approve", { draft_id, not_before: "next_morning" }, bot)
        const [{ approval_request_id }] = (yield* ok("approval.list", {})).approvals
        const { input } = yield* ok("approval.get", { approval_request_id })
        assert.deepInclude(input, { draft_id, not_before: "next_morning" })
        yield* TestClock.setTime(Date.parse(morning))
        yield* ok("approval.resolve", { approval_request_id, decision: "approve" })
        assert.strictEqual((yield* queued)[0].not_before, "2026-11-24T14:00:00.000Z")
      }).pipe(inOrganization("org_asked"))
    )

    it.effect("hold e-mails as well, which can be moved while they wait", () =>
      Effect.gen(function* () {
        const lead_id = yield* prepare()
        const { email } = yield* ok("email.send", { lead_id, mission_id: "spring", subject: "Hi", body_text: "Hello" })
        const said = { review_id: email.review_id, content_hash: email.content_hash }
        const decide = (more: object) => ok("email.review.decide", { ...said, decision: "approve", ...more })
        const rejected = { ...said, decision: "reject", not_before: morning }
        assert.include(yield* refused("email.review.decide", rejected), "not_before cannot be used with reject")
        const first = yield* decide({ not_before: "2026-11-24T09:00:00Z", reason: "Fine" })
        assert.deepInclude(first.review, { state: "queued", next_attempt_at: "2026-11-24T09:00:00.000Z" })
        assert.include(yield* refused("email.review.decide", { ...said, decision: "approve" }), "409 WRONG_STATE")
        const { review } = yield* decide({ not_before: "next_morning" })
        assert.deepInclude(review, { state: "queued", reason: "scheduled", next_attempt_at: morning })
        assert.deepInclude((yield* ok("review.get", { item_id: email.email_id })).departure, {
          reason: "scheduled",
          leaves_at: morning
        })
        const gateway = EmailGateway.of({
          send: ({ messageId }) => Effect.succeed({ _tag: "Confirmed", messageId })
        })
        const round = Effect.provideService(dispatchEmails(), EmailGateway, gateway)
        yield* TestClock.setTime(Date.parse(morning) - 1_000)
        assert.strictEqual(yield* round, 0)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* round, 1)
      }).pipe(inOrganization("org_mailed"))
    )
  })
)
