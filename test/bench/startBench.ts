/**
 * How fast `svc` starts: `svc --version` beside an empty `node -e 0`, `svc commands list` against a running server, and
 * `svc offer list` on a folder that nobody has open, in turn, so that whatever else the machine does hits all of them.
 * Medians in milliseconds.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Milliseconds above an empty process. */
const goals = { version: 8, list: 60, folder: undefined } as const
const rounds = 20

const svc = fileURLToPath(new URL("../../packages/cli/bin/svc.js", import.meta.url))

const server = spawn(process.execPath, [svc, "dev", "--sample", "--json", "--port", "0"], {
  env: { ...process.env, SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" },
  stdio: ["ignore", "pipe", "inherit"]
})
const [line] = await once(server.stdout, "data")
const ready: { readonly url: string; readonly api_key: string } = JSON.parse(String(line))
const env = { ...process.env, SVC_BASE_URL: ready.url, SVC_API_KEY: ready.api_key }

const folder = mkdtempSync(join(tmpdir(), "svc-start-"))
const alone = { ...process.env, SVC_DATABASE_URL: `pglite:${join(folder, "data")}` }

const timed = (args: ReadonlyArray<string>, prints = "", environment: NodeJS.ProcessEnv = env) => {
  const begun = performance.now()
  const { status, stdout } = spawnSync(process.execPath, args, {
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  })
  const took = performance.now() - begun
  if (status !== 0 || !stdout.includes(prints)) throw new Error(`${args.join(" ")} ended with ${status}`)
  return { took, stdout }
}

const made = timed([svc, "orgs", "create", "Bench", "--json"], "api_key", alone)
const ofFolder = { ...alone, SVC_API_KEY: String(JSON.parse(made.stdout).api_key) }
const runs = {
  empty: () => timed(["-e", "0"]),
  version: () => timed([svc, "--version"]),
  list: () => timed([svc, "commands", "list"], "lead.upsert"),
  folder: () => timed([svc, "offer", "list", "--json"], "offers", ofFolder)
}
const times: Record<keyof typeof runs, Array<number>> = { empty: [], version: [], list: [], folder: [] }
for (let round = 0; round <= rounds; round++) {
  for (const name of ["empty", "version", "list", "folder"] as const) {
    const { took } = runs[name]()
    // The first round fills the file cache.
    if (round > 0) times[name].push(took)
  }
}
rmSync(folder, { recursive: true })
server.kill()

const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((left, right) => left - right)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

const empty = median(times.empty)
for (const name of ["version", "list", "folder"] as const) {
  const above = median(times[name]) - empty
  process.stdout.write(
    `${name.padEnd(8)} ${median(times[name]).toFixed(0).padStart(5)} ms, ${above.toFixed(0)} ms above an empty process ` +
      `(goal ${goals[name] ?? "none"}; empty ${empty.toFixed(0)} ms; median of ${rounds}; load ${(loadavg()[0] ?? 0).toFixed(1)}; Node ${process.versions.node})\n`
  )
}
