/** Mailboxes on the command line: passwords that nobody sees, the table, and what `svc doctor` says. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commandLine } from "#cli/commands/generated.ts"
import { checkMailboxes } from "#cli/doctor/checkMail.ts"
import { argumentsOf, nestedFields, plainFields, secretField } from "#cli/generated/flagsOf.ts"
import { renderTable } from "#cli/table.ts"
import { columnsFor, valueAt } from "#cli/view/columns.ts"
import { commands } from "#core/commands.ts"
import { jsonSchemaOf } from "#core/kernel/schema/JsonSchema.ts"
import { oneJson, type RunningSvc, startSvc, svc } from "../support/svcProcess.ts"
import { hasTerminal, svcInTerminal } from "../support/terminal.ts"

const password = "correct horse battery"

describe("a secret of a command", () => {
  const schemas = commands.map(({ id, input }) => [id, jsonSchemaOf(input)] as const)

  it("is no flag, and not among what --input-json holds", () => {
    const secrets = schemas.flatMap(([id, schema]) => (secretField(schema) === undefined ? [] : [id]))
    assert.deepStrictEqual(secrets, ["email.mailbox.connect-inbox"])
    for (const [, schema] of schemas) {
      const { name = "" } = secretField(schema) ?? {}
      assert.notInclude(nestedFields(schema), name)
      assert.notInclude(
        plainFields(schema).map((field) => field.name),
        name
      )
      assert.deepStrictEqual(argumentsOf(plainFields(schema), {}), [])
    }
  })

  it("is in no example", () => {
    const { examples, id } = commands.find((one) => one.id === "email.mailbox.connect-inbox") ?? assert.fail()
    const line = commandLine(id, examples[0]?.input ?? {})
    assert.strictEqual(line, "svc email mailbox connect-inbox ada@example.com --host imap.example.com --password-stdin")
  })
})

describe("a table of mailboxes", () => {
  it("shows what is used of the day's limit, and what the DNS says", () => {
    const usage = [
      { window: "hour", used: 1, limit: null },
      { window: "day", used: 3, limit: 200 }
    ]
    const domain = { spf: "pass", dkim: "unknown", dmarc: "missing", problems: ["Publish DMARC."] }
    const row = { email: "ada@example.com", agent: { name: "Ada" }, inbox_state: "ok", usage, domain }
    const columns = columnsFor("mailboxes", [row])
    const cells = [columns.map((column) => valueAt(row, column))]
    const lines = renderTable(columns, cells, { width: 140, now: 0 }).split("\n")
    assert.deepStrictEqual(
      lines.map((line) => line.trimEnd().split(/\s{2,}/)),
      [
        ["EMAIL", "AGENT", "INBOX STATE", "USAGE", "SPF", "DKIM", "DMARC"],
        ["ada@example.com", "Ada", "ok", "3/200 a day", "pass", "unknown", "missing"]
      ]
    )
  })
})

describe("what doctor says of mailboxes", () => {
  const fine = { email: "ada@example.com", inbox_problem: null, domain: null }

  it("is what is known of each", () => {
    assert.deepStrictEqual(checkMailboxes(undefined), [])
    assert.deepStrictEqual(checkMailboxes([fine]), [])
    const domain = { spf: "missing", dkim: "unknown", dmarc: "fail", problems: ["Publish SPF.", "Publish DMARC."] }
    assert.deepStrictEqual(checkMailboxes([fine, { ...fine, inbox_problem: "Login refused.\u001b[2J", domain }]), [
      { name: "inbox", state: "warn", detail: "ada@example.com: Login refused.[2J" },
      {
        name: "domain",
        state: "warn",
        detail: "ada@example.com: SPF, DMARC not set up. Publish SPF. Publish DMARC."
      }
    ])
  })
})

describe("mailboxes of a service", () => {
  let server: RunningSvc
  let env: Record<string, string> = {}
  const connect = ["email", "mailbox", "connect-inbox", "--email", "ada@example.com", "--host", "imap.example.com"]
  const inbox = async () =>
    Object(oneJson(await svc(["email", "mailbox", "list", "--json"], { env }))).data.mailboxes[0].inbox

  beforeAll(async () => {
    server = await startSvc(["dev"], { env: { SVC_DATABASE_URL: "memory:" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
    const agent = {
      first_name: "Ada",
      last_name: "Martin",
      email_accounts: [{ provider: "IMAP", email: "ada@example.com" }]
    }
    assert.strictEqual((await svc(["agent", "create", "--input-json", JSON.stringify(agent)], { env })).code, 0)
  })
  afterAll(() => server.stop())

  it("are connected with one line of standard input, or with tokens", async () => {
    const refused = await svc([...connect, "--password", password], { env })
    assert.strictEqual(refused.code, 2)
    const withTokens = await svc(connect, { env })
    assert.strictEqual(withTokens.code, 2, "a host without tokens")
    assert.include(withTokens.stderr, "token")
    const connected = await svc([...connect, "--password-stdin"], { env, input: `${password}\n` })
    assert.strictEqual(connected.code, 0, connected.stderr)
    assert.notInclude(connected.stdout + connected.stderr, password)
    assert.deepInclude(await inbox(), { host: "imap.example.com", login: "password" })
    for (const input of ["", "\n", "two\nlines\n"]) {
      const wrong = await svc([...connect, "--password-stdin"], { env, input })
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.stderr, "one line")
    }
  })

  it.skipIf(!hasTerminal)("ask for a password that is not shown, and are a table", async () => {
    const { code, shown } = await svcInTerminal(connect, [["Password (Enter for none)", password]], { env })
    assert.strictEqual(code, 0, shown)
    assert.notInclude(shown, password)
    const table = await svcInTerminal(["email", "mailbox", "list"], [], { env, columns: 140 })
    const [head = "", row = ""] = table.shown.split("\n")
    assert.deepStrictEqual(head.split(/\s{2,}/), ["EMAIL", "AGENT", "INBOX STATE", "USAGE"])
    assert.match(row, /^ada@example\.com\s+Ada Martin\s+\w+\s+0\/\d+ a day/)
  })

  it("are checked by doctor, and how people unsubscribe", async () => {
    const says = async (more: Record<string, string>) =>
      Object(oneJson(await svc(["doctor", "--json"], { env: { ...env, ...more } }))).checks
    const smtp = { SVC_SMTP_URL: "smtp://127.0.0.1:2525" }
    const named = (checks: ReadonlyArray<{ name: string; state: string }>) =>
      checks.find(({ name }) => name === "unsubscribing")?.state
    assert.strictEqual(named(await says({})), undefined)
    assert.strictEqual(named(await says(smtp)), "warn")
    assert.strictEqual(named(await says({ ...smtp, SVC_PUBLIC_URL: "https://svc.example.com" })), undefined)
  })
})
