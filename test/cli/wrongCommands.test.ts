/** Errors speak the language of the command line: flags, subcommands and `svc login`; no fields of JSON, no HTTP. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { inFlags } from "#cli/cliTerms.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

const identifiers = "--lead-id, --email, --linkedin-url, --linkedin-id, --sales-nav-id or --custom-id"

describe("errors of the command line", () => {
  let server: RunningSvc
  let env: Record<string, string> = {}
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], {
      env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_LOG_LEVLE: "x" }
    })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(() => server.stop())

  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["lead", "get"], identifiers],
    [["lead", "get", "--email", "nope"], '--email: "nope" has no @.'],
    [
      ["lead", "get", "--email", "nobody@example.com"],
      "No lead found for nobody@example.com. Search with svc lead search"
    ],
    [["lead", "erase", "nobody@example.com"], "No lead found for nobody@example.com."],
    [["lead", "erase", "alan@example.com"], "An erasure can't be undone. Add --confirm alan@example.com, or --yes."],
    [["lead", "erase", "alan@example.com", "--confirm", "x@example.com"], "--confirm: must repeat --lead-id."],
    [["mission", "get", "sprng"], 'Mission "sprng" not found. Did you mean spring-outreach?'],
    [["lead", "search", "--mission-id", "sumer-outreach"], "Did you mean summer-outreach?"],
    [["agent", "get", "ada-martn"], 'Agent "ada-martn" not found. Did you mean ada-martin?'],
    [["offer", "get", "sample-offr"], 'Offer "sample-offr" not found. Did you mean sample-offer?'],
    [["keys", "revoke", "zzzzzzzzzzzz"], 'Key "zzzzzzzzzzzz" not found. Check the id, or list what exists.'],
    [["explain", "usage_limt"], "Did you mean USAGE_LIMIT?"],
    [["auth", "switch", "nope"], 'Profile "nope" not found. List profiles with svc auth status'],
    [["lead", "search", "--fields", "nme"], 'Field "nme" not found. Did you mean name?'],
    [["lead", "search", "--limit", "0"], "--limit must be "],
    [["lead", "search", "--status", "nope"], "--status must be one of New, "],
    [["lead", "search", "--stauts", "New"], "Unknown flag --stauts. Did you mean --status?"],
    [["lead", "serch"], 'Unknown command "serch". Did you mean search?'],
    [["lead", "search", "--status", "Nwe"], "Did you mean New?"],
    [["lead", "--query", "x", "search"], "--query goes after the subcommand: svc lead search --query."],
    [["--query", "x", "lead", "search"], "--query goes after the subcommand: svc lead search --query."],
    [["lead", "--limit", "5"], "A subcommand is required before --limit, such as svc lead search --limit."],
    [["lead", "--querry", "x", "search"], "Unknown flag --querry. Did you mean --query?"],
    [["--verson"], "Unknown flag --verson. Did you mean --version?"],
    [["lead", "search", "--limit", "x"], "--limit must be a number."],
    [["lead", "search", "--limit"], "--limit requires a value."],
    [["offer", "create"], "--name (or --offer-name), --one-liner, --value-proposition"],
    [["agent", "create", "--first-name", "Ada", "--last-name", "M", "--timezone", "Mars"], "--timezone must be "],
    [["agent", "delete", "ada-martin", "--yes"], "delete with --force"],
    [["mission", "pause"], "--mission-id is required."],
    [["linkedin", "draft", "create", "--input-json", '{"variations":[{}]}'], "--input-json: variations[0].body_text"],
    [["lead", "upsert", "--input-json", '{"firstname":"x"}'], "--input-json: firstname is not a known field."],
    [["lead", "upsert", "--input-json", '{"score":200,"email":"a@example.com"}'], "--input-json: score must be "],
    [["lead", "upsert", "--email", "a@example.com", "--idempotency-key", ""], "--idempotency-key must be "],
    [["import", "csv", "-", "--mission", "spring-outreach", "--mapping", "nope"], "--mapping: "],
    [["mission", "stats", "spring-outreach", "--from", "yesterday"], "--from must be "],
    [["events", "tail", "--once", "--types", "nope"], '--types: unknown event type "nope"'],
    [["whoami", "--base-url", "nope"], "--base-url (or SVC_BASE_URL) must be "]
  ]

  it("names flags and subcommands, on stderr and with --json", async () => {
    for (const [args, text] of cases) {
      const ran = await svc(args, { env })
      assert.include(ran.stderr, text, args.join(" "))
      const first = ran.stderr.split("\n")[0] ?? ""
      assert.notMatch(first.replaceAll(/"[^"]*"/g, ""), /\/api\/v1|Bearer|Idempotency-Key|: true\b/, args.join(" "))
      const json = await svc([...args, "--json"], { env })
      assert.include(String(Object(oneJson(json)["error"]).message), text, args.join(" "))
    }
  })

  it("says only what was meant by a mistyped subcommand, and guesses nothing from one letter", async () => {
    for (const [args, expected] of [
      [["lead", "serch", "--query", "x"], 'Unknown command "serch". Did you mean search?'],
      [["lead", "x"], 'Unknown command "x".']
    ] as const) {
      const [first] = (await svc(args, { env })).stderr.split("\n")
      assert.strictEqual(first, `svc: ${expected}`)
    }
    const early = await svc(["--json", "lead", "search"], { env })
    assert.include(Object(oneJson(early)["error"]).message, "--json goes after the subcommand: svc lead search --json.")
  })

  it("takes what was typed for a person, or --yes, as the confirmation of an erasure", async () => {
    for (const confirmation of [["--confirm", "Alan@example.com"], ["--yes"], []]) {
      const { code, stdout } = await svc(["lead", "erase", "alan@example.com", "--dry-run", ...confirmation], { env })
      assert.deepStrictEqual([code, stdout.startsWith("erased\t")], [0, true], confirmation.join(" "))
    }
  })

  it("warns on stderr of a variable that was mistyped, and not of those of other programs", async () => {
    assert.include(server.stderr(), "SVC_LOG_LEVLE is not a setting. Did you mean SVC_LOG_LEVEL?")
    const odd = { SVC_BASEURL: "x", SVC_TEST_DATABASE_URL: "x", SVC_ZZZZ: "x" }
    const { stderr } = await svc(["whoami", "--json"], { env: { ...env, ...odd } })
    assert.strictEqual(stderr, "svc: SVC_BASEURL is not a setting. Did you mean SVC_BASE_URL?\n")
  })

  it("prints the bodies of the service with --json where they are what was asked for", async () => {
    for (const [args, spoken, sent] of [
      [["commands", "schema", "nope"], "List the commands with svc commands list.", "GET /api/v1/commands"],
      [["resources", "read", "svc://nope"], "List the resources with svc resources list.", "GET /api/v1/resources"]
    ] as const) {
      assert.include((await svc(args, { env })).stderr, spoken)
      assert.include((await svc([...args, "--json"], { env })).stdout, sent)
    }
  })

  it("says svc login in JSON too, where there is neither a service nor a database", async () => {
    const nowhere = { SVC_API_KEY: "", SVC_DATABASE_URL: "pglite:./not-there/data" }
    for (const args of [
      ["commands", "schema", "lead.get"],
      ["lead", "search"]
    ]) {
      const { code, stdout } = await svc([...args, "--json"], { env: nowhere })
      assert.strictEqual(code, 3)
      const message = "Not logged in. Run svc login, or set SVC_API_KEY_FILE."
      assert.deepStrictEqual(JSON.parse(stdout).error, { code: "UNAUTHENTICATED", message })
    }
  })

  it("says svc login for a missing or wrong key, and where the key came from", async () => {
    const missing = await svc(["lead", "search"], { env: { ...env, SVC_API_KEY: "" } })
    assert.strictEqual(missing.code, 3)
    assert.strictEqual(
      missing.stderr,
      "svc: Not logged in. Run svc login, or set SVC_API_KEY_FILE. [UNAUTHENTICATED]\n"
    )
    const wrong = await svc(["whoami"], { env: { ...env, SVC_API_KEY: "nope" } })
    const message = "The API key from SVC_API_KEY is not valid. Run svc login with a valid key."
    assert.strictEqual(wrong.stderr, `svc: ${message} [UNAUTHENTICATED]\n`)
    const explained = await svc(["explain", "UNAUTHENTICATED"])
    assert.include(explained.stdout, "Run svc login.")
  })
})

describe("inFlags", () => {
  const fields = ["name", "email", "lead_id", "send_now"].map((name) => ({ name, flag: name.replaceAll("_", "-") }))

  it("leaves words and quoted text alone", () => {
    for (const text of [
      "A draft requires only a name.",
      'The text "lead_id is required" was not sent to an email.',
      "Known fields: name, lead_id."
    ])
      assert.strictEqual(inFlags(text, fields), text)
  })

  it("names a field at the beginning, in a list, by its underscore, and where it is switched on", () => {
    assert.strictEqual(inFlags("name is required; email: no.", fields), "--name is required; --email: no.")
    assert.strictEqual(
      inFlags("Give one of lead_id, email or name.", fields),
      "Give one of --lead-id, --email or --name."
    )
    assert.strictEqual(inFlags("Send send_now: true, or stop.", fields), "Add --send-now, or stop.")
  })
})
