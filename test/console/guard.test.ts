/** Which key presses approve: the safety rules of the review page, as a function. */
import { assert, describe, it } from "@effect/vitest"
import { verdictOf } from "#console/draft/guard.ts"

const target = { itemId: "drf_1", contentHash: "hash", variation: 0 }
const read: Parameters<typeof verdictOf>[0] = {
  at: 1300,
  isRepeat: false,
  target,
  shown: { ...target, at: 1000 },
  isReviewable: true,
  isSaving: false,
  isRead: true,
  hasErrors: false,
  confirmedAt: undefined
}

describe("a key press that approves", () => {
  it("approves a text that was shown for 300 ms, and not a millisecond less", () => {
    assert.strictEqual(verdictOf(read), "approve")
    assert.strictEqual(verdictOf({ ...read, at: 1299 }), "ignore")
  })

  it("is ignored before the text came, and while the key repeats", () => {
    assert.strictEqual(verdictOf({ ...read, at: 900 }), "ignore")
    assert.strictEqual(verdictOf({ ...read, isRepeat: true }), "ignore")
    assert.strictEqual(verdictOf({ ...read, target: undefined }), "loading")
    assert.strictEqual(verdictOf({ ...read, shown: undefined }), "ignore")
  })

  it("is ignored when another item, text or variation is on the screen", () => {
    for (const other of [{ itemId: "drf_2" }, { contentHash: "changed" }, { variation: 1 }]) {
      assert.strictEqual(verdictOf({ ...read, target: { ...target, ...other } }), "ignore")
    }
  })

  it("approves an error only after a second press, 300 ms after the first", () => {
    const wrong = { ...read, hasErrors: true }
    assert.strictEqual(verdictOf(wrong), "confirm")
    assert.strictEqual(verdictOf({ ...wrong, confirmedAt: 1001 }), "ignore")
    assert.strictEqual(verdictOf({ ...wrong, confirmedAt: 1000 }), "approve")
  })

  it("approves nothing that is unsaved, not read to its end, or not in review", () => {
    assert.strictEqual(verdictOf({ ...read, isSaving: true }), "saving")
    assert.strictEqual(verdictOf({ ...read, isRead: false }), "scroll")
    assert.strictEqual(verdictOf({ ...read, isReviewable: false }), "closed")
  })
})
