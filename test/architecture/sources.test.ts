/** What no source may have. */
import { assert, describe, it } from "@effect/vitest"
import { packageNames, sourcesIn } from "../support/sources.ts"

/** Most lines of a module. */
const mostLines = 300

const product = packageNames.flatMap((name) => sourcesIn(`packages/${name}`, ".ts", ".tsx", ".js", ".json", ".md"))
const modules = packageNames.flatMap((name) => sourcesIn(`packages/${name}/src`, ".ts", ".tsx"))
const styles = packageNames.flatMap((name) => sourcesIn(`packages/${name}/src`, ".css"))
const everything = [
  ...product,
  ...sourcesIn("examples", ".js", ".json", ".md", ".ts"),
  ...sourcesIn("test", ".ts", ".json").filter(({ path }) => path !== "test/architecture/sources.test.ts"),
  ...sourcesIn(".", "README.md").filter(({ path }) => path === "./README.md")
]

/** Lines of sources that hold what they must not. */
const linesWith = (pattern: RegExp): ReadonlyArray<string> =>
  everything.flatMap(({ path, text }) =>
    pattern.test(text)
      ? text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
      : []
  )

describe("sources", () => {
  it("are there", () => {
    assert.isAbove(modules.length, 100)
    assert.isAbove(everything.length, modules.length + 50)
  })

  it("are short", () => {
    const long = [...modules, ...styles].filter(({ text }) => text.split("\n").length > mostLines)
    assert.deepStrictEqual(
      long.map(({ path }) => path),
      []
    )
  })

  it("have names that say something", () => {
    const empty = /(^|\/)(utils?|helpers?|common|misc|managers?|base|impl|types)\.tsx?$|Live\.tsx?$/i
    const wrong = modules.filter(({ path }) => empty.test(path))
    assert.deepStrictEqual(
      wrong.map(({ path }) => path),
      []
    )
  })

  it("say what they are", () => {
    // An entry that exports nothing has nothing to say.
    const silent = modules.filter(({ text }) => !text.includes("/**") && text.trim() !== "export {}")
    assert.deepStrictEqual(
      silent.map(({ path }) => path),
      []
    )
  })

  it("name no other product", () => {
    const vendors =
      /\b(lemlist|heyreach|salestouch|instantly|smartlead|la growth machine|waalaxy|expandi|phantombuster|salesloft|captain data|dripify|reply\.io)\b/i
    assert.deepStrictEqual(linesWith(vendors), [])
  })

  it("name no machine", () => {
    assert.deepStrictEqual(linesWith(/(^|["'`\s(])\/(work|root|home\/\w+|Users\/\w+)\/|npmrc|registry\.npmjs/), [])
  })

  it("cite nothing that is not in the repository", () => {
    assert.deepStrictEqual(
      linesWith(
        /\b(contract|threat|issue|catalogue|reliability) \d|\bG\d+\b|gap decision|Source: (spec|contract|issue)/i
      ),
      []
    )
  })

  it("leave nothing unfinished", () => {
    assert.deepStrictEqual(
      linesWith(/\/[/*].*\b(TODO|FIXME|XXX|HACK):|@ts-(ignore|nocheck|expect-error)|\bdebugger\b/).filter(
        (line) => !/^test\/types\/.*@ts-expect-error \w/.test(line)
      ),
      []
    )
    assert.deepStrictEqual(
      everything.filter(({ text }) => /\b(it|describe|test)\.(only|skip|todo)\(/.test(text)).map(({ path }) => path),
      []
    )
  })

  it("of core take time and chance from their services", () => {
    const wrong = sourcesIn("packages/core/src", ".ts").filter(({ text }) =>
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.(env|cwd)|\bconsole\./.test(text)
    )
    assert.deepStrictEqual(
      wrong.map(({ path }) => path),
      []
    )
  })

  it("of core name a service after its room", () => {
    const ids = sourcesIn("packages/core/src", ".ts").flatMap(({ path, text }) =>
      [...text.matchAll(/"@svc\/core\/([\w/]+)"/g)].map(([, id = ""]) => ({ id, room: path.split("/")[3] ?? "" }))
    )
    assert.isAbove(ids.length, 30)
    assert.deepStrictEqual(
      ids.filter(({ id, room }) => !(room === "kernel" ? /^\w+$/ : new RegExp(`^${room}/\\w+$`)).test(id)),
      []
    )
  })
})
