/** What a guarded command does stays guarded, whichever command does it: for scopes, policies and approvals, on every surface. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { type ActorKind, type CommandPolicy, type Scope, scopes } from "#core/kernel/command/Permission.ts"
import { at, openService, type Reply, type Service, textAt } from "../support/httpService.ts"
import { callTool, textsOf } from "../support/mcpHttp.ts"

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.svc.close())

/** An organization, and what its owner does. */
interface Office {
  readonly organizationId: string
  readonly run: (command: string, input: object) => Promise<unknown>
  readonly rest: (method: string, path: string, json?: object, key?: string) => Promise<Reply>
}

const openOffice = async (): Promise<Office> => {
  const { apiKey, organizationId } = await service.svc.createOrganization("Office")
  const rest: Office["rest"] = (method, path, json, key = apiKey) =>
    service.ask(method, `/api/v1${path}`, json === undefined ? { key } : { key, json })
  const run: Office["run"] = async (command, input) => {
    const reply = await rest("POST", `/commands/${command}`, input)
    assert.strictEqual(reply.status, 200, reply.text)
    return at(reply.body, "data")
  }
  return { organizationId, rest, run }
}

/** Who calls. */
interface Who {
  readonly kind: ActorKind
  readonly scopes: ReadonlyArray<Scope>
}

/** Calls a command; answers `ok`, `held`, or code and message of the refusal. */
type Surface = (office: Office, who: Who, command: string, input: object) => Promise<string>

const keyOf = async ({ organizationId }: Office, { kind, scopes }: Who): Promise<string> =>
  (await service.makeKey({ scopes, actorKind: kind }, organizationId)).text

const outcomeOf = (body: unknown): string => {
  if (at(body, "error") !== undefined) return `${at(body, "error.code")} ${at(body, "error.message")}`
  return at(body, "meta.approval_required") === true ? "held" : "ok"
}

const surfaces: Readonly<Record<string, Surface>> = {
  "in process": async ({ organizationId }, who, command, input) => {
    const mine = service.svc.as({ organizationId, userId: "usr_somebody", ...who })
    // The test names commands as texts, as a caller without types does.
    return outcomeOf(await mine.commands.run(command as "lead.upsert", input))
  },
  "over HTTP": async (office, who, command, input) =>
    outcomeOf((await office.rest("POST", `/commands/${command}`, input, await keyOf(office, who))).body),
  "over MCP": async (office, who, command, input) => {
    const key = await keyOf(office, who)
    const result = await callTool(service.svc.fetch, "command_run", { command_id: command, input }, { key })
    const text = textsOf(result)[0] ?? ""
    if (result["isError"] !== true) return "ok"
    return text.startsWith("APPROVAL_REQUIRED") ? "held" : text.replace(": ", " ")
  }
}

/** A call with the effect of another command. */
interface Case {
  readonly command: string
  /** The scope that its effect takes. */
  readonly scope: Scope
  /** What a refusal names. */
  readonly names: RegExp
  readonly prepare: (office: Office) => Promise<object>
  readonly happened: (office: Office) => Promise<boolean>
}

const anAgent = { first_name: "Ada", last_name: "Martin", handle: "ada" }

const strategyOf = async ({ rest }: Office, mission: string): Promise<unknown> =>
  at((await rest("GET", `/missions/${mission}`)).body, "data.mission.emailReviewStrategy")

const isAuto = async (office: Office) => (await strategyOf(office, "spring")) === "AUTO"

const cases: Readonly<Record<string, Case>> = {
  "a lead.upsert that merges": {
    command: "lead.upsert",
    scope: "leads:merge",
    names: /on_conflict merge/,
    prepare: async ({ run }) => {
      await run("lead.upsert", { name: "One", email: "one@example.com" })
      await run("lead.upsert", { name: "Two", custom_id: "two" })
      return { email: "one@example.com", custom_id: "two", on_conflict: "merge" }
    },
    happened: async ({ run }) => Object(at(await run("lead.search", {}), "leads")).length === 1
  },
  "an approval that invites": {
    command: "linkedin.draft.approve",
    scope: "linkedin:send",
    names: /send_invitation|send_now/,
    prepare: async ({ run }) => {
      await run("agent.create", anAgent)
      const lead = { name: "Katherine", linkedin_url: "https://www.linkedin.com/in/katherine-2nd" }
      const lead_id = textAt(await run("lead.upsert", lead), "lead_id")
      const draft = { lead_id, agent_handle: "ada", variations: [{ body_text: "Shall we?" }] }
      const draft_id = textAt(await run("linkedin.draft.create", draft), "draft.draft_id")
      return { draft_id, send_now: true, send_invitation: true }
    },
    happened: async ({ run }) => Object(at(await run("linkedin.queue.list", {}), "items")).length > 0
  },
  "a new mission without review": {
    command: "mission.create",
    scope: "email:approve",
    names: /email_review_strategy AUTO/,
    prepare: async () => ({ name: "Spring", handle: "spring", email_review_strategy: "AUTO" }),
    happened: isAuto
  },
  "a mission whose review ends": {
    command: "mission.update",
    scope: "email:approve",
    names: /email_review_strategy AUTO/,
    prepare: async ({ run }) => {
      await run("mission.create", { name: "Spring", handle: "spring", email_review_strategy: "MANUAL" })
      return { mission_id: "spring", email_review_strategy: "AUTO" }
    },
    happened: isAuto
  }
}

