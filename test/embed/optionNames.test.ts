/** What a program without types gets wrong is refused with the nearest name, and no actor has rights that nobody named. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createSvc, defineCommand, type Svc, SvcError, type SvcOptions } from "@svc/embed"
import { z } from "zod"
import { caught } from "../client/caught.ts"

const quiet: SvcOptions = { databaseUrl: "memory:", worker: false, env: { SVC_LOG_LEVEL: "none" } }

/** An error as `CODE message`, whether it is thrown or rejected. */
const refusal = async (run: () => unknown): Promise<string> => {
  const error = await caught((async () => run())())
  return error instanceof SvcError ? `${error.code} ${error.message}` : `no SvcError: ${String(error)}`
}

const wrongOptions: ReadonlyArray<readonly [options: object | null, message: string]> = [
  [{ hook: {} }, "createSvc: hook is unknown. Did you mean hooks?"],
  [{ databaseURL: "memory:" }, "createSvc: databaseURL is unknown. Did you mean databaseUrl?"],
  [{ xyzzy: 1 }, "createSvc: xyzzy is unknown. Known are database, databaseUrl, settings"],
  [null, "createSvc must be an object with database"],
  [{ hooks: { befor: () => {} } }, "hooks: befor is unknown. Did you mean before?"],
  [{ http: { doc: false } }, "http: doc is unknown. Did you mean docs?"],
  [{ databaseUrl: undefined, database: { url: "memory:", pol: 4 } }, "database: pol is unknown. Did you mean pool?"],
  [
    { databaseUrl: undefined, database: { client: {}, pool: 4 } },
    "database: pool is unknown. Known are client, schema."
  ],
  [{ settings: { sendHoldSecond: 0 } }, "settings.sendHoldSecond is unknown, did you mean sendHoldSeconds?"],
  [{ actor: { scope: [] } }, "actor: scope is unknown. Did you mean scopes?"],
  [{ defaultScopes: ["lead:read"] }, 'defaultScopes: "lead:read" is not a scope. Did you mean leads:read?'],
  [{ auth: ["key"] }, 'auth must be a list of "keys" and functions'],
  [{ callerOf: { userId: "ada" } }, "callerOf must be a function."],
  [{ mcpActorKind: "keys" }, "mcpActorKind must be AI_AGENT or key."]
]

const wrongActors: ReadonlyArray<readonly [actor: unknown, message: string]> = [
  [{ scope: [] }, ": scope is unknown. Did you mean scopes?"],
  [{ organisationId: "org_1" }, ": organisationId is unknown. Did you mean organizationId?"],
  [{ scopes: "leads:write" }, ".scopes must be a list of scopes"],
  [{ scopes: ["leads:writ"] }, '.scopes: "leads:writ" is not a scope. Did you mean leads:write?'],
  [{ scopes: null }, ".scopes must be a list of scopes"],
  [{ mode: "draft-only" }, ".mode must be full or draft_only."],
  [{ kind: "AI" }, ".kind must be USER or AI_AGENT."],
  [{ organizationId: null }, ".organizationId must be the id of an organization."],
  [{ userId: 7 }, ".userId must be text."],
  ["ada", " must be an object with organizationId, userId, kind, mode, scopes."]
]

const wrongCalls: ReadonlyArray<readonly [options: object, message: string]> = [
  [{ dry_run: true }, "options: dry_run is unknown. Did you mean dryRun?"],
  [{ idempotency_key: "k" }, "options: idempotency_key is unknown. Did you mean idempotencyKey?"],
  [{ actor: { scope: [] } }, "actor: scope is unknown. Did you mean scopes?"],
  [[], "options must be an object with responseProfile"]
]

describe("createSvc", () => {
  it.each(wrongOptions)("refuses %o", async (options, message) => {
    const all = options === null ? options : { ...quiet, ...options }
    const found = await refusal(() => createSvc(all as SvcOptions))
    assert.isTrue(found.startsWith("INVALID_INPUT ") && found.includes(message), found)
  })

  it("takes an undefined option as an absent one, whatever its name", async () => {
    await (await createSvc({ ...quiet, hooks: undefined, ...Object({ hook: undefined }) })).close()
  })
})

