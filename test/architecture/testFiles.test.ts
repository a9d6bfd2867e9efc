/** Every test file is run: by `npm test`, or by `npm run campaign -- ci`. */
import { execFileSync } from "node:child_process"
import { relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { isSlowTest, slowTests } from "../support/slowTests.ts"
import { root, sourcesIn } from "../support/sources.ts"

/** Test files, by their paths from `test/`. */
const files = sourcesIn("test", ".test.ts", ".test.tsx", ".test.js").map(({ path }) => path.slice("test/".length))

/** Those that a configuration of vitest runs. */
const listedBy = (config: string): ReadonlyArray<string> => {
  const args = ["node_modules/vitest/vitest.mjs", "list", "--filesOnly", "--json", "--config", config]
  const listed: ReadonlyArray<{ readonly file: string }> = JSON.parse(
    execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  )
  return listed.map(({ file }) => relative(`${root}/test`, file)).filter((file) => !file.endsWith(".test-d.ts"))
}

describe("test files", () => {
  it("are run by npm test unless they are listed as slow", () => {
    assert.isAbove(files.length, 300)
    assert.sameMembers(
      [...listedBy("test/vitest.config.ts")],
      files.filter((file) => !isSlowTest(file))
    )
  })

  it("are all known to campaigns", () =>
    assert.sameMembers([...listedBy("test/vitest.campaign.config.ts")], [...files]))

  it("are there where they are listed as slow", () => {
    assert.deepStrictEqual(
      slowTests.filter((slow) => !files.some((file) => file.startsWith(slow))),
      []
    )
  })
})
