/** Host code around every run: what it sees, refuses and learns, whatever began the run. */
import { assert, describe, it } from "@effect/vitest"
import { createClient } from "@svc/client"
import { Command, NotFound } from "@svc/core"
import { createSvc, defineCommand, type HookCall, type HookOutcome, type Hooks, refusal, SvcError } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { at, openService, textAt } from "../support/httpService.ts"
import { listening, svcAt } from "../support/listening.ts"

const offer = { name: "Audit", one_liner: "A day with your books", value_proposition: "Find what leaks." }

/** Hooks that write down what they saw, one line a call. */
const recording = (more: Hooks = {}) => {
  const seen: Array<HookCall> = []
  const ended: Array<readonly [HookCall, HookOutcome]> = []
  const hooks: Hooks = {
    before: (call) => {
      seen.push(call)
      return more.before?.(call)
    },
    after: (call, outcome) => {
      ended.push([call, outcome])
      return more.after?.(call, outcome)
    }
  }
  const line = ({ command, route, within }: HookCall) =>
    [command, route ?? "", within === undefined ? "" : `within ${within}`].filter((part) => part !== "").join(" ")
  return {
    hooks,
    seen,
    ended,
    begun: () => seen.splice(0).map(line),
    outcomes: () => ended.splice(0).map(([call, outcome]) => `${line(call)}: ${outcome.ok ? "ok" : outcome.error.code}`)
  }
}

/** A promise, and what resolves it. */
const signal = (): readonly [Promise<void>, () => void] => {
  let resolve = () => {}
  return [new Promise<void>((done) => (resolve = done)), () => resolve()]
}

