/** The catalogue is complete: a stranger, human or model, finds everything said. Source: spec "Command descriptor". */
import { assert, describe, it } from "@effect/vitest"
import { describeWithSchemas } from "@svc/core/Catalog"
import { commands, restCommands } from "@svc/core/commands"
import { makeResources } from "@svc/core/resources"
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"

const resources = makeResources(commands)
const commandIds = new Set<string>(commands.map(({ id }) => id))
const resourceUris = new Set<string>(resources.map(({ entry }) => entry.uri))

/** Tools are called by the id with `_` for `.`, and clients cut long names. Source: contract 1.7. */
const longestId = 40

/** Every schema in a schema, with the path to it. */
const nodesIn = (schema: SchemaNode, path = ""): ReadonlyArray<readonly [string, SchemaNode]> => [
  [path, schema],
  ...propertiesOf(schema).flatMap(([name, node]) => nodesIn(node, path === "" ? name : `${path}.${name}`)),
  ...(isNode(schema["items"]) ? nodesIn(schema["items"], `${path}[]`) : []),
  ...(Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isNode).flatMap((node) => nodesIn(node, path)) : [])
]

const hasSentence = (text: string, least: number, what: string): void => {
  assert.isAtLeast(text.length, least, what)
  assert.match(text, /^\S.*[.)]$/s, `${what} ends like a sentence`)
}

describe.for([...commands, ...restCommands])("$id", (command) => {
  const { input_schema, output_schema } = describeWithSchemas(command)

  it("publishes schemas that every reader understands", () => {
    for (const schema of [input_schema, output_schema]) {
      assert.strictEqual(schema["type"], "object")
      const text = JSON.stringify(schema)
      assert.notMatch(text, /"(\$ref|\$defs|\$schema|allOf|oneOf|not|if)":/)
      assert.notMatch(text, /"(NaN|-?Infinity)"/)
      for (const [path, node] of nodesIn(schema)) {
        const members = node["anyOf"]
        if (!Array.isArray(members)) continue
        assert.isFalse(
          members.some((member) => isNode(member) && member["type"] === "null" && members.length === 2),
          `${path} is composed with null`
        )
      }
    }
    assert.strictEqual(input_schema["additionalProperties"], false)
  })

  it("describes every field of its input", () => {
    // A field of a list's item may say by its name what it is; those of the input itself may not.
    const silent = propertiesOf(input_schema)
      .filter(([, node]) => typeof node["description"] !== "string" || node["description"].length < 8)
      .map(([name]) => name)
    assert.deepStrictEqual(silent, [])
  })

  it("names what exists", () => {
    assert.deepStrictEqual(
      command.relatedCommands.filter((id) => !commandIds.has(id) || id === command.id),
      []
    )
    assert.deepStrictEqual(
      command.relatedResources.filter((uri) => !resourceUris.has(uri)),
      []
    )
  })
})

describe.for(commands)("$id", (command) => {
  it("has an id for ever", () => {
    assert.match(command.id, /^[a-z]+([.-][a-z]+)*$/)
    assert.isAtMost(command.id.length, longestId)
    assert.strictEqual(command.visibility, "public")
  })

  it("explains itself", () => {
    assert.isAtLeast(command.title.length, 8)
    hasSentence(command.summary, 20, "summary")
    hasSentence(command.description, 60, "description")
    hasSentence(command.whenToUse, 20, "whenToUse")
    assert.notInclude(command.summary, "\n")
    for (const note of [...command.riskNotes, ...command.outputNotes]) hasSentence(note, 10, note)
    assert.isAbove(command.relatedCommands.length, 0, "related commands")
    // What belongs to the workspace itself is no document.
    if (command.category !== "workspace") assert.isAbove(command.relatedResources.length, 0, "related resources")
    if (command.risk !== "read") assert.isAbove(command.riskNotes.length, 0, "risk notes")
    assert.strictEqual(new Set(command.examples.map(({ title }) => title)).size, command.examples.length)
  })

  it("has a scope that fits its risk", () => {
    if (command.risk === "read") assert.match(command.scope, /:(read|manage)$|^admin$/)
    // Settling a request needs the scope of what was asked for, which the request knows.
    else if (command.id !== "approval.resolve") assert.notMatch(command.scope, /:read$/)
  })
})

describe("tool names", () => {
  it("are different", () => {
    const names = commands.map(({ id }) => id.replaceAll(".", "_"))
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
  })
})

describe.for(resources)("$entry.uri", ({ entry }) => {
  it("explains itself", () => {
    assert.match(entry.uri, /^svc:\/\/[a-z]+(\/([a-z]+|\{[a-z]+\}))*$/)
    assert.match(entry.name, /^[a-z]+(-[a-z]+)*$/)
    assert.isAtLeast(entry.title.length, 5)
    hasSentence(entry.summary, 15, "summary")
    hasSentence(entry.description, 40, "description")
    assert.deepStrictEqual(
      entry.related_commands.filter((id) => !commandIds.has(id)),
      []
    )
  })
})
