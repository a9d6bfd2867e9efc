/**
 * Host programs of the embedding guide with the packed packages: bundlers, runtimes, Next.js and TypeScript 5.9, which are
 * installed from the package registry. Each thing tried prints a line.
 */
import { spawn } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { packAll } from "../../packages/packed.js"
import { freePort } from "../support/freePort.ts"
import { askingAt, worksAsHost } from "../support/mountedHost.ts"
import { programsOf } from "../support/recipes.ts"
import { typesIn } from "./hostTypes.ts"
import { newDatabase, withPostgres } from "./postgres.ts"
import { type Campaign, scenesToRun, type Tally } from "./Tally.ts"

/** What is installed beside our own packages, for each of what is tried. */
const needed = {
  types: ["@electric-sql/pglite@0.5.16", "effect@4.1.0", "typescript@5.9"],
  bundlers: ["esbuild@0.28", "node@24", "vite@8", "webpack@5", "webpack-cli@7"],
  runtimes: ["bun@1", "deno@2", "hono@4"],
  next: ["next@16", "react@19", "react-dom@19"]
}

const program = `
import { createSvc } from "@svc/embed"
const svc = await createSvc({ databaseUrl: process.env.DATABASE_URL, worker: false })
const { lead } = await svc.leads.upsert({ email: "ada@example.com", name: "Ada" })
console.log("stored", lead.name)
await svc.close()
`

const webpackConfig = `
export default {
  mode: "production", target: "node", entry: "./host.js", experiments: { outputModule: true },
  output: { path: process.cwd() + "/webpack", filename: "host.mjs", module: true, library: { type: "module" } }
}
`

/** The command that makes a bundle, and where it lies. */
const bundlers: Readonly<Record<string, readonly [command: string, bundle: string]>> = {
  "no bundler": ["true", "host.js"],
  esbuild: [
    "npx esbuild host.js --bundle --platform=node --format=esm --log-level=error --outfile=esbuild/host.mjs",
    "esbuild/host.mjs"
  ],
  Vite: ["npx vite build --ssr host.js --outDir vite --logLevel error", "vite/host.js"],
  webpack: ["npx webpack", "webpack/host.mjs"]
}

interface Place {
  readonly folder: string
  /** The URL of an empty PostgreSQL database. */
  readonly database: () => Promise<string>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs a command of a shell to its end and returns what it prints. Fails with it where the command fails. */
export const shell = (
  { env, folder }: Pick<Place, "env" | "folder">,
  command: string,
  more: Place["env"] = {}
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd: folder, env: { ...env, ...more }, timeout: 300_000 })
    let text = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += String(chunk)))
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve(text) : reject(new Error(`${command}: ${text.slice(-3_000)}`))))
  })

const attempt = async (what: string, tally: Tally, run: () => Promise<void>): Promise<void> => {
  tally.tried++
  const problem = await run().then(
    () => undefined,
    (error: unknown) => `${what}: ${error instanceof Error ? error.message : String(error)}`
  )
  tally.hit(problem === undefined ? "works" : "fails")
  if (problem !== undefined) tally.add("failed", problem)
  process.stdout.write(`${what}: ${problem === undefined ? "works" : "fails"}\n`)
}

const bundles = async (place: Place, tally: Tally): Promise<void> => {
  await writeFile(join(place.folder, "host.js"), program)
  await writeFile(join(place.folder, "webpack.config.js"), webpackConfig)
  for (const [name, [command, bundle]] of Object.entries(bundlers)) {
    await attempt(`${name}, built`, tally, async () => void (await shell(place, command)))
    const stored = async (url: string) => {
      const output = await shell(place, `node ${bundle}`, { DATABASE_URL: url })
      if (!/^stored Ada$/m.test(output)) throw new Error(output)
    }
    await attempt(`${name}, in memory`, tally, () => stored("memory:"))
    await attempt(`${name}, on PGlite`, tally, () =>
      stored(`pglite:${join(place.folder, name.replace(" ", "-"))}-data`)
    )
    await attempt(`${name}, on PostgreSQL`, tally, async () => stored(await place.database()))
  }
}

