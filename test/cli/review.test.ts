/** `svc drafts review`: keys and screen. */
import { assert, describe, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import * as fc from "fast-check"
import { exactLines } from "#cli/review/exactText.ts"
import { type PressedKey, press } from "#cli/review/pressKey.ts"
import { decided, lastUndoable, type ReviewedItem, type ReviewState, reading, undone } from "#cli/review/ReviewState.ts"
import { drawReview, wrap } from "#cli/review/renderReview.ts"
import { effort } from "../support/effort.ts"

const named = new Set(["left", "right", "up", "down", "return", "enter", "escape", "backspace", "pagedown"])

/** A key that arrives when everything has been on the screen for long. */
const key = (name: string, change: Partial<PressedKey> = {}): PressedKey => ({
  name,
  text: named.has(name) ? "" : name,
  ctrl: false,
  at: 10_000,
  isFollowed: false,
  ...change
})

const drafted: ReviewedItem = {
  itemId: "drf_1",
  kind: "message",
  lead: "Ada",
  about: "",
  above: [],
  variations: ["one", "two", "three"],
  findings: [],
  beside: [],
  agentHandle: "ada-martin",
  flagged: false,
  maxCharacters: 8_000,
  contentHash: "h",
  profileUrl: "https://www.linkedin.com/in/grace"
}

const state = (change: Partial<ReviewState> = {}): ReviewState => ({
  waiting: [
    { id: "drf_1", label: "Ada Lovelace, Engines" },
    { id: "drf_2", label: "Grace Hopper, Compilers" }
  ],
  at: 0,
  item: drafted,
  selected: 0,
  scroll: 0,
  view: { sideBySide: true, below: 0, page: 10 },
  shownAt: 0,
  decisions: [],
  mode: reading,
  query: "",
  status: "",
  ...change
})

const none = { _tag: "None" } as const
const approval = { _tag: "Approve" } as const

const keysOf = (now: ReviewState, ...names: ReadonlyArray<string>): ReviewState =>
  names.reduce((at, name) => {
    const [next] = press(at, key(name))
    return { ...next, shownAt: next.shownAt ?? 0 }
  }, now)

describe("keys of a review", () => {
  it("choose, move, and never leave the list", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("1", "2", "9", "left", "right", "j", "k", "up", "down", " ", "z"), { maxLength: 30 }),
        (names) => {
          let now = state()
          for (const name of names) {
            const [next] = press(now, key(name))
            now = next.item === undefined ? { ...next, item: drafted } : next
            assert.isTrue(now.at >= 0 && now.at < 2 && now.selected >= 0 && now.selected < 3 && now.scroll >= 0)
          }
        }
      )
    )
  })

  it("reject and send back only with a text, and snooze only for a choice", () => {
    const words = [..."No budget"].map((sign) => (sign === " " ? " " : sign))
    for (const [name, tag] of [
      ["x", "Reject"],
      ["r", "Rewrite"]
    ] as const) {
      assert.deepStrictEqual(press(keysOf(state(), name, ...words), key("return"))[1], { _tag: tag, text: "No budget" })
      assert.deepStrictEqual(press(keysOf(state(), name), key("return"))[1], none)
      assert.deepStrictEqual(keysOf(state(), name, "a", "escape").mode, reading)
    }
    assert.deepStrictEqual(press(keysOf(state(), "h"), key("3"))[1], { _tag: "Snooze", days: 3 })
    assert.deepStrictEqual(press(keysOf(state(), "h"), key("2"))[1], none)
  })

  it("approve with a, and never with Enter", () => {
    assert.deepStrictEqual(press(state(), key("a"))[1], approval)
    for (const name of ["return", "enter"]) assert.deepStrictEqual(press(state(), key(name))[1], none)
    assert.deepStrictEqual(press(state(), key("a", { ctrl: true }))[1], none)
    assert.deepStrictEqual(press(state(), key("c", { ctrl: true }))[1], { _tag: "Quit" })
  })

  it("decide nothing about a draft that is not on the screen, or was not for 300 milliseconds", () => {
    for (const name of ["a", "A", "x", "r", "h", "f", "e"]) {
      assert.deepStrictEqual(press(state({ item: undefined }), key(name))[1], none)
    }
    for (const name of ["a", "A", "x", "r", "h", "f"]) {
      for (const [change, at] of [
        [{ shownAt: undefined }, 10_000],
        [{ shownAt: 1_000 }, 999],
        [{ shownAt: 1_000 }, 1_299]
      ] as const) {
        const [next, what] = press(state(change), key(name, { at }))
        assert.deepStrictEqual([what, next.mode], [none, reading], `${name} ${JSON.stringify(change)}`)
      }
    }
    assert.deepStrictEqual(press(state({ shownAt: 1_000 }), key("a", { at: 1_300 }))[1], approval)
  })

  it("decide nothing while more input waits, as when a text is pasted", () => {
    assert.deepStrictEqual(press(state(), key("a", { isFollowed: true }))[1], none)
  })

  it("decide nothing when held down: each repeated key starts the reading time again", () => {
    let now = state({ shownAt: 1_000 })
    for (let at = 1_050; at < 5_000; at += 50) {
      const [next, what] = press(now, key("a", { at }))
      assert.deepStrictEqual(what, none)
      now = next
    }
  })

  it("approve a text with errors only on a second key, and one that continues below only after its end", () => {
    const finding = { severity: "error", message: "A placeholder.", hint: "", variation: 1 }
    const withError = state({ item: { ...drafted, findings: [finding] } })
    assert.deepStrictEqual(press(withError, key("a"))[1], approval)
    const [asked, nothing] = press({ ...withError, selected: 1 }, key("a"))
    assert.deepStrictEqual(nothing, none)
    assert.include(asked.status, "an error. Press a again")
    assert.deepStrictEqual(press(asked, key("a"))[1], none, "the question was not on the screen")
    assert.deepStrictEqual(press({ ...asked, shownAt: 0 }, key("a"))[1], approval)
    const [further, still] = press(state({ view: { sideBySide: true, below: 4, page: 10 } }), key("a"))
    assert.deepStrictEqual([further.scroll, still, further.shownAt], [4, none, undefined])
  })

  it("want a variation read that was not beside the others", () => {
    assert.strictEqual(press(state(), key("2"))[0].shownAt, 0)
    const narrow = state({ view: { sideBySide: false, below: 0, page: 10 } })
    assert.isUndefined(press(narrow, key("2"))[0].shownAt)
  })

  it("search the labels, and say when nothing is found", () => {
    assert.strictEqual(keysOf(state(), "/", ..."hopp", "return").at, 1)
    const none = keysOf(state(), "/", "z", "z", "z", "backspace", "return")
    assert.deepStrictEqual([none.at, none.status], [0, 'Nothing contains "zz".'])
  })

  it("a decision takes the draft out, and undoing puts it where it was: the last decision that can be undone", () => {
    const [first, second] = state().waiting
    assert(first !== undefined && second !== undefined)
    const undo = { id: "linkedin.draft.reopen", input: {} }
    const approved = { kind: "approved", item: first, lead: "Ada", note: "", undo } as const
    const after = decided(state(), approved)
    assert.deepStrictEqual(after.waiting, [second])
    const sent = { kind: "sent", item: second, lead: "Grace", note: "", undo: undefined } as const
    const both = decided(after, sent)
    assert.strictEqual(lastUndoable(both), approved)
    assert.deepStrictEqual(undone(both, approved).waiting, [first])
    assert.deepStrictEqual(undone(after, approved).waiting, [first, second])
  })
})

