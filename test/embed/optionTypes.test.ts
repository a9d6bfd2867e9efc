/** Every object that a public function takes, found in the types: its names are known where it is used, and nothing else is taken. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createClient, methodPath } from "@svc/client"
import { createSvc, defineCommand, defineGateway, defineResource, type Svc } from "@svc/embed"
import { SimulatedEmail } from "@svc/memory"
import { emailContract, providerContract, storeContract, type TestSvc, testSvc } from "@svc/testing"
import { commands } from "#core/commands.ts"
import { type OptionsType, optionTypes } from "../support/optionTypes.ts"

const methods = new Set(commands.map(({ id }) => `svc.${methodPath(id).join(".")}`))

/** What is no object of options. */
const without: ReadonlyArray<RegExp> = [
  // Callers of a test are those of a service; requests of frameworks; running services.
  /^testSvc\(options\)\.(?:auth|callerOf)|^svc\.node\(|^svc\.effect\.runtime|^test\.svc|^storeContract\(contract\)\.open\(\)/,
  // What a provider returns is judged by whether something was sent.
  /(?:gateway|defineGateway\(definition\))\.[\w.]+\(\)/,
  // Made with Effect.
  /\[\]\|/,
  /\(\).*\(\)/
]

const quiet = { database: "memory:", worker: false, env: { SVC_LOG_LEVEL: "none" } } as const
let svc: Svc
let test: TestSvc
let types: ReadonlyArray<OptionsType>
beforeAll(async () => {
  svc = await createSvc(quiet)
  test = await testSvc()
  types = await optionTypes({
    from: {
      "embed/src/index.ts": {
        createSvc: "createSvc",
        defineCommand: "defineCommand",
        defineGateway: "defineGateway",
        defineResource: "defineResource",
        Svc: "svc"
      },
      "client/src/index.ts": { createClient: "createClient client" },
      "testing/src/index.ts": {
        emailContract: "emailContract",
        providerContract: "providerContract",
        storeContract: "storeContract",
        TestSvc: "test",
        testSvc: "testSvc"
      }
    },
    without: (path) => methods.has(path.replace(/^client/, "svc")) || without.some((one) => one.test(path)),
    foreign: ["HostClient", "HostPool", "StandardSchema"]
  })
})
afterAll(() => Promise.all([svc.close(), test.close()]))

const command = { id: "crm.ping", summary: "Ping", risk: "read", scope: "leads:read", run: () => ({}) }
const resource = { uri: "svc://crm/x", name: "crm-x", summary: "X", scope: "leads:read", read: () => ({}) }
const send = async () => ({ outcome: "unknown" })
const gateway = { name: "mine", relation: send, sendToChat: send, startChat: send, sendInvitation: send }
const effects = { does: [], channels: [] }
const example = { title: "Ping", input: {} }
const person = { kind: "slug", value: "ada", derived: false }
const subject = { gateway, delivered: () => [] }

/** What an object must have beside what is tried, by the path of the object. */
const bases: Readonly<Record<string, object>> = {
  "createSvc(options)": quiet,
  "createSvc(options).commands[]": command,
  "createSvc(options).commands[].effects": effects,
  "createSvc(options).commands[].examples[]": example,
  "createSvc(options).database": { client: { connect: send } },
  "createSvc(options).database|url": { url: "memory:" },
  "createSvc(options).gateway": gateway,
  "createSvc(options).resources[]": resource,
  "defineCommand(definition)": command,
  "defineCommand(definition).effects": effects,
  "defineCommand(definition).examples[]": example,
  "defineGateway(definition)": gateway,
  "defineResource(definition)": resource,
  "testSvc(options).commands[]": command,
  "testSvc(options).commands[].effects": effects,
  "testSvc(options).commands[].examples[]": example,
  "testSvc(options).gateway": gateway,
  "testSvc(options).resources[]": resource,
  "createClient(options)": { url: "http://127.0.0.1:9" },
  "emailContract(contract)": { open: () => subject },
  "emailContract(contract).open()": { ...subject, gateway: SimulatedEmail.layer },
  "providerContract(contract)": { open: () => subject, connected: [] },
  "providerContract(contract).connected[]": person,
  "providerContract(contract).stranger[]": person,
  "providerContract(contract).open()": subject,
  "providerContract(contract).open().gateway": gateway,
  "storeContract(contract)": { open: createSvc },
  "svc.organizations.ensure(input)": { externalId: "acme" },
  "svc.keys.issue(key)": { organizationId: "org_1", name: "key" },
  "test.provider.reply(reply)": { leadId: "ld_1", text: "Hello" }
}

/** What a service answers to a caller that a function of the host names. */
const asked = async (options: object) => {
  const host = await createSvc({ ...quiet, ...options })
  const { error } = Object(await (await host.fetch(new Request("http://host/api/v1/offers"))).json())
  await host.close()
  if (error !== undefined) throw error
}

const failed = async (running: Promise<object>) => {
  const { error } = Object(await running)
  if (error !== undefined) throw error
}

const request = () => new Request("http://host/healthz")
const remote = createClient({ url: "http://127.0.0.1:9" })
const open = (given: unknown) => () => given as never

/** How what is at a path is passed. */
const uses: Readonly<Record<string, (given: never) => unknown>> = {
  "createClient(options)": createClient,
  "client.commands.run(options)": (given) => failed(remote.commands.run("offer.list", {}, given)),
  "client.resources.read(options)": (given) => remote.resources.read("svc://status", given),
  "createSvc(options)": createSvc,
  "createSvc(options).auth[]()": (given) => asked({ auth: [() => given] }),
  "createSvc(options).callerOf()": (given) => asked({ callerOf: () => given }),
  "defineCommand(definition)": defineCommand,
  "defineGateway(definition)": defineGateway,
  "defineResource(definition)": defineResource,
  "emailContract(contract)": emailContract,
  "emailContract(contract).open()": (given) => emailContract({ open: open(given) })[0]?.run(),
  "providerContract(contract)": providerContract,
  "providerContract(contract).open()": (given) => providerContract({ open: open(given), connected: [] })[0]?.run(),
  "storeContract(contract)": storeContract,
  "svc.as(actor)": (given) => svc.as(given),
  "svc.commands.run(options)": (given) => failed(svc.commands.run("offer.list", {}, given)),
  "svc.effect.run(options)": (given) => svc.effect.runtime.runPromise(svc.effect.run("offer.list", {}, given)),
  "svc.events.subscribe(options)": (given) => svc.events.subscribe(given, () => {}),
  "svc.fetch(options)": (given) => svc.fetch(request(), given),
  "svc.keys.issue(key)": (given) => svc.keys.issue(given),
  "svc.organizations.ensure(input)": (given) => svc.organizations.ensure(given),
  "svc.resources.read(options)": (given) => svc.resources.read("svc://status", given),
  "test.as(role)": (given) => test.as(given),
  "test.provider.reply(reply)": (given) => test.provider.reply(given),
  "testSvc(options)": testSvc
}

/** Passes a value at a path, within what the path leads through. */
const pass = (path: string, value: unknown): unknown => {
  const use = uses[path]
  if (use !== undefined) return use(value as never)
  if (path.endsWith("[]")) return pass(path.slice(0, -2), [value])
  if (path.endsWith("()")) return pass(path.slice(0, -2), () => value)
  const [, outer, separator, name = ""] = /^(.+)([.|])(\w+)$/.exec(path) ?? assert.fail(`nothing tries ${path}`)
  if (outer === undefined) return assert.fail(path)
  return separator === "|" ? pass(outer, value) : pass(outer, { ...bases[outer], [name]: value })
}

/** With which code and message properties are refused at a path. */
const refusal = async (path: string, properties: object): Promise<string> => {
  try {
    await pass(path, { ...bases[path], ...properties })
    return "taken"
  } catch (error) {
    const { code, message } = Object(error)
    return /^(?:INVALID_INPUT|UNKNOWN_FIELD)$/.test(code) ? String(message) : `${String(error)}, without code`
  }
}

/** Schemas of JSON and inputs of commands are read when they are used. */
const isOpen = (path: string, name: string) =>
  name.endsWith("JsonSchema") || (path.endsWith("examples[]") && name === "input")

describe("options", () => {
  it("have the names of their types, name the nearest one, and refuse values of other types", async () => {
    const problems: Array<string> = []
    let tried = 0
    const expect = async (path: string, properties: object, said: (message: string) => boolean) => {
      tried++
      const message = await refusal(path, properties)
      if (!said(message)) problems.push(`${path} ${JSON.stringify(properties)}: ${message}`)
    }
    for (const { path, wrong } of types) {
      const names = [...wrong.keys()].toSorted().join(", ")
      await expect(path, { qqqqqqqqqqqqqqqqqqqqqqqq: 1 }, (message) => {
        const [, known = ""] = /known (?:are|fields:) ([\w, ]*)\./i.exec(message) ?? []
        return known.split(", ").toSorted().join(", ") === names
      })
      for (const [name, value] of wrong) {
        await expect(path, { [`${name}x`]: 1 }, (message) =>
          message.toLowerCase().includes(`did you mean ${name}?`.toLowerCase())
        )
        const given = path.endsWith(".settings") ? {} : value
        if (!isOpen(path, name)) await expect(path, { [name]: given }, (message) => message.includes(name))
      }
    }
    assert.deepStrictEqual(problems, [])
    assert.includeMembers(
      types.map(({ path }) => path),
      Object.keys(uses)
    )
    assert.isAbove(tried, 600)
  })
})
