/** Why something waits: an answer for every reason of the table, and for the states that people meet. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { commands } from "#core/commands.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { manualGatewayLayer } from "#core/outreach/provider/LinkedInGateway.ts"
import { reasonTable } from "#core/outreach/reasons.ts"
import { defaultSendOptions, SendingHold, SendOptions } from "#core/outreach/SendOptions.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { transmissions } from "#memory/outreach/LinkedInTables.ts"
import { code, make, ok } from "../../support/World.ts"
import { draftFor, linkedInWorld, send, sent, stored } from "../linkedin/linkedInWorld.ts"

interface Wait {
  readonly item_id: string
  readonly kind: string
  readonly name: string | null
  readonly state: string
  readonly items: number
  readonly reason: string | null
  readonly until: string | null
  readonly summary: { readonly start: string; readonly end: string | null }
  readonly who: string
  readonly command: string | null
  readonly input: Readonly<Record<string, string>>
}

const paced = linkedInWorld.pipe(
  Layer.provideMerge(Layer.succeed(SendOptions, { ...defaultSendOptions, pacing: true }))
)
const manual = make({ backend: "memory", gateway: manualGatewayLayer })

const explained = (about: string) =>
  Effect.map(ok<{ waits: ReadonlyArray<Wait> }>("review.explain", { about }), ({ waits }) => waits)

const ids = new Set<string>(commands.map(({ id }) => id))

const isSentence = (text: string) => assert.match(text, /^[A-Z].{3,160}[.]$/)

/** Asks about something, checks what every answer must have, and returns the first. */
const explain = Effect.fnUntraced(function* (about: string) {
  const [wait] = yield* explained(about)
  assert.isDefined(wait)
  if (wait === undefined) throw new Error("nothing")
  isSentence(`${wait.summary.start}${wait.summary.end === null ? "" : `Sat 3:00${wait.summary.end}`}`)
  isSentence(wait.who)
  if (wait.command === null) assert.match(wait.who, /^(Passes|Nobody|An owner, on|The operator|A reviewer)/, wait.who)
  else assert.isTrue(ids.has(wait.command), wait.command)
  return wait
})

const always = Object.fromEntries(
  ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [
    day,
    [{ start: "00:00", end: "24:00" }]
  ])
)

/** A Sunday, an agent who never rests but on request, and an active mission `p`. */
const start = Effect.fnUntraced(function* (working_hours: object = always) {
  yield* TestClock.setTime(Date.parse("2026-03-22T10:00:00.000Z"))
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", timezone: "UTC", working_hours })
  yield* ok("POST /missions", { name: "P", handle: "p", agentHandle: "ada-martin" })
})

const approved = Effect.fnUntraced(function* (slug: string, more: Record<string, unknown> = {}) {
  const draft = yield* draftFor(slug, more)
  yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
  return draft
})

const later = (seconds: number) => Effect.andThen(TestClock.adjust(seconds * 1_000), dispatchDue())

describe("the table of reasons", () => {
  it("has for each code a sentence, who can change it, and a command, or says that it passes", () => {
    for (const { can_change, code, command, text } of reasonTable) {
      isSentence(text)
      isSentence(can_change)
      assert.isTrue(command === null ? /Nobody|Passes|on LinkedIn|svc /.test(can_change) : ids.has(command), code)
      if (command !== null) assert.match(can_change, /, (by|in) \w+/, `${code} says what to do`)
    }
  })
})

