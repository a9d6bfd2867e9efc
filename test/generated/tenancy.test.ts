/**
 * What belongs to another organization answers, byte for byte, as what does not exist, wherever it can be named.
 *
 * Made from the catalogue: a new command or resource is covered as it is, and one with a field that seems to name
 * something and that this test cannot fill fails here.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { expand } from "#core/kernel/resource/Resource.ts"
import { generateKey, parseKey } from "#core/workspace/organizations/ApiKey.ts"
import { restBindings } from "#http/restBindings.ts"
import { clearUrl, freshPostgres, hasPostgres, selectedBackends } from "../support/backends.ts"
import { type MemoryService, memoryService, ownerOf } from "../support/memoryService.ts"
import { restShapes, shapeOf } from "../support/rest.ts"
import { type RestRequest, restRequest } from "../support/restRequest.ts"
import { isNode, type SchemaNode } from "../support/schemaArbitrary.ts"
import { fillTenant, type Tenant, unknownName, unmarked } from "../support/tenant.ts"
import { inputFor, isFilledElsewhere, namesAt, namingPlaces, withName } from "./tenancyNames.ts"

/** A way to run a command over HTTP. */
interface Door {
  readonly title: string
  readonly command: string
  readonly request: (input: SchemaNode) => RestRequest
}

const doors: ReadonlyArray<Door> = [
  ...commands.map(({ id }) => ({
    title: id,
    command: id,
    request: (input: SchemaNode): RestRequest => ({
      method: "POST",
      target: `/api/v1/commands/${id}`,
      body: JSON.stringify(input),
      headers: {}
    })
  })),
  ...restBindings.map((binding) => ({
    title: `${binding.method} ${binding.path}`,
    command: shapeOf(binding).id,
    request: (input: SchemaNode) => restRequest(binding, input)
  }))
]

/** Commands that find nothing by a tenant's own names, and why. */
const ofNothing: Readonly<Record<string, string>> = {
  "lead.suppression.lift": "nobody of a tenant is suppressed"
}

/** Lists that a tenant has no two of, and why. */
const shortLists: Readonly<Record<string, string>> = {
  "lead.duplicates": "two groups of leads that may be one person would change what the other tests see"
}

const comparedHeaders = ["location", "retry-after", "www-authenticate", "svc-warnings", "content-type"]

const stores = (["memory", "postgres"] as const).filter((name) =>
  name === "memory" ? selectedBackends().has(name) : hasPostgres()
)

