/** `svc drafts review` against a running service. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Choice, type ReviewItem, review, shownItem } from "#cli/review/reviewLoop.ts"
import { callCommand, objectsOf, remoteTarget, type Target } from "#cli/Target.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { type RunningSvc, startSvc } from "../support/svcProcess.ts"

const approve: Choice = { _tag: "Approve", text: 0 }
const change: Choice = { _tag: "Edit", text: 0 }
const reject: Choice = { _tag: "Reject" }
const skip: Choice = { _tag: "Skip" }
const quit: Choice = { _tag: "Quit" }

describe("a review against a service", () => {
  let server: RunningSvc
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_SEND_HOLD_SECONDS: "3600" }
    })
  })
  afterAll(() => server.stop())

  const withKey = (key: unknown): Target =>
    remoteTarget("server", server.url, { key: Redacted.make(String(key)), source: "test" })
  const service = () => withKey(server.ready["api_key"])
  const does = (id: string, input: object, target = service()) => callCommand(target, id, input)

  interface Deciding {
    readonly target?: Target
    readonly mission?: string
    readonly edit?: (text: string) => Effect.Effect<string>
  }

  /** Decides on items that show a text, each with the next of its choices, and skips the others. */
  const deciding = (choices: Readonly<Record<string, Array<Choice>>>, { edit, mission, target }: Deciding = {}) =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const shown: Array<string> = []
      const choose = (item: ReviewItem, place: string) =>
        Effect.sync(() => {
          const text = shownItem(item, place, 100)
          shown.push(text)
          const found = Object.entries(choices).find(([part]) => text.includes(part))
          return found?.[1].shift() ?? skip
        })
      const counts = yield* review(target ?? service(), mission, {
        say: (text) => Effect.sync(() => void said.push(text)),
        choose,
        askReason: Effect.succeed("Not now"),
        edit: edit ?? Effect.succeed
      })
      return { counts, said, shown }
    })

  const drafted = Effect.fnUntraced(function* (name: string, text: string) {
    const linkedin_url = `https://www.linkedin.com/in/${name.toLowerCase().replaceAll(" ", "-")}`
    const { lead_id } = yield* does("lead.upsert", { name, linkedin_url })
    const { draft } = yield* does("linkedin.draft.create", { lead_id, agent_handle: "ada-martin", variations: [text] })
    return String(Object(draft).draft_id)
  })

  const draftOf = (draft_id: string) =>
    Effect.map(does("linkedin.draft.get", { draft_id }), ({ draft }) => Object(draft))

  it.effect("a mission that does not exist is an error", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(deciding({}, { mission: "nope" }))
      assert.strictEqual(failure.code, "NOT_FOUND")
    })
  )

  it.effect("shows every item of a mission once, and quits when asked", () =>
    Effect.gen(function* () {
      const all = yield* deciding({}, { mission: "spring-outreach" })
      assert.lengthOf(all.shown, 3)
      assert.match(all.shown[0] ?? "", /^\n1 of 3 {2}\w+ \w+, .*message, from Ada Martin/)
      assert.deepStrictEqual(all.counts, { approved: 0, rejected: 0 })
      const first = yield* deciding({ "1 of": [quit] }, { mission: "spring-outreach" })
      assert.lengthOf(first.shown, 1)
    })
  )

  it.effect("edits, approves what was read, and rejects with a reason", () =>
    Effect.gen(function* () {
      const kept = yield* drafted("Ada Kept", "Hello Ada.")
      const gone = yield* drafted("Bo Gone", "Hello Bo.")
      const { counts, shown } = yield* deciding(
        { "Ada Kept": [change, approve], "Bo Gone": [reject] },
        { edit: (text) => Effect.succeed(`${text} Edited.`) }
      )
      assert.deepStrictEqual(counts, { approved: 1, rejected: 1 })
      assert.include(shown.join("\n"), "Hello Ada. Edited.")
      const first = yield* draftOf(kept)
      assert.deepStrictEqual([first.status, first.selected_body_text], ["READY_TO_SEND", "Hello Ada. Edited."])
      assert.strictEqual((yield* draftOf(gone)).status, "CANCELLED")
    })
  )

  it.effect("decides on emails and approval requests in the same queue, and says what a policy holds", () =>
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
      const offer = { name: "Held offer", one_liner: "First line", value_proposition: "Two" }
      assert.isTrue((yield* does("offer.create", offer, withKey(api_key)))["approval_required"])
      const { counts, shown } = yield* deciding({
        "Hello Mary": [approve],
        "Hello again": [reject],
        "Held offer": [approve]
      })
      assert.deepStrictEqual(counts, { approved: 2, rejected: 1 })
      for (const text of ["Subject: Invoices", "First line"]) assert.include(shown.join("\n"), text)
      const { emails } = yield* does("email.list", {})
      const stateOf = (text: string) => objectsOf(emails).find(({ body_text }) => body_text === text)?.["state"]
      assert.include(["queued", "sending", "sent"], stateOf("Hello Mary"))
      assert.strictEqual(stateOf("Hello again"), "rejected")
      const { offers } = yield* does("offer.list", {})
      assert.include(
        objectsOf(offers).map(({ name }) => name),
        "Held offer"
      )
      const asked = yield* drafted("Cleo Held", "Held text.")
      const held = yield* deciding({ "Cleo Held": [approve] }, { target: withKey(api_key) })
      assert.include(held.said, "A policy asks another person to approve this first.")
      assert.strictEqual((yield* draftOf(asked)).status, "PENDING_REVIEW")
    })
  )

  it.effect("decides and saves nothing over what somebody else changed meanwhile, and keeps what was written", () =>
    Effect.gen(function* () {
      const draft_id = yield* drafted("Cora Flict", "First.")
      const theirs = ["Second.", "Third."]
      const changed = Effect.suspend(() => does("linkedin.draft.update", { draft_id, variations: [theirs.shift()] }))
      const opened: Array<string> = []
      const target = service()
      let approvals = 0
      const send: Target["send"] = (request) =>
        request.path.endsWith("linkedin.draft.approve") && approvals++ === 0
          ? Effect.andThen(Effect.orDie(changed), target.send(request))
          : target.send(request)
      const edit = (text: string) => {
        opened.push(text)
        return opened.length === 1 ? Effect.as(Effect.orDie(changed), "Mine.") : Effect.succeed(text)
      }
      const { counts, said, shown } = yield* deciding(
        { "Cora Flict": [change, change, approve, skip] },
        { edit, target: { ...target, send } }
      )
      assert.deepStrictEqual(opened, ["First.", "Mine."])
      assert.include(said[0] ?? "", "Your text was not saved")
      assert.deepStrictEqual(counts, { approved: 0, rejected: 0 })
      const texts = shown.filter((text) => text.includes("Cora")).map((text) => text.trim().split("\n").at(-1))
      assert.deepStrictEqual(texts, ["First.", "Second.", "Mine.", "Third."])
      assert.deepInclude(yield* draftOf(draft_id), { status: "PENDING_REVIEW" })
    })
  )

  it("needs a terminal", async () => {
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const ran = await svc(["drafts", "review"], { env })
    assert.strictEqual(ran.code, 2)
    assert.include(ran.stderr, "needs a terminal")
  })
})
