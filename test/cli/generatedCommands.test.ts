/** The commands of the catalogue as subcommands with flags. */

import { execFileSync } from "node:child_process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { argumentsOf, flagOf, inputOf, plainFields, quoteForShell } from "#cli/generated/flagsOf.ts"
import { listIn } from "#cli/generated/show.ts"
import { renderTable } from "#cli/table.ts"
import { usualColumns } from "#cli/view/columns.ts"
import { commands } from "#core/commands.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { effort } from "../support/effort.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

/** What the flags of a schema make of the words. */
const parsed = (id: string, words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const command = commands.find((known) => known.id === id)
    const plain = plainFields(jsonSchemaOf(command?.input ?? commands[0].input))
    let input: unknown
    const probe = Command.make(
      "probe",
      { given: Object.fromEntries(plain.map((field) => [field.flag, flagOf(field)])) },
      ({ given }: { readonly given: Readonly<Record<string, unknown>> }) =>
        Effect.sync(() => {
          input = inputOf(plain, given, {})
        })
    )
    yield* Command.runWith(probe, { version: "0" })(words)
    return input
  }).pipe(Effect.provide(NodeServices.layer))

/** The input without what has no flag. */
const flat = (id: string, input: Readonly<Record<string, unknown>>) => {
  const command = commands.find((known) => known.id === id)
  const words = argumentsOf(plainFields(jsonSchemaOf(command?.input ?? commands[0].input)), input)
  const end = words.indexOf("--input-json")
  const rest: object = end === -1 ? {} : JSON.parse(words[end + 1] ?? "{}")
  return {
    words: end === -1 ? words : words.slice(0, end),
    rest,
    plain: Object.fromEntries(Object.entries(input).filter(([name]) => !(name in rest)))
  }
}

describe("flags", () => {
  const own = new Set([
    "json",
    "jsonl",
    "fields",
    "all",
    "input-json",
    "base-url",
    "response-profile",
    "dry-run",
    "help",
    "jq",
    "yes"
  ])

  it.effect.each(commands.map((command) => [command.id, command] as const))(
    "of %s hold its examples, and never hide a flag of svc",
    ([id, command]) =>
      Effect.gen(function* () {
        assert.isEmpty(plainFields(jsonSchemaOf(command.input)).filter(({ flag }) => own.has(flag)))
        for (const { input } of command.examples) {
          const { plain, rest, words } = flat(id, input)
          assert.deepStrictEqual(yield* parsed(id, words), plain)
          assert.deepStrictEqual({ ...plain, ...rest }, input)
        }
      })
  )

  it.effect("hold any text and number, also those that look like flags", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary" }), fc.integer(), fc.boolean(), async (name, score, is_flagged) => {
          fc.pre(!name.includes("\0"))
          const input = { name, score, is_flagged, skills: [name, "--help"] }
          const { words } = flat("lead.upsert", input)
          assert.deepStrictEqual(await Effect.runPromise(parsed("lead.upsert", words)), input)
        }),
        { numRuns: effort(200) }
      )
    )
  )

  it("are quoted so that a shell gives them back", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter((word) => !word.includes("\0")),
          { maxLength: 5 }
        ),
        (words) => {
          const script = `printf '%s\\0' ${words.map(quoteForShell).join(" ")}`
          const said = words.length === 0 ? "" : execFileSync("/bin/sh", ["-c", script]).toString()
          assert.deepStrictEqual(said.split("\0").slice(0, -1), words)
        }
      ),
      { numRuns: effort(50) }
    )
  })
})

describe("tables", () => {
  it("have columns that the answers have", () => {
    const paths = (node: unknown, path: string): boolean => {
      const [name, ...rest] = path.split(".")
      const inner = Object(Object(node).properties)[name ?? ""]
      return inner !== undefined && (rest.length === 0 || paths(inner, rest.join(".")))
    }
    /** The items of every list of this name, at any depth. */
    const itemsIn = (node: unknown, list: string): ReadonlyArray<unknown> =>
      Object.entries(Object(Object(node).properties)).flatMap(([name, inner]) => {
        const { items } = Object(inner)
        return [...(name === list && items !== undefined ? [items] : []), ...itemsIn(inner, list)]
      })
    for (const [list, columns] of Object.entries(usualColumns)) {
      const items = commands.flatMap((command) => itemsIn(jsonSchemaOf(command.output), list))
      assert.isNotEmpty(items, list)
      const joined = list === "missions" ? ["handle", "state"] : []
      assert.isTrue(
        columns.every((column) => joined.includes(column) || items.some((item) => paths(item, column))),
        `${list}: ${columns.join()}`
      )
    }
  })

  it("fit the terminal and hold nothing that moves a cursor, whatever strangers wrote", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constant("\u001b[2J\u202Eevil\r\n\tx"),
      fc.integer(),
      fc.constant(null)
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 40, max: 120 }),
        (rows, width) => {
          const lines = renderTable(["lead_id", "name", "company"], rows, { width }).split("\n")
          assert.strictEqual(lines.length, rows.length + 1)
          for (const line of lines) {
            assert.isAtMost(displayWidth(line), width)
            assert.notMatch(line, /\p{C}/u)
          }
          const piped = renderTable(["lead_id", "name", "company"], rows, { width: undefined }).split("\n")
          assert.strictEqual(piped.length, rows.length)
          for (const line of piped) assert.strictEqual(line.split("\t").length, 3)
        }
      )
    )
  })

  it("are made of lists only", () => {
    assert.strictEqual(listIn({ offers: [], next_cursor: null })?.name, "offers")
    assert.strictEqual(listIn({ import_id: "imp_1", rows: [{ row: 1 }], leads: [], next_cursor: null })?.name, "rows")
    assert.isUndefined(listIn({ offer: { id: "off_1", references: [] } }))
    assert.isUndefined(listIn({ lead_id: "ld_1", lead: {}, notes: [] }))
  })
})

