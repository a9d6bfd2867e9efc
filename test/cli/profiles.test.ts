/** `svc login`, `logout`, `auth`, `doctor`, `explain`, `completions`. */
import { execFileSync } from "node:child_process"
import { chmod, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { failureTable } from "#core/kernel/failure/failureTable.ts"
import { variables } from "#embed/Settings.ts"
import { fakeRedis } from "../support/fakeRedis.ts"
import { mistyped } from "../support/mistyped.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"

describe("profiles", () => {
  let server: RunningSvc
  let other: RunningSvc
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let key: string
  beforeAll(async () => {
    const env = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" }
    server = await startSvc(["dev", "--sample"], { env })
    other = await startSvc(["dev"], { env })
    folder = await temporaryFolder()
    key = String(server.ready["api_key"])
  })
  afterAll(async () => {
    await server.stop()
    await other.stop()
    await folder.remove()
  })

  const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, input = "") =>
    svc(args, { cwd: folder.path, env: { XDG_CONFIG_HOME: folder.path, ...env }, input })
  const file = () => join(folder.path, "svc", "credentials.json")

  it("a key that the service refuses is not kept, and one that it takes is kept for the user alone", async () => {
    const refused = await run(["login", "--base-url", server.url, "--json"], {}, mistyped(key))
    assert.strictEqual(refused.code, 3)
    assert.strictEqual(Object(oneJson(refused)["error"]).code, "UNAUTHENTICATED")
    assert.strictEqual((await run(["auth", "status", "--json"])).stdout.includes("default"), false)

    const kept = await run(["login", "--base-url", `${server.url}/`, "--json"], {}, `${key}\n`)
    assert.strictEqual(kept.code, 0)
    assert.strictEqual(oneJson(kept)["profile"], "default")
    assert.strictEqual((await stat(file())).mode & 0o777, 0o600)
    assert.strictEqual((await stat(join(folder.path, "svc"))).mode & 0o777, 0o700)
    for (const said of [kept.stdout, kept.stderr]) assert.notInclude(said, key)
  })

  it("the active profile is asked, and whoami names it", async () => {
    const who = oneJson(await run(["whoami", "--json"]))
    assert.deepStrictEqual(who["service"], { kind: "server", label: server.url })
    assert.strictEqual(who["key_source"], "profile default")
    const leads = await run(["lead", "search", "--limit", "1", "--fields", "name"])
    assert.strictEqual(leads.code, 0)
  })

  it("the key of a profile goes to no other service; a variable wins over it", async () => {
    const elsewhere = await run(["whoami", "--json"], { SVC_BASE_URL: other.url })
    assert.strictEqual(elsewhere.code, 3)
    const chosen = await run(["whoami", "--json", "--base-url", server.url])
    assert.strictEqual(oneJson(chosen)["key_source"], "profile default")
    const variable = await run(["whoami", "--json"], { SVC_API_KEY: key })
    assert.strictEqual(oneJson(variable)["key_source"], "SVC_API_KEY")
  })

  it("profiles are listed masked, switched and forgotten", async () => {
    const login = ["login", "--profile", "work", "--base-url", other.url]
    assert.strictEqual((await run(login, {}, String(other.ready["api_key"]))).code, 0)
    const listed = await run(["auth", "status", "--json"])
    assert.notInclude(listed.stdout, key)
    const rows = Object(oneJson(listed))["profiles"]
    assert.deepStrictEqual(
      rows.map((row: { profile: string; active: boolean }) => [row.profile, row.active]),
      [
        ["default", false],
        ["work", true]
      ]
    )
    assert.strictEqual(
      oneJson(await run(["whoami", "--json"], { SVC_PROFILE: "default" }))["key_source"],
      "profile default"
    )
    assert.strictEqual((await run(["auth", "switch", "default"])).code, 0)
    assert.strictEqual(oneJson(await run(["whoami", "--json"]))["key_source"], "profile default")
    assert.strictEqual((await run(["auth", "switch", "nope"])).code, 4)
    assert.strictEqual((await run(["auth", "switch", "__proto__"])).code, 4)
    assert.strictEqual((await run(["whoami"], { SVC_PROFILE: "nope" })).code, 4)
    assert.strictEqual((await run(["login", "--profile", "a b"], {}, key)).code, 2)
    assert.strictEqual((await run(["logout", "--profile", "work"])).code, 0)
    assert.strictEqual((await run(["logout", "--profile", "work"])).code, 4)
    assert.notInclude(await readFile(file(), "utf8"), String(other.ready["api_key"]))
  })

  it("a file that others may read, or that is broken, is refused with what to do", async () => {
    await chmod(file(), 0o644)
    const open = await run(["whoami", "--json"])
    assert.strictEqual(open.code, 2)
    assert.include(Object(oneJson(open)["error"]).message, "chmod 600")
    await chmod(file(), 0o600)
    const good = await readFile(file(), "utf8")
    await writeFile(file(), "{")
    assert.strictEqual((await run(["whoami"])).code, 2)
    await writeFile(file(), good)
  })

  it("an empty key, or none, is a mistake", async () => {
    for (const input of ["", " \n", "two words"]) {
      const ran = await run(["login", "--base-url", server.url, "--json"], {}, input)
      assert.strictEqual(ran.code, 3)
    }
    assert.strictEqual((await run(["login", "--base-url", "ftp://x", "--json"], {}, key)).code, 2)
    const nobody = await run(["login", "--base-url", "http://127.0.0.1:1", "--json"], {}, key)
    assert.strictEqual(nobody.code, 6)
  })

  it("doctor lists every setting with its source and shows no secret", async () => {
    const healthy = await run(["doctor", "--json"], { SVC_PORT: "4711", SVC_BOOTSTRAP_KEY: key, SVC_API_KEY: key })
    assert.strictEqual(healthy.code, 0)
    const { checks, ok, settings } = Object(oneJson(healthy))
    assert.isTrue(ok)
    const byName = new Map(settings.map((row: { name: string; source: string; value: unknown }) => [row.name, row]))
    for (const { name } of Object.values(variables)) assert.isTrue(byName.has(name), name)
    assert.deepInclude(byName.get("SVC_PORT"), { source: "environment", value: 4711 })
    assert.deepInclude(byName.get("SVC_HOST"), { source: "default", value: "127.0.0.1" })
    assert.notInclude(healthy.stdout, key)
    const stateOf = (name: string) => checks.find((check: { name: string }) => check.name === name)?.state
    assert.deepStrictEqual([stateOf("service"), stateOf("key"), stateOf("database")], ["ok", "ok", "ok"])

    // What looks like a setting and is none is told with the one that was meant, and shows no value.
    const redis = await fakeRedis({ password: "sesame" })
    const slipped = await run(["doctor", "--json"], {
      SVC_DATABSE_URL: "postgres://sesame@x/y",
      SVC_ZZZZ: "sesame",
      SVC_REDIS_URL: `redis://:sesame@127.0.0.1:${redis.port}`
    })
    const detailOf = (ran: typeof slipped, name: string) =>
      Object(oneJson(ran)).checks.find((check: { name: string }) => check.name === name)
    assert.deepInclude(detailOf(slipped, "variables"), {
      state: "warn",
      detail: "unknown: SVC_DATABSE_URL (did you mean SVC_DATABASE_URL?), SVC_ZZZZ"
    })
    assert.deepInclude(detailOf(slipped, "limits"), {
      state: "ok",
      detail: `shared in redis://127.0.0.1:${redis.port}/0`
    })
    assert.notInclude(slipped.stdout, "sesame")
    await redis.close()
    const gone = await run(["doctor", "--json"], { SVC_REDIS_URL: `redis://:sesame@127.0.0.1:${redis.port}` })
    assert.strictEqual(detailOf(gone, "limits").state, "warn")
    assert.notInclude(gone.stdout, "sesame")
    assert.isUndefined(detailOf(healthy, "variables"))

    // A secret in a file: told by its source, never by its text; one that others may read is told too.
    const file = join(folder.path, "bootstrap-key")
    await writeFile(file, key, { mode: 0o600 })
    const filed = await run(["doctor", "--json"], { SVC_BOOTSTRAP_KEY_FILE: file })
    const row = (name: string) =>
      Object(oneJson(filed)).settings.find((one: { name: string }) => one.name === name) ?? assert.fail(name)
    assert.deepInclude(row("SVC_BOOTSTRAP_KEY"), { source: "file", value: "<redacted>" })
    assert.deepInclude(row("SVC_BOOTSTRAP_KEY_FILE"), { source: "environment", value: file })
    assert.notInclude(filed.stdout, key)
    const filesOf = (ran: typeof filed) =>
      Object(oneJson(ran)).checks.find((check: { name: string }) => check.name === "files")
    assert.strictEqual(filesOf(filed).state, "ok")
    assert.isUndefined(filesOf(healthy))
    await chmod(file, 0o644)
    const open = filesOf(await run(["doctor", "--json"], { SVC_BOOTSTRAP_KEY_FILE: file }))
    assert.deepInclude(open, { state: "warn" })
    assert.include(open.detail, "SVC_BOOTSTRAP_KEY_FILE: readable by other users")
    const twice = await run(["doctor", "--json"], { SVC_BOOTSTRAP_KEY_FILE: file, SVC_BOOTSTRAP_KEY: key })
    assert.strictEqual(twice.code, 1)
    assert.include(twice.stdout, "SVC_BOOTSTRAP_KEY and SVC_BOOTSTRAP_KEY_FILE are both set")

    const bad = await run(["doctor", "--json"], { SVC_PORT: "x", SVC_BASE_URL: "http://127.0.0.1:1" })
    assert.strictEqual(bad.code, 1)
    const failed = Object(oneJson(bad)).checks.filter((check: { state: string }) => check.state === "fail")
    assert.deepStrictEqual(
      failed.map((check: { name: string }) => check.name),
      ["settings", "service"]
    )
  })
})

