/**
 * A megabyte of anything, sent to any command, is refused or accepted like a small input, and every size has a published limit.
 * `npm run bench prices` says what it costs.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { some } from "../support/effort.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { isNode, propertiesOf } from "../support/schemaArbitrary.ts"
import { inputsOf, typeOf } from "./largeInputs.ts"

/** Parts of a published schema that may be of any size, as paths. */
const unbounded = (schema: unknown, path: string): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((member) => unbounded(member, path))
  if (!isNode(schema)) return []
  const isMissing = (...names: ReadonlyArray<string>) => names.every((name) => schema[name] === undefined)
  const type = typeOf(schema)
  const isOpen =
    (type === "string" && isMissing("maxLength", "enum", "const")) ||
    (type === "array" && isMissing("maxItems")) ||
    (type === "integer" && isMissing("format")) ||
    ((type === "integer" || type === "number") && (isMissing("minimum") || isMissing("maximum")) && isMissing("enum"))
  return [
    ...(isOpen ? [path] : []),
    ...propertiesOf(schema).flatMap(([name, node]) => unbounded(node, `${path}.${name}`)),
    ...["items", "anyOf", "additionalProperties"].flatMap((part) => unbounded(schema[part], `${path}[]`))
  ]
}

it("every string, list and number of an input publishes its bounds", () => {
  assert.deepStrictEqual(
    commands.flatMap((command) => unbounded(describeWithSchemas(command).input_schema, command.id)),
    []
  )
})

describe("a megabyte of anything", () => {
  let service: MemoryService
  beforeAll(async () => {
    service = await memoryService()
  })
  afterAll(() => service.close())

  it.for<AnyCommand>([...some(commands)])("never fails $id", async (command) => {
    const options = { ...defaultOptions, dryRun: true }
    for (const [what, input] of some(inputsOf(command))) {
      const { envelope } = await service.run({ command: command.id, input, options, requestId: "req_large" })
      if (!envelope.ok) assert.isBelow(envelope.status, 500, what)
    }
  })
})
