/** The OpenAPI document and its page: valid, complete, and true to what the routes answer. */
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { HttpApp } from "#http/HttpApp.ts"
import { workspacePlaces } from "#http/reviewRoutes.ts"
import { effort, some } from "../support/effort.ts"
import { at, openService, type Reply, type Service, smallOffer, textAt } from "../support/httpService.ts"

let service: Service
let document: unknown
const ajv = new Ajv2020({ strict: false, validateFormats: false })
beforeAll(async () => {
  service = await openService({ sample: true })
  document = (await service.ask("GET", "/api/v1/openapi.json", { key: null })).body
  ajv.addSchema(Object(document), "document")
})
afterAll(() => service.svc.close())

interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: unknown
}

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> => Object.entries(Object(value))

const operations = (): ReadonlyArray<Operation> =>
  entriesOf(at(document, "paths")).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({ path, method, operation }))
  )

/** The member of a document that a JSON pointer names. */
const resolve = (root: unknown, pointer: string): unknown =>
  pointer
    .slice(2)
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
      root
    )

const refsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner] : refsOf(inner)
  )
}

const validators = new Map<string, ValidateFunction>()

/** What validates a JSON body; equal schemas share one. */
const validatorOf = (path: string, method: string, status: string): ValidateFunction => {
  const pointer = ["paths", path, method, "responses", status, "content", "application/json", "schema"]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/")
  const text = JSON.stringify(resolve(document, `#/${pointer}`))
  const validate = validators.get(text) ?? ajv.compile({ $ref: `document#/${pointer}` })
  validators.set(text, validate)
  return validate
}

describe("the document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator()
    const result = await validator.validate(Object(structuredClone(document)))
    assert.ok(result.valid, JSON.stringify(result.errors ?? "").slice(0, 2000))
    assert.match(textAt(document, "openapi"), /^3\.1\./)
  })

  it("every $ref resolves", () => {
    const refs = new Set(refsOf(document))
    assert.isAbove(refs.size, 2)
    for (const ref of refs) {
      assert.match(ref, /^#\//)
      assert.notStrictEqual(resolve(document, ref), undefined, ref)
    }
  })

  it("every schema compiles", () => {
    for (const { method, operation, path } of operations()) {
      for (const [status, response] of entriesOf(at(operation, "responses"))) {
        if (at(Object(at(response, "content"))["application/json"], "schema") === undefined) continue
        assert.doesNotThrow(() => validatorOf(path, method, status), `${method} ${path} ${status}`)
      }
    }
  })

  it("operation ids are unique, and parameters are those of the path", () => {
    const ids = operations().map(({ operation }) => textAt(operation, "operationId"))
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { operation, path } of operations()) {
      const parameters = at(operation, "parameters") ?? []
      assert.ok(Array.isArray(parameters))
      const inPath = parameters.filter((one) => at(one, "in") === "path").map((one) => textAt(one, "name"))
      assert.deepStrictEqual(
        inPath.sort(),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)).sort(),
        path
      )
    }
  })

  it("every command is an operation of its own, with its own schemas and examples", async () => {
    const commands = at((await service.ask("GET", "/api/v1/commands")).body, "data.commands")
    assert.ok(Array.isArray(commands) && commands.length >= 20)
    for (const command of commands) {
      const id = textAt(command, "command_id")
      const schemas = at((await service.ask("GET", `/api/v1/commands/${id}/schema`)).body, "data.command")
      const post: unknown = at(Object(at(document, "paths"))[`/api/v1/commands/${id}`], "post")
      const content = Object(at(post, "requestBody.content"))["application/json"]
      assert.deepStrictEqual(at(content, "schema"), at(schemas, "input_schema"), id)
      const ok = Object(at(post, "responses.200.content"))["application/json"]
      assert.deepStrictEqual(at(ok, "schema.properties.data"), at(schemas, "output_schema"), id)
      assert.notStrictEqual(at(content, "examples.example1.value"), undefined, id)
      for (const status of [200, 400, 401, 403, 404, 409, 429, 500, 502, 503]) {
        assert.notStrictEqual(at(post, `responses.${status}`), undefined, `${id} ${status}`)
      }
    }
  })

  it("every endpoint of the spec is there", () => {
    const known = new Set(operations().map(({ method, path }) => `${method} ${path}`))
    for (const one of [
      "get /api/v1/commands",
      "get /api/v1/commands/{commandId}/schema",
      "get /api/v1/resources",
      "get /api/v1/resources/read",
      "get /api/v1/offers",
      "post /api/v1/offers",
      "patch /api/v1/offers/{offerId}",
      "post /api/v1/missions",
      "get /api/v1/missions/{missionHandle}",
      "post /api/v1/missions/{missionHandle}/leads",
      "post /api/v1/missions/{missionHandle}/imports",
      "get /api/v1/missions/{missionHandle}/imports",
      "get /api/v1/imports/{importId}/rows.csv",
      "get /api/v1/agents",
      "post /api/v1/agents",
      "patch /api/v1/agents/{agentHandle}",
      "delete /api/v1/agents/{agentHandle}"
    ]) {
      assert.ok(known.has(one), one)
    }
  })
})

