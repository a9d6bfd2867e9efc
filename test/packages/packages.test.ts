/** The packages as someone who installs them gets them. */
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { installed, type Packed, packAll, root } from "../../packages/packed.js"

const run = promisify(execFile)

/** Packages are modules only: CommonJS of Node 20.19 and newer can require them, and what is older is not supported. */
const expectedProblems = ["NoResolution node10", "CJSResolvesToESM node16-cjs"]

const names = [
  "auth",
  "cli",
  "client",
  "console",
  "core",
  "embed",
  "http",
  "mcp",
  "memory",
  "postgres",
  "providers",
  "testing"
]

/** The ten lines of a new host, which store a lead. */
const host = `
import { createSvc, SvcError } from "@svc/embed"
try {
  const svc = await createSvc({ databaseUrl: process.env.DB })
  const { lead } = await svc.leads.upsert({ email: "ada@example.com", name: "Ada" })
  console.log("stored", lead.name)
  await svc.close()
} catch (error) {
  console.log(error instanceof SvcError, error.code, error.message)
}
`

const typed = `
import { type Client, createClient, items } from "@svc/client"
import { createSvc, type Svc, SvcError } from "@svc/embed"
import { storeContract, testSvc } from "@svc/testing"
export const named: Svc = await createSvc({ databaseUrl: "memory:" })
export const inferred = await createSvc({ databaseUrl: "memory:", rateLimit: 0 })
const { offers } = await inferred.offers.list({})
export const names: ReadonlyArray<string> = offers.map((offer) => offer.name)
const client: Client = createClient({ url: "http://127.0.0.1:8787", key: "svc_live_1" })
export const both = [inferred, client].map((either: Client) => either.leads.upsert({ email: "ada@example.com" }))
export const first = items(client.offers.list, {})
const tested = await testSvc({ at: "2026-01-05T09:00:00Z" })
export const texts: ReadonlyArray<string> = tested.sent().map(({ text }) => text)
export const cases = storeContract({ open: (options) => createSvc({ ...options, databaseUrl: "memory:" }) })
export const codeOf = (error: unknown) => (error instanceof SvcError ? error.code : undefined)
`

