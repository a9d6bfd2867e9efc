/** Skills: served as files with their digests, short, and naming nothing that the catalogue does not have. */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { makeCatalog } from "@svc/core"
import { parse } from "yaml"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { skillTexts } from "#mcp/skills/Skill.ts"
import { commandIdOf } from "#mcp/Tool.ts"
import { makeToolbox } from "#mcp/Toolbox.ts"
import { openService, type Service } from "../support/httpService.ts"
import { post, resultOf, rpc } from "../support/mcpHttp.ts"

/** Names of properties anywhere in a schema, and the values that they may have. */
const wordsIn = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    const own = key === "properties" ? Object.keys(Object(value)) : key === "enum" ? value.map(String) : []
    return [...own, ...wordsIn(value)]
  })
}

const toolbox = makeToolbox(makeCatalog(commands), "default")
const options = ["dry_run", "response_profile"]

describe.for(skillTexts)("the skill $name", ({ body, description, name, needs }) => {
  const quoted = [...new Set([...body.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word))]
  const named = quoted.flatMap((word) => {
    const tool = toolbox.find(word)
    const id = word.includes(".") ? word : tool === undefined ? undefined : commandIdOf(word)
    const command = commands.find((candidate) => candidate.id === id)
    return command === undefined ? [] : [[word, command] as const]
  })

  it("names tools, commands, fields and codes that exist", () => {
    const tools = toolbox.definitions.map((definition) => definition.name)
    const schemas = named.flatMap(([, command]) => {
      const { input_schema, output_schema } = describeWithSchemas(command)
      return [...wordsIn(input_schema), ...wordsIn(output_schema)]
    })
    const codes = Object.keys(failureTable)
    const known = new Set([...named.map(([word]) => word), ...tools, ...schemas, ...codes, ...options])
    assert.deepStrictEqual(
      quoted.filter((word) => !known.has(word)),
      []
    )
    assert.isAbove(named.length, 3)
  })

  it("needs the commands that it names", () => {
    assert.sameMembers([...needs], [...new Set(named.map(([, command]) => command.id))])
  })

  it("names only failures that its commands can end with", () => {
    const codes = quoted.filter(
      (word) => Object.hasOwn(failureTable, word) && !/^(FORBIDDEN_SCOPE|APPROVAL_POLICY)$/.test(word)
    )
    const possible = named.flatMap(([, command]) => command.failures.map(({ code }) => code))
    assert.deepStrictEqual(
      codes.filter((code) => !possible.some((one) => one === code)),
      []
    )
  })

  it("is short", () => {
    assert.isAtMost(Math.ceil(body.length / 4), 500)
    assert.isAtMost(description.length, 200)
    assert.match(name, /^[a-z]+(-[a-z]+)*$/)
  })
})

describe("skills", () => {
  let service: Service
  beforeAll(async () => {
    service = await openService()
  })
  afterAll(() => service.svc.close())

  const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) =>
    post(service.svc.fetch, rpc(method, params), { key: service.key })

  it("are files whose digest, size and frontmatter are those of their entry", async () => {
    const { skills } = Object(resultOf(await ask("skills/list")))
    assert.lengthOf(skills, skillTexts.length)
    const { resources } = Object(resultOf(await ask("resources/list")))
    for (const entry of skills) {
      assert.deepStrictEqual(Object(resultOf(await ask("skills/get", { uri: entry.uri }))).skill, entry)
      const [{ mimeType, text, uri }] = Object(resultOf(await ask("resources/read", { uri: entry.uri }))).contents
      assert.deepStrictEqual([mimeType, uri], ["text/markdown", entry.uri])
      const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`
      assert.deepStrictEqual(entry.resources, [{ uri, digest, size: Buffer.byteLength(text) }])
      assert.deepStrictEqual(parse(text.split("---\n")[1]), entry.frontmatter)
      assert.deepInclude(resources, { uri, ...entry.frontmatter, mimeType })
    }
  })

  it("that do not exist are refused", async () => {
    const uri = "skill://svc/nothing/SKILL.md"
    assert.deepInclude(Object((await ask("skills/get", { uri })).body).error, { code: -32602 })
    assert.deepInclude(Object((await ask("resources/read", { uri })).body).error, { code: -32602 })
    assert.deepInclude(Object((await ask("skills/list", { cursor: "x" })).body).error, { code: -32602 })
  })
})
