/**
 * Drafts, queue and leads against the reference model: seeds of 30 simulated days each, in which people and dispatcher do
 * what they like in whatever order.
 */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { WorkingHours } from "#core/agents/WorkingHours.ts"
import { sha256Hex } from "#core/kernel/schema/Hash.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { gapAfter } from "#core/outreach/pacing/UsageLimits.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { type BackendName, selectedBackends } from "../support/backendSelection.ts"
import { effort } from "../support/effort.ts"
import { organization } from "../support/organization.ts"
import { type Random, randomOf } from "../support/random.ts"
import { make, ok, verdict } from "../support/World.ts"
import type { OracleHours } from "./OracleHours.ts"
import { type Kind, type ModelAccount, type ModelDraft, type ModelMission, SendingModel } from "./SendingModel.ts"

const seeds = effort(20)
const seedsOfOneTest = 20
const seedsOnPglite = effort(1)
const days = 30
const second = 1_000
const day = 86_400 * second
const acceptSeconds = 3 * 86_400

/** First days, when clocks change after that, and where. */
const changes = [
  ["2026-03-02", "2026-03-08T07:00Z", "America/New_York"],
  ["2026-03-23", "2026-03-29T01:00Z", "Europe/Berlin"],
  ["2026-03-30", "2026-04-04T15:00Z", "Australia/Lord_Howe"],
  ["2026-10-20", "2026-10-25T01:00Z", "Europe/Berlin"],
  ["2026-10-26", "2026-11-01T06:00Z", "America/New_York"],
  ["2026-06-10", "2026-06-14T01:00Z", "UTC"]
] as const
const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]
const windows: ReadonlyArray<ReadonlyArray<readonly [string, string]>> = [
  [["09:00", "18:00"]],
  [
    ["08:30", "12:00"],
    ["13:15", "17:45"]
  ],
  [["01:30", "03:30"]],
  [["22:00", "24:00"]],
  [["00:00", "24:00"]],
  []
]
/** Around the hours that a change skips or repeats. */
const sundays: typeof windows = [[["01:30", "03:30"]], [["00:00", "24:00"]], [["02:15", "02:45"]], []]
const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const

const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

const hoursOf = (random: Random, start: number, zone: string): readonly [WorkingHours, OracleHours] => {
  const week: Array<ReadonlyArray<readonly [string, string]>> = names.map((_, weekday) =>
    weekday === 1 ? [["09:00", "18:00"]] : random.pick(weekday === 0 ? sundays : windows)
  )
  const holidays = [new Date(start + random.next(30) * day).toISOString().slice(0, 10)]
  const useLeadTimezone = random.next(2) === 0
  // Days on which it is open in every zone at once.
  if (useLeadTimezone) for (const weekday of [2, 3, 4]) week[weekday] = [["00:00", "24:00"]]
  const asSent = Object.fromEntries(
    names.map((name, weekday) => [name, (week[weekday] ?? []).map(([from, to]) => ({ start: from, end: to }))])
  )
  const oracle = Object.fromEntries(
    week.map((list, weekday) => [weekday, list.map(([from, to]) => [minutes(from), minutes(to)] as const)])
  )
  return [
    { ...asSent, holidays, useLeadTimezone },
    { zone, windows: oracle, holidays }
  ]
}

const ramp = [40, 60, 80]

/** What an account may do in 24 hours. */
const capOf = (accountId: string, wanted: number, smart: boolean, createdAt: number) => (at: number) => {
  if (!smart) return wanted
  const percents = ramp[Math.floor((at - createdAt) / (7 * day))] ?? 100
  const date = new Date(at).toISOString().slice(0, 10)
  const off = Number.parseInt(sha256Hex(`${accountId}/message/${date}`).slice(0, 8), 16) % 16
  return Math.max(1, Math.floor((Math.max(1, Math.floor((wanted * percents) / 100)) * (100 - off)) / 100))
}

const slugs: Readonly<Record<Kind, string>> = { friend: "", stranger: "-2nd", blocker: "-blocked" }

const actions = [
  ...["approve", "approve", "approve", "approve", "approve"],
  ...["send", "send and invite", "dequeue", "cancel", "opt out"]
]

interface Ids {
  readonly draft_id: string
  readonly lead_id: string
}

