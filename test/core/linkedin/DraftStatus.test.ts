import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import type { Failure } from "#core/kernel/failure/Failure.ts"
import type { DraftState } from "#core/outreach/drafts/DraftStatus.ts"
import * as Draft from "#core/outreach/drafts/draftTransitions.ts"
import type { ApprovalChoice } from "#core/outreach/drafts/VariationChoice.ts"
import { effort } from "../../support/effort.ts"

const hash = "hash-now"
const created = (...variations: ReadonlyArray<string>): DraftState => Result.getOrThrow(Draft.create(variations))
const approve = (state: DraftState, choice: ApprovalChoice = {}) => Draft.approve(state, choice, hash)
const done = (result: Result.Result<Draft.DraftChange, Failure>): DraftState => Result.getOrThrow(result).state
const codeOf = (result: Result.Result<unknown, Failure>): string =>
  Result.match(result, { onSuccess: () => "ok", onFailure: ({ code }) => code })

const three = created("a", "b", "c")
const approved = done(approve(three, { variationIndex: 1 }))

describe("approve", () => {
  it("needs an index exactly when the choice is open", () => {
    assert.strictEqual(done(approve(created("only"))).selectedBodyText, "only")
    assert.strictEqual(codeOf(approve(three)), "VARIATION_REQUIRED")
    assert.strictEqual(codeOf(approve(three, { bodyText: "mine" })), "VARIATION_REQUIRED")
    assert.deepEqual(approved, { ...three, status: "READY_TO_SEND", selectedIndex: 1, selectedBodyText: "b" })
  })

  it.each([-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses the index %s as invalid input",
    (variationIndex) => {
      const result = approve(three, { variationIndex })
      assert.strictEqual(codeOf(result), "INVALID_INPUT")
      assert.include(
        Result.isFailure(result) ? result.failure.message : "",
        "variation_index must be a whole number from 0 to 2"
      )
    }
  )

  it("takes body_text in place of the chosen text, and needs it without variations", () => {
    const edited = done(approve(three, { variationIndex: 2, bodyText: "mine" }))
    assert.deepEqual([edited.selectedIndex, edited.selectedBodyText, edited.variations], [2, "mine", ["a", "b", "c"]])
    assert.strictEqual(codeOf(approve(created())), "DRAFT_EMPTY")
    assert.strictEqual(codeOf(approve(created(" \n"))), "DRAFT_EMPTY")
    assert.strictEqual(codeOf(approve(created("a"), { bodyText: " " })), "DRAFT_EMPTY")
    assert.strictEqual(codeOf(approve(created(), { variationIndex: 0, bodyText: "x" })), "INVALID_INPUT")
    const fromNothing = done(approve(created(), { bodyText: "x" }))
    assert.deepEqual([fromNothing.selectedIndex, fromNothing.selectedBodyText], [null, "x"])
  })

  it("guards against a text that changed", () => {
    assert.strictEqual(codeOf(approve(created("a"), { contentHash: "hash-before" })), "CONTENT_CHANGED")
    assert.strictEqual(codeOf(approve(created("a"), { contentHash: hash })), "ok")
    assert.strictEqual(codeOf(approve(approved, { variationIndex: 1, contentHash: "hash-before" })), "CONTENT_CHANGED")
  })

  it("changes nothing when repeated, also without an index and with an edited text", () => {
    const edited = done(approve(three, { variationIndex: 1, bodyText: "mine" }))
    for (const state of [approved, edited, done(Draft.enqueued(edited, "queued")), done(Draft.sending(edited))]) {
      for (const choice of [{}, { variationIndex: 1 }, { bodyText: state.selectedBodyText ?? "" }]) {
        const again = Result.getOrThrow(approve(state, choice))
        assert.isFalse(again.changed)
        assert.strictEqual(again.state, state)
      }
    }
  })

  it("switches to another variation and cancels a waiting queue item", () => {
    const waiting = done(Draft.enqueued(approved, "waiting_relation"))
    const switched = Result.getOrThrow(approve(waiting, { variationIndex: 0 }))
    assert.isTrue(switched.changed && switched.cancelsQueueItem)
    assert.deepEqual(switched.state, { ...approved, selectedIndex: 0, selectedBodyText: "a" })
    assert.strictEqual(codeOf(approve(done(Draft.sending(approved)), { variationIndex: 0 })), "DRAFT_IN_FLIGHT")
  })
})

describe("update, cancel and withdrawApproval", () => {
  it("takes the approval back only when text or recipient change", () => {
    const waiting = done(Draft.enqueued(approved, "queued"))
    assert.isFalse(Result.getOrThrow(Draft.update(waiting, { variations: ["a", "b", "c"] })).changed)
    assert.isFalse(Result.getOrThrow(Draft.update(waiting, {})).changed)
    for (const input of [{ variations: ["a", "b"] }, { leadChanged: true }]) {
      const change = Result.getOrThrow(Draft.update(waiting, input))
      assert.isTrue(change.changed && change.clearsApproval && change.cancelsQueueItem)
      assert.deepEqual(
        [change.state.status, change.state.selectedIndex, change.state.selectedBodyText, change.state.queueState],
        ["PENDING_REVIEW", null, null, "cancelled"]
      )
    }
    assert.isFalse(Result.getOrThrow(Draft.update(three, { leadChanged: true })).clearsApproval)
    assert.strictEqual(codeOf(Draft.update(three, { variations: ["1", "2", "3", "4"] })), "INVALID_INPUT")
    assert.strictEqual(codeOf(Draft.create(["1", "2", "3", "4"])), "INVALID_INPUT")
  })

  it("refuses while sending, while the outcome is unknown, and after the end", () => {
    const states = {
      DRAFT_IN_FLIGHT: done(Draft.sending(approved)),
      SEND_OUTCOME_UNKNOWN: done(Draft.ambiguous(done(Draft.sending(approved)))),
      DRAFT_FINAL: done(Draft.dispatched(done(Draft.sending(approved))))
    }
    for (const [code, state] of Object.entries(states)) {
      assert.strictEqual(codeOf(Draft.update(state, { variations: [] })), code)
      assert.strictEqual(codeOf(Draft.cancel(state)), code)
      assert.strictEqual(codeOf(Draft.withdrawApproval(state)), code)
      assert.strictEqual(codeOf(Draft.sending(state)), code)
    }
    assert.strictEqual(codeOf(approve(states.SEND_OUTCOME_UNKNOWN, { variationIndex: 1 })), "SEND_OUTCOME_UNKNOWN")
  })

  it("keeps drafts under review when approvals are withdrawn", () => {
    assert.isFalse(Result.getOrThrow(Draft.withdrawApproval(three)).changed)
    assert.deepEqual(done(Draft.withdrawApproval(approved)), three)
  })
})

describe("sending", () => {
  it("sends nothing that is not approved", () => {
    const operations = [Draft.sending, Draft.dispatched, Draft.dispatchFailed, Draft.ambiguous]
    for (const operation of operations) assert.strictEqual(codeOf(operation(three)), "WRONG_STATE")
    assert.strictEqual(codeOf(Draft.enqueued(three, "queued")), "WRONG_STATE")
  })

  it("goes back to review after a failure, and settles an unknown outcome both ways", () => {
    const unknown = done(Draft.ambiguous(done(Draft.sending(approved))))
    assert.strictEqual(done(Draft.dispatched(unknown)).status, "DISPATCHED")
    const failed = Result.getOrThrow(Draft.dispatchFailed(unknown))
    assert.isTrue(failed.clearsApproval)
    assert.deepEqual(failed.state, { ...three, queueState: "failed" })
    assert.strictEqual(done(approve(failed.state, { variationIndex: 0 })).queueState, null)
  })
})

describe("any sequence of operations", () => {
  type Step = (state: DraftState) => Result.Result<Draft.DraftChange, Failure>
  const texts = fc.array(fc.constantFrom("a", "b", " ", "c"), { maxLength: 4 })
  const choice = fc.record(
    {
      variationIndex: fc.integer({ min: -1, max: 3 }),
      bodyText: fc.constantFrom("x", " "),
      contentHash: fc.constantFrom(hash, "old")
    },
    { requiredKeys: [] }
  )
  const step: fc.Arbitrary<readonly [name: string, run: Step]> = fc.oneof(
    { weight: 3, arbitrary: choice.map((c) => ["approve", (s: DraftState) => approve(s, c)] as const) },
    texts.map((variations) => ["update", (s: DraftState) => Draft.update(s, { variations })] as const),
    fc.constant(["enqueue", (s: DraftState) => Draft.enqueued(s, "queued")] as const),
    fc.constant(["send", Draft.sending] as const),
    fc.constant(["dispatched", Draft.dispatched] as const),
    fc.constant(["failed", Draft.dispatchFailed] as const),
    fc.constant(["ambiguous", Draft.ambiguous] as const),
    fc.constant(["withdraw", Draft.withdrawApproval] as const),
    fc.constant(["cancel", Draft.cancel] as const)
  )

  it("keeps the invariants of a draft", () => {
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 12 }), (first, steps) => {
        const start = Draft.create(first)
        if (Result.isFailure(start)) return assert.isAbove(first.length, 3)
        let state = start.success
        for (const [name, run] of steps) {
          const result = run(state)
          const final = state.status === "DISPATCHED" || state.status === "CANCELLED"
          if (final) assert.strictEqual(codeOf(result), "DRAFT_FINAL")
          if (Result.isFailure(result)) continue
          const { state: next, changed, clearsApproval, cancelsQueueItem } = result.success
          const before = state
          const waited = before.queueState === "queued" || before.queueState === "waiting_relation"
          assert.strictEqual(clearsApproval, before.status === "READY_TO_SEND" && next.status === "PENDING_REVIEW")
          if (cancelsQueueItem) assert.isTrue(waited)
          if (!changed) assert.strictEqual(next, before)
          if (next.status === "PENDING_REVIEW") {
            assert.deepEqual([next.selectedIndex, next.selectedBodyText], [null, null])
            assert.notInclude(["queued", "waiting_relation", "sending", "ambiguous"], next.queueState)
          }
          if (next.status === "READY_TO_SEND") assert.match(next.selectedBodyText ?? "", /\S/)
          if (next.status === "DISPATCHED") assert.strictEqual(name, "dispatched")
          if (next.queueState === "sending" || next.queueState === "ambiguous")
            assert.strictEqual(next.status, "READY_TO_SEND")
          state = next
        }
      }),
      { numRuns: effort(2_000) }
    )
  })
})
