/** The faults that campaigns must find are in today's sources, and every campaign has one. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { mutations } from "../campaign/mutations.ts"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

describe("campaigns", () => {
  it.for([...mutations])("$campaign has a fault: $fault", ({ file, replacement, text }) => {
    assert.lengthOf(
      read(file).split(text),
      2,
      `${file} must have once: ${text}. Name another fault in test/campaign/mutations.ts.`
    )
    assert.notStrictEqual(text, replacement)
  })

  it("have at least one each", () => {
    const names = /campaigns: [^=]+= \{([^}]+)\}/.exec(read("test/campaign/run.ts"))?.[1]?.matchAll(/(\w+): \[/g) ?? []
    assert.sameMembers(
      [...new Set(mutations.map(({ campaign }) => campaign))],
      Array.from(names, ([, name = ""]) => name)
    )
  })
})
