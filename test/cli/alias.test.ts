/** `svc alias`: own names for command lines. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { wordsOf } from "#cli/aliases.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"

describe("aliases", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "svc-alias-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const run = (...args: ReadonlyArray<string>) => svc(args, { env: { XDG_CONFIG_HOME: folder } })

  it("stand for a command line, to which arguments are added", async () => {
    assert.strictEqual((await run("why", "NOT_FOUND")).code, 2)
    assert.strictEqual((await run("alias", "set", "why", "explain")).code, 0)
    assert.strictEqual((await run("alias", "set", "gone", "explain 'NOT_FOUND' --json")).code, 0)
    assert.include((await run("why", "NOT_FOUND")).stdout, "NOT_FOUND: ")
    assert.include((await run("gone")).stdout, '"code":"NOT_FOUND"')
    assert.strictEqual((await run("alias", "list")).stdout.trim(), "why\texplain\ngone\texplain 'NOT_FOUND' --json")
    assert.strictEqual((await run("alias", "delete", "why")).code, 0)
    assert.strictEqual((await run("why", "NOT_FOUND")).code, 2)
    assert.strictEqual((await run("alias", "delete", "why")).code, 4)
  })

  it("never replace a command, and stand for none but those of svc", async () => {
    for (const [name, line] of [
      ["lead", "explain"],
      ["login", "explain"],
      ["Why", "explain"],
      ["why", "rm -rf"],
      ["why", ""]
    ] as const) {
      assert.strictEqual((await run("alias", "set", name, line)).code, 2, name)
    }
    writeFileSync(join(folder, "svc", "aliases.json"), '{"explain":"completions bash"}')
    assert.include((await run("explain", "NOT_FOUND")).stdout, "NOT_FOUND: ")
    writeFileSync(join(folder, "svc", "aliases.json"), "nonsense")
    assert.include((await run("explain", "NOT_FOUND")).stdout, "NOT_FOUND: ")
    assert.include((await run("alias", "list")).stderr, "Can't use the aliases in")
  })

  it("are split like words of a shell", () => {
    assert.deepStrictEqual(wordsOf(`a 'b  c' "d \\"e\\"" --f='g h'`), ["a", "b  c", 'd "e"', "--f=g h"])
  })
})
