/**
 * A megabyte of anything, sent to any command, is refused at the price of a small input: 200 ms of CPU and 100 MB of memory.
 * Beside whatever else a machine does, a price is wrong here at five times that, where work that grows with the square of
 * an input takes a hundred times as much; SVC_TEST_CPU_MILLIS=200 holds an idle machine to the price itself.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { isThorough, some } from "../support/effort.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { isNode, propertiesOf, type SchemaNode } from "../support/schemaArbitrary.ts"

const megabyte = 1_000_000
const cpuMillis = Number(process.env.SVC_TEST_CPU_MILLIS ?? 1_000)
const grownBytes = 100 * 1024 * 1024

const many = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

/** Values of about a megabyte as JSON, by their type. */
const large: Readonly<Record<"object" | "array" | "string", Readonly<Record<string, unknown>>>> = {
  object: {
    "unknown fields": Object.fromEntries(many(60_000, (i) => [`field_${i}`, 1])),
    "fields named like known ones": Object.fromEntries(many(50_000, (i) => [`lead_id${i}`, null])),
    "objects within objects": many(100_000, (i) => i).reduce<unknown>((inner) => ({ inner }), {})
  },
  array: {
    numbers: many(400_000, () => 1),
    "empty objects": many(300_000, () => ({})),
    "objects with unknown fields": many(20_000, (i) => ({ [`a${i}`]: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }))
  },
  string: {
    letters: "a".repeat(megabyte),
    "an email address": `${"a.".repeat(megabyte / 4)}@${"b.".repeat(megabyte / 4)}com`,
    brackets: "((((".repeat(megabyte / 4),
    "line breaks": "\n".repeat(megabyte),
    "combining marks": `a${"\u0301\u0323".repeat(megabyte / 4)}`,
    "a search URL": `https://www.linkedin.com/sales/search/people?query=(filters:List(${"(type:X,values:List(),".repeat(40_000)}`,
    "a profile URL": `https://www.linkedin.com/in/${"%E0%A4".repeat(megabyte / 6)}`
  }
}

const typeOf = ({ type }: SchemaNode): string | undefined => {
  const types = Array.isArray(type) ? type : [type]
  return types.find((name) => name !== "null")
}

/** As many items as a list may have, each of them wrong in every field. */
const wrongItems = ({ items, maxItems }: SchemaNode): unknown => {
  const fields = isNode(items) ? propertiesOf(items) : []
  return many(Number(maxItems ?? 0), () => Object.fromEntries(fields.map(([name]) => [name, [{}]])))
}

/** What is sent to a field: large values of its own type, since others are refused by their type alone. */
const valuesOf = (node: SchemaNode): ReadonlyArray<readonly [string, unknown]> => {
  const type = typeOf(node)
  if (type === "array") return [["wrong items", wrongItems(node)], ...Object.entries(large.array)]
  return type === "string" || type === "object" ? Object.entries(large[type]) : []
}

/** Fields, and counts of fields, that were tried with another command: they cost the same wherever they are. */
const tried = new Set<string>()

const isFirst = (what: string): boolean => !tried.has(what) && tried.add(what).size > 0

let turn = 0

/** Every value for the first field that has such a schema, and one of them, in turn, for each of the others. */
const valuesFor = ({ description: _, ...node }: SchemaNode): ReadonlyArray<readonly [string, unknown]> => {
  const values = valuesOf(node)
  if (isFirst(JSON.stringify(node)) || isThorough) return values
  const next = turn++
  return values.filter((__, at) => at === next % values.length)
}

const inputsOf = (command: AnyCommand): ReadonlyArray<readonly [string, unknown]> => {
  const example = command.examples[0]?.input ?? {}
  const properties = propertiesOf(describeWithSchemas(command).input_schema)
  const fresh = properties.filter(([name, { description: _, ...node }]) => isFirst(JSON.stringify([name, node])))
  const whole = { ...large.object, "a list": large.array["numbers"] }
  return [
    ...(isFirst(`${properties.length} fields`) ? Object.entries(whole) : []),
    ["every field wrong", Object.fromEntries(properties.map(([name]) => [name, [{}]]))],
    ...fresh.flatMap(([name, node]) =>
      valuesFor(node).map(([what, value]) => [`${name}: ${what}`, { ...example, [name]: value }] as const)
    )
  ]
}

/** What a call costs this process. The best of a few counts: the collector runs whenever it likes. */
const cheapest = async <A>(
  run: () => Promise<A>
): Promise<{ readonly answer: A; readonly millis: number; readonly grown: number }> => {
  let best: { readonly answer: A; readonly millis: number; readonly grown: number } | undefined
  for (let attempt = 0; attempt < 4; attempt++) {
    const heap = process.memoryUsage().heapUsed
    const before = process.cpuUsage()
    const answer = await run()
    const { system, user } = process.cpuUsage(before)
    const measured = { answer, millis: (user + system) / 1000, grown: process.memoryUsage().heapUsed - heap }
    if (best === undefined || measured.millis < best.millis) best = measured
    if (best.millis < cpuMillis && best.grown < grownBytes) return best
  }
  return best ?? assert.fail("not measured")
}

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

  it.for<AnyCommand>([...some(commands)])("is refused cheaply by $id", async (command) => {
    const options = { ...defaultOptions, dryRun: true }
    for (const [what, input] of some(inputsOf(command))) {
      const { answer, grown, millis } = await cheapest(() =>
        service.run({ command: command.id, input, options, requestId: "req_large" })
      )
      const { envelope } = answer
      if (!envelope.ok) assert.isBelow(envelope.status, 500, what)
      assert.isBelow(millis, cpuMillis, `${what}: milliseconds of CPU`)
      assert.isBelow(grown, grownBytes, `${what}: bytes of memory`)
    }
  })
})
