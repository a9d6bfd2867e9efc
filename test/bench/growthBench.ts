/**
 * `npm run bench growth`: what reads of an organization cost as it grows, in milliseconds and processor time. Each size has a
 * database of its own (`growth/fillGrown.ts`); three in ten leads are in the mission that is read. `--leads 10000,1000000`
 * sets the sizes.
 */
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { fillGrown } from "./growth/fillGrown.ts"
import { runCommand } from "./importClient.ts"
import { cpuSeconds, familySeconds } from "./processUse.ts"
import { startCluster } from "./requests/benchCluster.ts"
import { type Organization, withConnection } from "./requests/fill.ts"
import { median } from "./requests/rounds.ts"
import { refuseOldBuild, runSvc, startOurs, stopServers } from "./requests/servers.ts"

const { values: given } = parseArgs({
  options: { leads: { type: "string", default: "10000,100000,1000000" }, times: { type: "string", default: "7" } }
})

const reads: ReadonlyArray<readonly [command: string, input: object]> = [
  ["mission.stats", { mission_id: "mis_1" }],
  ["mission.stats", { mission_id: "mis_1", from: "2026-07-01T05:00:00Z", to: "2026-08-01T17:00:00Z" }],
  ["mission.get", { mission_id: "mis_1" }],
  ["mission.list", {}],
  ["mission.activity", {}],
  ["mission.next-actions", {}],
  ["mission.next-actions", { mission_id: "mis_1" }],
  ["lead.get", { lead_id: `ld_${"777".padStart(26, "0")}` }],
  ["lead.search", {}],
  ["lead.search", { sort: "action" }],
  ["lead.search", { mission_id: "mis_1" }],
  ["lead.search", { mission_id: "mis_1", sort: "score" }],
  ["lead.search", { mission_id: "mis_1", needs_action: true }],
  ["lead.search", { needs_action: true }],
  ["lead.search", { needs_action: false }],
  ["lead.search", { query: "person777" }],
  ["lead.search", { query: "erson" }],
  ["lead.search", { query: "er" }],
  ["lead.search", { query: "erson", needs_action: false }],
  ["lead.search", { query: "er", needs_action: true }],
  ["lead.search", { status: ["New"], sort: "score" }],
  ["lead.search", { needs_action: true, sort: "action" }],
  ["lead.search", { needs_action: false, sort: "name" }],
  ["resource.actions", {}],
  ["resource.inbox", {}],
  ["lead.search", { query: "nobody has this" }],
  ["lead.search", { company: "ompany 777 " }],
  ["lead.search", { job_title: "of finance" }],
  ["lead.search", { has_conversation: false }],
  ["lead.search", { status: ["New"] }],
  ["lead.search", { relation: "connected" }],
  ["lead.search", { updated_after: "2026-10-01T00:00:00Z" }],
  ["lead.duplicates", {}],
  ["workspace.status", {}],
  ["review.counts", {}],
  ["linkedin.queue.list", {}],
  ["linkedin.draft.list", { mission_id: "mis_1" }],
  ["event.list", {}]
]

/** Vacuums once more what a process of PostgreSQL's own may have held up, and lets no checkpoint fall into the reads. */
const settle = (url: string) =>
  withConnection(url, async (sql) => {
    await sql.query("vacuum")
    await sql.query("checkpoint")
  })

refuseOldBuild()
const cluster = await startCluster()
try {
  for (const leads of given.leads.split(",").map(Number)) {
    const database = `grown_${leads}`
    await withConnection(cluster.url, (sql) => sql.query(`create database ${database}`))
    const url = cluster.urlOf(database)
    const organization = (await runSvc(url, "orgs", "create", "Grown")) as Organization
    await fillGrown(url, organization, leads)
    await settle(url)
    const server = await startOurs(url, organization.api_key)
    process.stdout.write(`\n${leads} leads, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`)
    for (const [command, input] of reads) {
      const name = `${command} ${JSON.stringify(input)}`
      const refusal = await runCommand(server.url, organization.api_key, command, input).then(() => undefined, String)
      if (refusal !== undefined) {
        process.stdout.write(`${name.padEnd(92)} FAILED: ${refusal.slice(0, 200)}\n`)
        continue
      }
      const before = cpuSeconds(server.pid) + familySeconds(cluster.pid)
      const took: Array<number> = []
      while (took.length < Number(given.times)) {
        const started = performance.now()
        await runCommand(server.url, organization.api_key, command, input)
        took.push(performance.now() - started)
      }
      const cpu = ((cpuSeconds(server.pid) + familySeconds(cluster.pid) - before) * 1_000) / took.length
      process.stdout.write(`${name.padEnd(92)} ${median(took).toFixed(0).padStart(6)} ms, cpu ${cpu.toFixed(0)} ms\n`)
    }
    await server.stop()
  }
} finally {
  await stopServers()
  await cluster.stop()
}
