/** What is published of the tools: pinned, within the budget, and within the rules of every model provider. */
import { readFile, writeFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { commands } from "#core/commands.ts"
import * as Catalog from "#core/kernel/command/Catalog.ts"
import { isForModels } from "#core/kernel/command/Effects.ts"
import type { ToolDefinition } from "#mcp/Tool.ts"
import { makeToolbox, tokensOf } from "#mcp/Toolbox.ts"
import { alwaysShown, defaultCommands, parseToolset, setupCommands } from "#mcp/toolsets.ts"
import { isNode, type SchemaNode } from "../support/schemaArbitrary.ts"

const catalog = Catalog.make(commands)
const all = makeToolbox(catalog, "all").definitions
/** The tool of each command, and the general ones. */
const every = [
  ...makeToolbox(catalog, new Set(commands.map(({ category }) => category))).definitions,
  ...all.filter(({ name }) => name === "commands_search" || name === "command_run")
]
const shown = makeToolbox(catalog, "default").definitions
const generic = ["commands_search", "command_run", "resource_read"]

/** Every schema in a schema, with its path and depth. */
const nodesIn = (node: SchemaNode, path = "", depth = 0): ReadonlyArray<readonly [string, SchemaNode, number]> => {
  const properties = isNode(node["properties"]) ? Object.entries(node["properties"]) : []
  const items = node["items"]
  const others = node["additionalProperties"]
  return [
    [path, node, depth],
    ...properties.flatMap(([name, property]) =>
      isNode(property) ? nodesIn(property, `${path}.${name}`, depth + 1) : []
    ),
    ...(isNode(items) ? nodesIn(items, `${path}[]`, depth + 1) : []),
    ...(isNode(others) ? nodesIn(others, `${path}{}`, depth + 1) : [])
  ]
}

const requiredExist = (node: SchemaNode): boolean => {
  const names = node["required"]
  const properties = isNode(node["properties"]) ? Object.keys(node["properties"]) : []
  return names === undefined || (Array.isArray(names) && names.every((name) => properties.includes(String(name))))
}

interface Rule {
  readonly says: string
  readonly holds: (tool: ToolDefinition) => boolean
}

const names = (pattern: RegExp): Rule => ({ says: `name fits ${pattern}`, holds: ({ name }) => pattern.test(name) })

const everyNode = (says: string, holds: (node: SchemaNode, path: string, depth: number) => boolean): Rule => ({
  says,
  holds: ({ inputSchema }) => nodesIn(inputSchema).every(([path, node, depth]) => holds(node, path, depth))
})

const propertyNames = (pattern: RegExp): Rule =>
  everyNode(`property names fit ${pattern}`, (node) =>
    isNode(node["properties"]) ? Object.keys(node["properties"]).every((name) => pattern.test(name)) : true
  )

const rootIsObject: Rule = {
  says: "the input is an object with properties",
  holds: ({ inputSchema }) => inputSchema["type"] === "object" && isNode(inputSchema["properties"])
}

const without = (...keywords: ReadonlyArray<string>): Rule =>
  everyNode(`no ${keywords.join(", ")}`, (node) => keywords.every((keyword) => !Object.hasOwn(node, keyword)))

const described = (most: number): Rule => ({
  says: `a description of 1 to ${most} characters`,
  holds: ({ description }) => description.length > 0 && description.length <= most
})

/** The rules that providers publish for the tools of a request, each as one that can be checked. */
const rules: Readonly<Record<string, ReadonlyArray<Rule>>> = {
  Claude: [
    names(/^[a-zA-Z0-9_-]{1,64}$/),
    described(10_000),
    rootIsObject,
    propertyNames(/^[a-zA-Z0-9_.-]{1,64}$/),
    without("$ref", "$defs", "$schema", "anyOf", "oneOf", "allOf")
  ],
  OpenAI: [
    names(/^[a-zA-Z0-9_-]{1,64}$/),
    described(1_024),
    rootIsObject,
    everyNode("lists say what they hold", (node) => node["type"] !== "array" || isNode(node["items"])),
    everyNode("at most ten levels", (_, __, depth) => depth <= 10),
    everyNode("required fields exist", requiredExist),
    everyNode("at most 1,000 choices", (node) => !Array.isArray(node["enum"]) || node["enum"].length <= 1_000),
    without("$ref", "$schema", "oneOf", "allOf", "not", "if", "patternProperties", "dependentRequired")
  ],
  Gemini: [
    names(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/),
    described(1_024),
    rootIsObject,
    everyNode("one type each", (node) => typeof node["type"] === "string"),
    everyNode("choices are texts", (node) => {
      const choices = node["enum"]
      return (
        choices === undefined ||
        (node["type"] === "string" &&
          Array.isArray(choices) &&
          choices.length > 0 &&
          choices.every((choice) => typeof choice === "string" && choice !== ""))
      )
    }),
    everyNode("required fields exist", requiredExist),
    everyNode("only keywords of the subset", (node) =>
      Object.keys(node).every((key) =>
        ["type", "description", "enum", "properties", "required", "items", "additionalProperties"].includes(key)
      )
    )
  ],
  "this service": [
    names(/^[a-zA-Z0-9_-]{1,40}$/),
    { says: "unknown keys are refused", holds: ({ inputSchema }) => inputSchema["additionalProperties"] === false },
    {
      says: "the options go with every command",
      holds: ({ inputSchema, name }) =>
        name === "commands_search" || name === "resource_read" || /"dry_run":/.test(JSON.stringify(inputSchema))
    },
    {
      says: "every hint that means something",
      holds: ({ annotations }) =>
        (annotations.readOnlyHint
          ? ["readOnlyHint", "openWorldHint"]
          : ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
        ).every((hint) => typeof Reflect.get(annotations, hint) === "boolean")
    },
    { says: "a title", holds: ({ title }) => title.length > 0 && title.length <= 40 },
    { says: "no promise of structured content", holds: ({ outputSchema }) => outputSchema === undefined }
  ]
}

describe("published rules", () => {
  const table = Object.entries(rules).flatMap(([provider, list]) => list.map((rule) => ({ provider, ...rule })))

  it.for(table)("$provider: $says", ({ holds }) => {
    assert.deepStrictEqual(
      [...every, ...shown].filter((tool) => !holds(tool)).map(({ name }) => name),
      []
    )
  })

  it("fit into one request", () => {
    assert.isAtMost(all.length, 128)
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
  })
})

describe("the default toolset", () => {
  const file = new URL("tools.snapshot.txt", import.meta.url)

  it("is what was agreed on", async () => {
    const text = `${JSON.stringify(shown, undefined, 2)}\n`
    // An agent's permissions rest on names, hints and texts: who changes them says so, with SVC_UPDATE_SNAPSHOTS=1.
    if (process.env["SVC_UPDATE_SNAPSHOTS"] === "1") await writeFile(file, text)
    assert.strictEqual(text, await readFile(file, "utf8"), "the tools changed; look, then set SVC_UPDATE_SNAPSHOTS=1")
  })

  it("costs a conversation at most 5,000 tokens", () => {
    const total = shown.reduce((sum, tool) => sum + tokensOf(tool), 0)
    assert.isAtMost(total, 5_000)
    assert.isAtMost(JSON.stringify(shown).length / 4, 5_000)
  })

  it("shows whole sentences: the first of each description, and nothing cut", () => {
    const whole = new Set(
      commands.flatMap((command) =>
        nodesIn(Catalog.describeWithSchemas(command).input_schema).flatMap(([, { description }]) =>
          typeof description === "string" ? [description.split(/\.\s/)[0]?.replace(/\.$/, "")] : []
        )
      )
    )
    const ofTools = [...every, ...shown].filter(({ name }) => !generic.includes(name))
    const told = ofTools.flatMap(({ inputSchema, name }) =>
      nodesIn(inputSchema).flatMap(([path, { description }]) =>
        description === undefined ? [] : [{ at: `${name}${path}`, description: String(description) }]
      )
    )
    assert.isAbove(told.length, 100)
    assert.deepStrictEqual(
      told.filter(({ description }) => !whole.has(description)),
      []
    )
    // A first sentence of one word says nothing that its name does not.
    assert.deepStrictEqual(
      told.filter(({ description }) => !description.includes(" ")),
      []
    )
  })

  it("has about 25 tools, the specification's six among them", () => {
    const found = shown.map(({ name }) => name)
    assert.isAtLeast(found.length, 20)
    assert.isAtMost(found.length, 30)
    for (const id of alwaysShown) assert.include(found, id.replaceAll(".", "_"))
    for (const name of generic) assert.include(found, name)
    const known = new Set<string>(commands.map(({ id }) => id))
    assert.deepStrictEqual(
      defaultCommands.filter((id) => !known.has(id)),
      []
    )
  })
})

/** What a model may call. */
const forModels = commands.filter(isForModels)

describe("toolsets", () => {
  const toolset = (text: string) => Result.getOrThrow(parseToolset(text))
  const namesIn = (text: string) => makeToolbox(catalog, toolset(text)).definitions.map(({ name }) => name)

  it("show everything but what sets a workspace up, or the families that are named", () => {
    const listed = forModels.filter(({ id }) => !setupCommands.includes(id))
    assert.deepStrictEqual(namesIn("all"), [...listed.map(({ id }) => id.replaceAll(".", "_")), ...generic])
    for (const { category, id } of forModels) assert.include(namesIn(category), id.replaceAll(".", "_"))
    const some = namesIn("leads, linkedin")
    assert.include(some, "lead_export")
    assert.include(some, "linkedin_draft_cancel")
    assert.include(some, "offer_create")
    for (const name of ["webhook_create", "key_create", "command_run"]) assert.notInclude(some, name)
  })

  it("refuse a family that is none", () => {
    for (const text of ["", ",", "leads,nothing", "everything"]) {
      const parsed = parseToolset(text)
      assert.isTrue(Result.isFailure(parsed), text)
    }
  })
})

describe("hints", () => {
  const hintsOf = (id: string) => every.find(({ name }) => name === id.replaceAll(".", "_"))?.annotations

  it("are read off the risk", () => {
    for (const { id, risk } of forModels) {
      const hints = hintsOf(id)
      assert.strictEqual(hints?.readOnlyHint, risk === "read", id)
      if (risk === "read") assert.isFalse(hints?.destructiveHint || hints?.openWorldHint, id)
    }
    const bits = (id: string) => {
      const hints = hintsOf(id)
      return [hints?.destructiveHint, hints?.idempotentHint, hints?.openWorldHint].map(Number).join("")
    }
    assert.strictEqual(bits("lead.upsert"), "010")
    assert.strictEqual(bits("offer.create"), "000")
    assert.strictEqual(bits("linkedin.draft.approve"), "101")
    assert.strictEqual(bits("import.sales-nav.search"), "001")
    assert.strictEqual(bits("offer.delete"), "110")
  })
})
