/** The rule of follow-ups in SQL is that of the core: working days across changes of summer time, and which follow-up is next. */
import { isDeepStrictEqual } from "node:util"
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, layer, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type WorkingHours, workingDaysAfter } from "#core/agents/WorkingHours.ts"
import { type FollowUpFacts, type NextFollowUp, nextFollowUp } from "#core/leads/followUp.ts"
import type { MissionStep } from "#core/missions/Mission.ts"
import { hasPostgres, pgliteLayer, postgresLayer, type SqlServices, selectedBackends } from "../support/backends.ts"
import { type Random, randomOf } from "../support/random.ts"

const zones = [
  ...["", "UTC", "Europe/Berlin", "europe/berlin", "CET", "America/New_York", "Australia/Lord_Howe"],
  ...["America/Santiago", "Asia/Kolkata", "Nowhere/City"]
]

/** Changes of summer time of these zones. */
const changes = [
  ...["2026-03-29T01:00Z", "2026-10-25T01:00Z", "2026-03-08T07:00Z", "2026-11-01T06:00Z"],
  ...["2026-04-04T15:00Z", "2026-10-03T15:30Z", "2026-09-06T04:00Z", "2026-04-05T03:00Z"]
]

const day = [{ start: "09:00", end: "17:00" }]
const weeks: ReadonlyArray<WorkingHours> = [
  {},
  { holidays: ["2026-03-30", "2026-10-26", "2026-11-02"] },
  { saturday: day, sunday: day, monday: [] },
  { wednesday: day, useLeadTimezone: true },
  { sunday: [] },
  ...[{ monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day }]
]

const days = [0, 1, 1, 1, 2, 3, 5, 60]

/** An instant within eight days of a change, at the same time of day or some minutes beside it. */
const instantOf = (random: Random): number =>
  Date.parse(random.pick(changes)) +
  (random.next(17) - 8) * 86_400_000 +
  random.pick([0, random.next(240) - 120, random.next(120) - 60]) * 60_000 +
  random.pick([0, 1, 59_999])

const iso = (millis: number): string => new Date(millis).toISOString()

const instants = ["2026-03-20T10:00:00.000Z", "2026-03-27T10:00:00.001Z", "2026-03-28T01:30:00.000Z"]
const orNull = (random: Random): string | null => random.pick([null, ...instants])

const stepOf = (random: Random): MissionStep => ({
  after: random.pick(["no_reply", "no_reply", "invitation_accepted"]),
  working_days: random.pick([1, 2, 60]),
  channel: random.pick(["EMAIL", "LINKEDIN"]),
  purpose: "Ask"
})

const listOf = <A>(random: Random, most: number, make: (random: Random, place: number) => A): ReadonlyArray<A> =>
  Array.from({ length: random.next(most + 1) }, (_, place) => make(random, place))

const factsOf = (random: Random): FollowUpFacts => ({
  status: random.pick(["New", "Waiting", "Contacted", "Contacted", "Contacted", "Replied"]),
  email: random.pick(["", "kim@example.com"]),
  linkedinUrl: random.pick(["", "https://www.linkedin.com/in/kim"]),
  lastInboundAt: random.pick([null, null, orNull(random)]),
  lastOutboundAt: random.pick([...instants, null]),
  snoozedUntil: random.pick([null, "2026-04-02T10:00:00.000Z"]),
  awayUntil: random.pick([null, null, "2026-04-03T10:00:00.000Z"]),
  isBounced: random.next(4) === 0,
  acceptedAt: orNull(random),
  inMissions: listOf(random, 3, (_, place) => ({
    missionId: `mis_${random.next(10)}${place}`,
    status: random.pick(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED"] as const),
    steps: listOf(random, 4, stepOf),
    timezone: random.pick(zones),
    workingHours: random.pick(weeks),
    linkedAt: random.pick(instants),
    taken: random.pick([0, 0, 0, 1, 2]),
    isWritten: random.pick([false, false, false, true])
  }))
})

const rule = (it: Vitest.MethodsNonLive<SqlServices>) => {
  const cases = 4_000
  it.effect(`counts working days, ${cases} times`, () =>
    Effect.gen(function* () {
      const random = randomOf(1)
      const asked = Array.from({ length: cases }, (_, place) => ({
        place,
        at: iso(instantOf(random)),
        days: random.pick(days),
        zone: random.pick(zones),
        hours: random.pick(weeks)
      }))
      const sql = yield* PgClient
      const found = yield* sql<{ readonly due: Date }>`
        select svc.svc_working_days_after(r.at, r.days, r.zone, r.hours) as due
        from jsonb_to_recordset(${sql.json(asked)}) as r (place int, at timestamptz, days int, zone text, hours jsonb)
        order by r.place`
      const differing = asked.flatMap((one, place) => {
        const due = iso(workingDaysAfter(one.hours, one.zone, Date.parse(one.at), one.days))
        const theirs = found[place]?.due.toISOString()
        return due === theirs ? [] : [{ ...one, due, theirs }]
      })
      assert.deepStrictEqual(differing.slice(0, 5), [])
      const [setting] = yield* sql`select current_setting('timezone') as zone`
      assert.deepStrictEqual(
        setting,
        (yield* sql`select reset_val as zone from pg_settings where name = 'TimeZone'`)[0]
      )
    })
  )

  it.effect(`chooses the next follow-up, ${cases} times`, () =>
    Effect.gen(function* () {
      const random = randomOf(2)
      const asked = Array.from({ length: cases }, () => factsOf(random))
      const sql = yield* PgClient
      const found = yield* sql<{ readonly next: NextFollowUp | null }>`
        select svc.svc_next_follow_up(f.facts) as next
        from jsonb_array_elements(${sql.json(asked)}) with ordinality as f (facts, place) order by f.place`
      const ours = asked.map((facts) => {
        const next = nextFollowUp(facts)
        return next && { missionId: next.missionId, step: next.step, dueAt: next.dueAt }
      })
      const differing = ours.flatMap((one, place) =>
        isDeepStrictEqual(one, found[place]?.next) ? [] : [[asked[place], one, found[place]]]
      )
      assert.deepStrictEqual(differing.slice(0, 2), [])
      assert.isAbove(ours.filter((one) => one !== null).length, cases / 10)
    })
  )
}

if (selectedBackends().has("pglite")) layer(pgliteLayer)("follow-ups on PGlite", rule)
if (hasPostgres()) layer(postgresLayer)("follow-ups on PostgreSQL", rule)
