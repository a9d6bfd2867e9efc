/** The overview's numbers, plots and words, from what commands return. */
import { assert, describe, it } from "@effect/vitest"
import type { Account } from "#console/missions/words.ts"
import { accountsOf, laterInWords, limitNote, ofLimit, windowName } from "#console/overview/Accounts.ts"
import {
  type Activity,
  chosenOf,
  datesOf,
  firstDay,
  plotInWords,
  pointsOf,
  totalOf
} from "#console/overview/Activity.ts"
import { needsOf } from "#console/overview/needs.ts"
import { barsOf, scaleTop, shareOf, weekdayDate } from "#console/overview/Plot.ts"
import type { Counts, Item } from "#console/service/shapes.ts"

const none = { messages_sent: 0, invitations_sent: 0, invitations_accepted: 0, replied: 0, opted_out: 0 }
const spring = { mission_id: "mis_1", handle: "spring", name: "Spring" }
const autumn = { mission_id: "mis_2", handle: "autumn", name: "Autumn" }
const activity: Activity = {
  from: "2026-10-30",
  to: "2026-11-02",
  time_zone: "UTC",
  days: [
    { ...none, date: "2026-10-31", mission: spring, messages_sent: 2, replied: 1 },
    { ...none, date: "2026-10-31", mission: autumn, messages_sent: 3 },
    { ...none, date: "2026-11-02", mission: spring, messages_sent: 1 }
  ],
  missions: [
    { ...none, mission: { ...autumn, status: "ACTIVE" }, messages_sent: 3 },
    { ...none, mission: { ...spring, status: "PAUSED" }, messages_sent: 3, replied: 1 }
  ]
}

describe("the activity plots", () => {
  it("have a point for each day of the period, also for those without activity", () => {
    assert.deepStrictEqual(datesOf(activity), ["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02"])
    assert.deepStrictEqual(
      pointsOf(activity, "messages_sent").map(({ count }) => count),
      [0, 5, 0, 1]
    )
    assert.deepStrictEqual(
      pointsOf(activity, "messages_sent", "mis_2").map(({ count }) => count),
      [0, 3, 0, 0]
    )
  })

  it("sum up to the totals that mission.activity returns", () => {
    for (const id of [undefined, "mis_1", "mis_2"]) {
      for (const measure of ["messages_sent", "replied"] as const) {
        const sum = pointsOf(activity, measure, id).reduce((total, { count }) => total + count, 0)
        assert.strictEqual(sum, totalOf(activity, measure, id))
      }
    }
    assert.strictEqual(totalOf(activity, "messages_sent"), 6)
    assert.strictEqual(totalOf(activity, "replied", "mis_2"), 0)
  })

  it("show all missions when the chosen one has no activity in the period", () => {
    assert.strictEqual(chosenOf(activity.missions, "mis_1")?.name, "Spring")
    assert.isUndefined(chosenOf(activity.missions, "mis_3"))
    assert.isUndefined(chosenOf(activity.missions, undefined))
  })

  it("count today among the days of a period, in UTC", () => {
    const lateInTheDay = Date.parse("2026-11-23T23:59:59Z")
    assert.strictEqual(firstDay(7, lateInTheDay), "2026-11-17")
    assert.strictEqual(firstDay(1, lateInTheDay), "2026-11-23")
  })

  it("say in words what they show", () => {
    assert.strictEqual(plotInWords(pointsOf(activity, "messages_sent")), "6 on 2 days, most on 31 Oct: 5")
    assert.strictEqual(plotInWords(pointsOf(activity, "replied")), "1 on 1 day, most on 31 Oct: 1")
    assert.strictEqual(plotInWords(pointsOf(activity, "opted_out")), "None in this period")
    assert.strictEqual(weekdayDate("2026-11-23"), "Mon 23 Nov")
  })
})

describe("the geometry of plots", () => {
  it("has a round axis whose half is whole, and which no count exceeds", () => {
    const tops = [0, 1, 2, 3, 9, 10, 11, 26, 50, 51, 101, 5000, 5001].map((most) => scaleTop([0, most]))
    assert.deepStrictEqual(tops, [2, 2, 2, 4, 10, 10, 20, 30, 50, 100, 200, 5000, 10_000])
  })

  it("places bars side by side, and shows the smallest count", () => {
    const bars = barsOf(
      [
        { date: "2026-11-01", count: 0 },
        { date: "2026-11-02", count: 1 },
        { date: "2026-11-03", count: 500 },
        { date: "2026-11-04", count: 1000 }
      ],
      80,
      1000
    )
    assert.deepStrictEqual(
      bars.map(({ height, width, x, y }) => [x, width, y, height]),
      [
        [0, 25, 80, 0],
        [25, 25, 78, 2],
        [50, 25, 40, 40],
        [75, 25, 0, 80]
      ]
    )
  })

  it("never draws a meter beyond its end", () => {
    assert.deepStrictEqual([shareOf(9, 36), shareOf(40, 8), shareOf(0, 0), shareOf(1, 0)], [25, 100, 0, 100])
  })
})

const usageOf = (account_id: string) =>
  ({
    account_id,
    action: "invitation",
    window: "week",
    used: 40,
    limit: 40,
    own_limit: null,
    remaining: 0,
    resets_gradually_until: null,
    forecast: []
  }) as const