describe.for(stores)("tenancy on %s", (store) => {
  const scope = Scope.makeUnsafe()
  let service: MemoryService
  let a: Tenant
  let b: Tenant
  let key: string

  beforeAll(async () => {
    const databaseUrl =
      store === "memory" ? "memory:" : clearUrl((await Effect.runPromise(Scope.provide(freshPostgres(), scope))).url)
    service = await memoryService({ databaseUrl, sample: false })
    a = await fillTenant(service, service.svc.organization.id, "qqxqqa")
    // Seals it, which changes rows once.
    await service.run({ command: "audit.list", input: {}, actor: ownerOf(a.organizationId) })
    const other = await service.svc.createOrganization("B")
    key = other.apiKey
    b = await fillTenant(service, other.organizationId, "qqxqqb")
  })
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const commandOf = (id: string): AnyCommand => {
    const command = service.catalog.find(id) ?? restShapes.find((shape) => shape.id === id)
    if (command === undefined) throw new Error(`there is no command ${id}`)
    return command
  }

  const ask = async ({ body, headers, method, target }: RestRequest, bearer = key) => {
    const response = await service.svc.fetch(
      new Request(`http://host${target}`, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body })
      })
    )
    const shown = comparedHeaders.map((name) => `${name}: ${response.headers.get(name)}`)
    return { status: response.status, text: `${response.status}\n${shown.join("\n")}\n${await response.text()}` }
  }

  /** Rehearsed where it can be: what succeeds would make the name one of B's, and the next answer another one. */
  const rehearsed = (request: RestRequest): RestRequest => {
    if (request.method === "GET") return request
    return { ...request, target: `${request.target}${request.target.includes("?") ? "&" : "?"}dry_run=true` }
  }

  /** Both answers, to the name of A and to one that nobody has, as they would look with any name. */
  const compare = async (named: (name: string) => RestRequest, foreign: string): Promise<number> => {
    const request = (name: string) => rehearsed(named(name))
    const unknown = unknownName(foreign)
    const toForeign = await ask(request(foreign))
    const toUnknown = await ask(request(unknown))
    assert.strictEqual(unmarked(toForeign.text, foreign), unmarked(toUnknown.text, unknown), request(foreign).target)
    if (toForeign.status >= 400) assert.strictEqual((await ask(named(foreign))).status, toForeign.status)
    return toForeign.status
  }

  describe.for(doors)("$title", ({ command: id, request, title }) => {
    let before: ReadonlyMap<string, unknown>
    beforeAll(async () => {
      before = await service.contents(a.organizationId)
    })
    afterAll(async () => {
      assert.deepStrictEqual([...(await service.contents(a.organizationId))], [...before], "A was changed")
    })

    it("takes another organization's names for names of nothing", async () => {
      const command = commandOf(id)
      const { input_schema } = describeWithSchemas(command)
      for (const place of namingPlaces(input_schema)) {
        if (isFilledElsewhere(place)) continue
        // Some fields exclude each other, so an example that has the field is the better start.
        const example =
          command.examples.find(({ input }) => Object.hasOwn(input, place[0] ?? "")) ?? command.examples[0]
        const base = inputFor(id, example.input, b)
        const where = `${title}: ${place.join(".")}`
        const own = namesAt(id, place, b)
        const foreign = namesAt(id, place, a)
        assert.isDefined(own, `${where} seems to name something; say in tenancyNames.ts what`)
        for (const name of own ?? []) {
          const options = { responseProfile: "full", dryRun: true, idempotencyKey: undefined } as const
          const input = withName(base, place, name)
          const { envelope } = await service.run({ command: id, input, actor: ownerOf(b.organizationId), options })
          if (ofNothing[id] !== undefined) continue
          // Else both of the following answers would be equal for another reason than tenancy.
          assert.notInclude(
            [400, 404],
            envelope.status,
            `${where}: ${JSON.stringify(input)} ${JSON.stringify(envelope)}`
          )
        }
        for (const name of foreign ?? []) {
          const status = await compare((value) => request(withName(base, place, value)), name)
          assert.isBelow(status, 500, where)
        }
      }
    })

    it("takes another organization's cursor for no cursor", async () => {
      const command = commandOf(id)
      const { input_schema } = describeWithSchemas(command)
      if (shortLists[id] !== undefined) return
      if (!namingPlaces(input_schema).some((place) => place.at(-1) === "cursor")) return
      const required = Array.isArray(input_schema["required"]) ? input_schema["required"].map(String) : []
      const listOf = (tenant: Tenant): SchemaNode => {
        const example = Object.entries(inputFor(id, command.examples[0].input, tenant))
        return {
          ...Object.fromEntries(example.filter(([name]) => required.includes(name) || title.includes(`{${name}}`))),
          limit: 1
        }
      }
      const list = listOf(b)
      const page = async (tenant: Tenant) => {
        const input = listOf(tenant)
        const { envelope } = await service.run({ command: id, input, actor: ownerOf(tenant.organizationId) })
        const data = envelope.ok && isNode(envelope.data) ? envelope.data : {}
        const cursor = data["next_cursor"] ?? data["nextCursor"]
        assert.isString(cursor, `${title}: a tenant needs two of these`)
        return String(cursor)
      }
      const own = await ask(request({ ...list, cursor: await page(b) }))
      assert.strictEqual(own.status, 200, own.text)
      assert.strictEqual(await compare((cursor) => request({ ...list, cursor }), await page(a)), 400)
    })

    it("takes another organization's tag for an old one", async () => {
      const command = commandOf(id)
      if (!namingPlaces(describeWithSchemas(command).input_schema).some((place) => place.at(-1) === "ifMatch")) return
      const base = inputFor(id, command.examples[0].input, b)
      assert.strictEqual(await compare((ifMatch) => request({ ...base, ifMatch }), `"${"0".repeat(31)}a"`), 412)
    })
  })

  it("changes nothing of another organization by what succeeds with its names", async () => {
    const other = await service.svc.createOrganization("C")
    const c = await fillTenant(service, other.organizationId, "qqxqqc")
    const before = await service.contents(a.organizationId)
    let succeeded = 0
    for (const { command: id, request } of doors) {
      const command = commandOf(id)
      if (command.risk === "read") continue
      const base = inputFor(id, command.examples[0].input, c)
      for (const place of namingPlaces(describeWithSchemas(command).input_schema)) {
        if (isFilledElsewhere(place)) continue
        for (const foreign of namesAt(id, place, a) ?? []) {
          const { status } = await ask(request(withName(base, place, foreign)), other.apiKey)
          if (status < 300) succeeded++
        }
      }
    }
    assert.isAbove(succeeded, 5, "creating what another organization has too should succeed")
    assert.deepStrictEqual([...(await service.contents(a.organizationId))], [...before])
  })

  it("takes another organization's resource for none", async () => {
    const kinds: Readonly<Record<string, "draft" | "lead" | "offer" | "mission" | "agent" | "import">> = {
      draft: "draft",
      prospect: "lead",
      offer: "offer",
      mission: "mission",
      agent: "agent",
      import: "import"
    }
    for (const { name, uri } of await service.svc.resources.list()) {
      const field = /\{([a-z]+)\}/.exec(uri)?.[1]
      // The cursor of a page names no record.
      if (field === undefined || field === "cursor") continue
      const kind = kinds[name]
      assert.isDefined(kind, `the resource ${name} takes a name; say here of what`)
      if (kind === undefined) continue
      const read = (value: string): RestRequest => ({
        method: "GET",
        target: `/api/v1/resources/read?uri=${encodeURIComponent(expand(uri, { [field]: value }))}`,
        body: undefined,
        headers: {}
      })
      for (const own of b[kind]) assert.strictEqual((await ask(read(own))).status, 200, `${uri} ${own}`)
      for (const foreign of a[kind]) assert.strictEqual(await compare(read, foreign), 404, uri)
    }
  })

  it("shows nothing of another organization in what lists everything", async () => {
    const bare = [...commands.filter(({ risk }) => risk === "read").map(({ id }) => id), "GET /offers", "GET /agents"]
    for (const id of bare) {
      const { envelope } = await service.run({ command: id, input: {}, actor: ownerOf(b.organizationId) })
      assert.notInclude(JSON.stringify(envelope), "qqxqqa", id)
    }
    for (const listed of await service.svc.resources.list()) {
      const uri = listed.uri.replace("{cursor}", "first")
      if (uri.includes("{")) continue
      const target = `/api/v1/resources/read?uri=${encodeURIComponent(uri)}`
      const { status, text } = await ask({ method: "GET", target, body: undefined, headers: {} })
      assert.strictEqual(status, 200, uri)
      assert.notInclude(text, "qqxqqa", uri)
    }
  })

  it("lets the same idempotency key stand for different requests of two organizations", async () => {
    const texts = { one_liner: "One line", value_proposition: "Worth it" }
    const options = { responseProfile: "full", dryRun: false, idempotencyKey: "the-same-key" } as const
    for (const tenant of [a, b]) {
      const input = { ...texts, name: `Offer of ${tenant.mark}` }
      const actor = ownerOf(tenant.organizationId)
      const { envelope, replayed } = await service.run({ command: "offer.create", input, actor, options })
      assert.isTrue(envelope.ok && !replayed, JSON.stringify(envelope))
    }
  })

  it("knows no more of a key with another organization's id than of any key", async () => {
    const { apiKey } = await service.svc.createOrganization("C")
    const forged = generateKey(parseKey(apiKey)?.keyId)
    const list = { method: "GET", target: "/api/v1/offers", body: undefined, headers: {} }
    const [toForged, toUnknown, toGood] = [
      await ask(list, forged),
      await ask(list, generateKey()),
      await ask(list, apiKey)
    ]
    assert.strictEqual(toForged.status, 401)
    assert.strictEqual(toForged.text, toUnknown.text)
    assert.strictEqual(toGood.status, 200)
  })
})