describe("packages", { timeout: 120_000 }, () => {
  let folder: string
  let packed: ReadonlyArray<Packed>
  let clean: Awaited<ReturnType<typeof installed>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-packed-"))
    packed = await packAll(folder)
    clean = await installed(packed, "@svc/embed", "@svc/client", "@svc/testing")
  })
  afterAll(async () => {
    await clean.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const packageOf = (name: string): Packed =>
    packed.find((one) => one.name === `@svc/${name}`) ?? assert.fail(`@svc/${name} is not packed`)

  it("are all packed", () =>
    assert.sameMembers(
      packed.map(({ name }) => name),
      names.map((name) => `@svc/${name}`)
    ))

  it.for(names)("%s is well formed, and says what it is and how it may be used", async (name) => {
    const { manifest, tarball } = packageOf(name)
    const data = new Uint8Array(await readFile(tarball))
    const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true })
    assert.deepStrictEqual(
      messages.map((message) => formatMessage(message, manifest)),
      []
    )
    assert.isString(manifest["description"])
    assert.strictEqual(manifest["license"], "Apache-2.0")
    assert.notProperty(manifest, "private")
    // Nobody imports it.
    if (name === "cli") return
    const checked = await checkPackage(createPackageFromTarballData(data))
    assert.isObject(checked.types)
    const problems = checked.types === false ? [] : checked.problems
    const told = problems.map(
      (problem) => `${problem.kind} ${"resolutionKind" in problem ? problem.resolutionKind : ""}`
    )
    assert.deepStrictEqual(
      told.filter((problem) => !expectedProblems.includes(problem)),
      []
    )
  })

  it.for(names)("%s holds what is built and its README, and nothing that only builds it", async (name) => {
    const { stdout } = await run("tar", ["tzf", packageOf(name).tarball])
    const files = stdout.trim().split("\n")
    for (const file of ["package/package.json", "package/README.md"]) assert.include(files, file)
    assert.isNotEmpty(files.filter((file) => file.startsWith("package/dist/")))
    assert.deepStrictEqual(
      files.filter((file) => /tsbuildinfo|\.d\.ts\.map$|\.test\.|node_modules|\.svc\//.test(file)),
      []
    )
  })

  it("share one effect with their host, and leave out what only some need", () => {
    for (const { manifest, name } of packed) {
      // The page is data.
      if (name === "@svc/cli" || name === "@svc/console") continue
      assert.notProperty(manifest.dependencies ?? {}, "effect", name)
      assert.property(manifest.peerDependencies ?? {}, "effect", name)
    }
    assert.deepStrictEqual(packageOf("cli").manifest.dependencies, {
      "@electric-sql/pglite": "0.5.16",
      "jq-wasm": "3.0.0-jq-1.8.2"
    })
    for (const optional of ["@electric-sql/pglite", "redis", "nodemailer", "@effect/platform-node"])
      assert.isFalse(existsSync(join(clean.folder, "node_modules", optional)), optional)
  })

  /** Runs the host in a folder of its own choosing, as it is or bundled, and returns what it prints. */
  const started = async (main: string, databaseUrl: string, env: Readonly<Record<string, string>> = {}) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH ?? "", HOME: folder, DB: databaseUrl, ...env } }
    return (await run(process.execPath, [main], options)).stdout.trim()
  }

  const bundled = async (from: string, outfile: string): Promise<string> => {
    await build({ entryPoints: [from], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" })
    return outfile
  }

  /** The host once for each of these, in one process, which loads the packages once. */
  const hostOf = (runs: ReadonlyArray<Readonly<Record<string, string>>>): string => {
    const [, imports = "", rest = ""] = /^(\nimport .*\n)([\s\S]*)$/.exec(host) ?? []
    return `${imports}for (const env of ${JSON.stringify(runs)}) {
Object.assign(process.env, env)
${rest}
for (const name of Object.keys(env)) delete process.env[name]
}`
  }

  it("store a lead in ten lines, and name what is missing with the command that installs it, bundled or not", async () => {
    const main = join(clean.folder, "host.js")
    const said = [
      [{ DB: "memory:" }, /^stored Ada$/],
      [{ DB: "pglite:./data" }, /^true UNAVAILABLE The embedded database .*npm install @electric-sql\/pglite/],
      [{ DB: "memory:", SVC_REDIS_URL: "redis://127.0.0.1:1" }, /^true UNAVAILABLE SVC_REDIS_URL .*npm install redis$/],
      [
        { DB: "memory:", SVC_SMTP_URL: "smtps://a:b@127.0.0.1" },
        /^true UNAVAILABLE SVC_SMTP_URL .*npm install nodemailer$/
      ],
      [{ DB: "nonsense:" }, /^true INVALID_INPUT .*databaseUrl/]
    ] as const
    await writeFile(main, hostOf(said.map(([env]) => env)))
    for (const program of [main, await bundled(main, join(folder, "bundle", "host.mjs"))]) {
      const lines = (await started(program, "")).split("\n")
      assert.lengthOf(lines, said.length)
      for (const [at, [, line]] of said.entries()) assert.match(lines[at] ?? "", line)
    }
  })

  it("run from a bundle with the embedded database where its files are, and say so where they are not", async () => {
    const pglite = join(clean.folder, "node_modules/@electric-sql/pglite")
    await mkdir(dirname(pglite))
    await symlink(join(root, "node_modules/@electric-sql/pglite"), pglite)
    await writeFile(join(clean.folder, "host.js"), host)
    const bundle = await bundled(join(clean.folder, "host.js"), join(clean.folder, "out", "host.mjs"))
    const data = `pglite:${join(clean.folder, "data")}`
    assert.match(await started(bundle, data), /^stored Ada$/m)
    const alone = join(folder, "alone")
    await cp(join(clean.folder, "out"), alone, { recursive: true })
    const lacking = await started(join(alone, "host.mjs"), "pglite:./data")
    assert.match(lacking, /^true UNAVAILABLE This bundle lacks the files .*pglite\.data, pglite\.wasm, initdb\.wasm/)
    for (const file of ["pglite.data", "pglite.wasm", "initdb.wasm"])
      await cp(join(root, "node_modules/@electric-sql/pglite/dist", file), join(alone, file))
    assert.match(await started(join(alone, "host.mjs"), data), /^stored Ada$/m)
    await rm(dirname(pglite), { recursive: true })
  })

  it("test a host in fewer than fifteen lines, as the README says, and hold the contracts under node:test", async () => {
    const readme = await readFile(join(clean.folder, "node_modules/@svc/testing/README.md"), "utf8")
    const [, program = assert.fail("the README has no test")] = /```js\n(import assert[\s\S]*?)```/.exec(readme) ?? []
    assert.isBelow(program.trim().split("\n").length, 15)
    const tested = async (source: string) => {
      await writeFile(join(clean.folder, "host.test.js"), source)
      const options = { cwd: clean.folder, env: { PATH: process.env.PATH ?? "", HOME: clean.folder } }
      return run(process.execPath, ["--test"], options).catch((error: unknown) => Object(error))
    }
    const { stdout } = await tested(program)
    assert.match(stdout, /pass 1\b/)
    // It can fail: nothing leaves that is not approved.
    const failed = await tested(program.replace(/^.*draft\.approve.*$/m, ""))
    assert.match(failed.stdout, /fail 1\b/)
    // The contracts need no runner either.
    const contracts = await tested(`
import test from "node:test"
import { createSvc } from "@svc/embed"
import { SimulatedGateway } from "@svc/memory"
import { providerContract, storeContract } from "@svc/testing"
const open = () => ({ gateway: SimulatedGateway.layer({ acceptSeconds: 30 }), delivered: () => [] })
const connected = [{ kind: "slug", value: "grace", derived: false }]
const cases = providerContract({ open, connected }).filter(({ name }) => name.includes("read"))
const stores = storeContract({ open: (options) => createSvc({ ...options, databaseUrl: "memory:" }) })
for (const { name, run } of [...stores, ...cases]) test(name, run)
`)
    assert.match(contracts.stdout, /pass 14\b/)
    assert.match(contracts.stdout, /fail 0\b/)
  })

  it("come in few modules, and keep little in memory", async () => {
    for (const { tarball } of packed.filter(({ name }) => name !== "@svc/cli")) {
      const { stdout } = await run("tar", ["tzf", tarball])
      assert.isBelow(stdout.split("\n").filter((file) => file.endsWith(".js")).length, 100, tarball)
    }
    const main = join(clean.folder, "measured.js")
    // What is kept, not what the process was given: that depends on when the collector runs, thus on the machine.
    await writeFile(
      main,
      `${host}
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
setFlagsFromString("--expose-gc")
runInNewContext("gc")()
console.log(process.memoryUsage().heapUsed)`
    )
    const [stored, bytes] = (await started(main, "memory:")).split("\n")
    assert.strictEqual(stored, "stored Ada")
    assert.isBelow(Number(bytes), 40_000_000)
  })

  it("load nothing for signing in where the review page is off", async () => {
    const main = join(clean.folder, "review.js")
    await writeFile(
      main,
      `import { createSvc } from "@svc/embed"
const svc = await createSvc({ databaseUrl: "memory:", http: { review: process.argv[2] === "on" } })
console.log((await svc.fetch(new Request("http://localhost/review/session"))).status)
await svc.close()`
    )
    const loadedWith = async (review: string) => {
      const covered = join(folder, `covered-${review}`)
      const env = { PATH: process.env.PATH ?? "", HOME: folder, NODE_V8_COVERAGE: covered }
      const { stdout } = await run(process.execPath, [main, review], { cwd: folder, env })
      const [file = assert.fail("no coverage")] = await readdir(covered)
      return { status: stdout.trim(), text: await readFile(join(covered, file), "utf8") }
    }
    const on = await loadedWith("on")
    assert.strictEqual(on.status, "401")
    assert.match(on.text, /\/@svc\/auth\//)
    const off = await loadedWith("off")
    assert.strictEqual(off.status, "404")
    assert.notMatch(off.text, /\/@svc\/auth\//)
  })

  it("are importable from the command line, where no file has a name", async () => {
    const specifiers = ["auth", "client", "core", "embed", "http", "mcp", "memory", "postgres", "providers", "testing"]
      .map((name) => JSON.parse(readFileSync(join(clean.folder, "node_modules/@svc", name, "package.json"), "utf8")))
      .flatMap(({ exports, name }) => Object.keys(exports).map((path) => name + path.slice(1)))
      .filter((specifier) => !specifier.endsWith(".json"))
    assert.isAbove(specifiers.length, 30)
    const list = JSON.stringify(specifiers)
    const imports = `for (const one of ${list}) await import(one).catch(({ message }) => console.log(one, message))`
    for (const given of [
      ["-e", `(async () => { ${imports} })()`],
      ["--input-type=module", "-e", imports],
      ["--input-type=commonjs", "-e", `(async () => { ${imports} })()`],
      ["-p", `${list}.filter((one) => require(one) === undefined).join()`]
    ]) {
      const { stderr, stdout } = await run(process.execPath, given, { cwd: clean.folder })
      assert.deepStrictEqual([stdout.trim(), stderr], ["", ""], given.join(" "))
    }
    const handled = `import("@svc/embed").then(async ({ createSvc }) => {
const svc = await createSvc({ database: "memory:" })
require("node:http").createServer(svc.node).listen(0, "127.0.0.1", async function () {
  console.log((await fetch("http://127.0.0.1:" + this.address().port + "/healthz")).status)
  this.close()
  await svc.close()
}) })`
    assert.strictEqual((await run(process.execPath, ["-e", handled], { cwd: clean.folder })).stdout.trim(), "200")
  })

  it("name a second copy of effect, and refuse what it made", async () => {
    const program = `
import { createSvc } from "@svc/embed"
import { empty } from "effect/Layer"
const options = { databaseUrl: "memory:" }
const svc = await createSvc(options)
await svc.close()
for (const layers of [empty, {}]) console.log(await createSvc({ ...options, layers }).catch(({ code, message }) => code + " " + message))
`
    // The service keeps the copy that lies above; the host gets one of its own.
    const other = join(clean.folder, "other")
    for (const part of ["package.json", "dist"])
      await cp(join(root, "node_modules/effect", part), join(other, "node_modules/effect", part), {
        recursive: true,
        filter: (source) => !/\.(map|d\.ts)$/.test(source)
      })
    await writeFile(join(other, "host.mjs"), program)
    const { stderr, stdout } = await run(process.execPath, ["host.mjs"], {
      cwd: other,
      env: { PATH: process.env.PATH ?? "" }
    })
    assert.match(stderr, /There are two copies of effect/)
    const refusals = stdout.split("\n").filter((line) => line.startsWith("INVALID_INPUT layers: not a Layer"))
    assert.lengthOf(refusals, 2, stdout)
    assert.match(refusals[0] ?? "", /effect 4\.1\.0 in .*npm dedupe/)
  })

  it.for([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"]
  ] as const)(
    "have types for strict hosts without Node's, module %s resolved as %s",
    async ([module, moduleResolution]) => {
      await writeFile(join(clean.folder, "typed.ts"), typed)
      const compilerOptions = {
        module,
        moduleResolution,
        strict: true,
        declaration: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        types: [],
        target: "es2022",
        lib: ["es2023", "dom", "dom.iterable"],
        outDir: `typed-${module}`
      }
      await writeFile(join(clean.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }))
      const tsc = join(root, "node_modules/typescript/bin/tsc")
      const { stdout } = await run(process.execPath, [tsc, "-p", clean.folder]).catch((error: unknown) => Object(error))
      assert.strictEqual(stdout, "")
      const declared = await readFile(join(clean.folder, `typed-${module}`, "typed.d.ts"), "utf8")
      assert.match(declared, /inferred: Svc(<never>)?;/)
    }
  )
})
