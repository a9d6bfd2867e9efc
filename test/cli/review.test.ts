/** `svc drafts review`: keys, screen, and the loop against a running service. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as Cause from "effect/Cause"
import { displayWidth } from "effect/cli/CliOutput"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Terminal from "effect/Terminal"
import * as fc from "fast-check"
import { decided, type PressedKey, press, type ReviewState, undone } from "#cli/review/ReviewState.ts"
import { renderReview, wrap } from "#cli/review/renderReview.ts"
import { type Edit, review } from "#cli/review/reviewLoop.ts"
import { remoteTarget } from "#cli/Target.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

const key = (name: string, ctrl = false): PressedKey => ({ name, ctrl })

const state = (change: Partial<ReviewState> = {}): ReviewState => ({
  waiting: ["drf_1", "drf_2"],
  at: 0,
  draft: {
    draftId: "drf_1",
    lead: "Ada",
    about: "",
    variations: ["one", "two", "three"],
    findings: [],
    contentHash: "h"
  },
  selected: 0,
  decisions: [],
  status: "",
  confirming: false,
  ...change
})

describe("keys of a review", () => {
  it("choose, move, and never leave the list", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("1", "2", "9", "left", "right", "n", "p", "up", "down", "z", "u"), { maxLength: 30 }),
        (names) => {
          let now = state()
          for (const name of names) {
            const [next] = press(now, key(name))
            now = next.draft === undefined ? { ...next, draft: state().draft } : next
            assert.isTrue(now.at >= 0 && now.at < 2 && now.selected >= 0 && now.selected < 3)
          }
        }
      )
    )
  })

  it("cancel only when x was pressed twice in a row", () => {
    const [confirming, nothing] = press(state(), key("x"))
    assert.strictEqual(nothing, "none")
    assert.strictEqual(press(confirming, key("x"))[1], "cancel")
    const [kept] = press(confirming, key("right"))
    assert.strictEqual(press(kept, key("x"))[1], "none")
  })

  it("approve nothing that was not read", () => {
    for (const name of ["a", "return", "e", "x"])
      assert.strictEqual(press(state({ draft: undefined }), key(name))[1], "none")
    assert.strictEqual(press(state(), key("c", true))[1], "quit")
    assert.strictEqual(press(state(), key("a", true))[1], "none")
  })

  it("a decision takes the draft out, and taking it back puts it where it was", () => {
    const decision = { kind: "approved", draftId: "drf_1", lead: "Ada", queueId: "que_1" } as const
    const after = decided(state(), decision)
    assert.deepStrictEqual(after.waiting, ["drf_2"])
    assert.deepStrictEqual(undone(after, decision).waiting, ["drf_1", "drf_2"])
  })
})

describe("the screen of a review", () => {
  it("fits its window and holds nothing that moves a cursor, whatever the texts are", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.constant("\u001b[2Jevil \u202Etext\r\nand more")
    )
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 3 }),
        text,
        fc.integer({ min: 30, max: 160 }),
        fc.integer({ min: 14, max: 50 }),
        (variations, lead, columns, rows) => {
          const draft = { draftId: "drf_1", lead, about: lead, variations, findings: [lead], contentHash: "h" }
          const lines = renderReview(state({ draft }), { columns, rows, color: false }).split("\n")
          assert.isAtMost(lines.length, rows)
          for (const line of lines) {
            assert.isAtMost(displayWidth(line), columns)
            assert.notMatch(line, /\p{C}/u)
          }
        }
      )
    )
  })

  it("shows variations beside each other where there is room, and below each other where not", () => {
    const wide = renderReview(state(), { columns: 120, rows: 40, color: false })
    assert.match(wide, /^▶ 1 .* 2 .* 3 /m)
    const narrow = renderReview(state(), { columns: 40, rows: 40, color: false })
    assert.notMatch(narrow, /^▶ 1 .* 2 /m)
    assert.deepStrictEqual(wrap("one two three", 7), ["one two", "three"])
  })
})

describe("a review against a service", { timeout: 120_000 }, () => {
  let server: RunningSvc
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_SEND_HOLD_SECONDS: "3600" }
    })
  })
  afterAll(() => server.stop())

  /** Reviews with these keys; answers the decisions and the screens. */
  const reviewing = (names: ReadonlyArray<string>, edit: Edit) =>
    Effect.gen(function* () {
      const screens: Array<string> = []
      const input = yield* Queue.make<Terminal.UserInput, Cause.Done>()
      for (const name of names) {
        yield* Queue.offer(input, { input: Option.some(name), key: { name, ctrl: false, meta: false, shift: false } })
      }
      const terminal = Terminal.make({
        columns: Effect.succeed(100),
        rows: Effect.succeed(40),
        size: Effect.die("unused"),
        readInput: Effect.succeed(input),
        readLine: Effect.die("unused"),
        display: (text) => Effect.sync(() => void screens.push(text))
      })
      const apiKey = { key: Redacted.make(String(server.ready["api_key"])), source: "test" }
      const decisions = yield* Effect.provideService(
        review(remoteTarget("server", server.url, apiKey), "spring-outreach", edit, false),
        Terminal.Terminal,
        terminal
      )
      return { decisions, screens }
    })

  const statusOf = async (draftId: string) => {
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const { data } = Object(oneJson(await svc(["linkedin", "draft", "get", draftId, "--json"], { env })))
    return Object(data).draft
  }

  it.effect("edits, approves what was read, takes it back, cancels, and says what it did", () =>
    Effect.gen(function* () {
      const edits: Array<string> = []
      const edit: Edit = (text) =>
        Effect.sync(() => {
          edits.push(text)
          return `${text} Edited.`
        })
      const { decisions, screens } = yield* reviewing(["e", "a", "u", "a", "x", "z", "x", "x", "q"], edit)
      assert.strictEqual(edits.length, 1)
      assert.deepStrictEqual(
        decisions.map(({ kind }) => kind),
        ["approved", "cancelled"]
      )
      const [approved, cancelled] = decisions
      const first = yield* Effect.promise(() => statusOf(approved?.draftId ?? ""))
      assert.strictEqual(first.status, "READY_TO_SEND")
      assert.strictEqual(first.selected_body_text, `${edits[0]} Edited.`)
      const second = yield* Effect.promise(() => statusOf(cancelled?.draftId ?? ""))
      assert.strictEqual(second.status, "CANCELLED")
      const seen = screens.join("\n")
      for (const status of ["Draft saved.", "approval undone", "Press x again", "Draft kept."])
        assert.include(seen, status)
    })
  )

  it.effect("says a refusal and reads the draft anew", () =>
    Effect.gen(function* () {
      const edit: Edit = () => Effect.succeed("   ")
      const { screens } = yield* reviewing(["e", "u", "q"], edit)
      assert.match(screens.join("\n"), /body_text|variations/)
    })
  )

  it("needs a terminal", async () => {
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const ran = await svc(["drafts", "review"], { env })
    assert.strictEqual(ran.code, 2)
    assert.include(ran.stderr, "needs a terminal")
  })
})