describe("what waits", () => {
  it.effect("is said of a message with any reason of the table, queued or failed", () =>
    Effect.gen(function* () {
      yield* start()
      const { draft_id } = yield* approved("ada")
      const [item] = (yield* stored).items
      const store = yield* MemoryStore
      for (const { code } of reasonTable) {
        for (const state of ["failed", "queued"] as const) {
          const notBefore = state === "failed" ? null : ("2026-03-22T11:00:00.000Z" as const)
          yield* store.write("org_a" as never, (tables) => {
            if (item !== undefined)
              tables.set(transmissions, item.id, { ...item, state, reason: code, notBefore } as never)
          })
          const wait = yield* explain(draft_id)
          if (state === "failed") assert.deepInclude(wait, { reason: code, state })
          else assert.isNotNull(wait.reason)
        }
      }
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("is said of a queued message in each of its reasons", () =>
    Effect.gen(function* () {
      yield* start({ monday: [{ start: "09:00", end: "14:00" }] })
      const first = yield* approved("first")
      const second = yield* approved("second", { mission_id: "p" })
      const closed = yield* explain(first.draft_id)
      assert.deepInclude(closed, {
        reason: "outside_hours",
        until: "2026-03-23T09:00:00.000Z",
        command: "agent.update"
      })
      assert.deepStrictEqual(closed.summary, { start: "Sends ", end: ", when working hours start. Next in line." })
      assert.deepStrictEqual(closed.input, { agent_handle: "ada-martin" })
      yield* ok("mission.pause", { mission_id: "p" })
      const paused = yield* explain(second.draft_id)
      assert.deepInclude(paused, { reason: "mission_paused", until: null, command: "mission.resume" })
      assert.deepStrictEqual(paused.summary, { start: "Won't send while the mission is paused.", end: null })
      assert.deepStrictEqual(paused.input, { mission_id: "p" })
      assert.strictEqual(paused.who, "You, by resuming the mission.")
      const [mission] = yield* explained("p")
      assert.deepInclude(mission, { kind: "mission", state: "PAUSED", items: 1, reason: "mission_paused" })
      yield* ok("agent.update", { agent_handle: "ada-martin", working_hours: always })
      assert.strictEqual((yield* explain(first.draft_id)).reason, "hold")
      yield* ok("mission.resume", { mission_id: "p" })
      yield* later(15)
      assert.deepInclude(yield* explain(second.draft_id), { reason: "spacing" })
      const { accounts } = yield* ok("linkedin.account.list", {})
      const limits = { account_id: accounts[0].account_id, limits: { message_day: 1 } }
      yield* ok("linkedin.usage.set-limits", limits)
      const limited = yield* explain(second.draft_id)
      assert.deepInclude(limited, { reason: "usage_limit", command: "linkedin.usage.set-limits" })
      assert.deepStrictEqual(limited.input, { account_id: accounts[0].account_id })
      yield* ok("mission.update", { mission_id: "p", status: "archived" })
      assert.deepInclude(yield* explain(second.draft_id), { state: "in_review", command: "linkedin.draft.approve" })
      assert.deepInclude(yield* explain("p"), { state: "ARCHIVED", command: "mission.update" })
    }).pipe(Effect.provide(paced))
  )

  it.effect("is said of what people, providers and operators hold", () =>
    Effect.gen(function* () {
      yield* start()
      const second = yield* draftFor("far-2nd")
      yield* sent(second, { send_invitation: true })
      assert.deepInclude(yield* explain(second.draft_id), { state: "waiting_relation", reason: "invitation_pending" })
      const down = yield* approved("here-down")
      yield* later(11)
      const retried = yield* explain(down.draft_id)
      assert.include(["transient", "unavailable"], retried.reason)
      assert.isNotNull(retried.until)
      const unknown = yield* draftFor("x-unknown")
      yield* send(unknown)
      assert.deepInclude(yield* explain(unknown.draft_id), {
        reason: "outcome_unknown",
        command: "linkedin.queue.resolve"
      })
      const blocked = yield* approved("y-blocked")
      yield* later(11)
      assert.deepInclude(yield* explain(blocked.draft_id), { state: "failed", reason: "blocked" })
      const held = yield* approved("held")
      const hold = yield* SendingHold
      const current = Effect.succeed({
        hold: { reason: "no_heartbeat", since: "2026-03-22T10:00:00.000Z", detail: "" } as never,
        releasedAt: null,
        failedOverAt: null
      })
      const waits = yield* Effect.provideService(explain(held.draft_id), SendingHold, { ...hold, current })
      assert.deepInclude(waits, { reason: "sending_held", command: null, until: null })
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("is said of what is sent manually", () =>
    Effect.gen(function* () {
      yield* start()
      const draft = yield* approved("grace")
      const wait = yield* explain(draft.draft_id)
      assert.deepInclude(wait, { reason: "by_hand", command: "linkedin.queue.resolve" })
      assert.deepStrictEqual(Object.keys(wait.input), ["queue_id", "outcome"])
    }).pipe(Effect.provide(manual))
  )

  it.effect("is said of drafts under review and after it", () =>
    Effect.gen(function* () {
      yield* start()
      const draft = yield* draftFor("ada", { mission_id: "p" })
      const { draft_id } = draft
      assert.deepInclude(yield* explain(draft_id), { state: "in_review", command: "linkedin.draft.approve" })
      assert.deepInclude(yield* explain("p"), { kind: "mission", items: 0, state: "ACTIVE" })
      yield* ok("linkedin.draft.snooze", { draft_id, until: "2026-03-30T10:00:00Z" })
      const snoozed = yield* explain(draft_id)
      assert.deepInclude(snoozed, { state: "snoozed", until: "2026-03-30T10:00:00.000Z" })
      yield* ok("linkedin.draft.request-rewrite", { draft_id, instructions: "Shorter, please." })
      assert.deepInclude(yield* explain(draft_id), { state: "rewriting", command: "linkedin.draft.update" })
      yield* ok("linkedin.draft.update", { draft_id, variations: ["Hello again"] })
      yield* ok("linkedin.draft.approve", { draft_id })
      yield* ok("linkedin.draft.reject", { draft_id, reason: "No" })
      assert.deepInclude(yield* explain(draft_id), { command: "linkedin.draft.reopen", state: "rejected" })
    }).pipe(Effect.provide(linkedInWorld))
  )

  it.effect("is found by every word for a lead; for one with nothing waiting it says why", () =>
    Effect.gen(function* () {
      yield* start()
      const identified = { linkedin_url: "https://www.linkedin.com/in/grace", email: "grace@example.com" }
      const { lead_id } = yield* ok("lead.upsert", { ...identified, name: "Grace Hopper" })
      yield* ok("lead.upsert", { email: "other@example.com", name: "Grace Kelly" })
      for (const about of [lead_id, "grace@example.com", "linkedin.com/in/grace/", "Grace Hopper"]) {
        const wait = yield* explain(about)
        assert.deepInclude(wait, { item_id: lead_id, state: "New", command: "linkedin.draft.create" })
        assert.strictEqual(wait.summary.start, "Nothing waits: no draft yet. Status: New.")
      }
      const several = yield* explained("grace")
      assert.deepStrictEqual(
        several.map(({ name }) => name),
        ["Grace Hopper", "Grace Kelly"]
      )
      const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello Grace"] })
      yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
      const { items } = yield* ok("linkedin.queue.list", {})
      assert.deepInclude(items[0], { lead_name: "Grace Hopper", why: "Sends after the grace period." })
      const [queued] = yield* explained("grace@example.com")
      assert.deepStrictEqual((yield* explained(items[0].queue_id))[0], queued)
      assert.deepStrictEqual((yield* explained(draft.draft_id))[0], queued)
      yield* ok("lead.suppress", { lead_id, reason: "Asked us", until: "2026-04-30T10:00:00Z" })
      const [suppressed, review] = yield* explained(lead_id)
      assert.deepInclude(suppressed, { reason: "lead_suppressed", until: "2026-04-30T10:00:00.000Z" })
      assert.deepInclude(suppressed, { command: "lead.suppression.lift" })
      assert.deepInclude(review, { state: "in_review" })
      assert.strictEqual(yield* code("review.explain", { about: "nobody of this name" }), "NOT_FOUND")
    }).pipe(Effect.provide(linkedInWorld))
  )
})
