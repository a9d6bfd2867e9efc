/** Every environment variable that the sources read is in the table that `svc help settings` prints. */
import { assert, describe, it } from "@effect/vitest"
import { settings } from "#cli/commands/help.ts"
import { packageNames, sourcesIn } from "../support/sources.ts"

const known = new Set(settings.map(({ name }) => name))

describe("settings", () => {
  it("are all listed", () => {
    const read = packageNames.flatMap((name) =>
      sourcesIn(`packages/${name}/src`, ".ts").flatMap(({ path, text }) =>
        [...text.matchAll(/"(SVC_[A-Z_]+)"/g)].map(([, variable = ""]) => ({ path, variable }))
      )
    )
    assert.isAbove(read.length, known.size / 2)
    assert.deepStrictEqual(
      read
        .filter(({ variable }) => !known.has(variable.replace(/_FILE$/, "")) && !known.has(variable))
        .map(({ path, variable }) => `${path}: ${variable}`),
      []
    )
  })

  it("say what they mean", () => {
    assert.deepStrictEqual(
      settings.filter(({ meaning }) => meaning.length < 8).map(({ name }) => name),
      []
    )
    assert.strictEqual(settings.length, known.size)
  })
})
