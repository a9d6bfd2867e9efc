/** `svc why` against a running service: the page's sentence, and commands that can be pasted. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { callCommand, objectsOf, remoteTarget } from "#cli/Target.ts"
import { departureText } from "#console/draft/departure.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { type RunningSvc, startSvc } from "../support/svcProcess.ts"

describe("svc why", () => {
  let server: RunningSvc
  beforeAll(async () => {
    const env = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_SEND_HOLD_SECONDS: "3600" }
    server = await startSvc(["dev", "--sample"], { env })
  })
  afterAll(() => server.stop())

  const env = () => ({ SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) })
  const does = (id: string, input: object) =>
    callCommand(
      remoteTarget("server", server.url, { key: Redacted.make(env().SVC_API_KEY), source: "test" }),
      id,
      input
    )
  const ask = (...args: ReadonlyArray<string>) => Effect.promise(() => svc(["why", ...args], { env: env() }))

  it.effect("prints the sentence of the page for the same message", () =>
    Effect.gen(function* () {
      const { items } = yield* does("review.list", {})
      const [draft] = objectsOf(items)
      const draft_id = String(draft?.["item_id"])
      const { content_hash, lead } = yield* does("review.get", { item_id: draft_id })
      yield* does("linkedin.draft.approve", { draft_id, content_hash, variation_index: 0 })
      const { items: approved } = yield* does("review.list", { tab: "approved" })
      const ids = objectsOf(approved).map(({ item_id }) => String(item_id))
      assert.include(ids, draft_id)
      for (const id of ids) {
        const { departure } = yield* does("review.get", { item_id: id })
        const printed = yield* ask(id)
        const [, , item, , reason, until, sentence, who] = printed.stdout.trimEnd().split("\t")
        const { leaves_at, ...rest } = Object(departure)
        assert.deepStrictEqual(
          [item, reason, until, sentence, who],
          [id, rest.reason, leaves_at ?? "", departureText(Object(departure)), rest.who]
        )
      }
      const { lead_id } = Object(lead)
      assert.include((yield* ask(String(lead_id))).stdout, draft_id, "by the lead too")
    })
  )

  it.effect("prints commands in words, with the ids that they need", () =>
    Effect.gen(function* () {
      const paused = (yield* ask("summer-outreach")).stdout.split("\n")[0]?.split("\t") ?? []
      assert.deepStrictEqual(paused.slice(3, 9), [
        "1",
        "mission_paused",
        "",
        "Won't send while the mission is paused.",
        "You, by resuming the mission.",
        "svc mission resume summer-outreach"
      ])
      const words = paused[8]?.split(" ").slice(1) ?? []
      assert.strictEqual((yield* Effect.promise(() => svc(words, { env: env() }))).code, 0, "can be pasted")
    })
  )

  it.effect("prints one JSON value, and ends with 4 for what does not exist", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* ask("autumn-letters", "--json")
      assert.strictEqual(code, 0)
      const [wait] = JSON.parse(stdout).data.waits
      assert.strictEqual(wait.summary.start, "Nothing waits to send.")
      const missing = yield* ask("nobody of this name")
      assert.deepStrictEqual([missing.code, missing.stdout], [4, ""])
      assert.match(missing.stderr, /found for nobody of this name\. Search with svc lead search\./)
    })
  )
})
