/** The help: every list of commands fits a terminal of 80 columns, and no text is cut. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { globalFlags } from "#cli/commands/flags.ts"
import { settings } from "#cli/commands/help.ts"
import { allHelp } from "#cli/manual.ts"
import { renderTable } from "#cli/table.ts"
import { commands } from "#core/commands.ts"
import { svcInProcess } from "../support/svcInProcess.ts"

describe("help", () => {
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

  it("speaks the words of the command line, and describes flags of many commands once", async () => {
    const all = await Effect.runPromise(allHelp)
    for (const [words, { description, flags }] of all) {
      const texts = [
        description,
        ...flags.map(({ description }) => Option.getOrElse(description, () => "").split("(choices:")[0] ?? "")
      ]
      for (const { id } of commands) {
        // What audit rows and policies name is an id.
        const found = texts.find((text) => new RegExp(`(?<![\\w.-])${id.replaceAll(".", "\\.")}(?![\\w-])`).test(text))
        if (!/^(policy|logs|audit|commands)\b/.test(words)) assert.isUndefined(found, `${words}: ${id}`)
      }
    }
    const { stdout } = await svcInProcess(["lead", "search", "--help"])
    assert.include(stdout, "GLOBAL FLAGS\n  --fields, --jsonl, --jq, ")
    assert.notInclude(stdout, globalFlags.jq)
    assert.include((await svcInProcess(["--help"])).stdout, `--jq string                  ${globalFlags.jq}`)
  })

  it("of settings is wrapped on a terminal and never cut", () => {
    const rows = settings.map(({ meaning, name }) => [name, meaning] as const)
    const column = Math.max(...rows.map(([name]) => name.length)) + 2
    for (const [width, indent] of [
      [80, column],
      [60, column],
      [40, 6]
    ] as const) {
      const text = renderTable(["variable", "meaning"], rows, { width }, { prose: true })
      for (const [name, meaning] of rows) assert.include(text.split(/\s+/).join(" "), `${name} ${meaning}`)
      for (const line of text.split("\n")) {
        // A URL or the name of a variable may be wider than its column.
        if (/ .* |^\S+ /.test(line.trim())) assert.isAtMost(line.length, width, line)
        if (line.startsWith(" ")) assert.strictEqual(line.search(/\S/), indent, line)
      }
    }
  })
})
