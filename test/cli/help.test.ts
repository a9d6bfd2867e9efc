/** The help: every list of commands fits a terminal of 80 columns, and no text is cut. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { settings } from "#cli/commands/help.ts"
import { allHelp } from "#cli/manual.ts"
import { renderGlossary } from "#cli/usageText.ts"
import { commands } from "#core/commands.ts"
import { svcInProcess } from "../support/svcInProcess.ts"

const colors = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, "g")

describe("help", { timeout: 120_000 }, () => {
  it("lists every command with a summary of at most 60 characters, and every group with one of its own", async () => {
    const groups = (await Effect.runPromise(allHelp)).flatMap(([words, { subcommands = [] }]) =>
      subcommands.flatMap((group) =>
        group.commands.map((shown) => ({ words: `${words} ${shown.name}`.trim(), ...shown }))
      )
    )
    assert.isAbove(groups.length, commands.length)
    for (const { description, shortDescription = description, words } of groups) {
      assert.match(shortDescription, /^[A-Z].{7,58}[^.]$/, words)
    }
  })

  it("of a command has every paragraph and flag in its column", async () => {
    const { stdout } = await svcInProcess(["lead", "search", "--help"])
    const [, description = ""] = /DESCRIPTION\n([\s\S]*?)\n\nUSAGE/.exec(stdout) ?? []
    assert.isAbove(description.split("\n").length, 2)
    for (const line of description.split("\n")) assert.match(line, /^$|^ {2}\S/)
    assert.match(stdout, /^ +--mission-id string +Mission the lead is in$/m)
  })

  it("of settings is wrapped on a terminal and never cut", () => {
    const rows = settings.map(({ meaning, name }) => [name, meaning] as const)
    for (const [width, color] of [
      [80, true],
      [60, false],
      [40, false]
    ] as const) {
      const text = renderGlossary(rows, { width, color }).replaceAll(colors, "")
      const words = text.split(/\s+/)
      for (const [name, meaning] of rows) assert.include(words.join(" "), `${name} ${meaning}`)
      if (width < 80) continue
      const column = Math.max(...rows.map(([name]) => name.length)) + 2
      for (const line of text.split("\n")) {
        assert.isAtMost(line.length, width)
        if (line.startsWith(" ")) assert.strictEqual(line.search(/\S/), column, line)
      }
    }
  })
})
