/**
 * Reviewers who decide on one draft at the same time, over two services and their own connections: whoever comes first wins, and
 * nothing leaves that was rejected or reopened.
 */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { at, openService, type Reply, type Service } from "../support/httpService.ts"

const rounds = effort(20)

type Run = (command: string, json: object) => Promise<Reply>

const outcomeOf = ({ body, status }: Reply): string => String(at(body, "error.code") ?? status)

/** Two services on one database; `dispatch` sends in the second what is due. */
const onTwo = (use: (one: Run, two: Run, dispatch: () => Promise<unknown>) => Promise<void>) =>
  Effect.gen(function* () {
    const { url } = yield* freshPostgres()
    yield* Effect.promise(async () => {
      const settings = { linkedinPacing: "off", sendHoldSeconds: 0 } as const
      const one = await openService({ databaseUrl: clearUrl(url), settings })
      const two = await openService({ databaseUrl: clearUrl(url), settings })
      const runOf =
        (service: Pick<Service, "svc">): Run =>
        async (command, json) => {
          const headers = { authorization: `Bearer ${one.key}`, "content-type": "application/json" }
          const init = { method: "POST", headers, body: JSON.stringify(json) }
          const response = await service.svc.fetch(new Request(`http://svc.test/api/v1/commands/${command}`, init))
          return { status: response.status, body: await response.json(), headers: response.headers, text: "" } as never
        }
      try {
        await use(runOf(one), runOf(two), () =>
          two.svc.effect.runtime.runPromise(dispatchDue().pipe(Effect.provide(Ports.layer)))
        )
      } finally {
        await two.svc.close()
        await one.svc.close()
      }
    })
  })

const prepared = async (run: Run, slug: string, variations: ReadonlyArray<string> = ["Hello"]) => {
  const lead = await run("lead.upsert", { name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })
  const lead_id = String(at(lead.body, "data.lead_id"))
  const made = await run("linkedin.draft.create", { lead_id, variations })
  return { lead_id, draft_id: String(at(made.body, "data.draft.draft_id")) }
}

const statusOf = async (run: Run, draft_id: string) =>
  String(at((await run("linkedin.draft.get", { draft_id })).body, "data.draft.status"))

/** How many messages left for a lead. */
const leftFor = async (run: Run, lead_id: string): Promise<number> => {
  const { body } = await run("linkedin.conversation.get", { lead_id })
  const messages = at(body, "data.messages")
  return Array.isArray(messages) ? messages.length : assert.fail(JSON.stringify(body))
}

