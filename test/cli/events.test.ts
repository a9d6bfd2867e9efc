/** `svc events tail` and `svc audit verify`, against a server that has a folder. */
import { spawn } from "node:child_process"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

interface Line {
  readonly sequence: number
  readonly type: string
}

const linesOf = (stdout: string): ReadonlyArray<Line> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line))

describe("following what happens", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: RunningSvc
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startSvc(["dev", "--sample"], { cwd: folder.path })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"] ?? "") }
    if (env["SVC_API_KEY"] === "") {
      const org = oneJson(await svcInProcess(["orgs", "create", "Tail", "--json"], { cwd: folder.path }))
      env = { ...env, SVC_API_KEY: String(org["api_key"]) }
    }
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  const create = (name: string) =>
    svcInProcess(
      [
        "commands",
        "run",
        "offer.create",
        "--input-json",
        JSON.stringify({ name, one_liner: "One", value_proposition: "Gain" }),
        "--json"
      ],
      { env }
    )

  it("prints what there is from a place on, one JSON line each, and ends with --once", async () => {
    assert.strictEqual((await create("First")).code, 0)
    const all = await svcInProcess(["events", "tail", "--after", "0", "--once", "--json"], { env })
    assert.strictEqual(all.code, 0, all.stderr)
    const lines = linesOf(all.stdout)
    assert.deepStrictEqual(
      lines.map(({ sequence }) => sequence),
      lines.map((_, index) => index + 1)
    )
    const some = await svcInProcess(
      ["events", "tail", "--after", "0", "--types", "offer.created", "--once", "--json"],
      { env }
    )
    assert.isAbove(linesOf(some.stdout).length, 0)
    assert.ok(linesOf(some.stdout).every(({ type }) => type === "offer.created"))
    const words = await svcInProcess(["events", "tail", "--once"], { env })
    assert.match(words.stdout, /^\d+ {2}\d{4}-\S+ {2}[a-z_.]+ {2}\S+ \S+/m)
    const wrong = await svcInProcess(["events", "tail", "--types", "offer.creatd", "--json"], { env })
    assert.strictEqual(wrong.code, 2)
    assert.include(wrong.stdout, "offer.created?")
  })

  it("goes on until Ctrl-C, which ends it with 130", async () => {
    const child = spawn(process.execPath, [await svcBundle(), "events", "tail", "--json"], {
      env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString("utf8")
    })
    const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)))
    const until = async (done: () => boolean) => {
      for (let tries = 0; tries < 200 && !done(); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    // What was there first says that following has begun.
    await until(() => stdout.includes("\n"))
    const before = linesOf(stdout).at(-1)?.sequence ?? 0
    await create("Second")
    await until(() => (linesOf(stdout.slice(0, stdout.lastIndexOf("\n"))).at(-1)?.sequence ?? 0) > before)
    child.kill("SIGINT")
    assert.strictEqual(await exit, 130)
    assert.deepInclude(linesOf(stdout).at(-1), { sequence: before + 1, type: "offer.created" })
  })

  it("the audit of every organization is whole, through the owner of the folder", async () => {
    const verdict = oneJson(await svcInProcess(["audit", "verify", "--json"], { cwd: folder.path }))
    assert.strictEqual(verdict["ok"], true)
    const [first] = Object(verdict["organizations"])
    assert.isAbove(first.rows, 0)
    assert.match(first.head_hash, /^[0-9a-f]{64}$/)
    const one = oneJson(
      await svcInProcess(["audit", "verify", "--org", first.organization_id, "--json"], { cwd: folder.path })
    )
    assert.deepStrictEqual(Object(one["organizations"])[0].rows, first.rows)
    const unknown = await svcInProcess(["audit", "verify", "--org", "org_none", "--json"], { cwd: folder.path })
    assert.strictEqual(unknown.code, 4)
  })
})