/** Runs a server until it was used. */
const serving = async (place: Place, command: string, port: number): Promise<void> => {
  const env = { ...place.env, PORT: String(port), NEXT_TELEMETRY_DISABLED: "1" }
  const child = spawn("/bin/sh", ["-c", `exec ${command}`], {
    cwd: place.folder,
    env,
    detached: true,
    stdio: ["ignore", 2, 2]
  })
  const ask = askingAt(`http://127.0.0.1:${port}`)
  try {
    for (let tries = 0; ; tries++) {
      const isUp = await ask("GET", "/").then(
        () => true,
        () => false
      )
      if (isUp) break
      if (tries > 200 || child.exitCode !== null) throw new Error(`${command} does not respond`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await worksAsHost(ask)
  } finally {
    // With the processes that it started.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
  }
}

/** What `bun FILE` does, but on one address. */
const onLoopback = "Bun.serve({ ...app, hostname: '127.0.0.1', port: process.env.PORT, fetch: app.fetch })"

const runtimes = async (place: Place, tally: Tally): Promise<void> => {
  await writeFile(join(place.folder, "svc.js"), programsOf("Mounting")[0] ?? "")
  for (const [index, code] of programsOf("Hono, Bun and Deno").entries()) {
    const [file, what] = [`main-${index}.js`, index === 0 ? "Hono" : "no framework"]
    await writeFile(join(place.folder, file), code)
    const [bun, deno] = [await freePort(), await freePort()]
    await attempt(`Bun with ${what}`, tally, () =>
      serving(place, `npx bun -e "import { default as app } from './${file}'; ${onLoopback}"`, bun)
    )
    await attempt(`Deno with ${what}`, tally, () =>
      serving(place, `npx deno serve -A --host 127.0.0.1 --port ${deno} ${file}`, deno)
    )
  }
  for (const runtime of ["bun", "deno run -A"]) {
    await attempt(`${runtime}, on PostgreSQL`, tally, async () => {
      await shell(place, `npx ${runtime} host.js | grep stored`, { DATABASE_URL: await place.database() })
    })
  }
}

const next = async (place: Place, tally: Tally): Promise<void> => {
  const app = { ...place, folder: join(place.folder, "next") }
  const route = join(app.folder, "app/outreach/[...path]/route.js")
  await mkdir(dirname(route), { recursive: true })
  await writeFile(route, programsOf("Next.js")[0] ?? "")
  await writeFile(join(app.folder, "app/page.js"), "export default () => <p>mine</p>")
  await writeFile(
    join(app.folder, "app/layout.js"),
    "export default ({ children }) => <html><body>{children}</body></html>"
  )
  await writeFile(join(app.folder, "package.json"), '{ "type": "module" }')
  await cp(join(place.folder, "node_modules"), join(app.folder, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true
  })
  await attempt("Next.js, built", tally, async () => void (await shell(app, "npx next build")))
  const started = async (url: string) => {
    const port = await freePort()
    await serving({ ...app, env: { ...app.env, DATABASE_URL: url } }, `npx next start -H 127.0.0.1 -p ${port}`, port)
  }
  await attempt("Next.js, in memory", tally, () => started("memory:"))
  await attempt("Next.js, on PGlite", tally, () => started(`pglite:${join(app.folder, "data")}`))
  await attempt("Next.js, on PostgreSQL", tally, async () => started(await place.database()))
}

/** Everything once, however much it is told; `SVC_CAMPAIGN_SCENES` may name some of it. */
export const hosts: Campaign = async (_, tally) => {
  const scenes = new Set(scenesToRun(Object.keys(needed)))
  const others = Object.entries(needed).flatMap(([scene, some]) => (scene === "types" || scenes.has(scene) ? some : []))
  const folder = await mkdtemp(join(tmpdir(), "svc-hosts-"))
  try {
    const packed = await packAll(folder)
    const own = packed.filter(({ name }) => name !== "@svc/cli")
    const tarballs = own.map(({ tarball }) => tarball)
    await writeFile(join(folder, "package.json"), '{ "type": "module" }')
    await shell({ folder, env: process.env }, `npm install --no-audit --no-fund ${[...tarballs, ...others].join(" ")}`)
    // Bundlers and Next.js need a newer Node than this may be.
    const env = { PATH: `${join(folder, "node_modules/.bin")}:${process.env["PATH"]}`, HOME: folder }
    if (scenes.has("types")) await typesIn(folder, own, (what, run) => attempt(what, tally, run))
    await withPostgres(async (cluster) => {
      const place = { folder, env, database: () => newDatabase(cluster, "empty") }
      if (scenes.has("bundlers")) await bundles(place, tally)
      if (scenes.has("runtimes")) await runtimes(place, tally)
      if (scenes.has("next")) await next(place, tally)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
