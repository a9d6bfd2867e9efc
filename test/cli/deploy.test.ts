/** What is installed on servers: the folder that an image and a unit run, and what their files say. */
import { execFile, spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { mkdir, readFile } from "node:fs/promises"
import module from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import { settings } from "#cli/commands/help.ts"
import { freePort } from "../support/freePort.ts"
import { at } from "../support/httpService.ts"
import { environment, temporaryFolder } from "../support/svcProcess.ts"

const run = promisify(execFile)
const root = join(import.meta.dirname, "../..")
const deploy = join(root, "packages/cli/deploy")
const fileText = (name: string): Promise<string> => readFile(join(deploy, name), "utf8")

/** Whether this Node keeps what it compiles; Node 20 does not. */
const canKeep = "enableCompileCache" in module

const known = new Set(settings.map(({ name }) => name))
const unknownSettings = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/SVC_[A-Z_]+/g)].map(([name]) => name).filter((name) => !known.has(name))

describe("the folder that is installed", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let app = ""
  beforeAll(async () => {
    folder = await temporaryFolder()
    app = join(folder.path, "app")
    await run(process.execPath, [join(deploy, "assemble.js"), app])
  })
  afterAll(() => folder.remove())

  it.for([
    ["the embedded database in the working folder", {}],
    ["a database elsewhere", { SVC_DATABASE_URL: "memory:" }]
  ] as const)("serves, says that it is ready, and ends on SIGTERM: %s", async ([what, env]) => {
    const cwd = join(folder.path, what)
    await mkdir(cwd)
    const SVC_PORT = String(await freePort())
    const compiled = join(cwd, "compiled")
    const logs = { NODE_ENV: "production", SVC_LOG_FORMAT: "json" }
    // Node takes an empty text for a wish, too.
    const { NODE_DISABLE_COMPILE_CACHE: _, ...given } = environment({
      ...{ ...logs, SVC_PORT, NODE_COMPILE_CACHE: compiled },
      ...env
    })
    const server = spawn(process.execPath, [join(app, "bin/svc.js"), "serve"], { cwd, env: given, stdio: "pipe" })
    const ended = new Promise<number | null>((resolve) => server.once("exit", resolve))
    await new Promise((resolve) => server.stdout.once("data", resolve))
    // The check of the image's health: it passes while the server is there, and fails afterwards.
    await run(process.execPath, [join(deploy, "health.js")], { env: given })
    // Node writes what it compiled at the end of a process, unless it is asked to before: a service may be killed.
    assert.strictEqual(existsSync(compiled) && readdirSync(compiled, { recursive: true }).length > 20, canKeep)
    server.kill("SIGTERM")
    assert.strictEqual(await ended, 0)
    const check = run(process.execPath, [join(deploy, "health.js")], { env: given })
    assert.strictEqual(
      await check.then(
        () => 0,
        ({ code }: { readonly code: unknown }) => code
      ),
      1
    )
    assert.strictEqual(existsSync(join(cwd, ".svc")), !("SVC_DATABASE_URL" in env))
  })
})

describe("the image", () => {
  it("runs as a user without rights, checks its health, and names settings and files that exist", async () => {
    const text = await fileText("Containerfile")
    const stage = text.slice(text.lastIndexOf("\nFROM "))
    assert.match(stage, /^USER (?!root|0)\w+$/m)
    assert.match(stage, /^HEALTHCHECK .*health\.js/m)
    assert.match(stage, /^STOPSIGNAL SIGTERM$/m)
    assert.deepStrictEqual(unknownSettings(text), [])
    for (const [path] of text.matchAll(/packages\/[\w/.-]+/g)) assert.isTrue(existsSync(join(root, path)), path)
    const instructions = /^(#.*|FROM|WORKDIR|COPY|RUN|USER|ENV|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD)\b/
    for (const line of text.split("\n").filter((one) => one !== ""))
      assert.match(line, /^#/.test(line) ? /^#/ : instructions)
  })
})

describe("compose.yaml", () => {
  it("starts a server and a worker that write nowhere, once the database is there", async () => {
    const text = await fileText("compose.yaml")
    const file: unknown = parse(text, { merge: true })
    assert.deepStrictEqual(unknownSettings(text), [])
    for (const service of ["server", "worker"]) {
      assert.strictEqual(at(file, `services.${service}.read_only`), true)
      assert.deepStrictEqual(at(file, `services.${service}.cap_drop`), ["ALL"])
      assert.strictEqual(at(file, `services.${service}.depends_on.database.condition`), "service_healthy")
      const dockerfile = String(at(file, `services.${service}.build.dockerfile`))
      assert.isTrue(existsSync(join(root, dockerfile)), dockerfile)
    }
    // Nobody reaches it from outside of the machine without a decision.
    assert.deepStrictEqual(at(file, "services.server.ports"), ["127.0.0.1:4700:4700"])
  })
})

describe("the unit", () => {
  it("runs what is installed, confined", async () => {
    const text = await fileText("svc.service")
    assert.deepStrictEqual(unknownSettings(text), [])
    for (const line of ["DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "KillSignal=SIGTERM"]) {
      assert.include(text, `\n${line}\n`)
    }
    assert.match(text, /^ExecStart=.* \/opt\/svc\/bin\/svc\.js serve$/m)
  })
})

describe("the option of Node for memory", () => {
  it("is the same in the image, in the unit, for npm start and in benchmarks", async () => {
    const places = ["packages/cli/deploy/Containerfile", "packages/cli/deploy/svc.service", "package.json"]
    const texts = await Promise.all(
      [...places, "test/bench/requests/servers.ts"].map((path) => readFile(join(root, path), "utf8"))
    )
    const given = texts.map((text) => text.match(/--max-old-space-size=\d+/g))
    assert.deepStrictEqual(new Set(given.flat()), new Set(["--max-old-space-size=384"]))
    assert.isFalse(given.includes(null))
  })
})
