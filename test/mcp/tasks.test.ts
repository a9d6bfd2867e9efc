/** Searches as tasks: what a client that can poll sees of an import, whichever process answers. */

import { assert, describe, it } from "@effect/vitest"
import { createSvc, defineGateway } from "@svc/embed"
import * as Effect from "effect/Effect"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import {
  callTool,
  dataOf,
  type Fetch,
  post,
  resultOf,
  rpc,
  statelessHeaders,
  statelessMeta
} from "../support/mcpHttp.ts"

type Json = Readonly<Record<string, unknown>>

const withTasks = {
  ...statelessMeta,
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } }
}

const person = (page: number) => ({
  memberId: `10${page}`,
  publicSlug: `person-${page}`,
  firstName: "Ada",
  lastName: `No. ${page}`,
  headline: "",
  jobTitle: "CFO",
  company: "Engines",
  location: "",
  profileUrl: `https://www.linkedin.com/in/person-${page}`,
  pictureUrl: null,
  degree: 2
})

const doorOf = () => {
  let resolve = () => {}
  let reject = (_: Error) => {}
  const promise = new Promise<void>((open, fail) => {
    resolve = open
    reject = fail
  })
  return { promise, resolve, reject }
}

/** A search of two pages, each of which comes when the test says so, or fails. */
const pagedSearch = () => {
  const doors = [doorOf(), doorOf()]
  const gateway = defineGateway({
    name: "slow",
    automaticAccount: () => ({ gatewayAccountId: "slow-1" }),
    relation: async () => ({ connected: false, chatId: null, invitation: "none" }),
    sendToChat: async () => ({ outcome: "unavailable" }),
    startChat: async () => ({ outcome: "unavailable" }),
    sendInvitation: async () => ({ outcome: "unavailable" }),
    searchPeople: async (_account, { cursor }) => {
      const page = cursor === null ? 0 : 1
      await doors[page]?.promise
      return { people: [person(page)], next: page === 0 ? "second" : null, total: 2 }
    }
  })
  return { gateway, doors }
}

const url = "https://www.linkedin.com/search/results/people/?keywords=cfo"

const openSearch = async (databaseUrl = "memory:") => {
  const { doors, gateway } = pagedSearch()
  const options = {
    databaseUrl,
    gateway,
    worker: false,
    rateLimit: 0,
    env: { SVC_LOG_LEVEL: "none" }
  }
  const svc = await createSvc(options)
  const { apiKey, organizationId } = await svc.createOrganization("Tasks")
  const there = svc.as({ organizationId })
  await there.agents.create({ first_name: "Ada", last_name: "Martin", handle: "ada" })
  await there.missions.create({ name: "Spring", handle: "spring", agent_handle: "ada" })
  return { svc, key: apiKey, doors, options }
}

const ask = (fetch: Fetch, key: string, method: string, params: Json, meta: Json = withTasks) =>
  post(fetch, rpc(method, { ...params, _meta: meta }), {
    key,
    headers: statelessHeaders(method, String(params["taskId"] ?? params["name"]))
  })

const search = { mission_handle: "spring", url }
const searchCall = { name: "command_run", arguments: { command_id: "import.linkedin.search", input: search } }

const begin = async (fetch: Fetch, key: string) => resultOf(await ask(fetch, key, "tools/call", searchCall))

const poll = async (fetch: Fetch, key: string, taskId: unknown) =>
  resultOf(await ask(fetch, key, "tasks/get", { taskId }))

/** Polls until a task says something. */
const until = async (fetch: Fetch, key: string, taskId: unknown, is: (task: Json) => boolean): Promise<Json> => {
  for (;;) {
    const task = await poll(fetch, key, taskId)
    if (is(task)) return task
    await new Promise(setImmediate)
  }
}

