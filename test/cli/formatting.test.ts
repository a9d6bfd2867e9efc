/** `--json FIELDS`, `--jq`, `svc api`, identifiers, `--all` and questions. */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { guidedSetup } from "#cli/commands/auth.ts"
import { readPages } from "#cli/generated/runGenerated.ts"
import { runJq } from "#cli/Output.ts"
import { patientTarget, type Reply, remoteTarget, type Target } from "#cli/Target.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

const leads = [
  { name: "Ada", score: 7, tags: ["a", "b"], at: "2026-11-21T12:00:00Z" },
  { name: "Bob", score: 3, tags: [], at: null }
]

describe("--jq", () => {
  it.effect("is jq, with functions, destructuring and errors", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* runJq(leads, ".[] | select(.score > 5) | .name"), "Ada")
      assert.strictEqual(yield* runJq(leads, '.[0] as {name: $n} | "\\($n)!"'), "Ada!")
      assert.strictEqual(
        yield* runJq(leads, 'try error("no") catch ., (.[0].at | fromdate | strftime("%Y"))'),
        "no\n2026"
      )
      assert.strictEqual(yield* runJq(leads, "map(.tags | length)"), "[2,0]")
      const failure = yield* Effect.flip(runJq(leads, ".["))
      assert.strictEqual(failure.code, "INVALID_INPUT")
      assert.match(failure.message, /^--jq: syntax error/)
      assert.match((yield* Effect.flip(runJq(leads, ".name"))).message, /^--jq: Cannot index array/)
    })
  )
})

describe("--all", () => {
  const pageOf = (from: number, cursor: string | null): Reply => ({
    status: 200,
    body: { ok: true, data: { leads: [{ name: `n${from}` }, { name: `n${from + 1}` }], next_cursor: cursor } }
  })

  it.effect("waits when the rate limit is reached, and reads on", () =>
    Effect.gen(function* () {
      const limited: Reply = { status: 429, retryAfter: 9, body: { error: { code: "RATE_LIMITED", message: "" } } }
      const replies = [limited, limited, pageOf(2, null)]
      const waits: Array<number> = []
      const send: Target["send"] = () => Effect.sync(() => replies.shift() ?? limited)
      const target = patientTarget({ place: { kind: "server", label: "" }, key: undefined, send }, (seconds) =>
        Effect.sync(() => {
          waits.push(seconds)
        })
      )
      const next = () => target.send({ method: "GET", path: "/" })
      const reading = yield* Effect.forkChild(readPages(pageOf(0, "c"), next, () => Effect.void))
      yield* TestClock.adjust("9 seconds")
      yield* TestClock.adjust("9 seconds")
      const { refused, reply, rows } = yield* Fiber.join(reading)
      assert.deepStrictEqual([waits, rows, refused], [[9, 9], 4, undefined])
      assert.deepStrictEqual(Object(reply.body).data.next_cursor, null)
    })
  )

  it.effect("keeps what it read before an error, with the cursor to continue with", () =>
    Effect.gen(function* () {
      const away: Reply = { status: 503, body: { error: { code: "UNAVAILABLE", message: "Away." } } }
      const replies = [pageOf(2, "third"), away]
      const read = yield* readPages(
        pageOf(0, "second"),
        () => Effect.sync(() => replies.shift() ?? away),
        () => Effect.void
      )
      assert.deepStrictEqual([read.rows, read.refused, Object(read.reply.body).data.next_cursor], [4, away, "third"])
    })
  )
})

