/** The product runs on plain Node: it changes no dependency, compiles nothing ahead, and sets no flag but in one place. */
import { assert, describe, it } from "@effect/vitest"
import { packageNames, sourcesIn } from "../support/sources.ts"

const sources = packageNames.flatMap((name) => sourcesIn(`packages/${name}`, ".ts", ".tsx", ".js"))
const deployed = packageNames.flatMap((name) => sourcesIn(`packages/${name}`, ".json", ".yaml", ".service"))

const filesWith = (pattern: RegExp, among = sources): ReadonlyArray<string> =>
  among.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

describe("plain Node", () => {
  it("sets V8's flags only to open an embedded database for a short command", () => {
    assert.deepStrictEqual(filesWith(/setFlagsFromString\(/), ["packages/cli/src/compileQuickly.ts"])
    assert.deepStrictEqual(filesWith(/execArgv|NODE_OPTIONS/), [])
  })

  it("ships no code that was compiled ahead", () => {
    assert.deepStrictEqual(filesWith(/node:vm|cachedData|createCachedData/), [])
    assert.isAbove(deployed.length, packageNames.length)
    assert.deepStrictEqual(filesWith(/NODE_COMPILE_CACHE/, deployed), [])
  })

  it("changes no source of a dependency", () => {
    const filters = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\bon(?:Load|Resolve)\(\{ filter: (.*?) \}/g)].map(([, filter]) => `${path} ${filter}`)
    )
    // Sources of packages, and of the evaluations, which leave packages outside.
    assert.deepStrictEqual(filters, [
      String.raw`packages/cli/directImports.js /packages\/\w+\/src\/.*\.ts$/`,
      String.raw`packages/mcp/evals/run.js /\.ts$/`
    ])
  })
})
