import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { afterEvent, consequenceOf, type LeadEvent, LeadStatus, setManually } from "#core/leads/LeadStatus.ts"

/** The table of moves, one row an event; columns New, Waiting, Contacted, Replied, MeetingBooked, Interested, NotInterested, DoNotContact. */
const table: Record<LeadEvent, string> = {
  outbound_waiting: "Waiting Waiting Contacted Replied MeetingBooked Interested NotInterested DoNotContact",
  outbound_confirmed: "Contacted Contacted Contacted Replied MeetingBooked Interested NotInterested DoNotContact",
  inbound: "Replied Replied Replied Replied MeetingBooked Interested NotInterested DoNotContact",
  opt_out: "DoNotContact DoNotContact DoNotContact DoNotContact DoNotContact DoNotContact DoNotContact DoNotContact",
  nothing_waiting: "New New Contacted Replied MeetingBooked Interested NotInterested DoNotContact"
}

const events = Object.keys(table) as ReadonlyArray<LeadEvent>

const outcome = (result: Result.Result<LeadStatus, { code: string }>): string =>
  Result.match(result, {
    onSuccess: (status) => status,
    onFailure: ({ code }) => (code === "LEAD_SUPPRESSED" ? "refused" : code)
  })

describe("LeadStatus", () => {
  it.each(events)("follows the table on %s", (event) => {
    assert.strictEqual(LeadStatus.literals.map((from) => afterEvent(from, event)).join(" "), table[event])
  })

  it("moves forward only, and an event repeated changes nothing more", () => {
    const rank = (status: LeadStatus): number =>
      ({ New: 0, Waiting: 1, Contacted: 2, DoNotContact: 4 })[status as string] ?? 3
    for (const event of events) {
      for (const from of LeadStatus.literals) {
        const to = afterEvent(from, event)
        assert.isTrue(rank(to) >= rank(from) || event === "nothing_waiting", `${from} ${event}`)
        assert.strictEqual(afterEvent(to, event), to)
      }
    }
  })

  it("lets a person set anything but leave DoNotContact", () => {
    for (const from of LeadStatus.literals) {
      for (const to of LeadStatus.literals) {
        const expected = from === "DoNotContact" && to !== from ? "refused" : to
        assert.strictEqual(outcome(setManually(from, to)), expected)
      }
    }
    const refusal = setManually("DoNotContact", "New")
    assert.include(Result.isFailure(refusal) ? refusal.failure.message : "", "lead.suppression.lift and a reason")
  })

  it("cancels what waits when a lead says no", () => {
    assert.strictEqual(consequenceOf("Replied", "NotInterested"), "Withdraw")
    assert.strictEqual(consequenceOf("New", "DoNotContact"), "Cancel")
    for (const same of LeadStatus.literals) assert.isUndefined(consequenceOf(same, same))
    for (const to of LeadStatus.literals.slice(0, 6)) assert.isUndefined(consequenceOf("NotInterested", to))
  })
})