const without = (missing: Scope): Who => ({
  kind: "USER",
  scopes: scopes.filter((scope) => scope !== missing && scope !== "admin")
})

const everything: Who = { kind: "USER", scopes }

describe.for(Object.entries(surfaces))("%s", ([, surface]) => {
  describe.for(Object.entries(cases))("%s", ([, { command, happened, names, prepare, scope }]) => {
    const attempt = async (who: Who, policy: CommandPolicy = {}) => {
      const office = await openOffice()
      const input = await prepare(office)
      if (Object.keys(policy).length > 0) await office.run("policy.set", policy)
      return { office, outcome: await surface(office, who, command, input) }
    }

    it("needs the scope of its effect", async () => {
      const { office, outcome } = await attempt(without(scope))
      assert.match(outcome, /^FORBIDDEN_SCOPE/)
      assert.match(outcome, names)
      assert.include(outcome, scope)
      assert.isFalse(await happened(office))
    })

    it("is refused where a policy denies its effect", async () => {
      const { office, outcome } = await attempt(everything, { approval: "deny" })
      assert.match(outcome, /^APPROVAL_POLICY/)
      assert.match(outcome, names)
      assert.isFalse(await happened(office))
    })

    it("waits where a policy asks about its effect, and happens when it is approved", async () => {
      const { office, outcome } = await attempt(everything, { approval: "ask" })
      assert.strictEqual(outcome, "held")
      assert.isFalse(await happened(office))
      const { approvals } = Object(await office.run("approval.list", {}))
      const approval_request_id = String(at(approvals, "0.approval_request_id"))
      const resolved = await office.run("approval.resolve", { approval_request_id, decision: "approve" })
      assert.strictEqual(at(resolved, "approval.outcome"), "ok", JSON.stringify(resolved))
      assert.isTrue(await happened(office))
    })

    it("happens for whoever has all rights", async () => {
      const { office, outcome } = await attempt(everything)
      assert.strictEqual(outcome, "ok")
      assert.isTrue(await happened(office))
    })
  })

  it("keeps AI agents under a policy from ending the review of emails", async () => {
    const office = await openOffice()
    await office.run("mission.create", { name: "Spring", handle: "spring", email_review_strategy: "MANUAL" })
    await office.run("policy.set", { agents: "deny" })
    const agent: Who = { kind: "AI_AGENT", scopes }
    const input = { mission_id: "spring", email_review_strategy: "AUTO" }
    assert.match(await surface(office, agent, "mission.update", input), /^APPROVAL_POLICY/)
    assert.strictEqual(await surface(office, agent, "mission.update", { mission_id: "spring", objective: "x" }), "ok")
    assert.strictEqual(await surface(office, agent, "mission.create", { name: "Autumn", handle: "autumn" }), "ok")
    assert.deepStrictEqual(await Promise.all(["spring", "autumn"].map((one) => strategyOf(office, one))), [
      "MANUAL",
      "MANUAL"
    ])
  })

  it("asks about approving many drafts what it asks about one", async () => {
    const office = await openOffice()
    await office.run("policy.set", { mutate: "deny" })
    const outcome = await surface(office, everything, "linkedin.draft.approve-many", { items: [{ draft_id: "drf_1" }] })
    assert.match(outcome, /^APPROVAL_POLICY .*linkedin\.draft\.approve-many/)
  })
})

