/** Tests of commands work in one kind of world, and what is promised of a store is tested on every one. */
import { assert, describe, it } from "@effect/vitest"
import { importsOf, sourcesIn } from "../support/sources.ts"

const suites = sourcesIn("test/contract", ".test.ts")

/** Files that put their own services below the commands; a process of its own loads no more than it needs. */
const makers = ["test/support/World.ts", "test/support/crash/importer.ts"]

describe("contract suites", () => {
  it("run on every store", () => {
    assert.isAbove(suites.length, 30)
    const one = suites.filter(({ text }) => !/^each(Backend|Outreach)\(|^eachBackendWith\(.+\)\(/m.test(text))
    assert.deepStrictEqual(
      one.map(({ path }) => path),
      []
    )
  })

  it("know no database", () => {
    const knowing = suites.filter((suite) => importsOf(suite).some(({ from }) => /^#postgres\//.test(from)))
    assert.deepStrictEqual(
      knowing.map(({ path }) => path),
      []
    )
  })
})

describe("worlds of tests", () => {
  it("are made by World.ts", () => {
    const own = sourcesIn("test", ".ts").filter(
      ({ path, text }) => /\blayer as dispatchLayer\b/.test(text) && !makers.includes(path)
    )
    assert.deepStrictEqual(
      own.map(({ path }) => path).filter((path) => !path.endsWith("worlds.test.ts")),
      []
    )
  })
})