/** Routes that the document leaves to another one, and which. */
const elsewhere: Readonly<Record<string, string>> = {
  "/mcp": "the agent protocol says what it takes and answers",
  "/api/v1/simulator/events": "only there where LinkedIn is simulated, for svc simulate"
}

describe("the document and the router", () => {
  const notApi = new Set(["review", "oauth", ".well-known", "unsubscribe", ...workspacePlaces])

  it("have the same routes, and agree on which need a key", async () => {
    const { routes } = await service.svc.effect.runtime.runPromise(HttpApp)
    const commandPath = "/api/v1/commands/{commandId}"
    const commands = at((await service.ask("GET", "/api/v1/commands")).body, "data.commands")
    assert.ok(Array.isArray(commands))
    const routed = routes
      // Pages and their sessions are no API, and OAuth has metadata of its own.
      .filter(({ path }) => elsewhere[path] === undefined && !notApi.has(path.split("/")[1] ?? ""))
      .flatMap(({ access, method, path }) =>
        path === commandPath
          ? commands.map((one) => ({ access, method, path: `/api/v1/commands/${textAt(one, "command_id")}` }))
          : [{ access, method, path }]
      )
      .map(({ access, method, path }) => `${access} ${method} ${path}`)
    const documented = operations().map(({ method, operation, path }) => {
      const security = at(operation, "security")
      const access = Array.isArray(security) && security.length === 0 ? "open" : "key"
      return `${access} ${method.toUpperCase()} ${path}`
    })
    assert.deepStrictEqual(documented.toSorted(), routed.toSorted())
    assert.strictEqual(new Set(routed).size, routed.length)
    assert.include(documented, "open POST /api/v1/gateways/{gateway}/webhook/{token}")
    for (const path of Object.keys(elsewhere))
      assert.isTrue(
        routes.some((route) => route.path === path),
        path
      )
  })
})

