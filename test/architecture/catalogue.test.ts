/** The catalogue is complete: a stranger, human or model, finds everything said. */
import { assert, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { makeResources } from "#core/resources/makeResources.ts"
import { restShapes } from "../support/rest.ts"
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"

const resources = makeResources(commands)
const commandIds = new Set<string>(commands.map(({ id }) => id))
const resourceUris = new Set<string>(resources.map(({ entry }) => entry.uri))

/** Tools are called by the id with `_` for `.`, and clients cut long names. */
const longestId = 40

/** Every schema in a schema, with the path to it. */
const nodesIn = (schema: SchemaNode, path = ""): ReadonlyArray<readonly [string, SchemaNode]> => [
  [path, schema],
  ...propertiesOf(schema).flatMap(([name, node]) => nodesIn(node, path === "" ? name : `${path}.${name}`)),
  ...(isNode(schema["items"]) ? nodesIn(schema["items"], `${path}[]`) : []),
  ...(Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isNode).flatMap((node) => nodesIn(node, path)) : [])
]

/** Words that a summary may begin with: verbs in the imperative. A new one is added on purpose. */
const verbs = new Set(
  (
    "Add Allow Approve Ask Block Cancel Check Compare Count Create Decide Delete Draft Erase Explain Export Find Flag Get Hide " +
    "Import Invite List Mark Merge Pause Publish Read Record Reject Remove Replace Request Resume Revoke Save Search Send Set Sync Test Undo Unlink Link " +
    "Update Withdraw"
  ).split(" ")
)

/** Longest summary of a command and of a resource, so that lists stay one line each. */
const longestSummary = { command: 60, resource: 80 }

const isLine = (text: string, most: number): void => {
  assert.isAtLeast(text.length, 12, text)
  assert.isAtMost(text.length, most, text)
  assert.match(text, /^[A-Z][^\n]*[^.\s]$/, `${text}: one line that begins with a capital and ends without a period`)
}

/** Phrases that a native speaker would not write here. */
const unidiomatic =
  /\b(answers (a|the|with|how)|for good|by hand|gone on|go(es)? on|for ever|takes? back|no news|whoever|is none|taken back|but for the|none of (this|the))\b/i

const hasSentence = (text: string, least: number, what: string): void => {
  assert.isAtLeast(text.length, least, what)
  assert.match(text, /^\S.*[.)]$/s, `${what} ends like a sentence`)
}

describe.for<AnyCommand>([...commands, ...restShapes])("$id", (command) => {
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
    isLine(command.summary, longestSummary.command)
    assert.isTrue(verbs.has(command.summary.split(/[ ,]/)[0] ?? ""), `${command.summary}: begins with an imperative`)
    hasSentence(command.description, 60, "description")
    hasSentence(command.whenToUse, 20, "whenToUse")
    for (const note of [...command.riskNotes, ...command.outputNotes]) hasSentence(note, 10, note)
    assert.isAbove(command.relatedCommands.length, 0, "related commands")
    // What belongs to the workspace itself is no document.
    if (command.category !== "workspace") assert.isAbove(command.relatedResources.length, 0, "related resources")
    if (command.risk !== "read") assert.isAbove(command.riskNotes.length, 0, "risk notes")
    for (const text of [
      command.summary,
      command.description,
      command.whenToUse,
      ...command.riskNotes,
      ...command.outputNotes
    ])
      assert.notMatch(text, unidiomatic)
    assert.strictEqual(new Set(command.examples.map(({ title }) => title)).size, command.examples.length)
  })

  it("has a scope that fits its risk", () => {
    if (command.risk === "read") assert.match(command.scope, /:(read|manage)$|^admin$/)
    // Settling a request needs the scope of what was asked for, which the request knows.
    else if (!["approval.resolve", "approval.ask-client", "approval.answer"].includes(command.id))
      assert.notMatch(command.scope, /:read$/)
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
    isLine(entry.summary, longestSummary.resource)
    hasSentence(entry.description, 40, "description")
    assert.deepStrictEqual(
      entry.related_commands.filter((id) => !commandIds.has(id)),
      []
    )
  })
})
