/** `svc import csv`: the drawing by itself, and runs against a server and an embedded folder. */
import { spawn } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { duration, progressLine, rateOf, type Sample, terminalLine, withSample } from "#cli/upload/followImport.ts"
import { at } from "../support/httpService.ts"
import { svcBundle } from "../support/svcBundle.ts"
import { svcInProcess } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc, svc, temporaryFolder } from "../support/svcProcess.ts"

const look = (rows: number, second: number): Sample => ({ rows, millis: second * 1_000 })

describe("the progress of an import", () => {
  it("is told with rows, rate and time left", () => {
    const progress = { label: "people.csv", total: 1_000_000, samples: [look(400_000, 0), look(420_000, 2)] }
    const told = "42%  420,000 of 1,000,000 rows  10,000 rows/s  0:58 left"
    assert.strictEqual(terminalLine(progress, 80), `people.csv  ${told}`)
    assert.strictEqual(terminalLine(progress, 62), told)
    assert.strictEqual(terminalLine(progress, 30), told.slice(0, 29))
    assert.strictEqual(progressLine(progress), "people.csv: 42%, 420,000 of 1,000,000 rows, 10,000 rows/s, 0:58 left")
    assert.strictEqual(
      progressLine({ label: "standard input", total: undefined, samples: [look(5, 0)] }),
      "standard input: 5 rows"
    )
  })

  it("never promises more than everything, nor a time that nobody knows", () => {
    const late = { label: "a", total: 10, samples: [look(20, 0), look(20, 5)] }
    assert.strictEqual(progressLine(late), "a: 100%, 20 of 20 rows, 0 rows/s")
    assert.strictEqual(progressLine({ label: "a", total: 0, samples: [] }), "a: 0 of 0 rows")
    assert.deepStrictEqual(
      [duration(59.4), duration(60), duration(3_725), duration(-3)],
      ["0:59", "1:00", "1:02:05", "0:00"]
    )
  })

  it("goes by the last ten seconds", () => {
    let samples: ReadonlyArray<Sample> = []
    for (let second = 0; second <= 60; second++)
      samples = withSample(samples, look(second < 50 ? 0 : 100 * second, second))
    assert.isAtMost(samples.length, 12)
    assert.strictEqual(rateOf(samples), 100)
    assert.isUndefined(rateOf([look(1, 1)]))
    assert.strictEqual(rateOf(withSample([look(0, 0)], look(100, 100))), 1, "one look long ago is better than none")
  })
})

const rows = (count: number): string =>
  `Email,Name\n${Array.from({ length: count }, (_, n) => `p${n}@example.com,"Person, ${n}"\n`).join("")}`