/** Two agents, two missions, twenty-four drafts; and the model of them. */
const makeWorld = Effect.fnUntraced(function* (
  random: Random,
  start: number,
  changing: string,
  itemOf: Map<string, string>
) {
  const model = new SendingModel(acceptSeconds * second)
  const accounts: Array<ModelAccount & { readonly handle: string; readonly usesLeadZone: boolean }> = []
  for (const handle of ["ada", "bob"]) {
    const zone = random.pick([changing, changing, ...zones])
    const [working_hours, hours] = hoursOf(random, start, zone)
    const smart_deliverability = random.next(2) === 0
    const more = { timezone: zone, working_hours, smart_deliverability, handle }
    yield* ok("agent.create", { first_name: handle, last_name: "X", ...more })
    const listed = yield* ok<{ accounts: ReadonlyArray<{ account_id: string; agent_handle: string }> }>(
      "linkedin.account.list",
      {}
    )
    const account_id = listed.accounts.find(({ agent_handle }) => agent_handle === handle)?.account_id ?? ""
    const message_day = 1 + random.next(8)
    yield* ok("linkedin.usage.set-limits", { account_id, limits: { message_day } })
    accounts.push({
      handle,
      hours,
      usesLeadZone: working_hours.useLeadTimezone === true,
      capAt: capOf(account_id, message_day, smart_deliverability, start),
      restOf: ({ key }) => gapAfter(itemOf.get(key) ?? "", smart_deliverability) * second,
      restsUntil: 0,
      heldUntil: 0,
      sent: []
    })
  }
  const missions: ReadonlyArray<ModelMission & { readonly handle: string }> = [
    { handle: "spring", isActive: true },
    { handle: "autumn", isActive: true }
  ]
  for (const { handle } of missions) yield* ok("mission.create", { name: handle, handle, agent_handle: "ada" })
  const ids = new Map<string, Ids>()
  for (let index = 0; index < 24; index++) {
    const kind = random.pick<Kind>(["friend", "friend", "friend", "stranger", "blocker"])
    const account = random.pick(accounts)
    const mission = random.next(2) === 0 ? null : random.pick(missions)
    const zone = random.next(2) === 0 ? undefined : random.pick(zones)
    const key = `p${index}`
    const linkedin_url = `https://www.linkedin.com/in/${key}${slugs[kind]}`
    const timezone = zone === undefined ? {} : { timezone: zone }
    const { lead_id } = yield* ok<{ lead_id: string }>("lead.upsert", { linkedin_url, name: key, ...timezone })
    const { draft } = yield* ok<{ draft: { draft_id: string } }>("linkedin.draft.create", {
      lead_id,
      agent_handle: account.handle,
      variations: [`Hello ${key}`],
      ...(mission === null ? {} : { mission_id: mission.handle })
    })
    ids.set(key, { draft_id: draft.draft_id, lead_id })
    const leadZone = account.usesLeadZone ? zone : undefined
    model.drafts.push({
      key,
      kind,
      account,
      mission,
      leadZone,
      status: "PENDING_REVIEW",
      lead: "New",
      invitedAt: null,
      isAccepted: false,
      item: null
    })
  }
  return { model, accounts, missions, ids }
})

/** What both show of a draft. */
const shown = (status: string, state: string | null, notBefore: number | null, lead: string | undefined): string =>
  `${status} ${state} ${notBefore === null ? "" : new Date(notBefore).toISOString()} ${lead}`

const waits = (state: string | undefined): boolean => state === "queued" || state === "waiting_relation"

const ofModel = (model: SendingModel) =>
  Object.fromEntries(
    model.drafts.map(({ item, key, lead, status }) => {
      const live = item !== null && waits(item.state) ? item : null
      return [key, shown(status, live?.state ?? null, live?.notBefore ?? null, lead)]
    })
  )

const anyDraft = { status: [], leadId: undefined, mission: undefined, agent: undefined }

/** Every draft as it is stored. */
const stored = Effect.flatMap(DraftsRepo, (repo) =>
  Effect.map(repo.list("org_a", anyDraft, { limit: 100, after: undefined }), ({ items }) => items)
)

const ofStore = (ids: ReadonlyMap<string, Ids>) =>
  Effect.map(stored, (views) => {
    const byId = new Map(views.map((view) => [view.row.id, view]))
    return Object.fromEntries(
      [...ids].map(([key, { draft_id }]) => {
        const view = byId.get(draft_id)
        const live = waits(view?.item?.state) ? view?.item : undefined
        const notBefore = live?.notBefore == null ? null : Date.parse(live.notBefore)
        return [key, shown(view?.row.status ?? "", live?.state ?? null, notBefore, view?.lead.status)]
      })
    )
  })

