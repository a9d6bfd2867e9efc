/** `svc drafts review` against a running service. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Terminal from "effect/Terminal"
import * as TestClock from "effect/testing/TestClock"
import { readItem } from "#cli/review/readItem.ts"
import { type Edit, review } from "#cli/review/reviewLoop.ts"
import { run as runCommand } from "#cli/review/run.ts"
import { objectsOf, remoteTarget, type Target } from "#cli/Target.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

const named = new Set(["left", "right", "up", "down", "return", "enter", "escape", "backspace", "pagedown"])

describe("a review against a service", { timeout: 120_000 }, () => {
  let server: RunningSvc
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_SEND_HOLD_SECONDS: "3600" }
    })
  })
  afterAll(() => server.stop())

  const service = (): Target =>
    remoteTarget("server", server.url, { key: Redacted.make(String(server.ready["api_key"])), source: "test" })

  interface Pressing {
    readonly edit?: Edit
    /** Default spring-outreach; empty for all. */
    readonly mission?: string
    readonly target?: Target
    /** Milliseconds between keys; by default each waits until the last was answered, and for the reading time. */
    readonly every?: number
  }

  /** Reviews with these keys; returns the decisions and the screens. */
  const reviewing = (names: ReadonlyArray<string>, { edit, every, mission, target }: Pressing = {}) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const screens: Array<string> = []
      const drawn = yield* Queue.unbounded<string>()
      const input = yield* Queue.make<Terminal.UserInput, Cause.Done>()
      const terminal = Terminal.make({
        columns: Effect.succeed(100),
        rows: Effect.succeed(40),
        size: Effect.die("unused"),
        readInput: Effect.succeed(input),
        readLine: Effect.die("unused"),
        display: (text) => {
          screens.push(text)
          return Effect.asVoid(Queue.offer(drawn, text))
        }
      })
      const settled = Effect.gen(function* () {
        while ((yield* Queue.take(drawn)).includes("continues in")) yield* TestClock.adjust("10 seconds")
      })
      const typing = Effect.gen(function* () {
        yield* settled
        for (const name of names) {
          yield* TestClock.adjust(every ?? 300)
          yield* Queue.offer(input, {
            input: named.has(name) ? Option.none() : Option.some(name),
            key: { name, ctrl: false, meta: false, shift: false }
          })
          if (every === undefined && name !== "q") yield* settled
        }
      })
      yield* Effect.forkChild(typing)
      const decisions = yield* Effect.provideService(
        review(
          target ?? service(),
          mission === "" ? undefined : (mission ?? "spring-outreach"),
          edit ?? (() => Effect.undefined),
          false
        ),
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

  it.effect("keys typed ahead at 20 a second approve nothing", () =>
    Effect.gen(function* () {
      const { decisions } = yield* reviewing([..."a".repeat(60), "q"], { every: 50 })
      assert.deepStrictEqual(decisions, [])
    })
  )

  it.effect("a mission that does not exist is an error", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(reviewing(["q"], { mission: "nope" }))
      assert.strictEqual(failure.code, "NOT_FOUND")
    })
  )

  it.effect("a read that is refused keeps the draft, and a rate limit is waited for", () =>
    Effect.gen(function* () {
      const target = service()
      const replies = [
        { status: 503, body: { error: { code: "UNAVAILABLE", message: "The database is away." } } },
        { status: 429, retryAfter: 7, body: { error: { code: "RATE_LIMITED", message: "Too many requests." } } }
      ]
      const send: Target["send"] = (request) => {
        const reply = request.path.includes("review.get") ? replies.shift() : undefined
        return reply === undefined ? target.send(request) : Effect.succeed(reply)
      }
      const { screens } = yield* reviewing(["l", "q"], { target: { ...target, send } })
      const [away, limited, read] = screens
      assert.include(away ?? "", "The database is away. The item stays in the queue")
      assert.include(limited ?? "", "continues in 7 s")
      assert.match(read ?? "", /1 of 3[\s\S]+characters/)
    })
  )

  it.effect("names person and account before it sends, and sends nothing without y", () =>
    Effect.gen(function* () {
      const { decisions, screens } = yield* reviewing(["A", "a", "q"])
      assert.deepStrictEqual(decisions, [])
      assert.match(screens.join("\n"), /Send to \w+ \w+, .* now, from the LinkedIn account Ada Martin/s)
    })
  )

  it.effect("edits, approves what was read, undoes it, rejects with a reason, snoozes and flags", () =>
    Effect.gen(function* () {
      const edits: Array<string> = []
      const edit: Edit = (text) =>
        Effect.sync(() => {
          edits.push(text)
          return `${text} Edited.`
        })
      const keys = ["e", "a", "z", "a", "f", "x", ..."Gone", "return", "z", "x", ..."No", "return", "h", "3", "z", "q"]
      const { decisions, screens } = yield* reviewing(keys, { edit })
      assert.strictEqual(edits.length, 1)
      assert.deepStrictEqual(
        decisions.map(({ kind }) => kind),
        ["approved", "rejected"]
      )
      const [approved, rejected] = decisions
      const first = yield* Effect.promise(() => statusOf(approved?.item.id ?? ""))
      assert.strictEqual(first.status, "READY_TO_SEND")
      assert.strictEqual(first.selected_body_text, `${edits[0]} Edited.`)
      const second = yield* Effect.promise(() => statusOf(rejected?.item.id ?? ""))
      assert.strictEqual(second.status, "CANCELLED")
      const seen = screens.join("\n")
      for (const status of [
        "Draft saved.",
        "no longer approved",
        "Flagged.",
        "⚑ ",
        "Reject, because: Gone",
        "no longer rejected",
        "Snooze for 1, 3 or 7 days?",
        "snoozed. Press z to undo.",
        "no longer snoozed"
      ])
        assert.include(seen, status)
      assert.match(seen, /: approved\. (Leaves|It waits)/)
    })
  )

  const does = (id: string, input: object, target = service()) => runCommand(target, { id, input })

  it.effect(
    "emails and approval requests are in the same queue; approving them, which nothing undoes, takes a twice",
    () =>
      Effect.gen(function* () {
        const account = { provider: "SMTP", email: "ben@sender.example" }
        yield* does("agent.create", { first_name: "Ben", last_name: "Berg", email_accounts: [account] })
        const names = { name: "Mails", handle: "mails", agent_handle: "ben-berg" }
        yield* does("mission.create", { ...names, email_review_strategy: "MANUAL" })
        const { lead_id } = yield* does("lead.upsert", { email: "mail@example.com", name: "Mary Mail" })
        for (const body_text of ["Hello Mary", "Hello again"]) {
          yield* does("email.send", { lead_id, mission_id: "mails", subject: "Invoices", body_text })
        }
        const { api_key, key } = yield* does("key.create", { name: "Ben's script", user_id: "usr_ben" })
        yield* does("policy.set", { key_id: Object(key).key_id, mutate: "ask" })
        const script = remoteTarget("server", server.url, { key: Redacted.make(String(api_key)), source: "test" })
        const offer = { name: "Held offer", one_liner: "First line", value_proposition: "Two" }
        assert.isTrue((yield* does("offer.create", offer, script))["approval_required"])
        const toEmails = ["/", ..."Hello Mary", "return"]
        const keys = [...toEmails, "e", "A", "r", "h", "f", "a", "k", "k", ...toEmails, "a", "a"]
        const rest = [
          "/",
          ..."Hello again",
          "return",
          "x",
          ..."Twice",
          "return",
          "/",
          ..."Create an",
          "return",
          "a",
          "a",
          "q"
        ]
        const { decisions, screens } = yield* reviewing([...keys, ...rest], { mission: "" })
        assert.deepStrictEqual(
          decisions.map(({ kind, undo }) => [kind, undo]),
          [
            ["approved", undefined],
            ["rejected", undefined],
            ["approved", undefined]
          ]
        )
        const seen = screens.join("\n")
        for (const text of [
          "Only messages can be edited.",
          "Only messages can be sent at once.",
          "That can't be done with this kind of item.",
          "This can't be undone. Press a again to approve it.",
          "Subject: Invoices",
          "Email, from Ben Berg, for Mails",
          "Approval request, of Ben's script, expires",
          "One liner: First line"
        ]) {
          assert.include(seen, text)
        }
        const { emails } = yield* does("email.list", {})
        const stateOf = (text: string) => objectsOf(emails).find(({ body_text }) => body_text === text)?.["state"]
        assert.include(["queued", "sending", "sent"], stateOf("Hello Mary"))
        assert.strictEqual(stateOf("Hello again"), "rejected")
        // What a policy holds is not said to be approved.
        const { draft: asked } = yield* does("linkedin.draft.create", {
          lead_id,
          agent_handle: "ben-berg",
          variations: ["Held text."]
        })
        const held = yield* reviewing(["/", ..."Held text", "return", "a", "q"], { mission: "", target: script })
        assert.deepStrictEqual([held.decisions[0]?.undo, Object(asked).status], [undefined, "PENDING_REVIEW"])
        assert.include(held.screens.join("\n"), "approved. A policy asks another person to approve it first.")
        const { offers } = yield* does("offer.list", {})
        assert.include(
          objectsOf(offers).map(({ name }) => name),
          "Held offer"
        )
      })
  )

  it.effect(
    "what somebody else changed meanwhile is beside what was written or read, and nothing is saved over it unasked",
    () =>
      Effect.gen(function* () {
        const { lead_id } = yield* does("lead.upsert", {
          name: "Cora Flict",
          linkedin_url: "https://www.linkedin.com/in/cora-flict"
        })
        const made = yield* does("linkedin.draft.create", {
          lead_id,
          agent_handle: "ada-martin",
          variations: ["First."]
        })
        const { draft_id } = Object(made["draft"])
        const textNow = Effect.map(
          does("linkedin.draft.get", { draft_id }),
          ({ draft }) => Object(draft).variations[0].body_text
        )
        const theirs = ["Second.", "Third.", "Fourth."]
        const change = Effect.suspend(() => does("linkedin.draft.update", { draft_id, variations: [theirs.shift()] }))
        const edit: Edit = () => Effect.as(Effect.orDie(change), "Mine.")
        const target = service()
        let approvals = 0
        const send: Target["send"] = (request) =>
          request.path.endsWith("linkedin.draft.approve") && approvals++ === 0
            ? Effect.andThen(Effect.orDie(change), target.send(request))
            : target.send(request)
        const keys = ["/", ..."Cora", "return", "e", "l", "e", "m", "a", "l", "q"]
        const { decisions, screens } = yield* reviewing(keys, { mission: "", edit, target: { ...target, send } })
        assert.deepStrictEqual(decisions, [])
        const seen = screens.filter((screen) => screen.includes("What it says now"))
        assert.match(seen[0] ?? "", /What you wrote +What it says now\s+Mine\. +Second\./)
        assert.match(seen[1] ?? "", /Mine\. +Third\./)
        assert.match(seen[2] ?? "", /What you read +What it says now\s+Mine\. +Fourth\./)
        assert.include(seen[2] ?? "", "Nothing was decided.")
        assert.strictEqual(yield* textNow, "Fourth.")
      })
  )

  it.effect("what a claim rests on, and who wrote it with which program and model, is beside the text", () =>
    Effect.gen(function* () {
      const { lead_id } = yield* does("lead.upsert", { name: "Ori Gin", email: "ori@example.com", company: "Initech" })
      const text = "Hello Ori, Initech grows."
      const evidence = [
        { claim: "Initech grows", references: ["lead.company", "notes.none"] },
        { claim: "Hello Ori", references: ["lead.name"] }
      ]
      const made = yield* does("linkedin.draft.create", {
        lead_id,
        agent_handle: "ada-martin",
        variations: [text],
        evidence,
        model: "writer-4"
      })
      const { draft_id } = Object(made["draft"])
      yield* does("linkedin.draft.update", { draft_id, variations: ["Hello, Initech grows."] })
      const item = yield* readItem(service(), draft_id)
      const beside = item?.beside ?? []
      assert.include(beside, '• "Initech grows" — lead.company: Initech — notes.none: not known')
      assert.include(beside, '• "Hello Ori" (no longer in the text) — lead.name: Ori Gin')
      const history = beside.slice(beside.indexOf("History") + 1)
      assert.lengthOf(history, 2)
      assert.match(history[0] ?? "", /^• Created by .+ \(model writer-4\) /)
      assert.match(history[1] ?? "", /^• Updated by /)
    })
  )

  it("needs a terminal", async () => {
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const ran = await svc(["drafts", "review"], { env })
    assert.strictEqual(ran.code, 2)
    assert.include(ran.stderr, "needs a terminal")
  })
})
