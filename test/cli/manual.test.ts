/** The manual page that the package installs: every command of the help is in it, as troff that has no mistakes. */

import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { manualPage } from "#cli/manual.ts"
import { commandWords } from "#cli/Target.ts"
import { commands } from "#core/commands.ts"

const hasGroff = spawnSync("groff", ["--version"]).error === undefined

describe("the manual page", () => {
  it("has every command with its flags, and the exit codes", async () => {
    const page = await Effect.runPromise(manualPage)
    for (const { id, visibility } of commands) {
      if (visibility === "public") assert.include(page, `.SS "svc ${commandWords(id).join(" ")}"\n`, id)
    }
    for (const words of ["serve", "drafts review", "simulate accept", "keys generate"]) {
      assert.include(page, `.SS "svc ${words}"\n`)
    }
    assert.include(page, "\\fB\\-\\-linkedin\\-url\\fR \\fIstring\\fR")
    assert.match(page, /\.SH EXIT STATUS\n\.TP\n\\fB0\\fR\nDone\n/)
    const controls = new Set(page.split("\n").flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []))
    assert.sameMembers([...controls], ["TH", "SH", "B", "SS", "PP", "TP", "RS", "nf", "fi", "RE"])
    if (!hasGroff) return
    const { stderr } = spawnSync("groff", ["-man", "-ww", "-z", "-Tutf8", "-K", "utf8"], {
      input: page,
      encoding: "utf8"
    })
    assert.strictEqual(stderr, "")
  })

  it("is where the package says", () => {
    const root = new URL("../../packages/cli/", import.meta.url)
    const { files, man } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"))
    assert.strictEqual(man, "./dist/bundle/svc.1")
    assert.include(files, "dist/bundle")
    assert.include(readFileSync(new URL("bundle.js", root), "utf8"), "/svc.1`")
  })
})
