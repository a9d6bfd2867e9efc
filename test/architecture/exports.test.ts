/** What the packages export: to the outside only what is listed, and inside nothing that nobody uses. */
import { assert, describe, expect, it } from "@effect/vitest"
import { entryPoints, exportsOf, modules, publicEntryPoints, unusedExports } from "../support/exports.ts"
import { sourcesIn } from "../support/sources.ts"

/** `value createSvc`, `type Svc`, `value Command.make`. */
const listed = (path: string, prefix = ""): ReadonlyArray<string> =>
  [...exportsOf(path)].flatMap(([name, { from, isType }]) => [
    `${isType ? "type" : "value"} ${prefix}${name}`,
    ...(from !== undefined && from.name === undefined ? listed(from.path, `${prefix}${name}.`) : [])
  ])

describe("public exports", () => {
  it("are those of exports.snapshot.txt", async () => {
    const text = publicEntryPoints
      .map(([entry, path]) =>
        [
          entry,
          ...listed(path)
            .toSorted()
            .map((line) => `  ${line}`)
        ].join("\n")
      )
      .join("\n\n")
    await expect(
      `${text}\n`,
      "The public exports changed. If that is meant, accept it: npm test -- architecture/exports --update"
    ).toMatchFileSnapshot("exports.snapshot.txt")
  })

  it.for([...entryPoints])("of %s are there at run time", async ([entry, path]) => {
    const values = listed(path).flatMap((line) => /^value (\w+)$/.exec(line)?.[1] ?? [])
    assert.sameMembers(Object.keys(await import(entry)), values)
  })
})

/** Types that the compiler must be able to name in another file's declarations, where no source names them. */
const named = ["packages/core/src/kernel/failure/Failure.ts: DefinedFailure"]

describe("exports", () => {
  it("are used by another file, an entry point or a test", () => {
    const users = [
      ...modules.values(),
      ...sourcesIn("packages", ".js").filter(({ path }) => !path.includes("/src/")),
      ...sourcesIn("examples", ".js"),
      ...sourcesIn("test", ".ts", ".js")
    ]
    assert.deepStrictEqual(
      unusedExports(users),
      named,
      "take away `export` where the file itself uses it, else delete it; an entry of `named` must still be needed"
    )
  })
})