describe("a service", () => {
  let svc: Svc
  beforeAll(async () => {
    svc = await createSvc(quiet)
  })
  afterAll(() => svc.close())

  it.each(wrongCalls)(
    "refuses the call options %o on every way to call, and saves nothing",
    async (options, message) => {
      const input = { email: "dry@example.com" }
      const before = (await svc.leads.search({})).leads.length
      const envelope = await svc.commands.run("lead.upsert", input, options)
      assert.include(
        envelope.ok ? "it ran" : `${envelope.error.code} ${envelope.error.message}`,
        `INVALID_INPUT ${message}`
      )
      for (const run of [
        () => svc.leads.upsert(input, options),
        () => svc.as({ scopes: ["leads:write"] }).leads.upsert(input, options),
        () => svc.transaction((tx) => tx.leads.upsert(input, options)),
        () =>
          svc.effect.runtime.runPromise(svc.effect.run("lead.upsert", input, options)).catch((error) => {
            throw error.code === undefined ? error : new SvcError({ status: 400, error, ok: false, meta: Object({}) })
          })
      ])
        assert.include(await refusal(run), `INVALID_INPUT ${message}`)
      assert.lengthOf((await svc.leads.search({})).leads, before)
    }
  )

  it("refuses the options of a read, of a subscription and of a request", async () => {
    assert.strictEqual(
      await refusal(() => svc.resources.read("svc://status", Object({ response_profile: "compact" }))),
      "INVALID_INPUT options: response_profile is unknown. Did you mean responseProfile?"
    )
    assert.strictEqual(
      await refusal(() => svc.events.subscribe(Object({ type: ["lead.created"] }), () => {})),
      "INVALID_INPUT subscribe: type is unknown. Did you mean types?"
    )
    assert.strictEqual(
      await refusal(() => svc.fetch(new Request("http://host/api/v1/me"), Object({ actors: { userId: "ada" } }))),
      "INVALID_INPUT options: actors is unknown. Did you mean actor?"
    )
  })

  it.each(wrongActors)(
    "refuses the actor %o of as, of a call, of a request and of callerOf",
    async (given, message) => {
      const actor = Object(given) === given ? Object(given) : (given as never)
      for (const run of [
        () => svc.as(actor),
        () => svc.transaction(async (tx) => tx.as(actor)),
        () => svc.leads.search({}, { actor }),
        () => svc.resources.read("svc://status", { actor }),
        () => svc.fetch(new Request("http://host/api/v1/me"), { actor })
      ])
        assert.include(await refusal(run), `INVALID_INPUT actor${message}`)
      const host = await createSvc({ ...quiet, callerOf: () => actor })
      const response = await host.fetch(new Request("http://host/api/v1/offers"))
      assert.strictEqual(response.status, 400)
      const { error } = Object(await response.json())
      assert.include(`${error.code} ${error.message}`, `INVALID_INPUT callerOf${message}`)
      await host.close()
    }
  )

  it("refuses unknown call options inside of a host's command", async () => {
    const run = (context: { svc: Pick<Svc, "leads" | "resources"> }) =>
      Promise.all([
        refusal(() => context.svc.leads.upsert({ email: "in@example.com" }, Object({ dryRun: true }))),
        refusal(() => context.svc.resources.read("svc://status", Object({ profile: "full" })))
      ])
    const ask = defineCommand({
      id: "crm.ask",
      summary: "Ask",
      risk: "read",
      scope: "leads:read",
      run: async (_, context) => ({ found: await run(context as never) })
    })
    const host = await createSvc({ ...quiet, commands: [ask] })
    assert.deepStrictEqual(await host.crm.ask(), {
      found: [
        "INVALID_INPUT options: dryRun is unknown. Known are responseProfile, signal, idempotencyKey.",
        "INVALID_INPUT options: profile is unknown. Known are responseProfile, signal."
      ]
    })
    await host.close()
  })
})

