/**
 * A provider that is down, slow or answers garbage, seen through the public API: every command that asks it answers 502 or
 * 503 with the code that says so, or less than 500, and no message is lost or sent twice.
 */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { some } from "../support/effort.ts"
import { startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { type Fault, type FaultyProxy, startFaultyProxy } from "../support/fakeUnipile/faultyProxy.ts"
import { at, openService, textAt } from "../support/httpService.ts"
import { adapter, secret } from "./unipileWorld.ts"

const error = (status: number, type: string): Fault => ({ status, body: JSON.stringify({ status, type, title: type }) })

const faults: Readonly<Record<string, Fault>> = {
  "closes connections": "refuse",
  "hangs up": "drop",
  "never answers": "stall",
  "answers for ever": "drip",
  redirects: "redirect",
  "fails with 500": error(500, "errors/provider_error"),
  "fails with 502 and a page": { status: 502, body: "<html>Bad gateway</html>", type: "text/html" },
  "is not available": error(503, "errors/service_unavailable"),
  "answers too late": error(504, "errors/timeout"),
  "refuses the key": error(401, "errors/missing_credentials"),
  "answers a page": { status: 200, body: "<html>Welcome</html>", type: "text/html" },
  "answers nothing": { status: 200, body: "" },
  "answers null": { status: 200, body: "null" },
  "answers a list": { status: 200, body: "[]" },
  "answers an empty object": { status: 200, body: "{}" },
  "answers half an object": { status: 200, body: '{"object":"' },
  "answers bytes": { status: 200, body: new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0xc0]) },
  "answers too much": { status: 200, body: `"${"x".repeat(6_000_000)}"` },
  "answers a status of its own": error(599, "errors/whatever")
}

const gatewayCodes = ["GATEWAY_ERROR", "GATEWAY_REJECTED", "GATEWAY_PARTIAL", "GATEWAY_UNCONFIGURED", "UNAVAILABLE"]
const everyState = ["queued", "waiting_relation", "sending", "sent", "failed", "cancelled", "ambiguous"]

/** The adapter for a proxy: it waits for responses as long as a slow machine takes, and no longer than 2 s for those that never come. */
const switchingAdapter = (proxy: FaultyProxy) => {
  const slow = { read: 30_000, write: 30_000, search: 30_000, pauses: [1, 1] } as const
  const quick = { ...slow, write: 2_000 }
  return Layer.effectContext(
    Effect.gen(function* () {
      const services = yield* Layer.build(adapter(proxy.url, secret, slow))
      const impatient = yield* Layer.build(
        adapter(proxy.url, secret, proxy.only === undefined ? { ...quick, read: 2_000, search: 2_000 } : quick)
      )
      const isSilent = () => proxy.fault === "stall" || proxy.fault === "drip"
      const gateway = new Proxy(Context.get(services, LinkedInGateway), {
        get: (patient, name) => {
          const member: unknown = Reflect.get(patient, name)
          if (typeof member !== "function") return member
          const other: typeof member = Reflect.get(Context.get(impatient, LinkedInGateway), name)
          return (...given: ReadonlyArray<unknown>) => (isSilent() ? other : member)(...given)
        }
      })
      return Context.add(services, LinkedInGateway, gateway)
    })
  )
}