const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"

describe("the screen of a review", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constant("\u001b[2Jevil \u202Etext\r\nand more")
  )
  const modes = fc.constantFrom<ReviewState["mode"]>(
    reading,
    { _tag: "Help" },
    { _tag: "Lead" },
    { _tag: "Typing", what: "reject", text: "a" },
    { _tag: "Snoozing" },
    { _tag: "Conflict", left: "a\nb", isMine: true },
    { _tag: "Confirming", what: "approve" }
  )

  it("fits its window and holds nothing that moves a cursor, whatever the texts are", () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 3 }),
        text,
        modes,
        fc.integer({ min: 30, max: 160 }),
        fc.integer({ min: 14, max: 50 }),
        (variations, lead, mode, columns, rows) => {
          const findings = [{ severity: "error", message: lead, hint: lead, variation: 0 }]
          const item = { ...drafted, lead, about: lead, above: [lead], variations, findings, beside: [lead, lead] }
          const lines = drawReview(state({ item, mode, status: lead }), { columns, rows, color: false }).text.split(
            "\n"
          )
          assert.isAtMost(lines.length, rows)
          for (const line of lines) {
            assert.isAtMost(displayWidth(line), columns)
            assert.notMatch(line.replaceAll(/\p{Extended_Pictographic}[\u200D\uFE0F]/gu, ""), /\p{C}/u)
          }
        }
      )
    )
  })

  it("leaves nothing out of findings and texts: what does not fit is reached by scrolling", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 14, max: 40 }), (count, rows) => {
        const findings = Array.from({ length: count }, (_, at) => ({
          severity: "warning",
          message: `finding-${at}.`,
          hint: "",
          variation: undefined
        }))
        let now = state({ item: { ...drafted, findings, variations: ["the end"] } })
        const seen: Array<string> = []
        for (let page = 0; page < 100; page++) {
          const { scroll, text: shown, view } = drawReview(now, { columns: 60, rows, color: false })
          seen.push(shown)
          if (view.below === 0) break
          const [next] = press({ ...now, scroll, view, shownAt: 0 }, key("a"))
          now = next
        }
        const all = seen.join("\n")
        for (let at = 0; at < count; at++) assert.include(all, `finding-${at}.`)
        assert.include(seen.at(-1) ?? "", "the end")
      }),
      { numRuns: effort(30) }
    )
  })

  it("shows variations beside each other where there is room, and the chosen one alone where not", () => {
    const wide = drawReview(state(), { columns: 120, rows: 40, color: false })
    assert.match(wide.text, /^▶ 1 .* 2 .* 3 /m)
    const narrow = drawReview(state({ selected: 1 }), { columns: 40, rows: 40, color: false })
    assert.notMatch(narrow.text, /^▶ 2 .* 3 /m)
    assert.include(narrow.text, "two")
    assert.notMatch(narrow.text, /^three$/m)
    assert.deepStrictEqual(wrap("one two three", 7), ["one two", "three"])
  })

  it("never parts a key from what it does", () => {
    for (const columns of [40, 60, 80, 100]) {
      const shown = drawReview(state(), { columns, rows: 40, color: false }).text.split("\n")
      const foot = shown.slice(shown.findIndex((line) => line.startsWith("a approve")))
      const keys = foot.flatMap((line) => line.split("   ")).filter((key) => key !== "")
      for (const key of keys) assert.match(key, /^\S+ [a-z]+$/, `${columns} columns`)
      assert.include(keys, "j/k move")
    }
  })

  it("shows white space exactly, and never splits an emoji", () => {
    assert.deepStrictEqual(exactLines("a  b\n\n  c  ", 20), ["a  b", "", "  c··"])
    assert.deepStrictEqual(exactLines("one  two three", 8), ["one  two ", "three"])
    assert.deepStrictEqual(exactLines(`ab${family}`, 3), ["ab", family])
    assert.deepStrictEqual(exactLines("x\u202Ey\u200Bz", 20), ["x\ufffdy\ufffdz"])
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 4, max: 40 }), (given, width) => {
        fc.pre(!/\p{C}| $|[\u2028\u2029]/mu.test(given))
        const lines = exactLines(given, width)
        assert.strictEqual(lines.join(""), given)
        for (const line of lines) assert.isAtMost(displayWidth(line.trimEnd()), Math.max(width, 2))
      })
    )
  })
})