const runSeed = Effect.fnUntraced(function* (seed: number) {
  const random = randomOf(seed)
  const [firstDay, change, zone] = random.pick(changes)
  const start = Date.parse(firstDay) + random.next(24) * 3_600 * second
  let at = start
  const pass = (seconds: number) =>
    Effect.suspend(() => {
      at += seconds * second
      return TestClock.setTime(at)
    })
  yield* TestClock.setTime(at)
  const itemOf = new Map<string, string>()
  const { accounts, ids, missions, model } = yield* makeWorld(random, start, zone, itemOf)
  let done = "the beginning"

  const check = Effect.gen(function* () {
    assert.deepStrictEqual(yield* ofStore(ids), ofModel(model), `seed ${seed}, ${new Date(at).toISOString()}, ${done}`)
  })
  const round = Effect.gen(function* () {
    yield* dispatchDue({ concurrency: 1 })
    model.round(at)
    yield* check
  })
  /** A command, then the same in the model, which may need the id of the queue item. */
  const act = Effect.fnUntraced(function* (draft: ModelDraft, what: string) {
    const { draft_id = "", lead_id = "" } = ids.get(draft.key) ?? {}
    const isOpen = draft.status === "PENDING_REVIEW" || draft.status === "READY_TO_SEND"
    const isQueued = draft.item?.state === "queued" && draft.status === "READY_TO_SEND"
    done = `${what} ${draft.key}`
    if (what === "approve" && isOpen) {
      yield* ok("linkedin.draft.approve", { draft_id })
    } else if (what.startsWith("send") && (draft.status === "PENDING_REVIEW" || isQueued)) {
      const input = { draft_id, send_now: true, send_invitation: what === "send and invite" }
      const said = yield* verdict("linkedin.draft.approve", input)
      assert.strictEqual(said, draft.kind === "blocker" ? "502 GATEWAY_REJECTED" : "ok")
    } else if (what === "dequeue" && isOpen && waits(draft.item?.state)) {
      yield* ok("linkedin.queue.cancel", { queue_id: itemOf.get(draft.key) })
    } else if (what === "cancel" && isOpen) {
      yield* ok("linkedin.draft.cancel", { draft_id })
    } else if (what === "opt out" && draft.lead !== "DoNotContact") {
      yield* ok("lead.status.set", { lead_id, status: "DoNotContact", reason: "Asked for it" })
    } else return
    const [latest] = yield* (yield* TransmissionsRepo).ofLead("org_a", lead_id)
    if (latest !== undefined) itemOf.set(draft.key, latest.id)
    if (what === "approve") model.approve(draft, at)
    if (what.startsWith("send")) model.sendNow(draft, what === "send and invite", at)
    if (what === "dequeue") model.cancelItem(draft)
    if (what === "cancel") model.cancelDraft(draft)
    if (what === "opt out") model.optOut(draft)
  })
  const doSomething = Effect.gen(function* () {
    yield* pass(1)
    const mission = random.pick(missions)
    if (random.next(8) === 0) {
      done = `${mission.isActive ? "pause" : "resume"} ${mission.handle}`
      yield* ok(mission.isActive ? "mission.pause" : "mission.resume", { mission_id: mission.handle })
      mission.isActive = !mission.isActive
    } else {
      yield* act(random.pick(model.drafts), random.pick(actions))
    }
    yield* check
  })

  /** Everything under review is approved, and then the dispatcher comes often. */
  const rush = Effect.fnUntraced(function* (rounds: number, step: number) {
    for (const draft of model.drafts) {
      if (draft.status !== "PENDING_REVIEW" || random.next(3) === 0) continue
      yield* pass(1)
      yield* act(draft, "approve")
    }
    for (let count = 0; count < rounds; count++) {
      yield* pass(step)
      yield* round
    }
  })
  const rushes = new Map([
    [Date.parse(change) - (1 + random.next(2)) * 3_600 * second, [24, 600]],
    [start + (8 + random.next(20)) * day, [24, 240]]
  ])

  for (let passed = 0; passed < days; passed++) {
    const morning = at
    for (const [from, [rounds = 0, step = 0]] of rushes) {
      if (from < morning || from >= morning + day) continue
      yield* pass((from - at) / second)
      yield* rush(rounds, step)
    }
    yield* pass(600 * (1 + random.next(60)))
    yield* round
    for (let count = random.next(4); count > 0; count--) yield* doSomething
    yield* pass(random.pick([11, 45, 200, 900, 3_600]))
    yield* round
    if (at < morning + day) yield* pass((morning + day - at) / second)
  }
  const departures = (yield* stored).flatMap(({ row }) => row.dispatchedAt?.slice(0, 19) ?? [])
  const expected = accounts.flatMap(({ sent }) => sent.map((one) => new Date(one.at).toISOString().slice(0, 19)))
  assert.deepStrictEqual(departures.toSorted(), expected.toSorted(), `seed ${seed}`)
  return { ...model.met, sent: departures.length }
})

const worldOn = (backend: BackendName) =>
  make({ backend, acceptSeconds }).pipe(
    Layer.provideMerge(Layer.succeed(SendOptions, { ...defaultSendOptions, pacing: true }))
  )

/** Runs seeds; answers what the rules were met with. */
const runSeeds = Effect.fnUntraced(function* (backend: BackendName, first: number, last: number) {
  const met: Record<string, number> = {}
  for (let seed = first; seed <= last; seed++) {
    const run = Effect.andThen(organization("org_a"), runSeed(seed))
    const seen = yield* run.pipe(Effect.provide(Layer.fresh(worldOn(backend))))
    for (const [what, times] of Object.entries(seen)) met[what] = (met[what] ?? 0) + times
  }
  return met
})

describe("30 days of drafts, queue and leads equal the reference model", () => {
  for (let first = 0; first < seeds; first += seedsOfOneTest) {
    const last = Math.min(first + seedsOfOneTest, seeds) - 1
    it.effect(
      `seeds ${first} to ${last}`,
      () =>
        Effect.map(runSeeds("memory", first, last), (met) => {
          for (const [what, times] of Object.entries(met)) assert.isAbove(times, 2, `${what}: ${JSON.stringify(met)}`)
        }),
      300_000
    )
  }

  it.effect.skipIf(!selectedBackends().has("pglite"))(
    `seeds 0 to ${seedsOnPglite - 1} on PGlite`,
    () => runSeeds("pglite", 0, seedsOnPglite - 1),
    300_000
  )
})
