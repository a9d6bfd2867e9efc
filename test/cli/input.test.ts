/** What a run takes: the input's three forms, the key's sources, the options. */
import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type Ran, type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

const errorOf = (ran: Ran): Readonly<Record<string, unknown>> => Object(oneJson(ran)["error"])

describe("svc commands run", () => {
  let server: RunningSvc
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let key: string
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    key = String(server.ready["api_key"])
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: key }
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  const create = (value: string, input?: string | Uint8Array) =>
    svc(["commands", "run", "offer.create", "--input-json", value, "--json"], {
      env,
      cwd: folder.path,
      ...(input === undefined ? {} : { input })
    })
  const nameOf = (ran: Ran): unknown => Object(oneJson(ran)["data"]).offer?.name

  it("takes a literal, a file and stdin, texts unchanged", async () => {
    const name = 'Ünïcode 👋 — "quotes" \\ & $HOME `x`'
    const json = JSON.stringify({ name, is_draft: true })
    await writeFile(join(folder.path, "offer.json"), `\ufeff${json}\n`)
    assert.strictEqual(nameOf(await create(json)), name)
    assert.strictEqual(nameOf(await create("@offer.json")), name)
    assert.strictEqual(nameOf(await create("-", json)), name)
  })

  it("runs with {} when nothing is given", async () => {
    const ran = await svc(["commands", "run", "offer.list", "--json"], { env })
    assert.strictEqual(oneJson(ran)["ok"], true)
  })

  it("refuses what is no JSON, no text, no file or would be rounded, before it asks anybody", async () => {
    const offline = { SVC_BASE_URL: "http://127.0.0.1:1", SVC_API_KEY: key }
    const cases: ReadonlyArray<readonly [string, string | Uint8Array, string]> = [
      ["{", "", "INVALID_JSON"],
      ["", "", "INVALID_JSON"],
      ["-", "", "INVALID_JSON"],
      ["-", "{} {}", "INVALID_JSON"],
      ["-", Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]), "INVALID_JSON"],
      ["@nothing.json", "", "INVALID_INPUT"],
      ["@.", "", "INVALID_INPUT"],
      ['{"limit":12345678901234567890}', "", "INVALID_INPUT"]
    ]
    for (const [value, input, code] of cases) {
      const args = ["commands", "run", "offer.create", "--input-json", value, "--json"]
      const ran = await svc(args, { env: offline, cwd: folder.path, input })
      assert.strictEqual(ran.code, 2, `${value}: ${ran.stdout}`)
      assert.strictEqual(errorOf(ran)["code"], code, value)
      assert.match(String(errorOf(ran)["message"]), /^--input-json: /)
    }
  })

  it("leaves what is JSON to the service: no object, too deep, too large", async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`
    for (const [value, input, code] of [
      ["[]", "", "INVALID_JSON"],
      ["null", "", "INVALID_JSON"],
      ["-", deep, "INVALID_INPUT"],
      ["-", JSON.stringify({ name: "x".repeat(5_000_000) }), "PAYLOAD_TOO_LARGE"]
    ] as const) {
      const ran = await create(value, input)
      assert.strictEqual(ran.code, 2, ran.stdout.slice(0, 300))
      assert.strictEqual(errorOf(ran)["code"], code)
    }
  })

  it("passes on profile, dry run and idempotency key", async () => {
    const run = (...more: ReadonlyArray<string>) =>
      svc(["commands", "run", "offer.create", "--input-json", '{"name":"Keyed","is_draft":true}', "--json", ...more], {
        env
      })
    const dry = oneJson(await run("--dry-run"))
    assert.deepStrictEqual(Object(dry["meta"]).warnings, ["dry_run"])
    const first = oneJson(await run("--idempotency-key", "a key"))
    const second = oneJson(await run("--idempotency-key", "a key"))
    assert.deepStrictEqual(second, first)
    assert.notDeepEqual(oneJson(await run())["data"], first["data"])
    assert.strictEqual(errorOf(await run("--response-profile", "tiny"))["code"], "INVALID_INPUT")
    for (const bad of ["", "ü", "x".repeat(256), "a\nb"]) {
      const ran = await run(`--idempotency-key=${bad}`)
      assert.strictEqual(ran.code, 2, ran.stdout)
      assert.strictEqual(errorOf(ran)["code"], "INVALID_INPUT")
    }
  })

  it("finds the key in SVC_API_KEY, else in the file of SVC_API_KEY_FILE, and says which", async () => {
    const file = join(folder.path, "key")
    await writeFile(file, `${key}\n`)
    await chmod(file, 0o600)
    const base = { SVC_BASE_URL: server.url }
    const source = async (more: Readonly<Record<string, string>>) =>
      oneJson(await svc(["whoami", "--json"], { env: { ...base, ...more } }))["key_source"]
    assert.strictEqual(await source({ SVC_API_KEY_FILE: file }), "SVC_API_KEY_FILE")
    assert.strictEqual(await source({ SVC_API_KEY: "", SVC_API_KEY_FILE: file }), "SVC_API_KEY_FILE")
    assert.strictEqual(await source({ SVC_API_KEY: key, SVC_API_KEY_FILE: "/nothing" }), "SVC_API_KEY")
    const missing = await svc(["whoami", "--json"], { env: { ...base, SVC_API_KEY_FILE: "/nothing" } })
    assert.strictEqual(missing.code, 2)
    assert.include(String(errorOf(missing)["message"]), "SVC_API_KEY_FILE")
    await writeFile(file, "\n")
    const empty = await svc(["whoami", "--json"], { env: { ...base, SVC_API_KEY_FILE: file } })
    assert.strictEqual(empty.code, 3)
  })

  it("has no flag that takes a key", async () => {
    for (const args of [
      ["commands", "run", "--help"],
      ["whoami", "--help"],
      ["dev", "--help"],
      ["keys", "--help"]
    ]) {
      assert.notMatch((await svc(args)).stdout, /--(api-?)?key\b/)
    }
  })

  it("prints exactly the HTTP bodies of the lists, a schema and a resource", async () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["commands", "list"], "commands"],
      [["commands", "schema", "lead.upsert"], "commands/lead.upsert/schema"],
      [["resources", "list"], "resources"],
      [["resources", "read", "svc://offers/sample-offer"], "resources/read?uri=svc://offers/sample-offer"],
      [["commands", "schema", "nope"], "commands/nope/schema"],
      [["resources", "read", "svc://nope"], "resources/read?uri=svc://nope"]
    ]
    const timeless = (text: string) => text.replace(/"generated_at":"[^"]+"/, '"generated_at":""')
    for (const [args, path] of cases) {
      const ran = await svc([...args, "--json"], { env })
      const http = await fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual(timeless(ran.stdout), `${timeless(await http.text())}\n`, args.join(" "))
      assert.strictEqual(ran.code, http.ok ? 0 : 4)
    }
  })
})