/** A service beside a provider of its own, with agents, a mission and a linked account. Of what is asked, `only` may fail. */
const openScene = async (only?: ReadonlyArray<string>) => {
  const fake = await startFakeUnipile({ apiKey: secret })
  fake.world.addAccount("ua-1")
  fake.world.addAccount("ua-2")
  const proxy = await startFaultyProxy(fake.url)
  proxy.only = only
  const service = await openService({ gateway: Layer.orDie(switchingAdapter(proxy)) })

  const run = async (command: string, input: object) => {
    const { body, status, text } = await service.ask("POST", `/api/v1/commands/${command}`, { json: input })
    return { status, code: String(at(body, "error.code")), body, text }
  }
  const done = async (command: string, input: object): Promise<unknown> => {
    const { body, status, text } = await run(command, input)
    assert.strictEqual(status, 200, `${command}: ${text.slice(0, 300)}`)
    return at(body, "data")
  }
  /** Somebody new at the provider and here; a stranger to the account where the slug ends with -2nd. */
  const lead = async (slug: string): Promise<string> => {
    fake.world.addPerson(slug, null)
    const made = await done("lead.upsert", { name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })
    return textAt(made, "lead_id")
  }
  const draft = async (lead_id: string): Promise<string> => {
    const input = { lead_id, agent_handle: "ada-martin", variations: [`Hello ${lead_id}`] }
    return textAt(await done("linkedin.draft.create", input), "draft.draft_id")
  }
  /** The states of a draft's items in the queue. */
  const statesOf = async (draft_id: string): Promise<ReadonlyArray<unknown>> => {
    const items = at(await done("linkedin.queue.list", { state: everyState, limit: 100 }), "items")
    if (!Array.isArray(items)) return assert.fail("no list")
    return items.filter((item) => at(item, "draft_id") === draft_id).map((item) => at(item, "state"))
  }
  await done("agent.create", { first_name: "Ada", last_name: "Martin" })
  await done("agent.create", { first_name: "Ben", last_name: "Other" })
  await done("mission.create", { name: "Faults", handle: "faults", agent_handle: "ada-martin" })
  await done("linkedin.account.link", { agent_handle: "ada-martin", gateway_account_id: "ua-1" })
  const close = async () => {
    await service.svc.close()
    await proxy.close()
    await fake.close()
  }
  return { fake, proxy, service, run, done, lead, draft, statesOf, close }
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** Each command that asks the provider, with an input that is made while all is well. */
const askingOf = async ({
  done,
  draft,
  lead
}: Scene): Promise<ReadonlyArray<readonly [command: string, input: object]>> => {
  const search = { mission_handle: "faults", limit: 25 }
  const invited = { lead_id: await lead("withdrawn-2nd"), agent_handle: "ada-martin" }
  const invitation_id = textAt(await done("linkedin.invitation.send", invited), "invitation_id")
  return [
    ["linkedin.account.link", { agent_handle: "ben-other", gateway_account_id: "ua-2" }],
    ["linkedin.account.link", { agent_handle: "ben-other" }],
    ["linkedin.conversation.sync", { lead_id: await lead("synced"), agent_handle: "ada-martin" }],
    ["linkedin.draft.check", { draft_id: await draft(await lead("checked")) }],
    ["linkedin.draft.approve", { draft_id: await draft(await lead("sent-now")), send_now: true }],
    [
      "linkedin.draft.approve",
      { draft_id: await draft(await lead("invited-2nd")), send_now: true, send_invitation: true }
    ],
    ["linkedin.invitation.send", { lead_id: await lead("asked-2nd"), agent_handle: "ada-martin" }],
    ["linkedin.invitation.withdraw", { invitation_id }],
    [
      "import.sales-nav.search",
      { ...search, url: "https://www.linkedin.com/sales/search/people?query=(keywords%3Afault)" }
    ],
    ["import.sales-nav.filters", { ...search, filters: { CURRENT_TITLE: ["CFO"] } }],
    ["import.linkedin.search", { ...search, url: "https://www.linkedin.com/search/results/people/?keywords=fault" }]
  ]
}

const isSearch = (command: string): boolean => command.startsWith("import.")

const settings = { SVC_LINKEDIN_PACING: "off", SVC_SEND_HOLD_SECONDS: "0" }
const before = { ...process.env }
beforeAll(() => void Object.assign(process.env, settings))
afterAll(() => {
  for (const name of Object.keys(settings)) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
})

describe("A provider that fails", () => {
  it.concurrent.each(some(Object.entries(faults)))(
    "%s: no command fails with a 5xx but 502 and 503",
    async (_name, fault) => {
      const scene = await openScene()
      const asking = await askingOf(scene)
      const check = async (command: string, input: object) => {
        const { code, status, text } = await scene.run(command, input)
        const said = `${command} ${JSON.stringify(input).slice(0, 120)}: ${text.slice(0, 300)}`
        if (status >= 500) {
          assert.include([502, 503], status, said)
          assert.include(gatewayCodes, code, said)
        }
        if (isSearch(command) || command === "linkedin.account.link") assert.isAtLeast(status, 500, said)
        assert.notInclude(text, secret)
        return said
      }
      for (const [command, input] of asking.filter(([name]) => !isSearch(name))) {
        scene.proxy.fault = fault
        const failed = scene.proxy.failed
        const said = await check(command, input)
        scene.proxy.fault = undefined
        // A check answers from what is known here.
        if (command !== "linkedin.draft.check") assert.isAbove(scene.proxy.failed, failed, `not asked: ${said}`)
        const id = at(input, "draft_id")
        if (command === "linkedin.draft.approve" && typeof id === "string") {
          const states = await scene.statesOf(id)
          assert.lengthOf(states, 1, said)
          assert.include(["queued", "waiting_relation", "ambiguous"], states[0], said)
        }
      }
      // Searches try again for some seconds.
      scene.proxy.fault = fault
      await Promise.all(asking.filter(([name]) => isSearch(name)).map(([command, input]) => check(command, input)))
      await scene.close()
    }
  )

  it("loses no message whose transmission failed, and sends none twice, when it is back", async () => {
    const scene = await openScene(["POST"])
    const written: Array<{ readonly id: string; readonly slug: string; readonly name: string }> = []
    for (const [index, [name, fault]] of some(Object.entries(faults)).entries()) {
      const slug = `written-${index}`
      const id = await scene.draft(await scene.lead(slug))
      scene.proxy.fault = fault
      const { code, status, text } = await scene.run("linkedin.draft.approve", { draft_id: id, send_now: true })
      scene.proxy.fault = undefined
      if (status >= 500) assert.include(gatewayCodes, code, `${name}: ${text}`)
      written.push({ id, slug, name })
    }
    const round = Effect.provide(dispatchDue({ concurrency: 3 }), Ports.layer)
    const look = () => Promise.all(written.map(async (one) => ({ ...one, states: await scene.statesOf(one.id) })))
    let ends = await look()
    for (let looks = 0; looks < 60 && ends.some(({ states }) => states.includes("queued")); looks++) {
      await scene.service.svc.effect.runtime.runPromise(round)
      await new Promise((resolve) => setTimeout(resolve, 200))
      ends = await look()
    }
    const told = JSON.stringify(ends)
    for (const { slug, states } of ends) {
      assert.include(["sent", "ambiguous"], states.join(), told)
      const times = scene.fake.world.ledger.filter((entry) => entry.slug === slug).length
      assert.strictEqual(times, states[0] === "sent" ? 1 : 0, `${slug}: ${told}`)
    }
    // What was certainly not taken is sent later; of the rest nobody knows.
    const sent = ends.filter(({ states }) => states[0] === "sent").map(({ name }) => name)
    const untaken = ["is not available", "refuses the key"]
    assert.sameMembers(
      sent,
      written.map(({ name }) => name).filter((name) => untaken.includes(name))
    )
    await scene.close()
  })
})