describe("against a server", () => {
  let server: RunningSvc
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(() => server.stop())
  const run = (...args: ReadonlyArray<string>) => svc(args, { env })

  it("flags make the input, and win over --input-json, which holds what is nested", async () => {
    const made = await run(
      "lead",
      "upsert",
      "--email",
      "flags@example.com",
      "--name",
      "Flag Lead",
      "--score",
      "7",
      "--skills",
      "a",
      "--skills",
      "b",
      "--input-json",
      '{"name":"Nobody","experience":[{"role":"CFO","company":"Acme"}]}',
      "--json"
    )
    assert.strictEqual(made.code, 0)
    const { lead } = Object(oneJson(made)["data"])
    assert.deepStrictEqual(
      [lead.name, lead.score, lead.skills, lead.experience.length],
      ["Flag Lead", 7, ["a", "b"], 1]
    )
  })

  it("the id of what it is about may be a word of its own", async () => {
    const word = await run("offer", "get", "sample-offer", "--json")
    const flag = await run("offer", "get", "--offer-id", "sample-offer", "--json")
    assert.strictEqual(word.code, 0)
    assert.deepStrictEqual(oneJson(word)["data"], oneJson(flag)["data"])
  })

  it("what is searched for, the only required text and values in any case are understood", async () => {
    const searched = await run("lead", "search", "Turing", "--status", "NEW", "--fields", "name")
    assert.strictEqual(searched.stdout, "Alan Turing\n")
    assert.strictEqual((await run("lead", "ls", "Turing", "--fields", "name")).stdout, "Alan Turing\n")
    assert.strictEqual((await run("offer", "list", "Invoice", "--fields", "name")).stdout, "Invoice automation\n")
    const made = await run("mission", "create", "By its name", "--dry-run", "--fields", "name")
    assert.strictEqual(made.stdout, "name\tBy its name\n")
    const set = ["lead", "upsert", "--email", "case@example.com", "--dry-run", "--json"]
    for (const status of ["do-not-contact", "DONOTCONTACT", "DoNotContact"]) {
      assert.strictEqual(
        Object(oneJson(await run(...set, "--status", status))["data"]).lead.status,
        "DoNotContact",
        status
      )
    }
    const refused = await run(...set, "--status", "gone")
    assert.include(String(Object(oneJson(refused)["error"]).message), "--status must be one of New, ")
  })

  it("limits and working hours are flags; an agent's holidays stay", async () => {
    const limit = await run(
      "linkedin",
      "usage",
      "set-limits",
      "acc_SAMPLE00000000000000000001",
      ...["--no-ramp", "--json"]
    )
    assert.strictEqual(limit.code, 0, limit.stdout)
    const perDay = await run(
      ...["linkedin", "usage", "set-limits", "acc_SAMPLE00000000000000000001", "--messages-per-day", "0"],
      ...["--input-json", '{"limits":{"invitation_week":60}}', "--json"]
    )
    const windows: ReadonlyArray<Readonly<Record<string, unknown>>> = Object(oneJson(perDay)["data"]).windows
    const limitOf = (action: string, window: string) =>
      windows.find((one) => one["action"] === action && one["window"] === window)?.["limit"]
    assert.deepStrictEqual([limitOf("message", "day"), limitOf("invitation", "week")], [0, 60])
    const high = await run(
      ...["linkedin", "usage", "set-limits", "acc_SAMPLE00000000000000000001", "--messages-per-day", "99999"]
    )
    assert.match(high.stderr, /^svc: --messages-per-day must be /)

    const holidays = '{"working_hours":{"holidays":["2026-12-24"],"useLeadTimezone":true}}'
    assert.strictEqual((await run("agent", "update", "ada-martin", "--input-json", holidays)).code, 0)
    const hours = await run("agent", "update", "ada-martin", "--hours", "mon-tue 9-12:30, sat 10-12", "--json")
    assert.deepStrictEqual(Object(oneJson(hours)["data"]).agent.workingHours, {
      monday: [{ start: "09:00", end: "12:30" }],
      tuesday: [{ start: "09:00", end: "12:30" }],
      saturday: [{ start: "10:00", end: "12:00" }],
      holidays: ["2026-12-24"],
      useLeadTimezone: true
    })
    const wrong = await run("agent", "update", "ada-martin", "--hours", "mon-fri 18-9")
    assert.deepStrictEqual(
      [wrong.code, wrong.stderr.split("\n", 1)[0]],
      [2, "svc: --hours must be written like mon-fri 9:00-12:30 13:30-17:00 (what is 18-9?)."]
    )
  })

  it("help X, X help and X --help show the same", async () => {
    for (const words of [["lead"], ["linkedin", "draft"], ["lead", "search"], ["db", "move"]]) {
      const { stdout } = await run(...words, "--help")
      assert.include(stdout, `svc ${words.join(" ")}`)
      assert.strictEqual((await run("help", ...words)).stdout, stdout, words.join(" "))
      assert.strictEqual((await run(...words, "help")).stdout, stdout, words.join(" "))
    }
    assert.strictEqual((await run("help")).stdout, (await run("--help")).stdout)
    assert.include((await run("help", "leads", "ls")).stdout, "svc lead search")
  })

  it("a list is one line of tabs a row when piped, with the columns asked for, and says where it goes on", async () => {
    const page = await run("lead", "search", "--sort", "name", "--limit", "2", "--fields", "name,status")
    assert.strictEqual(page.stdout, "Alan Turing\tNew\nBarbara Liskov\tNew\n")
    const cursor = /--cursor (\S+),/.exec(page.stderr)?.[1] ?? ""
    const next = await run("lead", "search", "--sort", "name", "--limit", "2", "--fields", "name", "--cursor", cursor)
    assert.match(next.stdout, /^Edsger Dijkstra\n/)
    const all = await run("lead", "search", "--sort", "name", "--limit", "2", "--all", "--jsonl", "--fields", "name")
    assert.strictEqual(all.stderr, "")
    assert.include(all.stdout.split("\n"), '{"name":"Katherine Johnson"}')
    assert.isAbove(all.stdout.split("\n").length, 5)
  })

  it("one thing is a line a field", async () => {
    const one = await run("offer", "get", "sample-offer", "--fields", "name,isDraft")
    assert.strictEqual(one.stdout, "name\tInvoice automation\nisDraft\tfalse\n")
  })

  it("mistakes end with 2 and say how to go on; refusals keep their code", async () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string]> = [
      [["lead", "serch"], 2, "search"],
      [["led"], 2, "lead"],
      [["lead", "search", "--limt", "2"], 2, "--limit"],
      [["lead", "search", "--fields", "nam"], 2, "Available: lead_id"],
      [["lead", "search", "--fields", "name,,x"], 2, "empty name"],
      [["lead", "search", "--jsonl", "--json"], 2, "--jsonl"],
      [["lead", "search", "--all", "--json"], 2, "--jsonl"],
      [["lead", "search", "--input-json", "[]"], 2, "a JSON object"],
      [["offer", "get"], 2, "--offer-id is required."],
      [["offer", "get", "nope"], 4, "NOT_FOUND"],
      [["lead", "upsert", "--status", "Nope"], 2, "--status must be one of New, "]
    ]
    for (const [args, code, said] of cases) {
      const ran = await run(...args)
      assert.strictEqual(ran.code, code, args.join(" "))
      assert.include(`${ran.stderr}${ran.stdout}`, said, args.join(" "))
      const json = await run(...args.filter((word) => word !== "--json"), "--json")
      assert.strictEqual(json.code, code, args.join(" "))
      assert.isString(Object(oneJson(json)["error"]).code)
    }
  })

  it("writes can be tried without effect and repeated without a second one", async () => {
    const dry = await run("offer", "create", "--name", "Only tried", "--is-draft", "--dry-run", "--json")
    assert.strictEqual(dry.code, 0)
    const listed = await run("offer", "list", "--fields", "name")
    assert.notInclude(listed.stdout, "Only tried")
    const keyed = [
      "agent",
      "create",
      "--first-name",
      "Twice",
      "--last-name",
      "Once",
      "--idempotency-key",
      "k-1",
      "--json"
    ]
    assert.deepStrictEqual(Object(oneJson(await run(...keyed))["data"]), Object(oneJson(await run(...keyed))["data"]))
  })

  it("help shows examples first, and the catalogue beside the rooms of svc", async () => {
    const help = await run("lead", "upsert", "--help")
    assert.match(help.stdout, /^EXAMPLES\n {2}# /)
    assert.include(help.stdout, "svc lead upsert --email grace@example.com")
    const top = await run("--help")
    for (const word of ["dev", "offer", "lead", "linkedin", "mission"])
      assert.match(top.stdout, new RegExp(`^ {2}${word} `, "m"))
    const audit = await run("audit", "--help")
    assert.match(audit.stdout, /^ {2}verify .*\n {2}list, ls /m)
  })
})