describe("a search as a task", () => {
  it("is polled until it has the result of its tool", async () => {
    const { doors, key, svc } = await openSearch()
    const created = await begin(svc.fetch, key)
    const { createdAt, lastUpdatedAt, taskId } = created
    assert.deepInclude(created, { resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 2_000 })
    assert.match(String(createdAt) + String(lastUpdatedAt), /^(2\d{3}-[-0-9T:.]+Z){2}$/)
    assert.notProperty(created, "result")
    assert.deepInclude(await poll(svc.fetch, key, taskId), {
      resultType: "complete",
      status: "working",
      statusMessage: "0 of at most 100 people read"
    })
    doors[0]?.resolve()
    const half = await until(svc.fetch, key, taskId, ({ statusMessage }) => !String(statusMessage).startsWith("0"))
    assert.deepInclude(half, { status: "working", statusMessage: "1 of at most 100 people read" })
    doors[1]?.resolve()
    const { result, status } = await until(svc.fetch, key, taskId, (task) => task["status"] !== "working")
    assert.strictEqual(status, "completed")
    const plain = await callTool(svc.fetch, "import.linkedin.search", search, { key, toolset: "all" })
    const content = Object(dataOf(Object(result)))
    // The repeated search says in message that it is known.
    assert.sameMembers([...Object.keys(content), "message"], Object.keys(Object(dataOf(plain))))
    assert.deepInclude(content, { import_id: taskId, created_count: 2, already_exists: false })
    assert.include(JSON.stringify(Object(result).content), "Untrusted content")
    await svc.close()
  })

  it("is none for a client that did not declare tasks, nor for one that waits", async () => {
    const { doors, key, svc } = await openSearch()
    const undeclared = await ask(svc.fetch, key, "tasks/get", { taskId: "imp_1" }, statelessMeta)
    assert.strictEqual(undeclared.status, 400)
    assert.deepInclude(Object(undeclared.body).error, {
      code: -32021,
      data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } }
    })
    for (const door of doors) door.resolve()
    const waiting = { ...searchCall, arguments: { ...searchCall.arguments, input: { ...search, wait_seconds: 25 } } }
    const plain = resultOf(await ask(svc.fetch, key, "tools/call", waiting))
    assert.deepInclude(Object(dataOf(plain)), { created_count: 2 })
    assert.strictEqual(plain["resultType"], "complete")
    const known = resultOf(await ask(svc.fetch, key, "tools/call", searchCall))
    assert.deepInclude(Object(dataOf(known)), { already_exists: true })
    await svc.close()
  })

  it("ends when it is cancelled, and stays so", async () => {
    const { key, svc } = await openSearch()
    const { taskId } = await begin(svc.fetch, key)
    for (const _ of [1, 2]) {
      const { _meta, ...acknowledged } = resultOf(await ask(svc.fetch, key, "tasks/cancel", { taskId }))
      assert.deepStrictEqual(acknowledged, { resultType: "complete" })
      assert.deepInclude(await poll(svc.fetch, key, taskId), { status: "cancelled" })
    }
    await svc.close()
  })

  it("is completed with an error if nobody could be imported", async () => {
    const { doors, key, svc } = await openSearch()
    const { taskId } = await begin(svc.fetch, key)
    doors[0]?.reject(new Error("socket hang up"))
    const { result, status } = await until(svc.fetch, key, taskId, (task) => task["status"] !== "working")
    assert.strictEqual(status, "completed")
    assert.strictEqual(Object(result).isError, true)
    assert.match(JSON.stringify(Object(result).content), /Nobody was imported\. .*import_resume/)
    await svc.close()
  })

  it("is unknown to another organization, as is what never was", async () => {
    const { key, svc } = await openSearch()
    const { taskId } = await begin(svc.fetch, key)
    const { apiKey } = await svc.createOrganization("Others")
    const answer = async (method: string, id: unknown) => {
      const { body } = await ask(svc.fetch, apiKey, method, { taskId: id, inputResponses: {} })
      return Object(body).error
    }
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const refused = await answer(method, taskId)
      assert.strictEqual(refused.code, -32602)
      assert.deepStrictEqual(refused, await answer(method, "imp_none"))
    }
    assert.deepInclude(await poll(svc.fetch, key, taskId), { status: "working" })
    const { body } = await ask(svc.fetch, key, "tasks/get", { taskId: 7 })
    assert.deepInclude(Object(body).error, { code: -32020 })
    await svc.close()
  })

  it.effect.skipIf(!hasPostgres())("is answered for by any process", () =>
    Effect.gen(function* () {
      const databaseUrl = clearUrl((yield* freshPostgres()).url)
      yield* Effect.promise(async () => {
        const { doors, key, options, svc } = await openSearch(databaseUrl)
        const other = await createSvc(options)
        const { taskId } = await begin(svc.fetch, key)
        assert.deepInclude(await poll(other.fetch, key, taskId), { status: "working" })
        for (const door of doors) door.resolve()
        const { result } = await until(other.fetch, key, taskId, (task) => task["status"] !== "working")
        assert.deepInclude(Object(dataOf(Object(result))), { created_count: 2 })
        await other.close()
        await svc.close()
      })
    }).pipe(Effect.scoped)
  )
})
