/** Laws of when something may leave, and that claims keep them. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { LeadSuppressed } from "#core/leads/failures.ts"
import { wordingOfDraft } from "#core/outreach/disclosure.ts"
import { eligibility, type Facts, leavesAt } from "#core/outreach/eligibility.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { freshPace, paceOf } from "#core/outreach/pacing/Pacing.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { defaultSendOptions, SendOptions } from "#core/outreach/SendOptions.ts"
import { isOfKind } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { leads } from "#memory/leads/LeadTables.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { drafts } from "#memory/outreach/LinkedInTables.ts"
import { effort, some } from "../../support/effort.ts"
import { ok } from "../../support/World.ts"
import { draftFor, linkedInWorld, stored } from "./linkedInWorld.ts"

const start = "2026-03-23T10:00:00.000Z"
const after = (seconds: number): string => new Date(Date.parse(start) + seconds * 1_000).toISOString()
const instant = fc.integer({ min: -100_000, max: 300_000 }).map(after)
const maybe = fc.option(instant, { nil: null })
const windows = fc.constantFrom("00:00-24:00", "08:00-10:00", "12:00-18:00").map((text) => {
  const [from = "", to = ""] = text.split("-")
  return [{ start: from, end: to }]
})
const action = fc.constantFrom("message", "invitation", "invitation_with_note")

const account = fc
  .record({
    nextAt: maybe,
    stoppedUntil: maybe,
    monday: windows,
    limit: fc.constantFrom(0, 2, 50),
    done: fc.array(fc.record({ action, at: instant }), { maxLength: 12 }),
    ramp: fc.boolean(),
    smart: fc.boolean()
  })
  .map(({ done, limit, monday, nextAt, stoppedUntil, ...rest }) => ({
    ...freshPace,
    ...rest,
    nextAt,
    message: { ...freshPace.message, stoppedUntil },
    accountId: "acc_1",
    tier: "PREMIUM" as const,
    createdAt: after(-600_000),
    timezone: "UTC",
    workingHours: { monday, wednesday: monday, useLeadTimezone: true },
    limits: { messageDay: limit, invitationWeek: limit + 1 },
    done: done.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  }))

/** Facts that only hold it back, for a time or until somebody acts. */
const waits = fc
  .record({
    action,
    bypass: fc.boolean(),
    paced: fc.constantFrom(true, true, false),
    notBefore: maybe,
    leadTimezone: fc.constantFrom(null, "Asia/Tokyo"),
    mission: fc.constantFrom(null, { status: "ACTIVE" as const }, { status: "PAUSED" as const }),
    isManual: fc.constantFrom(false, false, true),
    isHeld: fc.constantFrom(false, false, true),
    isBusy: fc.boolean(),
    accountStatus: fc.constantFrom("OK", "OK", "CREDENTIALS"),
    account
  })
  .map(({ account, ...facts }): Facts => ({ ...facts, ...paceOf(account) }))

const lead = { status: "Contacted" as const, lastInboundAt: null }

/** Facts that refuse it, each by itself. */
const refusals: Readonly<Record<string, Facts>> = {
  lead_suppressed: { suppressed: new LeadSuppressed({ leadId: "ld_1", message: "Suppressed." }) },
  mission_archived: { mission: { status: "ARCHIVED" } },
  no_account: { agent: { handle: "ada", deleted: false }, hasAccount: false },
  recipient_changed: { changed: ["recipient_changed", "text_changed"] },
  account_changed: { changed: ["account_changed"] },
  mission_changed: { changed: ["mission_changed"] },
  text_changed: { changed: ["text_changed"] },
  lead_replied: { lead: { ...lead, lastInboundAt: after(1) }, decided: { at: start } },
  no_disclosure: {
    lead,
    rules: { disclosure: "An AI wrote this." },
    wording: { texts: ["Hello"], isByAgent: true, isAttended: false }
  },
  lead_not_interested: {
    lead: { ...lead, status: "NotInterested" },
    decided: { at: start, leadStatus: "Contacted" }
  },
  relation_timeout: { expiresAt: after(-100_000) }
}

