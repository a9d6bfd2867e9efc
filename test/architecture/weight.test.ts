/**
 * Lines of code of each package, without comments and blank lines. A change that adds to a package raises its ceiling here and
 * says why in the body of the commit.
 */
import { assert, describe, it } from "@effect/vitest"
import { packageNames, type Source, sourcesIn } from "../support/sources.ts"

/** The most lines of code that a package may have; `packages` is what builds and packs them all. */
const ceilings: Readonly<Record<string, number>> = {
  auth: 1_026,
  cli: 6_590,
  client: 504,
  console: 10_462,
  core: 34_092,
  embed: 3_614,
  http: 3_738,
  mcp: 2_052,
  memory: 4_193,
  packages: 181,
  postgres: 10_324,
  providers: 2_378,
  testing: 831
}

const endings = "ts tsx sql css js mjs cjs html json csv txt".split(" ").map((ending) => `.${ending}`)
const ownSource = /\/src\/.*\.(tsx?|sql|css|js|html|json|csv|txt)$|^packages\/([^/]+\/)?[^/]+\.(js|mjs|cjs)$/
/** Made from SQL files by the build. */
const generated = "packages/postgres/src/migrations/generated.ts"

/** Lines that hold code: neither blank nor nothing but a comment. */
const linesOfCode = ({ text }: Source): number => {
  let count = 0
  let isComment = false
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    if (isComment) isComment = !line.includes("*/")
    else if (line.startsWith("/*")) isComment = !line.includes("*/")
    else if (line !== "" && !/^(\/\/|--|#!)/.test(line)) count++
  }
  return count
}

const weights = new Map<string, number>([...packageNames, "packages"].map((name) => [name, 0]))
for (const source of sourcesIn("packages", ...endings)) {
  if (!ownSource.test(source.path) || source.path === generated) continue
  const name = source.path.split("/").at(1) ?? ""
  const owner = weights.has(name) ? name : "packages"
  weights.set(owner, (weights.get(owner) ?? 0) + linesOfCode(source))
}

const where = "in test/architecture/weight.test.ts"

describe("the lines of code", () => {
  it("have a ceiling in each package", () => assert.sameMembers(Object.keys(ceilings), [...weights.keys()]))

  it.for([...weights])("of %s are at most as many as its ceiling, which is at most 2 %% above", ([name, lines]) => {
    const ceiling = ceilings[name] ?? 0
    assert.isAtMost(
      lines,
      ceiling,
      `${name} has ${lines - ceiling} lines too many. Remove what is not needed, or raise its ceiling to ${lines} ${where} and say why in the body of the commit.`
    )
    assert.isAtMost(
      ceiling,
      Math.max(lines * 1.02, lines + 10),
      `${name} got lighter. Lower its ceiling to ${lines} ${where}.`
    )
  })
})