describe("svc import csv", () => {
  let server: RunningSvc
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let env: Record<string, string>
  const file = (name: string) => join(folder.path, name)
  const run = (args: ReadonlyArray<string>, input?: string) =>
    svcInProcess(["import", "csv", ...args], { cwd: folder.path, env, ...(input === undefined ? {} : { input }) })
  const api = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${env["SVC_API_KEY"]}` }
    return (await fetch(`${server.url}/api/v1${path}`, { headers })).json()
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startSvc(["dev"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    for (const name of ["Good", "Long", "Other", "Elsewhere"]) {
      await svcInProcess(["commands", "run", "mission.create", "--input-json", JSON.stringify({ name })], { env })
    }
    await writeFile(file("good.csv"), rows(120))
    await writeFile(file("mixed.csv"), `${rows(3)}no mail,Nobody\n`)
    await writeFile(file("long.csv"), rows(12_000))
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  it("imports a file, says so, and knows it again", async () => {
    const first = await run(["good.csv", "--mission", "good"])
    assert.deepStrictEqual([first.code, first.stderr], [0, "Columns: 2 matched, 0 guessed, 0 ignored.\n"])
    assert.match(
      first.stdout,
      /^good\.csv into Good: 120 created, 0 updated, 0 not changed, 0 invalid \(completed, imp_\w+\)\.\n$/
    )
    const again = oneJson(await run(["good.csv", "--mission", "good", "--json"]))
    assert.strictEqual(at(again, "data.import.already_exists"), true)
    assert.strictEqual(at(again, "data.import.import_name"), "good.csv")
    const anew = await run(["good.csv", "--mission", "good", "--again", "--name", "Once more"])
    assert.match(anew.stdout, /0 created, 0 updated, 120 not changed/)
  })

  it("says where its leads come from, and on which basis they are kept", async () => {
    await writeFile(file("basis.csv"), "Email,Name\nbasis@example.com,Ba Sis\n")
    const basis = ["--source", "Fair", "--lawful-basis", "legitimate_interests"]
    assert.strictEqual((await run(["basis.csv", "--mission", "elsewhere", ...basis])).code, 0)
    const read = await svcInProcess(["lead", "get", "--email", "basis@example.com", "--json"], { env })
    assert.deepInclude(at(oneJson(read), "data.basis"), { source: "Fair", lawful_basis: "legitimate_interests" })
  })

  it("says how many known people it added, what a dry run would do, and how to get every rejected row", async () => {
    const bad = Array.from({ length: 60 }, (_, at) => `nobody ${at},Nobody\n`).join("")
    await writeFile(file("many.csv"), `${rows(3)}${bad}`)
    const dry = await run(["many.csv", "--mission", "good", "--dry-run"])
    assert.match(
      dry.stdout,
      /^Dry run of many\.csv into Good: .+ would be created, .+ 60 invalid\. Nothing was saved\.\n/
    )
    assert.notInclude(dry.stdout, "imp_")
    await run(["good.csv", "--mission", "good"])
    const ran = await run(["many.csv", "--mission", "elsewhere"])
    assert.match(
      ran.stdout,
      /0 created, 0 updated, 3 not changed, 60 invalid \(completed, imp_\w+\)\. 3 known people were added/
    )
    assert.include(ran.stdout, "\n  … 55 more\n")
    const command =
      /svc (import leads list \S+ --outcome refused --all --jsonl) > /.exec(ran.stdout)?.[1] ?? assert.fail()
    const listed = await svcInProcess(command.split(" "), { env })
    assert.strictEqual(listed.stdout.trimEnd().split("\n").length, 60)
  })

  it("says by its exit code that rows were refused, and which", async () => {
    const ran = await run(["mixed.csv", "--mission", "other"])
    assert.strictEqual(ran.code, 8)
    assert.include(ran.stdout, "row 4: INVALID_EMAIL")
    const json = await run(["mixed.csv", "--mission", "other", "--again", "--json"])
    assert.strictEqual(json.code, 8)
    assert.strictEqual(at(oneJson(json), "data.import.invalid_count"), 1)
    assert.strictEqual(json.stderr, "")
  })

  it("reads standard input, a mapping and a delimiter; a dry run leaves nothing", async () => {
    const args = ["-", "--mission", "other", "--mapping", '{"Kontakt":"email"}', "--delimiter", ";"]
    const text = "Kontakt;Wer\nstdin@example.com;Wer da\n"
    const dry = await run([...args, "--dry-run"], text)
    assert.match(dry.stdout, /^Dry run of standard input into Other: 1 would be created/)
    const ran = await run([...args, "--json"], text)
    assert.deepStrictEqual([ran.code, at(oneJson(ran), "data.import.created_count")], [0, 1])
  })

  it("shows how each column is used, and takes --map for the others", async () => {
    const header = "E-mail,Name,LinkedIn Profil URL,a=b,Farbe"
    await writeFile(file("columns.csv"), `${header}\nmap@example.com,M,https://www.linkedin.com/in/map-map,Acme,x\n`)
    const args = ["columns.csv", "--mission", "other", "--dry-run"]
    const dry = await run(args)
    assert.deepStrictEqual(dry.stderr.split("\n"), [
      "  E-mail → email (guessed)",
      "  Name → name",
      "  LinkedIn Profil URL is ignored, but looks like linkedin_url. Add --map " +
        '"LinkedIn Profil URL=linkedin_url", or --map "LinkedIn Profil URL=" if it is not.',
      "  a=b is ignored",
      "  Farbe is ignored",
      "Columns: 1 matched, 1 guessed, 3 ignored.",
      ""
    ])
    const maps = ["--map", "LinkedIn Profil URL=linkedin_url", "--map", "a=b=company", "--map", "Farbe="]
    const ran = await run([...args.slice(0, 3), ...maps])
    assert.deepStrictEqual(ran.stderr.split("\n"), [
      "  E-mail → email (guessed)",
      "  Name → name",
      "  LinkedIn Profil URL → linkedin_url",
      "  a=b → company",
      "  Farbe is ignored",
      "Columns: 3 matched, 1 guessed, 1 ignored.",
      ""
    ])
    const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--map", "Farbe"], '--map: "Farbe" must be COLUMN=FIELD'],
      [["--map", "=email"], '--map: "=email" must be COLUMN=FIELD'],
      [["--map", "LinkedIn Profil URL=linkedin"], '--map: "linkedin" is not a lead field. Did you mean linkedin_url?'],
      [["--map", "Fabre=company"], '--map: the file has no column "Fabre". Did you mean "Farbe"?'],
      [["--map", "Farbe=company", "--mapping", "{}"], "Use one of them"]
    ]
    for (const [more, message] of wrong) {
      const failed = await run([...args, ...more])
      assert.strictEqual(failed.code, 2, more.join(" "))
      assert.include(failed.stderr, message)
      assert.include(String(at(oneJson(await run([...args, ...more, "--json"])), "error.message")), message)
    }
  })

  it("refuses with the right exit code, in one JSON value when asked", async () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
      [["missing.csv", "--mission", "good"], 2, "INVALID_INPUT"],
      [[".", "--mission", "good"], 2, "INVALID_INPUT"],
      [["good.csv", "--mission", "nowhere"], 4, "NOT_FOUND"],
      [["good.csv"], 2, "INVALID_INPUT"],
      [["good.csv", "--mission", "good", "--mapping", "no json"], 2, "INVALID_INPUT"],
      [["good.csv", "--mission", "good", "--base-url", "http://127.0.0.1:1"], 6, "UNAVAILABLE"]
    ]
    for (const [args, code, expected] of cases) {
      const ran = await run([...args, "--json"])
      assert.deepStrictEqual([ran.code, at(oneJson(ran), "error.code")], [code, expected], args.join(" "))
      assert.strictEqual(ran.stderr, "")
    }
    await writeFile(file("empty.csv"), "")
    assert.strictEqual((await run(["empty.csv", "--mission", "good"])).code, 2)
  })

  it("is paused by Ctrl-C and goes on with the same command, every row once", async () => {
    const seen = async (state: string): Promise<number | undefined> => {
      const found = await api(`/missions/long/imports?state=${state}`)
      const value = at(found, "data.imports.0.progress.seen")
      return typeof value === "number" ? value : undefined
    }
    const interrupt = async (extra: ReadonlyArray<string>, least: number) => {
      const child = spawn(
        process.execPath,
        [await svcBundle(), "import", "csv", "long.csv", "--mission", "long", ...extra],
        {
          cwd: folder.path,
          env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", ...env }
        }
      )
      const stdout: Array<string> = []
      const stderr: Array<string> = []
      child.stdout.on("data", (text) => stdout.push(String(text)))
      child.stderr.on("data", (text) => stderr.push(String(text)))
      const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
      for (let look = 0; look < 300 && ((await seen("running")) ?? 0) <= least; look++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      child.kill("SIGINT")
      return { code: await closed, stdout: stdout.join(""), stderr: stderr.join("") }
    }
    const first = await interrupt([], 0)
    assert.strictEqual(first.code, 130, first.stderr)
    assert.match(first.stderr, /svc: Paused after \d+ rows\. Run the same command again to resume\.\n$/)
    assert.strictEqual(first.stdout, "")
    const paused = (await seen("paused")) ?? 0
    assert.isAbove(paused, 0)
    assert.isBelow(paused, 12_000)
    const second = await interrupt(["--json"], paused)
    assert.strictEqual(second.code, 130, second.stderr)
    assert.strictEqual(at(oneJson(second), "data.import.state"), "paused")
    const last = oneJson(await run(["long.csv", "--mission", "long", "--json"]))
    assert.strictEqual(at(last, "data.import.state"), "completed")
    const counts = ["created", "updated", "skipped", "invalid"].map((name) =>
      Number(at(last, `data.import.${name}_count`))
    )
    assert.deepStrictEqual(
      counts.reduce((sum, count) => sum + count, 0),
      12_000
    )
    const text = await fetch(`${server.url}/api/v1/imports/${at(last, "data.import.import_id")}/rows.csv`, {
      headers: { authorization: `Bearer ${env["SVC_API_KEY"]}` }
    }).then((response) => response.text())
    const positions = text
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => Number(line.split(",", 1)[0]))
    assert.deepStrictEqual(
      positions,
      Array.from({ length: 12_000 }, (_, n) => n + 1)
    )
  })

  it("works on an embedded folder without a server", async () => {
    const embedded = await temporaryFolder()
    const made = oneJson(await svcInProcess(["orgs", "create", "Acme", "--json"], { cwd: embedded.path }))
    const options = { cwd: embedded.path, env: { SVC_API_KEY: String(made["api_key"]) } }
    await svcInProcess(["commands", "run", "mission.create", "--input-json", '{"name":"Here"}'], options)
    await writeFile(join(embedded.path, "some.csv"), rows(1_200))
    const ran = await svc(["import", "csv", "some.csv", "--mission", "here"], options)
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, /^some\.csv into Here: 1,200 created/)
    await embedded.remove()
  })
})
