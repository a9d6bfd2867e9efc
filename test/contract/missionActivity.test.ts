/** What mission.activity and linkedin.queue.forecast read, on every store: held to mission.stats and linkedin.usage.get. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { randomOf } from "../support/random.ts"
import { code, ok, refused, statementsOf } from "../support/World.ts"
import { eachOutreach, onDay } from "./outreachWorld.ts"

const counted = ["messages_sent", "invitations_sent", "invitations_accepted", "replied"] as const

type Counts = Readonly<Record<(typeof counted)[number] | "opted_out", number>>
type Day = Counts & { readonly date: string; readonly mission: { readonly handle: string } }
type Total = Counts & { readonly mission: { readonly handle: string; readonly status: string } }

const only = (counts: Record<string, unknown>) => Object.fromEntries(counted.map((kind) => [kind, counts[kind]]))

const everything = { from: "2026-11-01", to: "2026-12-31" }

interface Report {
  readonly days: ReadonlyArray<Day>
  readonly missions: ReadonlyArray<Total>
}

const activity = (input: object = everything) => Effect.map(ok("mission.activity", input), (report): Report => report)

const lead = (slug: string, extra: object = {}) =>
  Effect.map(
    ok("lead.upsert", { linkedin_url: `https://www.linkedin.com/in/${slug}`, name: slug, ...extra }),
    ({ lead_id }) => String(lead_id)
  )

const addMissions = Effect.fnUntraced(function* (...handles: ReadonlyArray<string>) {
  yield* onDay(0)
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  for (const handle of handles) {
    yield* ok("mission.create", { name: `Mission ${handle}`, handle, agent_handle: "ada-martin" })
  }
})

eachOutreach("activity of missions", (layer) =>
  it.layer(layer)((it) => {
    it.effect("adds up to mission.stats for any history, in total and on every day", () =>
      Effect.gen(function* () {
        const handles = ["one", "two", "three"]
        const { next, pick } = randomOf(7)
        yield* addMissions(...handles, "idle")
        const leads: Array<string> = []
        for (let day = 1; day <= 12; day++) {
          yield* onDay(day)
          for (let step = 0; step < 6; step++) {
            const mission_id = pick(handles)
            const lead_id =
              leads.length < 4 || next(10) < 3 ? yield* lead(`p${leads.length}-2nd`, { mission_id }) : pick(leads)
            if (!leads.includes(lead_id)) leads.push(lead_id)
            // Whatever a state refuses is no part of the history.
            yield* pick([
              () => code("lead.mission.add", { mission_id, lead_ids: [lead_id] }),
              () => code("linkedin.invitation.send", { lead_id }),
              () => code("linkedin.conversation.sync", { lead_id }),
              () =>
                code("lead.message.record", {
                  lead_id,
                  channel: "EMAIL",
                  direction: pick(["inbound", "outbound"]),
                  content: `${day} ${step}`
                }),
              () =>
                code("lead.status.set", {
                  lead_id,
                  status: pick(["DoNotContact", "Interested", "Contacted"]),
                  reason: "x"
                }),
              () =>
                Effect.gen(function* () {
                  const made = yield* Effect.option(
                    ok("linkedin.draft.create", {
                      lead_id,
                      mission_id,
                      variations: [`Hello ${day} ${step}`],
                      agent_handle: "ada-martin",
                      replace_open: true
                    })
                  )
                  if (made._tag === "None") return
                  yield* code("linkedin.draft.approve", { draft_id: made.value.draft.draft_id, send_now: true })
                })
            ])()
          }
        }
        const { days, missions } = yield* activity()
        assert.deepStrictEqual(missions.map(({ mission }) => mission.handle).toSorted(), handles.toSorted())
        assert.isAbove(
          missions.reduce((sum, one) => sum + one.messages_sent + one.replied + one.invitations_sent, 0),
          10
        )
        for (const total of missions) {
          const { stats } = yield* ok("mission.stats", { mission_id: total.mission.handle })
          assert.deepStrictEqual(only(total), only(stats), total.mission.handle)
          const mine = days.filter(({ mission }) => mission.handle === total.mission.handle)
          for (const { date, ...day } of mine) {
            const period = stats.series.find((one: { period: string }) => one.period === date)
            assert.deepStrictEqual(only(day), only(period), date)
          }
          const sums = mine.reduce((sum, day) => sum + counted.reduce((all, kind) => all + day[kind], day.opted_out), 0)
          assert.strictEqual(
            sums,
            counted.reduce((all, kind) => all + total[kind], total.opted_out)
          )
          const { leads: members } = yield* ok("lead.search", { mission_id: total.mission.handle, limit: 100 })
          const gone = members.filter(({ status }: { status: string }) => status === "DoNotContact")
          assert.strictEqual(total.opted_out, gone.length, `${total.mission.handle} opted out`)
          assert.deepStrictEqual((yield* activity({ ...everything, mission_id: total.mission.handle })).missions, [
            total
          ])
        }
        assert.deepStrictEqual(
          days.map(({ date }) => date),
          days.map(({ date }) => date).toSorted()
        )
        assert.strictEqual((yield* statementsOf(ok("mission.activity", everything))) ?? 1, 1)
      }).pipe(inOrganization("org_histories"))
    )

    it.effect("counts an invitation for a mission's draft there, once, whatever other missions the lead is in", () =>
      Effect.gen(function* () {
        yield* addMissions("one", "two", "three")
        const lead_id = yield* lead("drafted-2nd", { mission_id: "one" })
        for (const mission_id of ["two", "three"]) yield* ok("lead.mission.add", { mission_id, lead_ids: [lead_id] })
        const { draft } = yield* ok("linkedin.draft.create", {
          lead_id,
          mission_id: "one",
          variations: ["Hello"],
          agent_handle: "ada-martin"
        })
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true, send_invitation: true })
        const { missions } = yield* activity()
        assert.deepStrictEqual(
          missions.map(({ invitations_sent, mission }) => `${mission.handle} ${invitations_sent}`),
          ["one 1"]
        )
      }).pipe(inOrganization("org_one_invitation"))
    )

    it.effect("counts an opt-out on the day of the last one, from when the lead was added, while it holds", () =>
      Effect.gen(function* () {
        yield* addMissions("one", "two")
        const [gone, back] = [yield* lead("gone", { mission_id: "one" }), yield* lead("back", { mission_id: "one" })]
        const optOut = (lead_id: string) => ok("lead.status.set", { lead_id, status: "DoNotContact" })
        const optOuts = Effect.map(activity(), ({ days }) =>
          days.map(({ date, mission, opted_out }) => `${date} ${mission.handle} ${opted_out}`)
        )
        yield* onDay(2)
        for (const lead_id of [gone, back]) yield* optOut(lead_id)
        assert.deepStrictEqual(yield* optOuts, ["2026-11-18 one 2"])
        yield* ok("lead.suppression.lift", { lead_id: back, reason: "Agreed again" })
        assert.deepStrictEqual(yield* optOuts, ["2026-11-18 one 1"])
        yield* onDay(4)
        yield* ok("lead.mission.add", { mission_id: "two", lead_ids: [back] })
        yield* onDay(5)
        yield* optOut(back)
        assert.deepStrictEqual(yield* optOuts, ["2026-11-18 one 1", "2026-11-21 one 1", "2026-11-21 two 1"])
      }).pipe(inOrganization("org_opt_outs"))
    )

    it.effect("covers the last 30 days unless it is asked for others, both ends included, at most 92", () =>
      Effect.gen(function* () {
        yield* addMissions("one")
        for (const day of [0, 1, 29, 30]) {
          yield* onDay(day)
          const lead_id = yield* lead(`on-${day}`, { mission_id: "one" })
          yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "outbound", content: "x" })
        }
        const dates = (input: object) => Effect.map(activity(input), ({ days }) => days.map(({ date }) => date))
        assert.deepStrictEqual(yield* dates({}), ["2026-11-17", "2026-12-15", "2026-12-16"])
        assert.deepStrictEqual(yield* dates({ from: "2026-11-16", to: "2026-11-17" }), ["2026-11-16", "2026-11-17"])
        assert.deepStrictEqual(yield* dates({ to: "2026-11-16" }), ["2026-11-16"])
        assert.deepStrictEqual(yield* dates({ from: "2026-12-16" }), ["2026-12-16"])
        yield* activity({ from: "2026-09-16", to: "2026-12-16" })
        const wrong: ReadonlyArray<readonly [object, string]> = [
          [{ from: "2026-09-15", to: "2026-12-16" }, "more than 92 days"],
          [{ from: "2026-12-17" }, "from must not be after to"],
          [{ from: "2026-02-30" }, "from is not a day"],
          [{ to: "2026-13-01" }, "to is not a day"],
          [{ to: "2026-11-16T00:00:00Z" }, "a date such as"]
        ]
        for (const [input, message] of wrong) {
          const answer = yield* refused("mission.activity", input)
          assert.include(answer, "400 INVALID_INPUT")
          assert.include(answer, message)
        }
        assert.include(yield* refused("mission.activity", { mission_id: "nope" }), "404 NOT_FOUND")
      }).pipe(inOrganization("org_spans"))
    )

    it.effect("is of one organization", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* addMissions("one")
          const lead_id = yield* lead("mine", { mission_id: "one" })
          yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "outbound", content: "x" })
          assert.lengthOf((yield* activity()).missions, 1)
        }).pipe(inOrganization("org_mine_a"))
        yield* Effect.gen(function* () {
          assert.deepInclude(yield* activity(), { days: [], missions: [] })
          assert.include(yield* refused("mission.activity", { mission_id: "one" }), "404 NOT_FOUND")
          assert.deepInclude(yield* ok("linkedin.queue.forecast", {}), { days: [], later: 0 })
        }).pipe(inOrganization("org_mine_b"))
      })
    )
  })
)

interface Leaving {
  readonly leaves: number
  readonly limit: number | null
}

interface ForecastDay {
  readonly date: string
  readonly account: { readonly account_id: string }
  readonly messages: Leaving
  readonly invitations: Leaving
}

eachOutreach("forecast of the queue", (layer) =>
  it.layer(layer)((it) => {
    it.effect("counts the forecasts of linkedin.usage.get by days of the account, and what leaves later", () =>
      Effect.gen(function* () {
        yield* onDay(0)
        const hours = { monday: [{ start: "09:00", end: "17:00" }], tuesday: [{ start: "09:00", end: "17:00" }] }
        yield* ok("agent.create", {
          first_name: "Ada",
          last_name: "Martin",
          timezone: "Asia/Tokyo",
          working_hours: hours
        })
        yield* ok("agent.create", { first_name: "Idle", last_name: "Kim" })
        yield* ok("mission.create", { name: "One", handle: "one", agent_handle: "ada-martin" })
        const [first] = (yield* ok("linkedin.account.list", {})).accounts
        yield* ok("linkedin.usage.set-limits", {
          account_id: first.account_id,
          limits: { message_day: 3 },
          ramp: false
        })
        for (let n = 0; n < 9; n++) {
          const lead_id = yield* lead(`queued-${n}`, { mission_id: "one" })
          const { draft } = yield* ok("linkedin.draft.create", {
            lead_id,
            mission_id: "one",
            variations: [`Hello ${n}`],
            agent_handle: "ada-martin"
          })
          yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
        }
        const forecast: { days: ReadonlyArray<ForecastDay>; later: number } = yield* ok("linkedin.queue.forecast", {})
        const { windows } = yield* ok("linkedin.usage.get", {})
        const usage = windows.find(
          ({ account_id, action, window }: Record<string, unknown>) =>
            account_id === first.account_id && action === "message" && window === "day"
        )
        const days: ReadonlyArray<string> = usage.forecast.map(({ leaves_at }: { leaves_at: string }) =>
          new Date(Date.parse(leaves_at) + 9 * 3_600_000).toISOString().slice(0, 10)
        )
        assert.lengthOf(days, 9)
        const mine = forecast.days.filter(({ account }) => account.account_id === first.account_id)
        assert.deepStrictEqual(
          mine.map(({ date }) => date),
          ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"]
        )
        for (const { date, messages } of mine)
          assert.strictEqual(messages.leaves, days.filter((day) => day === date).length, date)
        const within = mine.reduce((sum, { messages }) => sum + messages.leaves, 0)
        assert.isAbove(within, 0)
        assert.isAbove(forecast.later, 0)
        assert.strictEqual(within + forecast.later, 9)
        assert.strictEqual(mine[0]?.messages.limit, usage.limit)
        assert.isTrue(mine.every(({ messages }) => messages.limit !== null && messages.limit <= 3))
        const idle = forecast.days.filter(({ account }) => account.account_id !== first.account_id)
        assert.lengthOf(idle, 7)
        assert.isTrue(idle.every(({ invitations, messages }) => messages.leaves + invitations.leaves === 0))
        assert.isAtMost((yield* statementsOf(ok("linkedin.queue.forecast", {}))) ?? 2, 2)
      }).pipe(
        inOrganization("org_forecast"),
        Effect.provideService(SendOptions, { ...defaultSendOptions, pacing: true })
      )
    )
  })
)
