/** What the command line asks a person, and how its messages fit, in a real terminal. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"
import { hasTerminal, svcInTerminal } from "../support/terminal.ts"

describe.skipIf(!hasTerminal)("in a terminal", () => {
  let server: RunningSvc
  let env: Record<string, string> = {}
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  it("an erasure shows the person, and takes the email and nothing else", async () => {
    const erase = (answer: string) =>
      svcInTerminal(["lead", "erase", "alan@example.com"], [["to confirm", answer]], { env })
    const refused = await erase("yes")
    assert.strictEqual(refused.code, 130, refused.shown)
    for (const text of ["Alan Turing", "Northwind Foods", "linkedin.com/in/alan-turing", "Nothing was changed."]) {
      assert.include(refused.shown, text)
    }
    assert.strictEqual((await erase("Alan@Example.com")).code, 0)
    assert.strictEqual((await svc(["lead", "get", "alan@example.com"], { env })).code, 4)
  })

  it("messages and help break between words, and never in one", async () => {
    for (const args of [
      ["lead", "search", "--status", "x"],
      ["explain", "EVIDENCE_REQUIRED"],
      ["lead", "erase", "--help"]
    ]) {
      const wide = await svc(args, { env })
      const { shown } = await svcInTerminal(args, [], { columns: 40, env })
      const words = (text: string) => text.split(/\s+/).filter((word) => word !== "")
      assert.deepStrictEqual(words(shown), words(`${wide.stdout}${wide.stderr}`), args.join(" "))
      for (const line of shown.split("\n")) if (/\S \S/.test(line.trim())) assert.isAtMost(line.length, 40, line)
    }
  })

  it("an import shows its columns, and asks about those that are guessed or ignored", async () => {
    await writeFile(join(folder.path, "odd.csv"), 'E-mail,Name,Farbe\nodd@example.com,"O\n""dd",x\n')
    await writeFile(join(folder.path, "plain.csv"), "email,name\nplain@example.com,Plain\n")
    const options = { cwd: folder.path, env }
    const load = (args: ReadonlyArray<string>, answers: Parameters<typeof svcInTerminal>[1]) =>
      svcInTerminal(["import", "csv", ...args, "--mission", "spring-outreach"], answers, options)
    const refused = await load(["odd.csv"], [["(Y/n)", "n"]])
    assert.strictEqual(refused.code, 130, refused.shown)
    assert.include(
      refused.shown,
      "Columns of odd.csv:\n  E-mail → email (guessed)\n  Name → name\n  Farbe is ignored\n"
    )
    const taken = await load(["odd.csv"], [["(Y/n)", ""]])
    assert.strictEqual(taken.code, 0, taken.shown)
    assert.include(taken.shown, "Columns: 1 matched, 1 guessed, 1 ignored.")
    assert.include(taken.shown, "1 created")
    for (const args of [["odd.csv", "--yes", "--again"], ["plain.csv"]]) {
      const { code, shown } = await load(args, [])
      assert.strictEqual(code, 0, shown)
      assert.include(shown, "Columns of ")
    }
  })
})
