/**
 * Calls that a policy holds, in the official clients: with and without a user to ask, in both kinds of revisions, over two
 * services on one database, of which the second one gets the answers.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { at, openService, type Service, textAt } from "../support/httpService.ts"
import { listening } from "../support/listening.ts"
import {
  type ClientKind,
  clientKinds,
  connect,
  type McpClient,
  type ToolAnswer,
  type User
} from "../support/mcpClients.ts"
import { temporaryFolder } from "../support/svcProcess.ts"

type Params = Readonly<Record<string, unknown>>

/** Whether a message is a response to the server. */
const isResponse = (body: unknown): boolean => {
  const { method, result } = Object(JSON.parse(String(body ?? "{}")))
  return method === undefined && result !== undefined
}

describe.skipIf(!hasPostgres()).for(clientKinds)("a call that waits for a decision, in %s", (kind: ClientKind) => {
  const scope = Scope.makeUnsafe()
  let one: Service
  let two: Service
  let agentKey = ""
  /** How many answers went to the other service. */
  let passedOn = 0
  let names = 0

  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres(), scope))
    one = await openService({ databaseUrl: clearUrl(url) })
    two = await openService({ databaseUrl: clearUrl(url) })
    const { keyId, text } = await one.makeKey({
      name: "Agent",
      userId: "usr_ada",
      actorKind: "AI_AGENT",
      scopes: ["admin"]
    })
    agentKey = text
    await done("policy.set", { key_id: keyId, agents: "ask" })
    await done("agent.create", { first_name: "Mia", last_name: "Lo" })
  })
  afterAll(async () => {
    await two.svc.close()
    await one.svc.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const done = async (command: string, json: unknown) => {
    const { body, text } = await one.ask("POST", `/api/v1/commands/${command}`, { json })
    assert.isTrue(at(body, "ok"), text)
    return at(body, "data")
  }
  const draft = async () => {
    const slug = `decided-${++names}`
    const lead_id = textAt(
      await done("lead.upsert", { name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` }),
      "lead_id"
    )
    const variations = [{ body_text: `Words for ${slug}` }]
    return textAt(
      await done("linkedin.draft.create", { lead_id, agent_handle: "mia-lo", variations }),
      "draft.draft_id"
    )
  }
  const statusOf = async (draft_id: string) => at(await done("linkedin.draft.get", { draft_id }), "draft.status")

  /** Sends requests to the first service, and what answers the server's to the second. */
  const split = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    if (request.method !== "POST") return one.svc.fetch(request)
    const other = isResponse(await request.clone().text())
    if (other) passedOn++
    return (other ? two : one).svc.fetch(request)
  }

  const within = async <A>(user: User | undefined, use: (client: McpClient) => Promise<A>): Promise<A> => {
    const client = await connect(kind, { url: "http://127.0.0.1", key: agentKey, fetch: split }, user)
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  }

  const approve = (draft_id: string, user?: User): Promise<ToolAnswer> =>
    within(user, (client) => client.call("linkedin_draft_approve", { draft_id }))

  /** The request in an answer that says that it waits. */
  const waiting = (answer: ToolAnswer): string => {
    assert.isTrue(answer.isError)
    const text = answer.texts.join(" ")
    const id =
      /request (apr_\w+): http:\/\/svc\.test\/review\/d\/\1\. .*"approval_request_id":"\1"} in 30 seconds or later/.exec(
        text
      )?.[1]
    assert.isString(id, text)
    return String(id)
  }
  const approvalOf = async (approval_request_id: string) =>
    at(await done("approval.get", { approval_request_id }), "approval")

  it("has the link, and how to ask again, in a client that cannot ask", async () => {
    const draft_id = await draft()
    const id = waiting(await approve(draft_id))
    const told = await within(undefined, (client) =>
      client
        .call("approval_get", { approval_request_id: id })
        .catch(() => client.call("command_run", { command_id: "approval.get", input: { approval_request_id: id } }))
    )
    assert.strictEqual(at(told.data, "approval.state"), "pending")
    await done("approval.resolve", { approval_request_id: id, decision: "approve" })
    const after = await within(undefined, (client) =>
      client.call("command_run", { command_id: "approval.get", input: { approval_request_id: id } })
    )
    assert.strictEqual(at(after.data, "result.draft.status"), "READY_TO_SEND")
  })

  describe("where a client's answer does not count", () => {
    it("is not shown as a form", async () => {
      const draft_id = await draft()
      const user: User = { modes: ["form"], answer: () => assert.fail("asked") }
      assert.strictEqual(at(await approvalOf(waiting(await approve(draft_id, user))), "state"), "pending")
      assert.strictEqual(await statusOf(draft_id), "PENDING_REVIEW")
    })

    it("opens the link, and decides nothing", async () => {
      const draft_id = await draft()
      const asked: Array<Params> = []
      const user: User = {
        modes: ["form", "url"],
        answer: async (params) => {
          asked.push(params)
          return { action: "accept" }
        }
      }
      const id = waiting(await approve(draft_id, user))
      const [question] = asked
      assert.lengthOf(asked, 1)
      assert.deepInclude(question, { mode: "url", url: `http://svc.test/review/d/${id}` })
      assert.notInclude(JSON.stringify(question), "Words for")
      assert.deepInclude(await approvalOf(id), { state: "pending", resolved_by: null })
      assert.strictEqual(at(await approvalOf(id), "client_answer.action"), "accept")
      assert.strictEqual(await statusOf(draft_id), "PENDING_REVIEW")
    })
  })

  describe("where it counts", () => {
    beforeAll(() => done("policy.set", { client_answers: true }))
    afterAll(() => done("policy.set", { client_answers: null }))

    it("is approved by accept, with what was shown, in the name of the key's user", async () => {
      const draft_id = await draft()
      const asked: Array<Params> = []
      const before = passedOn
      const user: User = {
        modes: ["form"],
        answer: async (params) => {
          asked.push(params)
          return { action: "accept", content: {} }
        }
      }
      const answer = await approve(draft_id, user)
      assert.isFalse(answer.isError, answer.texts.join(" "))
      assert.strictEqual(at(answer.data, "draft.status"), "READY_TO_SEND")
      const [{ message } = {}] = asked
      assert.include(String(message), `body_text: Words for decided-${names}`)
      assert.include(String(message), `draft_id: ${draft_id}`)
      const { approvals } = Object(await done("approval.list", { state: "approved", limit: 1 }))
      assert.deepInclude(approvals[0], { decided_through: "svc tests", outcome: "ok" })
      assert.deepInclude(approvals[0].resolved_by, { kind: "USER", user_id: "usr_ada" })
      // The answer came in a POST of its own, to the other service.
      assert.strictEqual(passedOn - before, kind === "sdk 1.32" ? 1 : 0)
    })

    it("is rejected by decline, with what the user wrote to the agent, and left open by cancel", async () => {
      const declined = await draft()
      const refused = await approve(declined, { modes: ["form"], answer: async () => ({ action: "decline" }) })
      assert.isTrue(refused.isError)
      assert.match(
        refused.texts[0] ?? "",
        /^APPROVAL_POLICY: Request apr_\w+ was rejected by usr_ada\. Nothing was done\./
      )
      const left = await draft()
      const id = waiting(await approve(left, { modes: ["form"], answer: async () => ({ action: "cancel" }) }))
      assert.deepInclude(await approvalOf(id), { state: "pending" })
      for (const draft_id of [declined, left]) assert.strictEqual(await statusOf(draft_id), "PENDING_REVIEW")
    })

    it("never approves other content than was shown", async () => {
      const draft_id = await draft()
      const answer = await approve(draft_id, {
        modes: ["form"],
        answer: async () => {
          await done("linkedin.draft.update", { draft_id, variations: [{ body_text: "Slipped in" }] })
          return { action: "accept", content: {} }
        }
      })
      assert.isTrue(answer.isError)
      assert.match(answer.texts[0] ?? "", /^CONTENT_CHANGED: /)
      assert.strictEqual(await statusOf(draft_id), "PENDING_REVIEW")
    })

    it("is not asked of a user who is no approver", async () => {
      await done("policy.set", { approvers: [{ user_id: "usr_boss" }] })
      const user: User = { modes: ["form"], answer: () => assert.fail("asked") }
      waiting(await approve(await draft(), user))
      await done("policy.set", { approvers: null })
    })

    it.runIf(kind === "sdk 1.32")("ends when a person decides elsewhere, and takes the question back", async () => {
      const draft_id = await draft()
      let takenBack: AbortSignal | undefined
      const user: User = {
        modes: ["form"],
        answer: async (params, signal) => {
          takenBack = signal
          assert.include(String(params["message"]), draft_id)
          const { approvals } = Object(await done("approval.list", { state: "pending", limit: 1 }))
          await done("approval.resolve", { approval_request_id: approvals[0].approval_request_id, decision: "approve" })
          // A form that nobody answers as long as it is open.
          await new Promise((resolve) => signal?.addEventListener("abort", resolve))
          return { action: "cancel" }
        }
      }
      const answer = await within(user, async (client) => {
        const result = await client.call("linkedin_draft_approve", { draft_id })
        assert.isTrue(takenBack?.aborted)
        return result
      })
      assert.isFalse(answer.isError, answer.texts.join(" "))
      assert.strictEqual(at(answer.data, "draft.status"), "READY_TO_SEND")
    })
  })

  it("is asked over standard input and output too, by svc mcp in front of a server elsewhere", async () => {
    await done("policy.set", { client_answers: true })
    const asked: Array<Params> = []
    const answers = ["accept", "decline"] as const
    const drafts = [await draft(), await draft()]
    const folder = await temporaryFolder()
    const results = await listening(two.svc, async (url) => {
      const env = { SVC_BASE_URL: url, SVC_API_KEY: agentKey, XDG_CONFIG_HOME: folder.path }
      const client = await connect(
        kind,
        { env, cwd: folder.path },
        {
          modes: ["form"],
          answer: async (params) => {
            const action = answers[asked.length] ?? "cancel"
            asked.push(params)
            return { action }
          }
        }
      )
      const found: Array<ToolAnswer> = []
      for (const draft_id of drafts) found.push(await client.call("linkedin_draft_approve", { draft_id }))
      await client.close()
      return found
    })
    await folder.remove()
    await done("policy.set", { client_answers: null })
    assert.deepStrictEqual(
      results.map(({ isError }) => isError),
      [false, true],
      JSON.stringify(results)
    )
    assert.deepStrictEqual(await Promise.all(drafts.map(statusOf)), ["READY_TO_SEND", "PENDING_REVIEW"])
    for (const [index, draft_id] of drafts.entries()) assert.include(String(asked[index]?.["message"]), draft_id)
    const { approvals } = Object(await done("approval.list", { state: "approved", limit: 1 }))
    assert.strictEqual(approvals[0].decided_through, "svc tests")
  })

  it("cannot be answered by the model itself", async () => {
    const id = waiting(await approve(await draft()))
    await within(undefined, async (client) => {
      const names = (await client.tools()).map(({ name }) => name)
      assert.notIncludeMembers(names, ["approval_answer", "approval_ask-client"])
      for (const command_id of ["approval.ask-client", "approval_ask-client", "approval.answer"]) {
        const input = { approval_request_id: id, modes: ["form"] }
        const answer = await client.call("command_run", { command_id, input })
        assert.match(answer.texts[0] ?? "", /^UNKNOWN_COMMAND: /)
      }
    })
  })
})
