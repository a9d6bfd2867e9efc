/** The packages as someone who installs them gets them. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { installed, type Packed, packAll, root } from "../../packages/packed.js"

const run = promisify(execFile)

/** Packages are modules only: CommonJS of Node 20.19 and newer can require them, and what is older is not supported. */
const expectedProblems = ["NoResolution node10", "CJSResolvesToESM node16-cjs"]

const names = [
  "bridge",
  "cli",
  "client",
  "core",
  "embed",
  "http",
  "mcp",
  "memory",
  "postgres",
  "smtp",
  "unipile",
  "webhooks"
]

/** The ten lines of a new host, which store a lead. */
const host = (databaseUrl: string) => `
import { createSvc, SvcError } from "@svc/embed"
try {
  const svc = await createSvc({ databaseUrl: ${JSON.stringify(databaseUrl)} })
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
export const named: Svc = await createSvc({ databaseUrl: "memory:" })
export const inferred = await createSvc({ databaseUrl: "memory:", rateLimit: 0 })
const { offers } = await inferred.offers.list({})
export const names: ReadonlyArray<string> = offers.map((offer) => offer.name)
const client: Client = createClient({ url: "http://127.0.0.1:8787", key: "svc_live_1" })
export const both = [inferred, client].map((either: Client) => either.leads.upsert({ email: "ada@example.com" }))
export const first = items(client.offers.list, {})
export const codeOf = (error: unknown) => (error instanceof SvcError ? error.code : undefined)
`

describe("packages", { timeout: 120_000 }, () => {
  let folder: string
  let packed: ReadonlyArray<Packed>
  let clean: Awaited<ReturnType<typeof installed>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-packed-"))
    packed = await packAll(folder)
    clean = await installed(packed, "@svc/embed", "@svc/client")
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
    const checked = await checkPackage(createPackageFromTarballData(data))
    if (name === "cli") return
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
    assert.isAbove(files.filter((file) => file.startsWith("package/dist/")).length, 1)
    assert.deepStrictEqual(
      files.filter((file) => /tsbuildinfo|\.d\.ts\.map$|\.test\.|node_modules|\.svc\//.test(file)),
      []
    )
  })

  it("share one effect with their host, and leave out what only some need", () => {
    for (const { manifest, name } of packed) {
      if (name === "@svc/cli") continue
      assert.notProperty(manifest.dependencies ?? {}, "effect", name)
      assert.property(manifest.peerDependencies ?? {}, "effect", name)
    }
    assert.deepStrictEqual(packageOf("cli").manifest.dependencies, { "@electric-sql/pglite": "0.5.16" })
    for (const optional of ["@electric-sql/pglite", "redis", "nodemailer", "@effect/platform-node"])
      assert.isFalse(existsSync(join(clean.folder, "node_modules", optional)), optional)
  })

  it("store a lead in ten lines, and name what is missing with the command that installs it", async () => {
    const started = async (databaseUrl: string, env: Readonly<Record<string, string>> = {}) => {
      await writeFile(join(clean.folder, "host.js"), host(databaseUrl))
      const options = { cwd: clean.folder, env: { PATH: process.env.PATH ?? "", HOME: clean.folder, ...env } }
      return (await run(process.execPath, ["host.js"], options)).stdout.trim()
    }
    assert.strictEqual(await started("memory:"), "stored Ada")
    assert.match(
      await started("pglite:./data"),
      /^true UNAVAILABLE The embedded database .*npm install @electric-sql\/pglite/
    )
    assert.match(
      await started("memory:", { SVC_REDIS_URL: "redis://127.0.0.1:1" }),
      /^true UNAVAILABLE SVC_REDIS_URL .*npm install redis$/
    )
    assert.match(
      await started("memory:", { SVC_SMTP_URL: "smtps://a:b@127.0.0.1" }),
      /^true UNAVAILABLE SVC_SMTP_URL .*npm install nodemailer$/
    )
    assert.match(await started("nonsense:"), /^true INVALID_INPUT .*SVC_DATABASE_URL/)
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
    const { folder, remove } = await installed(packed, "@svc/embed")
    const other = join(folder, "other")
    await cp(join(folder, "node_modules"), join(other, "node_modules"), { recursive: true, verbatimSymlinks: true })
    const packages = join(other, "node_modules")
    // The service keeps the copy that lies above; the host gets one of its own.
    await rename(join(packages, "@svc"), join(folder, "svc"))
    await rm(join(packages, "effect"))
    await cp(join(root, "node_modules/effect"), join(packages, "effect"), { recursive: true })
    await writeFile(join(other, "host.mjs"), program)
    const { stderr, stdout } = await run(process.execPath, ["host.mjs"], {
      cwd: other,
      env: { PATH: process.env.PATH ?? "" }
    })
    await remove()
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