describe("an actor without scopes", () => {
  /** The code of a request that a caller makes, and of the same as `actor`. */
  const answers = async (svc: Svc, path: string, actor: object) =>
    Promise.all(
      [svc.fetch(new Request(`http://host${path}`)), svc.fetch(new Request(`http://host${path}`), { actor })].map(
        async (answer) => {
          const response = await answer
          return response.status === 200 ? "ok" : Object(await response.json()).error
        }
      )
    )

  it("has none over HTTP, and the message names the one that lacks", async () => {
    const svc = await createSvc({ ...quiet, callerOf: () => ({ userId: "ada" }) })
    for (const actor of [{ userId: "ada" }, { organizationId: svc.organization.id }, {}, { scopes: undefined }])
      for (const error of await answers(svc, "/api/v1/offers", actor)) {
        assert.strictEqual(error.code, "FORBIDDEN_SCOPE")
        assert.include(error.message, "requires the scope offers:read, which this key or actor does not have.")
      }
    await svc.close()
  })

  it("has the declared defaultScopes over HTTP, and no others", async () => {
    const svc = await createSvc({ ...quiet, defaultScopes: ["offers:read"], callerOf: () => ({ userId: "ada" }) })
    assert.deepStrictEqual(await answers(svc, "/api/v1/offers", { userId: "ada" }), ["ok", "ok"])
    for (const { code } of await answers(svc, "/api/v1/agents", { userId: "ada" }))
      assert.strictEqual(code, "FORBIDDEN_SCOPE")
    const response = await svc.fetch(new Request("http://host/api/v1/me"))
    assert.deepStrictEqual(Object(await response.json()).data.scopes, ["offers:read"])
    await svc.close()
  })

  it("keeps in process those that the service was given, also where they are undefined", async () => {
    const svc = await createSvc({ ...quiet, defaultScopes: ["leads:read"] })
    await svc.as({ userId: "lea" }).offers.list()
    const reader = svc.as({ userId: "ada", scopes: ["offers:read"] })
    await reader.as({ userId: "lea" }).offers.list()
    await reader.offers.list({}, { actor: Object({ scopes: undefined }) })
    for (const actor of [{ userId: "lea" }, Object({ scopes: undefined })])
      assert.match(await refusal(() => reader.as(actor).leads.search({})), /^FORBIDDEN_SCOPE/)
    assert.match(await refusal(() => reader.leads.search({}, { actor: {} })), /^FORBIDDEN_SCOPE/)
    await svc.close()
  })

  it("has every right where the service's own actor names no scopes", async () => {
    for (const actor of [undefined, { userId: "usr_me" }] as const) {
      const svc = await createSvc({ ...quiet, actor, defaultScopes: [] })
      await svc.leads.upsert({ email: "own@example.com" })
      await svc.leads.search({}, Object({ actor: undefined }))
      await svc.close()
    }
    const svc = await createSvc({ ...quiet, actor: { scopes: ["leads:read"] } })
    assert.match(await refusal(() => svc.leads.upsert({ email: "own@example.com" })), /^FORBIDDEN_SCOPE/)
    await svc.close()
  })
})

describe("an undefined field of an input", () => {
  it("is absent, at every depth, as over HTTP", async () => {
    const count = defineCommand({
      id: "crm.count",
      summary: "Count fields",
      risk: "read",
      scope: "leads:read",
      input: z.strictObject({ first: z.string(), list: z.array(z.unknown()), more: z.record(z.string(), z.unknown()) }),
      run: (input) => ({ json: JSON.stringify(input) })
    })
    const svc = await createSvc({ ...quiet, commands: [count] })
    const input = {
      email: "grace@example.com",
      name: undefined,
      linkedin_url: undefined,
      additional_context: undefined
    }
    assert.strictEqual((await svc.leads.upsert(Object(input))).lead.email, "grace@example.com")
    const references = [
      { type: "STATS", content: "40 % faster", author: undefined },
      { type: "OTHER", content: "x" }
    ]
    const offer = { name: "Audit", is_draft: true, one_liner: undefined, references }
    const inProcess = await svc.commands.run("offer.create", Object(offer), { dryRun: true })
    const response = await svc.fetch(
      new Request("http://host/api/v1/commands/offer.create?dry_run=true", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(offer)
      }),
      { actor: { scopes: ["offers:write"] } }
    )
    const overHttp = Object(await response.json())
    assert.isTrue(inProcess.ok)
    assert.deepStrictEqual([inProcess.ok, inProcess.meta.command_hash], [overHttp.ok, overHttp.meta.command_hash])
    const deep = { first: "1", second: undefined, list: [{ a: undefined, b: [undefined, 1] }], more: { c: undefined } }
    assert.strictEqual((await svc.crm.count(Object(deep)))["json"], '{"first":"1","list":[{"b":[null,1]}],"more":{}}')
    assert.match(await refusal(() => svc.offers.get(Object({ offer_id: undefined }))), /offer_id is required/)
    const { id } = await svc.organizations.ensure({ externalId: "acme", name: undefined })
    assert.match(id, /^org_/)
    await svc.close()
  })
})