describe("against a server", () => {
  let server: RunningSvc
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(() => server.stop())
  const run = async (...args: ReadonlyArray<string>) => {
    const ran = await svc(args, { env })
    return { ...ran, text: ran.stdout.trimEnd() }
  }

  it("--json FIELDS prints these fields: a list of objects, or one object", async () => {
    const list = await run("lead", "search", "--sort", "name", "--limit", "2", "--json", "name,status")
    assert.strictEqual(list.text, '[{"name":"Alan Turing","status":"New"},{"name":"Barbara Liskov","status":"New"}]')
    assert.strictEqual(
      (await run("offer", "get", "sample-offer", "--json", "name")).text,
      '{"name":"Invoice automation"}'
    )
    assert.strictEqual((await run("offer", "get", "--json=name", "sample-offer")).text, '{"name":"Invoice automation"}')
    assert.isTrue(oneJson(await run("offer", "get", "--json", "sample-offer"))["ok"], "an argument stays one")
    const states = await run("mission", "list", "--query", "summer", "--json", "handle,state")
    assert.strictEqual(states.text, '[{"handle":"summer-outreach","state":"PAUSED"}]')
    const unknown = await run("lead", "search", "--json", "nam,status")
    assert.strictEqual(unknown.code, 2)
    assert.include(String(Object(oneJson(unknown)["error"]).message), "Available: lead_id")
  })

  it("--jq filters what --json prints, with all pages too", async () => {
    assert.strictEqual(
      (await run("offer", "get", "sample-offer", "--jq", ".data.offer.name")).text,
      "Invoice automation"
    )
    const args = ["lead", "search", "--sort", "name", "--all", "--json", "name"]
    assert.match((await run(...args, "--jq", ".[].name")).text, /^Alan Turing\nBarbara Liskov\n/)
    assert.strictEqual((await run(...args, "--jq", ".[")).code, 2)
  })

  it("svc api sends any request, and ends with the exit code of an error", async () => {
    const got = await run("api", "GET", "/missions?limit=1", "--jq", ".data.missions[0].handle")
    assert.strictEqual(got.text, "autumn-letters")
    const changed = await run(
      "api",
      "PATCH",
      "/api/v1/offers/sample-offer",
      "--input-json",
      '{"isDraft":false}',
      "--json"
    )
    assert.strictEqual(Object(oneJson(changed)["data"]).offer.isDraft, false)
    const missing = await run("api", "GET", "/offers/nope", "--json")
    assert.deepStrictEqual([missing.code, Object(oneJson(missing)["error"]).code], [4, "NOT_FOUND"])
    assert.strictEqual((await run("api", "GET", "https://example.com/")).code, 2)
  })

  it("takes a lead by email, LinkedIn URL or id, where the command takes only its id too", async () => {
    for (const lead of [
      "barbara@example.com",
      "https://www.linkedin.com/in/barbara-liskov",
      "ld_SAMPLE00000000000000000005"
    ]) {
      const got = await run("lead", "get", lead, "--json", "lead_id")
      assert.include(got.text, "ld_SAMPLE00000000000000000005", lead)
      assert.include((await run("lead", "timeline", lead)).text, "lead.created", lead)
    }
    assert.strictEqual((await run("lead", "timeline", "nobody@example.com")).code, 4)
  })

  it("takes the first word in the singular and the plural, and shows one of them", async () => {
    const nouns = "offer lead mission agent import email event key webhook org approval session review agent-run".split(
      " "
    )
    for (const [one, many] of [...nouns.map((noun) => [noun, `${noun}s`]), ["policy", "policies"]] as const) {
      const [singular, plural] = await Promise.all([run(one ?? "", "--help"), run(many ?? "", "--help")])
      assert.deepStrictEqual([singular.code, singular.text], [0, plural.text], one)
    }
  })

  it("has one noun for keys, webhooks and events, and short names for list and delete", async () => {
    const made = await run("webhook", "create", "--url", "https://example.com/hook", "--json")
    const id = Object(oneJson(made)["data"]).webhook.webhook_id
    assert.include((await run("webhooks", "ls")).text, id)
    assert.strictEqual((await run("webhooks", "rm", id, "--yes")).code, 0)
    const none = await run("lead", "search", "--query", "nobody at all")
    assert.deepStrictEqual([none.text, none.stderr], ["", "svc: no leads found.\n"])
    assert.include((await run("keys", "ls", "--json", "mode")).text, '{"mode":"full"}')
    const database = await svc(["keys", "list", "--org", "org_1"], { env: { ...env, SVC_DATABASE_URL: "memory:" } })
    assert.strictEqual(database.code, 5, "a database in memory has no second process")
    assert.match((await run("webhooks", "--help")).text, /^ {2}listen .*\n {2}list, ls /m)
  })

  it("asks nothing before what cannot be undone where nobody can be asked, with and without --yes", async () => {
    const made = await run("offer", "create", "--name", "For a moment", "--is-draft", "--json")
    const id = String(Object(oneJson(made)["data"]).offer.id)
    assert.strictEqual((await run("offer", "delete", id, "--dry-run", "--yes")).code, 0)
    assert.strictEqual((await run("offer", "rm", id)).code, 0)
    assert.strictEqual((await run("offer", "delete", id, "--yes")).code, 4)
  })

  it("lists the missions for completion, and asks nothing in svc init without a terminal", async () => {
    assert.include((await run("completions", "bash", "--values", "missions")).text.split("\n"), "spring-outreach")
    const init = await run("init")
    assert.strictEqual(init.code, 2)
    assert.include(init.stderr, "asks questions on a terminal")
  })

  it.effect("svc init creates what is missing, and uses what exists", () =>
    Effect.gen(function* () {
      const fresh = yield* Effect.promise(() => startSvc(["dev"], { env: { SVC_DATABASE_URL: "memory:" } }))
      const key = { key: Redacted.make(String(fresh.ready["api_key"])), source: "test" }
      const target = remoteTarget("server", fresh.url, key)
      const answers = ["Ada", "Martin", "Europe/Berlin", "Spring", "Finance leads"]
      const told: Array<string> = []
      const conversation = {
        ask: () => Effect.sync(() => answers.shift() ?? "nothing left"),
        tell: (text: string) =>
          Effect.sync(() => {
            told.push(text)
          })
      }
      assert.strictEqual(yield* guidedSetup(target, conversation), "spring")
      assert.isEmpty(answers)
      assert.strictEqual(told[0], "Created the agent ada-martin.")
      assert.strictEqual(yield* guidedSetup(target, conversation), "spring")
      assert.strictEqual(told.at(-1), "Using the mission spring.")
      yield* Effect.promise(() => fresh.stop())
    })
  )

  it("lets a lead reply on the simulated LinkedIn, and only there", async () => {
    const ran = await run("simulate", "reply", "barbara@example.com", "--text", "Tell me more", "--json")
    assert.strictEqual(ran.code, 0, ran.text)
    assert.include((await run("lead", "get", "barbara@example.com", "--json")).text, "Tell me more")
    assert.strictEqual((await run("simulate", "reply", "nobody@example.com")).code, 4)
    const real = await startSvc(["serve"], { env: { SVC_DATABASE_URL: "memory:" } })
    const there = { SVC_BASE_URL: real.url, SVC_API_KEY: String(real.ready["api_key"]) }
    const refused = await svc(["simulate", "reply", "barbara@example.com"], { env: there })
    assert.deepStrictEqual([refused.code, refused.stdout], [5, ""])
    assert.include(refused.stderr, "only simulated")
    await real.stop()
  })

  it("follows what runs", async () => {
    await run("offer", "create", "--name", "For the log", "--is-draft")
    const ran = await run("logs", "tail", "--once")
    assert.strictEqual(ran.code, 0)
    assert.match(ran.text.split("\n").at(-1) ?? "", /^\S+Z {2}offer\.create {2}\w+ {2}USER/)
    assert.isObject(JSON.parse((await run("logs", "tail", "--once", "--json")).text.split("\n").at(-1) ?? ""))
  })

  it("follows what runs with a command, an outcome, a key, and since when", async () => {
    for (let at = 0; at < 12; at++) await run("offer", "create", "--name", `Log ${at}`, "--is-draft")
    await run("offer", "publish", "off_none")
    const key = oneJson(await run("keys", "create", "--name", "Logged", "--json"))["data"] as {
      api_key: string
      key: { key_id: string }
    }
    await svc(["offer", "create", "--name", "By the key", "--is-draft"], {
      env: { SVC_BASE_URL: server.url, SVC_API_KEY: key.api_key }
    })
    const lines = async (...args: ReadonlyArray<string>) => {
      const ran = await run("logs", "tail", "--once", "--json", ...args)
      assert.strictEqual(ran.code, 0, ran.text)
      return ran.text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    }
    assert.lengthOf(await lines("--command", "offer.create"), 10)
    const all = await lines("--command", "offer.create", "--since", "1h")
    assert.isAtLeast(all.length, 13)
    assert.isTrue(all.every(({ command_id }) => command_id === "offer.create"))
    assert.deepStrictEqual(
      (await lines("--key", key.key.key_id)).map(({ command_id }) => command_id),
      ["offer.create"]
    )
    assert.deepStrictEqual(await lines("--status", "DRAFT_FINAL"), [])
    assert.deepStrictEqual(await lines("--since", "2199-01-01"), [])
    assert.strictEqual((await run("logs", "tail", "--once", "--since", "yesterday")).code, 2)
  })

  it("explains exit codes, the environment and formatting", async () => {
    assert.match((await run("help", "exit-codes")).text, /^8\tDone in part/m)
    assert.match((await run("help", "environment")).text, /^SVC_PAGER\t/m)
    assert.include((await run("help", "formatting")).text, "--jq EXPRESSION")
  })
})