describe.skipIf(!hasPostgres())("reviewers at once", () => {
  it.live(
    "a draft is sent, or rejected, and never both",
    () =>
      onTwo(async (one, two) => {
        await one("agent.create", { first_name: "Ada", last_name: "Martin" })
        const seen = new Set<string>()
        for (let round = 0; round < rounds; round++) {
          const { draft_id, lead_id } = await prepared(one, `sent-${round}`)
          const send = () => one("linkedin.draft.approve", { draft_id, send_now: true })
          const reject = () => two("linkedin.draft.reject", { draft_id, reason: "No" })
          // The first two rounds make sure that each comes first once.
          const isSendFirst = round % 2 === 0
          const first = isSendFirst ? send() : reject()
          if (round < 2) await first
          const second = isSendFirst ? reject() : send()
          const [sent, rejected] = isSendFirst ? [await first, await second] : [await second, await first]
          const outcome = `${outcomeOf(sent)} ${outcomeOf(rejected)}`
          seen.add(outcome)
          const isRejected = rejected.status === 200
          assert.strictEqual(sent.status === 200, !isRejected, outcome)
          assert.strictEqual(await statusOf(one, draft_id), isRejected ? "CANCELLED" : "DISPATCHED", outcome)
          assert.strictEqual(await leftFor(one, lead_id), isRejected ? 0 : 1, outcome)
        }
        assert.isAbove(seen.size, 1, "both came first at times")
      }),
    600_000
  )

  it.live(
    "what the worker sends was neither rejected nor reopened before",
    () =>
      onTwo(async (one, two, dispatch) => {
        await one("agent.create", { first_name: "Ada", last_name: "Martin" })
        const seen = new Set<boolean>()
        for (let round = 0; round < rounds; round++) {
          const { draft_id, lead_id } = await prepared(one, `queued-${round}`)
          await one("linkedin.draft.approve", { draft_id })
          const decide = () =>
            round % 2 === 0
              ? one("linkedin.draft.reject", { draft_id, reason: "No" })
              : one("linkedin.draft.reopen", { draft_id })
          const rewrite = () => two("linkedin.draft.request-rewrite", { draft_id, instructions: "Shorter" })
          // The first two rounds make sure that each comes first once.
          const dispatching = round === 0 ? decide() : dispatch()
          if (round < 2) await dispatching
          for (let turn = 0; turn < round * 16; turn++) await new Promise((resolve) => setImmediate(resolve))
          const replies = await Promise.all([decide(), rewrite()])
          await dispatching
          await dispatch()
          const outcome = `${round} ${replies.map(outcomeOf).join(" ")}`
          const isStopped = replies.some(({ status }) => status === 200)
          seen.add(isStopped)
          assert.strictEqual(await leftFor(one, lead_id), isStopped ? 0 : 1, outcome)
          assert.strictEqual((await statusOf(one, draft_id)) === "DISPATCHED", !isStopped, outcome)
        }
        assert.strictEqual(seen.size, 2, "both came first at times")
      }),
    600_000
  )

  it.live(
    "of approving, rejecting and reopening, the last one says what becomes of a draft",
    () =>
      onTwo(async (one, two, dispatch) => {
        await one("agent.create", { first_name: "Ada", last_name: "Martin" })
        const known = ["PENDING_REVIEW", "READY_TO_SEND", "CANCELLED", "DISPATCHED"]
        for (let round = 0; round < rounds; round++) {
          const { draft_id, lead_id } = await prepared(one, `all-${round}`, ["One", "Two"])
          const replies = await Promise.all([
            one("linkedin.draft.approve", { draft_id, variation_index: 0 }),
            two("linkedin.draft.approve", { draft_id, variation_index: 1 }),
            one("linkedin.draft.reject", { draft_id, reason: "No" }),
            two("linkedin.draft.reopen", { draft_id }),
            dispatch()
          ]).then((all) => all.slice(0, 4) as ReadonlyArray<Reply>)
          const outcome = replies.map(outcomeOf).join(" ")
          for (const { status } of replies) assert.isBelow(status, 500, outcome)
          await one("linkedin.draft.cancel", { draft_id })
          const status = await statusOf(one, draft_id)
          assert.include(known, status, outcome)
          assert.strictEqual(await leftFor(one, lead_id), status === "DISPATCHED" ? 1 : 0, `${outcome} ${status}`)
        }
      }),
    600_000
  )

  it.live(
    "nothing leaves without a disclosure that another service required before the message was claimed",
    () =>
      onTwo(async (one, two, dispatch) => {
        await one("agent.create", { first_name: "Ada", last_name: "Martin" })
        const seen = new Set<boolean>()
        for (let round = 0; round < rounds; round++) {
          const { draft_id, lead_id } = await prepared(one, `told-${round}`)
          await one("linkedin.draft.approve", { draft_id })
          const require = () => one("policy.set", { disclosure: "Written by an AI assistant." })
          // The first two rounds make sure that each comes first once.
          const first = round === 0 ? require() : dispatch()
          if (round < 2) await first
          for (let turn = 0; turn < round * 16; turn++) await new Promise((resolve) => setImmediate(resolve))
          await Promise.all([first, round === 0 ? dispatch() : require()])
          const status = await statusOf(one, draft_id)
          assert.include(["DISPATCHED", "PENDING_REVIEW", "READY_TO_SEND"], status)
          const isSent = status === "DISPATCHED"
          seen.add(isSent)
          assert.strictEqual(await leftFor(one, lead_id), isSent ? 1 : 0, `${round} ${status}`)
          // What was not sent is held back for good, in whatever service.
          await dispatch()
          assert.strictEqual(await leftFor(two, lead_id), isSent ? 1 : 0, `${round} later`)
          await one("linkedin.draft.cancel", { draft_id })
          await one("policy.set", { disclosure: null })
        }
        assert.strictEqual(seen.size, 2, "both came first at times")
      }),
    600_000
  )

  it.live(
    "a lead has one open draft with an agent, whoever reopens or creates one",
    () =>
      onTwo(async (one, two) => {
        await one("agent.create", { first_name: "Ada", last_name: "Martin" })
        const { draft_id, lead_id } = await prepared(one, "rival")
        await one("linkedin.draft.cancel", { draft_id })
        const second = await prepared(one, "rival")
        await one("linkedin.draft.cancel", second)
        for (let round = 0; round < rounds; round++) {
          const replies = await Promise.all([
            one("linkedin.draft.reopen", { draft_id }),
            two("linkedin.draft.reopen", { draft_id: second.draft_id }),
            two("linkedin.draft.create", { lead_id, variations: ["Other"] })
          ])
          assert.deepStrictEqual(replies.map(outcomeOf).toSorted(), ["200", "DRAFT_OPEN", "DRAFT_OPEN"])
          const { body } = await one("linkedin.draft.list", { lead_id, status: ["PENDING_REVIEW"] })
          const open = at(body, "data.drafts")
          assert.lengthOf(Array.isArray(open) ? open : [], 1)
          await one("linkedin.draft.cancel", { draft_id: String(at(body, "data.drafts.0.draft_id")) })
        }
      }),
    600_000
  )
})