describe("what a generated client needs", () => {
  it("is in the descriptors: every field, and the three schemas where they are", async () => {
    const list = at((await service.ask("GET", "/api/v1/commands")).body, "data.commands.0")
    const one = at((await service.ask("GET", "/api/v1/commands/offer.create/schema")).body, "data.command")
    for (const [name, value] of [
      ["CommandDescriptor", list],
      ["CommandDescriptorWithSchemas", one]
    ] as const) {
      const properties = at(document, `components.schemas.${name}.properties`)
      assert.deepStrictEqual(Object.keys(Object(properties)).sort(), Object.keys(Object(value)).sort())
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` })
      assert.ok(validate(value), JSON.stringify(validate.errors))
    }
  })

  it("is in the headers: conditions that are read, and what answers carry", () => {
    const operation = (path: string, method: string): unknown => at(Object(at(document, "paths"))[path], method)
    const parameters = (path: string, method: string): ReadonlyArray<unknown> => {
      const list = at(operation(path, method), "parameters")
      return Array.isArray(list) ? list.map((one) => at(one, "name")) : []
    }
    assert.include(parameters("/api/v1/offers/{offerId}", "patch"), "If-Match")
    assert.include(parameters("/api/v1/agents/{agentHandle}", "delete"), "If-Match")
    assert.include(parameters("/api/v1/missions/{missionHandle}", "get"), "If-None-Match")
    assert.notInclude(parameters("/api/v1/offers", "post"), "If-Match")
    const created = at(operation("/api/v1/offers", "post"), "responses.201.headers")
    assert.includeMembers(Object.keys(Object(created)), ["Location", "ETag", "Svc-Request-Id"])
    const leads = at(operation("/api/v1/missions/{missionHandle}/leads", "post"), "responses.200.headers")
    assert.include(Object.keys(Object(leads)), "Svc-Import-Id")
    const limited = at(operation("/api/v1/offers", "get"), "responses.429.headers")
    assert.include(Object.keys(Object(limited)), "Retry-After")
  })
})

describe("what the routes answer", () => {
  it("is declared, status by status, and fits the declared schema", async () => {
    const checkReply = (method: string, path: string, reply: Reply): void => {
      const operation: unknown = at(Object(at(document, "paths"))[path], method.toLowerCase())
      assert.notStrictEqual(operation, undefined, `${method} ${path}`)
      const declared = at(operation, `responses.${reply.status}`)
      const where = `${method} ${path} ${reply.status} ${reply.text.slice(0, 200)}`
      if (declared === undefined) {
        assert.ok([405, 413, 415].includes(reply.status), `not declared: ${where}`)
        return
      }
      if (reply.status === 304) return
      const types = Object.keys(Object(at(declared, "content")))
      const type = (reply.headers.get("content-type") ?? "").split(";")[0] ?? ""
      assert.include(types, type, where)
      if (type !== "application/json") return
      const validate = validatorOf(path, method.toLowerCase(), String(reply.status))
      assert.ok(validate(reply.body), `${where}: ${JSON.stringify(validate.errors)}`)
    }

    const { apiKey } = await service.svc.createOrganization("Nobody")
    const { text: weak } = await service.makeKey({ scopes: ["events:read"] })
    const { text: good } = await service.makeKey({}, service.svc.organization.id)
    const offer = await service.ask("POST", "/api/v1/offers", { json: smallOffer, key: good })
    const offerId = textAt(offer.body, "data.offer.id")
    checkReply("POST", "/api/v1/offers", offer)
    const bodies: Readonly<Record<string, object>> = {
      "/api/v1/offers": smallOffer,
      "/api/v1/agents": { firstName: "O", lastName: "P" },
      "/api/v1/missions": { name: "M", agentHandle: "ada-martin" },
      "/api/v1/missions/{missionHandle}/leads": { leads: [{ email: "zoe@example.com" }] }
    }
    let asked = 0
    for (const { method, operation, path } of some(operations())) {
      const upper = method.toUpperCase()
      const target = path
        .replace("{offerId}", offerId)
        .replace("{agentHandle}", "ada-martin")
        .replace("{missionHandle}", "spring-outreach")
        .replace("{commandId}", "offer.create")
        .replace("resources/read", "resources/read?uri=svc://status")
      const isWrite = upper !== "GET"
      const takesBody = upper === "POST" || upper === "PATCH"
      const content = Object(at(operation, "requestBody.content"))["application/json"]
      const example = at(content, "examples.example1.value")
      const inputs: ReadonlyArray<unknown> = takesBody
        ? [example ?? bodies[path] ?? {}, {}, { "no such field": 1 }]
        : [undefined]
      const dry = isWrite ? (target.includes("?") ? "&dry_run=true" : "?dry_run=true") : ""
      for (const json of inputs) {
        for (const key of [good, apiKey, weak, null]) {
          const body = json === undefined ? {} : { json }
          for (const [suffix, headers] of [
            [dry, {}],
            [`${dry || "?"}&nonsense=1`, {}],
            [dry, { "if-match": '"x"', "if-none-match": "*" }]
          ] as const) {
            const reply = await service.ask(
              upper,
              `${target}${target.includes("?") ? suffix.replace("?", "&") : suffix}`,
              { key, headers, ...body }
            )
            checkReply(upper, path, reply)
            asked++
          }
        }
      }
    }
    assert.isAbove(asked, effort(300))
  })
})

describe("the page", () => {
  it("is one document that asks nobody for anything else", async () => {
    const reply = await service.ask("GET", "/docs", { key: null })
    assert.strictEqual(reply.status, 200)
    assert.match(reply.headers.get("content-type") ?? "", /^text\/html/)
    const policy = reply.headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; base-uri 'none'/)
    const html = reply.text
    assert.notMatch(html, /<(script|img|iframe|source|video|audio|link)[^>]*\s(src|href)\s*=/i)
    assert.notMatch(html, /@import|\son\w+=/i)
    const again = await service.ask("GET", "/docs", { key: null })
    assert.strictEqual(again.text.length, html.length)
  })

  it("runs the script and has the style that its policy names", async () => {
    const { headers, text: html } = await service.ask("GET", "/docs", { key: null })
    const policy = headers.get("content-security-policy") ?? ""
    for (const tag of ["script", "style"]) {
      const inner = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? assert.fail(tag)
      assert.include(policy, `sha256-${createHash("sha256").update(inner).digest("base64")}`)
    }
  })

  it("explains authentication, errors and paging before the reference, with required fields first", async () => {
    const { text: html } = await service.ask("GET", "/docs", { key: null })
    const places = ["introduction", "authentication", "errors", "paging", "op-rest_get_offers"].map((id) =>
      html.indexOf(`<section id="${id}"`)
    )
    assert.notInclude(places, -1)
    assert.deepStrictEqual(
      places,
      places.toSorted((one, other) => one - other)
    )
    const create = html.slice(html.indexOf('<section id="op-lead_message_record"'))
    const section = create.slice(0, create.indexOf("</section>"))
    assert.match(section, /<h3>Body<\/h3><table><tr><td><code>lead_id<\/code> <b>required<\/b>/)
    assert.match(section, /curl -X POST http[^ ]+\/api\/v1\/commands\/lead\.message\.record/)
    assert.include(section, "await svc.commands.run(&quot;lead.message.record&quot;")
  })

  it("lists the required fields of every body first", async () => {
    const { text: html } = await service.ask("GET", "/docs", { key: null })
    let late = 0
    for (const { operation } of operations()) {
      const { properties, required } = Object(at(operation, "requestBody.content.application/json.schema"))
      if (!Array.isArray(required) || required.length === 0) continue
      if (Object.keys(properties).findIndex((name) => required.includes(name)) > 0) late++
      const section = html.slice(html.indexOf(`<section id="op-${textAt(operation, "operationId")}"`))
      const first = /<h3>Body<\/h3><table><tr><td>(.*?)<\/td>/.exec(section)?.[1]
      assert.include(first ?? "", "<b>required</b>", textAt(operation, "operationId"))
    }
    assert.isAbove(late, 0, "some schema names another field first")
  })

  it("has every operation of the document, each with its own id", async () => {
    const { text: html } = await service.ask("GET", "/docs", { key: null })
    const { body } = await service.ask("GET", "/api/v1/openapi.json", { key: null })
    const ids = Object.values(Object(Object(body).paths)).flatMap((methods) =>
      Object.values(Object(methods)).map((operation) => `op-${Object(operation).operationId}`)
    )
    assert.isAbove(ids.length, 100)
    for (const id of ids) assert.strictEqual(html.split(`<section id="${id}"`).length, 2, id)
  })

  it("is small, and sent compressed to whoever takes that, or not at all to whoever has it", async () => {
    const ask = (headers: Record<string, string>) =>
      service.svc.fetch(new Request("http://localhost/docs", { headers }))
    const plain = await ask({})
    const text = await plain.text()
    assert.isBelow(text.length, 1_500_000)
    const gzip = { "accept-encoding": "gzip, br" }
    const small = await ask(gzip)
    assert.strictEqual(small.headers.get("content-encoding"), "gzip")
    assert.strictEqual(small.headers.get("vary"), "accept-encoding")
    const bytes = Buffer.from(await small.arrayBuffer())
    assert.isBelow(bytes.length, 200_000)
    assert.strictEqual(gunzipSync(bytes).toString(), text)
    const etag = small.headers.get("etag") ?? ""
    assert.notStrictEqual(etag, plain.headers.get("etag"))
    assert.strictEqual((await ask({ ...gzip, "if-none-match": etag })).status, 304)
  })
})