describe("explain and completions", () => {
  it("every code is explained, in any case, and a wrong one is told", async () => {
    const all = await svc(["explain", "--json"])
    const codes = Object(oneJson(all)).errors.map((entry: { code: string }) => entry.code)
    assert.deepStrictEqual(codes, Object.keys(failureTable))
    const one = await svc(["explain", "wrong-state"])
    assert.include(one.stdout, "WRONG_STATE: ")
    assert.include(one.stdout, "exit code    5")
    const reason = await svc(["explain", "usage-limit"])
    assert.include(reason.stdout, "usage_limit: Sends when the account's limit")
    assert.include(reason.stdout, "svc linkedin usage set-limits")
    const near = await svc(["explain", "gateway", "--json"])
    assert.strictEqual(near.code, 4)
  })

  it("the scripts of bash complete commands of svc and of the catalogue", async () => {
    const bash = await svc(["completions", "bash"])
    assert.strictEqual(bash.code, 0)
    const ask = (words: ReadonlyArray<string>, before = "") =>
      execFileSync("bash", {
        input: `${bash.stdout}
${before}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
COMP_LINE='${words.join(" ")}'; COMP_POINT=\${#COMP_LINE}
fn=$(complete -p svc | sed 's/.*-F \\([^ ]*\\).*/\\1/'); $fn svc '${words.at(-1)}' '${words.at(-2)}'; printf '%s\\n' "\${COMPREPLY[@]}"
`
      })
        .toString()
        .split("\n")
        .map((word) => word.trim())
    assert.include(ask(["svc", "lea"]), "lead")
    assert.include(ask(["svc", "lead", "ups"]), "upsert")
    assert.include(ask(["svc", "lead", "upsert", "--linkedin-u"]), "--linkedin-url")
    // The values come from svc, here one that says what it was asked for.
    const told = (words: ReadonlyArray<string>) =>
      ask(words, 'svc() { [[ "$*" == "completions bash --values "* ]] && echo "first-$4 second-$4"; }')
    assert.deepStrictEqual(told(["svc", "mission", "get", "fi"]).filter(Boolean), ["first-missions"])
    assert.include(told(["svc", "drafts", "review", "--mission", ""]), "second-missions")
    assert.include(told(["svc", "explain", ""]), "first-codes")
    assert.include(told(["svc", "login", "--profile", ""]), "first-profiles")
    assert.include(told(["svc", "mission", "get", "--dry"]), "")
    assert.match((await svc(["completions", "bash", "--values", "codes"])).stdout, /^NOT_FOUND$/m)
    for (const shell of ["zsh", "fish", "powershell"]) {
      const script = await svc(["completions", shell])
      assert.include(script.stdout, "upsert")
      assert.notInclude(script.stdout, "svc --completions")
    }
    assert.strictEqual((await svc(["completions", "tcsh"])).code, 2)
  })
})