describe("hooks", () => {
  it("see one command id on every surface, and the REST route apart", async () => {
    const { begun, hooks, outcomes } = recording()
    const { ask, key, svc } = await openService({ hooks })
    await svc.offers.create(offer)
    await ask("POST", "/api/v1/commands/offer.create", { json: offer })
    await ask("POST", "/api/v1/offers", {
      json: { name: "Audit", oneLiner: "A day", valueProposition: "Find what leaks." }
    })
    await ask("POST", "/mcp", {
      headers: { accept: "application/json, text/event-stream" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "offer_create", arguments: offer } }
    })
    await listening(svc, async (url) => {
      const args = ["offer", "create", "--name", "Audit", "--one-liner", "A day", "--value-proposition", "Much"]
      assert.strictEqual((await svcAt(url, key, args)).code, 0)
    })
    const ids = ["offer.create", "offer.create", "offer.create POST /api/v1/offers", "offer.create", "offer.create"]
    assert.deepStrictEqual(begun(), ids)
    assert.deepStrictEqual(
      outcomes(),
      ids.map((id) => `${id}: ok`)
    )
    await svc.resources.read("svc://status")
    await ask("GET", "/api/v1/offers?limit=1")
    assert.deepStrictEqual(begun(), ["resource.status", "offer.list GET /api/v1/offers"])
    await svc.close()
  })

  it("see the validated input in the command's own names, with defaults, whatever the surface", async () => {
    const { hooks, seen } = recording()
    const { ask, svc } = await openService({ hooks })
    await svc.offers.create(offer)
    await ask("POST", "/api/v1/offers", {
      json: { name: offer.name, oneLiner: offer.one_liner, valueProposition: offer.value_proposition }
    })
    for (const { input } of seen) assert.deepStrictEqual(input, { ...offer, is_draft: false })
    assert.lengthOf(seen, 2)
    await svc.close()
  })

  it("see the actor, the dry run, the idempotency key and the request id", async () => {
    const { hooks, seen } = recording()
    const { ask, svc } = await openService({ hooks })
    await svc
      .as({ userId: "usr_ada", scopes: ["offers:write"] })
      .offers.create(offer, { dryRun: true, idempotencyKey: "k1" })
    const { headers } = await ask("POST", "/api/v1/commands/offer.create", { json: offer })
    assert.strictEqual(seen[0]?.actor.userId, "usr_ada")
    assert.deepInclude(seen[0], { dryRun: true, idempotencyKey: "k1" })
    assert.deepInclude(seen[1], { dryRun: false, requestId: String(headers.get("svc-request-id")) })
    await svc.close()
  })

  it("refuse with a code of their own whoever calls: a client, an agent, a person who approves, a command of the host", async () => {
    const input = { name: "Audit", is_draft: true }
    const open = defineCommand({
      id: "crm.open",
      summary: "Open a deal",
      risk: "mutate",
      scope: "offers:write",
      run: async () => {
        throw refusal("HOST_NO_DEAL", "There is no deal.", 404)
      }
    })
    const before = ({ command, within }: HookCall) => {
      if (command === "offer.create" || (command === "lead.upsert" && within === "approval.resolve"))
        throw refusal("HOST_DEAL_OPEN", "The deal is open.", 409)
    }
    const { ask, makeKey, organizationId, svc } = await openService({ hooks: { before }, commands: [open] })
    const tenant = svc.as({ organizationId })
    const { keyId, text } = await makeKey({ scopes: ["offers:write", "leads:write"] })
    await listening(svc, async (url) => {
      const remote = createClient({ url, key: text })
      const error = await remote.offers.create(input).catch((thrown: unknown) => thrown)
      if (!(error instanceof SvcError)) return assert.fail(String(error))
      assert.isTrue(error.code === "HOST_DEAL_OPEN" && error.status === 409, String(error))
      assert.isFalse(remote.commands.failed("offer.create", error) || svc.commands.failed("offer.create", error))
      const ran = await svcAt(url, text, ["offer", "create", "--name", "Audit", "--is-draft", "--json"])
      assert.strictEqual(ran.code, 5)
      assert.include(ran.stdout, "HOST_DEAL_OPEN")
    })
    const mcp = await ask("POST", "/mcp", {
      headers: { accept: "application/json, text/event-stream" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "offer_create", arguments: input } }
    })
    assert.include(textAt(mcp.body, "result.content.0.text"), "HOST_DEAL_OPEN: The deal is open.")
    const own = await ask("POST", "/api/v1/commands/crm.open", { json: {} })
    assert.deepStrictEqual([own.status, at(own.body, "error.code")], [404, "HOST_NO_DEAL"])
    const failed = await Effect.runPromise(Effect.flip(svc.effect.run("offer.create", input)))
    assert.strictEqual(String(failed.code), "HOST_DEAL_OPEN")
    await tenant.policies.set({ key_id: keyId, mutate: "ask" })
    const asked = await ask("POST", "/api/v1/commands/lead.upsert", { key: text, json: { email: "ada@example.com" } })
    const approval_request_id = textAt(asked.body, "meta.approval_request_id")
    const { approval } = await tenant.approvals.resolve({ approval_request_id, decision: "approve" })
    assert.include(JSON.stringify(approval), "HOST_DEAL_OPEN")
    await svc.close()
  })

  const refusals: ReadonlyArray<readonly [string, () => unknown, code: string, status: number, message: string]> = [
    [
      "a thrown SvcError",
      () => {
        throw new SvcError({
          ok: false,
          status: 409,
          error: { code: "WRONG_STATE", message: "Closed for the night." },
          meta: { approval_required: false, approval_request_id: "", command_hash: "", warnings: [] }
        })
      },
      "WRONG_STATE",
      409,
      "Closed for the night."
    ],
    [
      "a thrown Error",
      () => {
        throw new TypeError("Not on Sundays.")
      },
      "APPROVAL_POLICY",
      403,
      "Not on Sundays."
    ],
    ["a rejected promise", () => Promise.reject(new Error("Over budget.")), "APPROVAL_POLICY", 403, "Over budget."],
    ["a text", () => Promise.reject("Just no."), "APPROVAL_POLICY", 403, "Just no."],
    [
      "nothing at all",
      () => Promise.reject(undefined),
      "APPROVAL_POLICY",
      403,
      "A hook of the host refused offer.create."
    ],
    [
      "a failed Effect",
      () => Effect.fail(new NotFound({ kind: "budget" })),
      "NOT_FOUND",
      404,
      "Budget not found. Check the id, or list what exists."
    ],
    ...([400, 403, 404, 409] as const).map(
      (status) =>
        [
          `a refusal of its own, ${status}`,
          () => {
            throw refusal("HOST_DEAL_OPEN", "The deal is open.", status)
          },
          "HOST_DEAL_OPEN",
          status,
          "The deal is open."
        ] as const
    ),
    ["a returned refusal", () => refusal("HOST_CLOSED", "Closed."), "HOST_CLOSED", 403, "Closed."],
    ["a returned error", async () => new Error("Not today."), "APPROVAL_POLICY", 403, "Not today."],
    ["a code of no host", () => refusal("DEAL_OPEN" as never, ""), "INVALID_INPUT", 400, ""],
    ["a status of no refusal", () => refusal("HOST_X", "", 500 as never), "INVALID_INPUT", 400, ""],
    ["a dying Effect", () => Effect.die(new Error("Broken.")), "APPROVAL_POLICY", 403, "Broken."],
    ["an interrupted Effect", () => Effect.interrupt, "APPROVAL_POLICY", 403, ""]
  ]
  for (const [name, refuse, code, status, message] of refusals) {
    it(`refuse a run with ${name}, on every surface, and nothing is saved`, async () => {
      const { hooks, outcomes } = recording({
        before: ({ command }) => (command === "offer.create" ? refuse() : undefined)
      })
      const { ask, svc } = await openService({ hooks })
      const envelope = await svc.commands.run("offer.create", offer)
      assert.ok(!envelope.ok)
      assert.strictEqual(envelope.error.code, code)
      if (message !== "") assert.strictEqual(envelope.error.message, message)
      const replies = [
        await ask("POST", "/api/v1/commands/offer.create", { json: offer }),
        await ask("POST", "/api/v1/offers", {
          json: { name: "Audit", oneLiner: "A day", valueProposition: "Find what leaks." }
        })
      ]
      for (const reply of replies) {
        assert.strictEqual(reply.status, status)
        assert.strictEqual(at(reply.body, "error.message"), envelope.error.message)
      }
      assert.deepStrictEqual((await svc.offers.list()).offers, [])
      assert.include(outcomes(), `offer.create: ${code}`)
      await svc.close()
    })
  }

  it("of an unknown name, and what is no function, are refused", async () => {
    for (const [hooks, message] of [
      [{ befor: () => {} }, "hooks: befor is unknown. Did you mean before?"],
      [{ after: 1 }, "hooks.after must be a function."],
      [1, "hooks must be an object with before, after."]
    ] as const) {
      const starting = createSvc({ databaseUrl: "memory:", worker: false, hooks: hooks as Hooks })
      const error = await starting.then(
        () => assert.fail("it started"),
        (thrown: unknown) => thrown
      )
      assert.instanceOf(error, SvcError)
      assert.strictEqual(error.message, message)
    }
  })

  it("pass an Effect that succeeds", async () => {
    const svc = await createSvc({ databaseUrl: "memory:", worker: false, hooks: { before: () => Effect.succeed(1) } })
    assert.deepStrictEqual((await svc.offers.list()).offers, [])
    await svc.close()
  })

  it("learn the outcome and duration of every call, refused ones included, and never change it", async () => {
    const { ended, hooks, outcomes, seen } = recording({
      after: () => {
        throw new Error("the log is full")
      }
    })
    const svc = await createSvc({ databaseUrl: "memory:", worker: false, env: { SVC_LOG_LEVEL: "none" }, hooks })
    const created = await svc.offers.create(offer, { idempotencyKey: "k1" })
    await svc.offers.create(offer, { idempotencyKey: "k1" })
    await svc.commands.run("offer.create", { name: 1 } as never)
    await svc.as({ scopes: [] }).commands.run("offer.create", offer)
    await svc.commands.run("offer.get", { offer_id: "nope" })
    await svc.commands.run("offer.grow" as never, {} as never)
    const [first, second] = ended.map(([, outcome]) => outcome)
    assert.ok(first?.ok)
    assert.deepStrictEqual(first.data, created)
    assert.isAbove(first.durationMillis, 0)
    assert.isFalse(first.replayed)
    assert.isTrue(second?.replayed)
    assert.deepStrictEqual(outcomes(), [
      "offer.create: ok",
      "offer.create: ok",
      "offer.create: INVALID_INPUT",
      "offer.create: FORBIDDEN_SCOPE",
      "offer.get: NOT_FOUND"
    ])
    // What nobody may run, and what is not valid, never reaches `before`.
    assert.lengthOf(seen, 3)
    await svc.close()
  })

  it("are called when a run is held, and again when a person approves it", async () => {
    let closed = false
    const { begun, hooks, outcomes } = recording({
      before: ({ command, within }) => {
        if (closed && command === "offer.create" && within !== undefined) throw new Error("Closed for the night.")
      }
    })
    const { ask, makeKey, organizationId, svc: host } = await openService({ hooks })
    const svc = host.as({ organizationId })
    const { keyId, text: key } = await makeKey({ scopes: ["offers:write"] })
    await svc.policies.set({ key_id: keyId, mutate: "ask" })
    begun()
    outcomes()
    const held = await ask("POST", "/api/v1/commands/offer.create", { key, json: offer })
    assert.deepStrictEqual(begun(), ["offer.create"])
    const resolve = {
      approval_request_id: textAt(held.body, "meta.approval_request_id"),
      decision: "approve"
    } as const
    closed = true
    const refused = await svc.commands.run("approval.resolve", resolve)
    assert.ok(!refused.ok)
    assert.strictEqual(`${refused.error.code} ${refused.error.message}`, "APPROVAL_POLICY Closed for the night.")
    assert.deepStrictEqual((await svc.offers.list()).offers, [])
    closed = false
    begun()
    outcomes()
    // Refused by the host, the request stays open.
    const { result } = await svc.approvals.resolve(resolve)
    assert.strictEqual(at(result, "offer.name"), "Audit")
    assert.deepStrictEqual(begun(), ["approval.resolve", "offer.create within approval.resolve"])
    assert.deepStrictEqual(outcomes(), ["offer.create within approval.resolve: ok", "approval.resolve: ok"])
    await svc.close()
  })

  for (const [risk, outcome] of [
    ["mutate", "ok"],
    ["read", "UNAVAILABLE"]
  ] as const) {
    it(`learn how a run (${risk}) ended whose caller went away`, async () => {
      const [reached, reach] = signal()
      const [gate, open] = signal()
      const [told, tell] = signal()
      const Slow = Command.make({
        id: "crm.slow",
        title: "Wait",
        summary: "Wait",
        description: "Waits.",
        whenToUse: "Never.",
        category: "workspace",
        risk,
        scope: "leads:write",
        input: Schema.Struct({}),
        output: Schema.Struct({}),
        failures: [],
        examples: [{ title: "Wait", input: {} }],
        run: () =>
          Effect.as(
            Effect.andThen(
              Effect.sync(reach),
              Effect.promise(() => gate)
            ),
            {}
          )
      })
      const { hooks, outcomes } = recording({ after: () => tell() })
      const svc = await createSvc({ databaseUrl: "memory:", worker: false, commands: [Slow], hooks })
      const controller = new AbortController()
      const reason = new Error("gone")
      const waiting = svc.crm.slow({}, { signal: controller.signal }).catch((error: unknown) => error)
      await reached
      controller.abort(reason)
      assert.strictEqual(await waiting, reason)
      if (risk === "mutate") assert.deepStrictEqual(outcomes(), [])
      open()
      await told
      assert.deepStrictEqual(outcomes(), [`crm.slow: ${outcome}`])
      await svc.close()
    })
  }
})