describe("eligibility", () => {
  it("says no earlier time when it is asked at the time that it said", () => {
    fc.assert(
      fc.property(waits, instant, (facts, at) => {
        const answer = eligibility(facts, at)
        if (answer._tag !== "Later" || answer.when === null) return
        assert.isAbove(Date.parse(answer.when), Date.parse(at))
        const next = eligibility(facts, answer.when)
        if (next._tag === "Later" && next.when !== null) {
          assert.isAbove(Date.parse(next.when), Date.parse(answer.when))
        }
      }),
      { numRuns: effort(500) }
    )
  })

  it("foresees a time at which it may leave, and none before", () => {
    fc.assert(
      fc.property(waits, instant, fc.nat(99), ({ isBusy, ...facts }, at, percent) => {
        const foreseen = leavesAt(facts, at)
        if (foreseen === undefined) return
        assert.strictEqual(eligibility(facts, foreseen)._tag, "Now")
        const earlier = Date.parse(at) + ((Date.parse(foreseen) - Date.parse(at)) * percent) / 100
        if (earlier < Date.parse(foreseen)) {
          assert.strictEqual(eligibility(facts, new Date(earlier).toISOString())._tag, "Later")
        }
      }),
      { numRuns: effort(500) }
    )
  })

  it("refuses before it holds, whatever else is so", () => {
    fc.assert(
      fc.property(waits, instant, fc.subarray(Object.keys(refusals), { minLength: 1 }), (facts, at, reasons) => {
        const all = Object.assign({}, facts, ...reasons.map((reason) => refusals[reason])) as Facts
        const answer = eligibility(all, at)
        if (answer._tag !== "No") return assert.fail(`${answer._tag} with ${reasons.join()}`)
        assert.strictEqual(eligibility(all, after(900_000))._tag, "No", "time changes nothing")
        if (reasons.length === 1) assert.strictEqual(answer.reason, reasons[0])
      })
    )
  })

  it("lets send_now pass a paused mission, hours, rests and limits, and nothing else", () => {
    fc.assert(
      fc.property(waits, instant, (facts, at) => {
        const { isBusy, isHeld, isManual, accountStatus, notBefore = null, hold } = facts
        const stopped = facts.action === "message" ? hold?.message.stoppedUntil : hold?.invitation.stoppedUntil
        const isLater = (when: string | null | undefined) => (when ?? "") > at
        const isHeldBack =
          [isBusy, isHeld, isManual].includes(true) || accountStatus !== "OK" || isLater(notBefore) || isLater(stopped)
        assert.strictEqual(eligibility({ ...facts, bypass: true }, at)._tag, isHeldBack ? "Later" : "Now")
      })
    )
  })
})

const paced = linkedInWorld.pipe(
  Layer.provideMerge(Layer.succeed(SendOptions, { ...defaultSendOptions, pacing: true }))
)

const agentFields = { timezone: "UTC", working_hours: { monday: [{ start: "00:00", end: "24:00" }] } }
const closed = { monday: [{ start: "00:00", end: "01:00" }] }

/** What may happen between an approval and its claim, without anybody withdrawing the approval. */
const names = ["hours", "limit", "paused", "down", "stopped", "replied", "silent"] as const
const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]))
const cases: ReadonlyArray<ReadonlyArray<(typeof names)[number]>> = [[], ...names.map((one) => [one]), ...pairs, names]

const change = Effect.fnUntraced(function* (name: (typeof names)[number], accountId: string) {
  const store = yield* MemoryStore
  const at = yield* now
  switch (name) {
    case "limit":
      return yield* ok("linkedin.usage.set-limits", { account_id: accountId, limits: { message_day: 0 } })
    case "down":
      return yield* (yield* AccountsRepo).saveFacts("org_a", accountId, { status: "CREDENTIALS" }, at)
    case "stopped":
      return yield* (yield* TransmissionsRepo).stop("org_a", accountId, "message", after(90_000))
    case "replied":
      return yield* store.write("org_a", (tables) =>
        tables.updateWhere(
          leads,
          () => true,
          (row) => ({ ...row, lastInboundAt: at })
        )
      )
    case "silent":
      return yield* store.write("org_a", (tables) =>
        tables.updateWhere(
          leads,
          () => true,
          (row) => ({ ...row, status: "DoNotContact" as const })
        )
      )
    case "hours":
      return yield* ok("PATCH /agents/{agentHandle}", { agentHandle: "ada-martin", workingHours: closed })
    case "paused":
      return yield* ok("mission.pause", { mission_id: "p" })
  }
})

describe("a claim", () => {
  it.effect.each(some(cases).map((which) => [which.join(", ") || "nothing", which] as const))(
    "passes what may leave now, and nothing else: %s",
    ([, which]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse(start))
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", ...agentFields })
        yield* ok("POST /missions", { name: "P", handle: "p", agentHandle: "ada-martin" })
        const { draft_id } = yield* draftFor("grace", { mission_id: "p" })
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* TestClock.adjust("11 seconds")
        const [item] = (yield* stored).items
        if (item === undefined) return assert.fail()
        for (const name of which) yield* change(name, item.accountId)
        const at = yield* now
        const repo = yield* TransmissionsRepo
        const view = yield* repo.find("org_a", item.id)
        const [usage] = yield* repo.usage("org_a", { gateway: "simulator", accountId: item.accountId }, after(-600_000))
        const draft = yield* Effect.flatMap(MemoryStore, (store) =>
          store.read("org_a", (tables) => tables.get(drafts, draft_id))
        )
        if (view === undefined || !isOfKind("message")(view) || usage === undefined || draft === undefined) {
          return assert.fail()
        }
        const { agent, lead: person, mission, row, rules } = view
        const suppressed =
          person.status === "DoNotContact" ? new LeadSuppressed({ leadId: person.id, message: "No." }) : undefined
        const facts: Facts = {
          ...{ agent, lead: person, mission, rules, suppressed, wording: wordingOfDraft(draft) },
          ...{ action: "message", decided: { at: row.createdAt }, notBefore: row.notBefore },
          accountStatus: which.includes("down") ? "CREDENTIALS" : "OK",
          ...paceOf(usage)
        }
        const answer = eligibility(facts, at)
        yield* dispatchDue()
        assert.lengthOf((yield* stored).attempts, answer._tag === "Now" ? 1 : 0, JSON.stringify(answer))
        assert.strictEqual(answer._tag === "Now", which.length === 0)
        if (answer._tag === "No" && !which.includes("paused") && !which.includes("stopped")) {
          assert.strictEqual((yield* stored).items[0]?.reason, answer.reason)
        }
      }).pipe(Effect.provide(paced))
  )
})
