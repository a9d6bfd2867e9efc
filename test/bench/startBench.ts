/**
 * How fast `svc` starts: `svc --version` beside an empty `node -e 0`, and `svc commands list` against a running server, in
 * turn, so that whatever else the machine does hits all three. Medians in milliseconds.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"

const goals = { version: 40, list: 80 } as const
const rounds = 10

const svc = fileURLToPath(new URL("../../packages/cli/bin/svc.js", import.meta.url))

const server = spawn(process.execPath, [svc, "dev", "--sample", "--json", "--port", "0"], {
  env: { ...process.env, SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" },
  stdio: ["ignore", "pipe", "inherit"]
})
const [line] = await once(server.stdout, "data")
const ready: { readonly url: string; readonly api_key: string } = JSON.parse(String(line))
const env = { ...process.env, SVC_BASE_URL: ready.url, SVC_API_KEY: ready.api_key }

const timed = (args: ReadonlyArray<string>): number => {
  const begun = performance.now()
  const { status, stdout } = spawnSync(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] })
  const took = performance.now() - begun
  if (status !== 0 || (args.length > 2 && !stdout.includes("lead.upsert"))) throw new Error(`svc ended with ${status}`)
  return took
}

const runs = { empty: ["-e", "0"], version: [svc, "--version"], list: [svc, "commands", "list"] }
const times: Record<keyof typeof runs, Array<number>> = { empty: [], version: [], list: [] }
for (let round = 0; round <= rounds; round++) {
  for (const name of ["empty", "version", "list"] as const) {
    const took = timed(runs[name])
    // The first round fills the file cache.
    if (round > 0) times[name].push(took)
  }
}
server.kill()

const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((left, right) => left - right)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

const empty = median(times.empty)
for (const name of ["version", "list"] as const) {
  const above = median(times[name]) - empty
  process.stdout.write(
    `${name.padEnd(8)} ${median(times[name]).toFixed(0).padStart(5)} ms, ${above.toFixed(0)} ms above an empty process ` +
      `(goal ${goals[name]}; empty ${empty.toFixed(0)} ms; median of ${rounds}; load ${(loadavg()[0] ?? 0).toFixed(1)}; Node ${process.versions.node})\n`
  )
}
