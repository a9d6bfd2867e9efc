/** Any value of JavaScript as an input: in process, by the client, and as its JSON over HTTP, with one result. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createClient } from "@svc/client"
import { type CommandOf, createSvc, defineCommand, type Svc } from "@svc/embed"
import * as fc from "fast-check"
import { z } from "zod"

const url = "http://svc.example"

/** Returns what it was given. */
const echo = defineCommand({
  id: "crm.echo",
  summary: "Return the input",
  risk: "read",
  scope: "leads:read",
  input: z.strictObject({
    text: z.string().optional(),
    number: z.number().optional(),
    any: z.unknown().optional(),
    list: z.array(z.unknown()).optional(),
    more: z.record(z.string(), z.unknown()).optional()
  }),
  run: (input) => ({ json: JSON.stringify(input, (_, field) => (Object.is(field, -0) ? "negative zero" : field)) })
})

let svc: Svc<CommandOf<typeof echo>>
let key: string
let requests = 0
beforeAll(async () => {
  svc = await createSvc({
    database: "memory:",
    worker: false,
    env: { SVC_LOG_LEVEL: "none" },
    commands: [echo],
    rateLimit: 0
  })
  key = (await svc.keys.issue({ organizationId: svc.organization.id as never, name: "client" })).apiKey
})
afterAll(() => svc.close())

class Lead {
  readonly email = "ada@example.com"
  readonly nickname = undefined
  get domain() {
    return "example.com"
  }
}

const fails = () => {
  throw new Error("no value")
}

/** What JSON keeps, though perhaps in another form. */
const kept: ReadonlyArray<() => unknown> = [
  () => -0,
  () => undefined,
  () => new Date("2026-01-05T09:00:00Z"),
  () => new URL("https://example.com/ada"),
  () => Buffer.from("ada"),
  () => ({ toJSON: (name: string) => `at ${name}` }),
  () => ({ toJSON: () => undefined }),
  () => ({ toJSON: "no function" }),
  () => new Lead(),
  () => ({
    get name() {
      return "Ada"
    }
  }),
  () => ({ [Symbol("tag")]: 1, name: "Ada" }),
  () => Object.defineProperty({ name: "Ada" }, "hidden", { value: 1 }),
  () => Object.assign(Object.create(null), { name: "Ada" }),
  () => Object.create({ inherited: 1 }),
  () => new Proxy({ name: "Ada" }, {}),
  () => Object.assign([1], { 3: 1 }),
  () => Object.assign([1], { named: 1 }),
  () => JSON.parse('{"__proto__":{"name":"Ada"}}')
]

/** What JSON would lose, change or not take. */
const lost: ReadonlyArray<() => unknown> = [
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => 10n,
  () => Symbol("s"),
  () => fails,
  () => new Date(Number.NaN),
  () => new Map([["a", 1]]),
  () => new Set([1]),
  () => /a/,
  () => new Error("e"),
  () => new Uint8Array([1]),
  () => Promise.resolve(1),
  () => Object("boxed"),
  () => ({ toJSON: () => Number.NaN }),
  () => ({ toJSON: fails }),
  () => ({
    get name() {
      return fails()
    }
  }),
  () => "half \ud800",
  () => "null \u0000",
  () => {
    const loop: Record<string, unknown> = {}
    return Object.assign(loop, { loop })
  }
]

const one = (makers: ReadonlyArray<() => unknown>) => fc.constantFrom(...makers).map((make) => make())

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), one(kept)), weight: 6 },
    { arbitrary: one(lost), weight: 1 },
    { arbitrary: fc.array(tie("value"), { maxLength: 3 }), weight: 3 },
    { arbitrary: fc.dictionary(fc.string({ maxLength: 4 }), tie("value"), { maxKeys: 3 }), weight: 3 },
    { arbitrary: fc.sparseArray(tie("value"), { maxLength: 4 }), weight: 1 }
  )
}))

const input = fc.oneof(
  { arbitrary: value, weight: 1 },
  {
    arbitrary: fc.record(
      { text: value, number: value, any: value, list: fc.array(value, { maxLength: 3 }), more: value, unknown: value },
      { requiredKeys: [] }
    ),
    weight: 8
  },
  // Mostly of the right type, so that many are accepted.
  {
    arbitrary: fc.record(
      { text: fc.oneof(fc.string(), one(kept)), number: fc.double(), any: value, list: fc.array(one(kept)) },
      { requiredKeys: [] }
    ),
    weight: 8
  }
)

/** What matters of an envelope. */
const told = (envelope: object) => {
  const { data, error, ok } = Object(envelope)
  return ok ? { json: data.json } : { code: error.code, message: error.message }
}

const client = () =>
  createClient({
    url,
    key,
    fetch: (request) => {
      requests++
      return svc.fetch(request)
    }
  })

const asJson = async (given: unknown): Promise<object> => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` }
  const request = { method: "POST", headers, body: JSON.stringify(given) ?? "{}" }
  return Object(await (await svc.fetch(new Request(`${url}/api/v1/commands/crm.echo`, request))).json())
}

describe("an input", () => {
  it("has one meaning in process, by the client and as JSON", async () => {
    const counts = { accepted: 0, refused: 0, unsent: 0 }
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const inProcess = told(await svc.commands.run("crm.echo", given as never))
        const before = requests
        const remote = told(await Object(client()).commands.run("crm.echo", given))
        assert.deepStrictEqual(remote, inProcess)
        if (requests === before) {
          counts.unsent++
          assert.strictEqual(Object(inProcess).code, "INVALID_INPUT")
          return
        }
        counts["json" in inProcess ? "accepted" : "refused"]++
        assert.deepStrictEqual(told(await asJson(given)), inProcess)
      }),
      { numRuns: 1500, seed: 18 }
    )
    for (const [name, count] of Object.entries(counts)) assert.isAbove(count, 100, name)
  })

  it.each(lost.map((make) => [String(make), make] as const))("is refused, with its place, for %s", async (_, make) => {
    const before = requests
    for (const run of [svc.commands.run, client().commands.run] as ReadonlyArray<
      (...call: ReadonlyArray<unknown>) => unknown
    >)
      for (const [given, place] of [
        [{ any: make() }, /^any\b/],
        [{ list: [1, { deep: make() }] }, /^list\[1\]\.deep\b/]
      ] as const) {
        const { code, message } = Object(told(Object(await run("crm.echo", given))))
        assert.strictEqual(code, "INVALID_INPUT")
        assert.match(message, place)
      }
    assert.strictEqual(requests, before)
  })

  it.each(kept.map((make) => [String(make), make] as const))("is what JSON.stringify sends for %s", async (_, make) => {
    const given = { any: make(), list: [make()], more: { field: make() } }
    const expected = { json: JSON.stringify(given) }
    for (const run of [svc.commands.run, client().commands.run] as ReadonlyArray<
      (...call: ReadonlyArray<unknown>) => unknown
    >)
      assert.deepStrictEqual(told(Object(await run("crm.echo", given))), expected)
  })
})