const dayOf = (account_id: string, name: string, date: string) => ({
  date,
  time_zone: "UTC",
  account: { account_id, agent_handle: "ada", name },
  messages: { leaves: 1, limit: 2 },
  invitations: { leaves: 0, limit: null }
})

describe("accounts", () => {
  it("appear once with their usage and their days, also when only one of the two is known", () => {
    const usage = { windows: [usageOf("acc_2"), usageOf("acc_1")] }
    const forecast = {
      days: [dayOf("acc_1", "Ada", "2026-11-23"), dayOf("acc_1", "Ada", "2026-11-24")],
      later: 0,
      on_hold: false
    }
    const shapeOf = (accounts: ReturnType<typeof accountsOf>) =>
      accounts.map(({ days, id, name, windows }) => [id, name, windows.length, days.length])
    assert.deepStrictEqual(shapeOf(accountsOf(usage, forecast)), [
      ["acc_1", "Ada", 1, 2],
      ["acc_2", "acc_2", 1, 0]
    ])
    assert.deepStrictEqual(shapeOf(accountsOf(undefined, forecast)), [["acc_1", "Ada", 0, 2]])
    assert.deepStrictEqual(shapeOf(accountsOf(undefined, undefined)), [])
  })

  it("say their limits, and until when they are reached", () => {
    assert.strictEqual(windowName(usageOf("acc_1")), "Invitations, 7 days")
    assert.deepStrictEqual([ofLimit(3, 8), ofLimit(3, null)], ["3 of 8", "3, no limit"])
    assert.strictEqual(limitNote(usageOf("acc_1")), "Limit reached.")
    assert.match(
      limitNote({ ...usageOf("acc_1"), resets_gradually_until: "2026-11-24T09:14:00Z" }),
      /^Limit reached\. Fully available again (Mon|Tue|Wed) \d\d:\d\d\.$/
    )
    assert.strictEqual(limitNote({ ...usageOf("acc_1"), remaining: null, limit: null }), "")
    assert.deepStrictEqual(
      [0, 1, 41].map((later) => laterInWords({ later })),
      ["", "1 more will be sent after the next seven days.", "41 more will be sent after the next seven days."]
    )
  })
})

describe("what needs a person", () => {
  const counts: Counts = {
    to_review: 7,
    approved: 1,
    sent: 0,
    replies: 3,
    replies_waiting: 1,
    problems: 2,
    snoozed: 0,
    leaving_today: 0
  }
  const item = (item_id: string, state: string, name: string | null): Item =>
    ({ item_id, state, preview: "Hi", problem: null, lead: name === null ? null : { name } }) as unknown as Item
  const account = (status: Account["status"]): Account => ({
    account_id: "acc_1",
    agent_handle: "ada",
    name: "Ada Martin",
    public_url: null,
    status,
    tier: "FREE",
    features: [],
    usage: []
  })

  it("is nothing where nothing waits", () => {
    assert.deepStrictEqual(
      needsOf({ counts: { ...counts, to_review: 0, problems: 0, replies_waiting: 0 }, accounts: [account("OK")] }),
      []
    )
    assert.deepStrictEqual(needsOf({}), [])
  })

  it("is counted by kind: answered replies do not wait, and approval requests are no drafts", () => {
    const needs = needsOf({
      counts,
      requests: { ...counts, to_review: 2 },
      replies: [item("ld_1", "waiting", "Grace"), item("ld_2", "answered", "Alan")],
      approvals: [item("apr_1", "pending", null)],
      accounts: [account("CREDENTIALS")],
      windows: [usageOf("acc_1"), { ...usageOf("acc_1"), limit: 0 }]
    })
    assert.deepStrictEqual(
      needs.map(({ count, title }) => [title, count]),
      [
        ["Replies waiting", 1],
        ["Accounts that don't work", 1],
        ["Approval requests", 2],
        ["Drafts to review", 5],
        ["Problems", 2],
        ["Limits reached", 1]
      ]
    )
    const entries = needs.flatMap((need) => need.entries)
    assert.deepStrictEqual(
      entries.map(({ name, text }) => [name, text]),
      [
        ["Grace", "Hi"],
        ["Ada Martin", "Needs signing in again"],
        ["Hi", ""],
        ["Ada Martin: Invitations, 7 days", "Limit reached."]
      ]
    )
    assert.deepStrictEqual(entries[0]?.to, { place: "replies", item: "ld_1" })
    assert.deepStrictEqual(entries[3]?.to, { place: "agents", item: "ada" })
  })

  it("has follow-ups that are due, the first of them with what is to be written", () => {
    const planned = { lead_id: "ld_1", name: "Grace", mission_id: "mis_1", step: 2, of: 3, purpose: "Ask about June" }
    const rest = { channel: "LINKEDIN", evidence: "", due_at: "2026-11-23T09:00:00.000Z" } as const
    const [need] = needsOf({ followUps: Array.from({ length: 6 }, () => ({ ...planned, ...rest })) })
    assert.deepStrictEqual([need?.title, need?.count, need?.entries.length], ["Follow-ups due", 6, 4])
    assert.strictEqual(need?.entries[0]?.text, "Follow-up 2 of 3: Ask about June")
    assert.strictEqual(need?.entries[0]?.planned?.lead_id, "ld_1")
  })

  it("takes the service's number of waiting replies where it has one", () => {
    assert.strictEqual(needsOf({ counts: { ...counts, replies_waiting: 9 } as Counts })[0]?.count, 9)
  })
})
