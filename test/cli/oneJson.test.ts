/** With `--json`, stdout is exactly one JSON value, whatever happens: one way to fail for every command. */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mayAsk } from "#cli/confirmations.ts"
import { commands } from "#core/commands.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

describe("--json", () => {
  let server: RunningSvc
  let key: string
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    key = String(server.ready["api_key"])
  })
  afterAll(() => server.stop())

  /** Ways to fail that any command has, with the exit codes that tell them. */
  const failures: ReadonlyArray<{
    readonly name: string
    readonly args: ReadonlyArray<string>
    readonly env?: Readonly<Record<string, string>>
    readonly exit: number
  }> = [
    { name: "an unknown flag", args: ["--no-such-flag"], exit: 2 },
    { name: "broken JSON", args: ["--input-json", "{"], exit: 2 },
    { name: "an unknown field", args: ["--input-json", '{"no_such_field":1}'], exit: 2 },
    { name: "a missing file", args: ["--input-json", "@/no/such/file"], exit: 2 },
    { name: "no key", args: [], env: { SVC_API_KEY: "" }, exit: 3 },
    { name: "nobody there", args: [], env: { SVC_BASE_URL: "http://127.0.0.1:1" }, exit: 6 }
  ]

  const cases = commands.map(({ id }, index) => {
    const failure = failures[index % failures.length] ?? failures[0]
    return [`svc ${id.replaceAll(".", " ")}: ${failure?.name}`, id, failure] as const
  })

  // `svc import csv` takes a file, and has tests of its own.
  it.each(cases.filter(([, id]) => id !== "import.csv"))("%s", async (_, id, failure) => {
    const env = { SVC_BASE_URL: server.url, SVC_API_KEY: key, ...failure?.env }
    const sure = mayAsk(id) ? ["--yes"] : []
    const ran = await svc([...id.split("."), ...(failure?.args ?? []), ...sure, "--json"], { env })
    assert.strictEqual(ran.code, failure?.exit, ran.stdout)
    const { code, message } = Object(oneJson(ran)["error"])
    assert.isTrue(Object.hasOwn(failureTable, code), code)
    assert.isNotEmpty(message)
    assert.notInclude(`${ran.stdout}${ran.stderr}`, key)
  })

  const rooms: ReadonlyArray<ReadonlyArray<string>> = [
    ["nope"],
    ["commands"],
    ["commands", "schema", "nope"],
    ["commands", "run", "nope"],
    ["resources", "read", "svc://nope"],
    ["resources", "read", "nope"],
    ["explain", "nope"],
    ["auth", "switch", "nope"],
    ["logout", "--profile", "nope"],
    ["import", "csv", "/no/such/file.csv", "--mission", "spring-outreach"],
    ["db", "move", "--to", "memory:"],
    ["events", "tail", "--types", "nope"],
    ["mcp", "budget", "--toolset", "nope"],
    ["completions", "tcsh"]
  ]

  it.each(rooms.map((args) => [`svc ${args.join(" ")}`, args] as const))("%s", async (_, args) => {
    const ran = await svc([...args, "--json"], { env: { SVC_BASE_URL: server.url, SVC_API_KEY: key } })
    assert.isAbove(ran.code ?? 0, 0)
    assert.isTrue(Object.hasOwn(failureTable, Object(oneJson(ran)["error"]).code), ran.stdout)
  })
})