describe("REST", () => {
  const mission = { name: "Spring", handle: "spring", agentHandle: "ada" }
  const open = async () => {
    const office = await openOffice()
    await office.run("agent.create", anAgent)
    return office
  }
  const auto = { emailReviewStrategy: "AUTO" }

  it("refuses AUTO to a key without the right to approve emails, and names the field as REST does", async () => {
    const office = await open()
    const key = await keyOf(office, without("email:approve"))
    const posted = await office.rest("POST", "/missions", { ...mission, ...auto }, key)
    assert.strictEqual(posted.status, 403, posted.text)
    assert.match(textAt(posted.body, "error.message"), /^emailReviewStrategy AUTO requires the scope email:approve/)
    assert.strictEqual((await office.rest("GET", "/missions/spring")).status, 404)
    await office.rest("POST", "/missions", { ...mission, emailReviewStrategy: "MANUAL" })
    assert.strictEqual((await office.rest("PATCH", "/missions/spring", auto, key)).status, 403)
    assert.strictEqual(await strategyOf(office, "spring"), "MANUAL")
  })

  it("answers 202 where a policy asks", async () => {
    const office = await open()
    await office.rest("POST", "/missions", { ...mission, emailReviewStrategy: "MANUAL" })
    await office.run("policy.set", { approval: "ask" })
    const key = await keyOf(office, everything)
    assert.strictEqual((await office.rest("PATCH", "/missions/spring", { objective: "Grow" }, key)).status, 200)
    assert.strictEqual((await office.rest("PATCH", "/missions/spring", auto, key)).status, 202)
    assert.strictEqual((await office.rest("POST", "/missions", { ...mission, ...auto }, key)).status, 202)
    assert.strictEqual(await strategyOf(office, "spring"), "MANUAL")
  })

  it("has the default AUTO for whoever may set it, and MANUAL for others, whose emails wait", async () => {
    const office = await open()
    const email_accounts = [{ provider: "SMTP", email: "ada@sender.example" }]
    await office.run("agent.update", { agent_handle: "ada", email_accounts })
    const lead_id = textAt(await office.run("lead.upsert", { name: "Grace", email: "grace@example.com" }), "lead_id")
    const email = { lead_id, subject: "Hi", body_text: "Hello" }
    const key = await keyOf(office, without("email:approve"))
    const asked = await office.rest("POST", "/missions", { ...mission, handle: "asked" }, key)
    assert.strictEqual(at(asked.body, "data.mission.emailReviewStrategy"), "MANUAL")
    const sent = await office.rest("POST", "/commands/email.send", { ...email, mission_id: "asked" }, key)
    assert.strictEqual(at(sent.body, "data.email.state"), "in_review")
    const own = await office.rest("POST", "/missions", mission)
    assert.strictEqual(at(own.body, "data.mission.emailReviewStrategy"), "AUTO")
    // Who set AUTO has approved what others send there.
    const queued = await office.rest("POST", "/commands/email.send", { ...email, mission_id: "spring" }, key)
    assert.strictEqual(at(queued.body, "data.email.state"), "queued")
  })

  it("keeps the requester's default in a request that somebody with more rights approves", async () => {
    const office = await open()
    await office.run("policy.set", { mutate: "ask" })
    const key = await keyOf(office, without("email:approve"))
    const held = await office.rest("POST", "/missions", mission, key)
    assert.strictEqual(held.status, 202, held.text)
    const approval_request_id = held.headers.get("svc-approval-request-id")
    const shown = await office.run("approval.get", { approval_request_id })
    assert.strictEqual(at(shown, "input.email_review_strategy"), "MANUAL")
    await office.run("approval.resolve", { approval_request_id, decision: "approve" })
    assert.strictEqual(await strategyOf(office, "spring"), "MANUAL")
  })

  it("merges no leads in a batch: on_conflict is unknown there", async () => {
    const office = await open()
    await office.rest("POST", "/missions", mission)
    const leads = [{ email: "one@example.com", on_conflict: "merge" }]
    const inItem = await office.rest("POST", "/missions/spring/leads", { leads })
    assert.strictEqual(inItem.status, 400, inItem.text)
    const beside = await office.rest("POST", "/missions/spring/leads", { leads: [], on_conflict: "merge" })
    assert.strictEqual(at(beside.body, "error.code"), "UNKNOWN_FIELD", beside.text)
    const one = await office.rest("POST", "/leads", { email: "one@example.com", on_conflict: "merge" })
    assert.strictEqual(at(one.body, "error.code"), "UNKNOWN_FIELD", one.text)
  })
})

it("names only commands that exist", () => {
  const options = {
    on_conflict: "merge",
    send_now: true,
    send_invitation: true,
    email_review_strategy: "AUTO",
    smart_deliverability: false
  }
  const included = commands.flatMap((command: AnyCommand) =>
    Object.keys(command.includes(options)).map((id) => `${command.id}: ${id}`)
  )
  assert.deepStrictEqual(included.toSorted(), [
    "agent.create: linkedin.usage.set-limits",
    "agent.update: linkedin.usage.set-limits",
    "lead.upsert: lead.merge",
    "linkedin.draft.approve-many: linkedin.draft.approve",
    "linkedin.draft.approve: linkedin.invitation.send",
    "mission.create: email.review.decide",
    "mission.update: email.review.decide"
  ])
  const ids = new Set<string>(commands.map(({ id }) => id))
  for (const pair of included) assert.isTrue(ids.has(pair.split(": ")[1] ?? ""), pair)
})
