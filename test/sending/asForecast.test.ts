/**
 * What is sent when is what a fresh forecast says, whatever settings were changed before: hours, time zones, limits, pauses. The
 * forecast and the claim read the same facts; a hold that was stored under other settings must not outlive them.
 *
 * `SVC_TEST_ROUNDS=17-17` runs one history.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { isoFromMillis } from "#core/kernel/schema/IdsAndTime.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { type Random, randomOf } from "../support/random.ts"
import { ask, make, ok, type StoreName } from "../support/World.ts"

const start = Date.parse("2026-11-16T09:00:00.000Z")
const hour = 3_600_000
const day = 24 * hour
const people = 10
const changes = 8
/** How far the forecast is followed, in days. */
const days = 4

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]
const morning = [{ start: "09:00", end: "12:00" }]
const evening = [{ start: "18:30", end: "24:00" }]
const hours = [
  { monday: morning, tuesday: morning, wednesday: evening, thursday: morning, friday: evening },
  { monday: evening, tuesday: evening, wednesday: morning, thursday: evening, useLeadTimezone: true },
  { monday: morning, tuesday: [...morning, ...evening], thursday: evening, holidays: ["2026-11-18"] },
  {}
]
const limits = [
  { message_day: 2 },
  { message_day: 5 },
  { message_day: null },
  { message_day: 1, ramp: false },
  { ramp: true }
]

const named = (nth: number) => ({ custom_id: `p-${nth}` })
const missions = ["spring", "autumn"]

/** What a person changes, or sends. */
const settings: ReadonlyArray<(random: Random) => readonly [command: string, input: object]> = [
  ({ pick }) => ["agent.update", { agent_handle: "ada", working_hours: pick(hours) }],
  ({ pick }) => ["agent.update", { agent_handle: "ada", timezone: pick(zones) }],
  ({ pick }) => ["linkedin.usage.set-limits", { agent_handle: "ada", ...pick(limits) }],
  ({ pick }) => [pick(["mission.pause", "mission.resume"]), { mission_id: pick(missions) }],
  ({ next, pick }) => ["lead.upsert", { ...named(next(people)), timezone: pick(zones) }]
]

/** A history, and how what was sent afterwards differs from the forecast. */
const differencesOf = Effect.fnUntraced(function* (seed: number) {
  const random = randomOf(seed)
  const { next, pick } = random
  const organizationId = yield* CurrentOrganization
  let at = start
  const to = Effect.fnUntraced(function* (millis: number) {
    at = Math.max(at, millis)
    yield* TestClock.setTime(at)
  })
  const work = dispatchDue({ organizationId, concurrency: 1 })
  const passing = Effect.fnUntraced(function* (until: number, moments: ReadonlyArray<number> = []) {
    const grid = Array.from({ length: Math.floor((until - at) / (hour / 2)) }, (_, nth) => at + (nth * hour) / 2)
    for (const moment of [...grid, ...moments, until].toSorted((a, b) => a - b)) {
      yield* to(moment)
      yield* Effect.orDie(work)
    }
  })
  yield* to(start)
  yield* ok("agent.create", { first_name: "Ada", last_name: "X", handle: "ada", working_hours: pick(hours) })
  for (const name of missions) yield* ok("mission.create", { name, handle: name, agent_handle: "ada" })
  const steps: Array<string> = []
  for (let nth = 0; nth < people; nth++) {
    const lead = { ...named(nth), name: `P ${nth}`, linkedin_url: `https://www.linkedin.com/in/p-${nth}` }
    const { lead_id } = yield* ok("lead.upsert", { ...lead, timezone: pick(zones) })
    const mission = pick([{ mission_id: pick(missions) }, {}])
    const { draft } = yield* ok("linkedin.draft.create", {
      lead_id,
      agent_handle: "ada",
      variations: ["Hi"],
      ...mission
    })
    yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
    yield* to(at + next(30) * 60_000)
  }
  for (let count = 0; count < changes; count++) {
    const [command, input] = pick(settings)(random)
    const { envelope } = yield* ask(command, input)
    steps.push(`${isoFromMillis(at)} ${command} ${JSON.stringify(input)} ${envelope.status}`)
    if (count < changes - 1) yield* passing(at + next(9) * hour)
  }
  const { windows } = yield* ok("linkedin.usage.get", {})
  const leaving: ReadonlyArray<{ queue_id: string; leaves_at: string }> = windows.find(
    (one: { action: string; window: string }) => one.action === "message" && one.window === "day"
  ).forecast
  const end = at + days * day
  const foreseen = new Map(leaving.map(({ leaves_at, queue_id }) => [queue_id, leaves_at]))
  const { items } = yield* ok("linkedin.queue.list", { state: ["queued"], limit: 100 })
  yield* passing(
    end,
    [...foreseen.values()].map(Date.parse).filter((moment) => moment > at && moment < end)
  )
  const differences: Array<string> = []
  for (const { draft_id, queue_id } of items) {
    const { draft } = yield* ok("linkedin.draft.get", { draft_id })
    const expected = foreseen.get(queue_id)
    const due = expected === undefined || expected > isoFromMillis(end) ? null : expected
    if (draft.dispatched_at !== due) differences.push(`${queue_id} foreseen ${due}, sent ${draft.dispatched_at}`)
  }
  return { differences, steps, sent: leaving.length }
})

const [first = 1, last = effort(60)] = (process.env["SVC_TEST_ROUNDS"]?.split("-") ?? []).map(Number)
const storeOf = (seed: number): StoreName => (hasPostgres() && seed % 10 === 0 ? "postgres" : "memory")

describe("what is sent", () => {
  for (const seed of Array.from({ length: last - first + 1 }, (_, index) => first + index)) {
    it.effect(`leaves when a fresh forecast says, history ${seed}`, () =>
      Effect.gen(function* () {
        const { differences, steps } = yield* differencesOf(seed)
        assert.deepStrictEqual(differences, [], steps.join("\n"))
      }).pipe(
        Effect.provideService(SendOptions, { ...defaultSendOptions, pacing: true }),
        inOrganization(`org_${seed}`),
        Effect.provide(make({ backend: storeOf(seed) }))
      )
    )
  }
})
