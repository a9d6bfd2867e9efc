/**
 * `npm run bench processes`: what more servers on one database give. One, two and more servers (`--servers 1,2,3`) answer the
 * same requests, with connections for each; the table has requests a second of all together, and how much of the cores the
 * database and the servers took.
 */
import { cpus, loadavg } from "node:os"
import { parseArgs } from "node:util"
import { cpuSeconds, familySeconds } from "./processUse.ts"
import { fillTwo, startCluster } from "./requests/benchCluster.ts"
import { median, runRound, type Side } from "./requests/rounds.ts"
import { refuseOldBuild, startOurs, stopServers } from "./requests/servers.ts"

const { values: given } = parseArgs({
  options: {
    servers: { type: "string", default: "1,2,3" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "24" },
    leads: { type: "string", default: "100000" },
    only: { type: "string", default: "upsert-new,upsert-update,offers-page,prospect,commands,draft-create" }
  }
})
const leads = Number(given.leads)
const seconds = Number(given.seconds)
const counts = given.servers.split(",").map(Number)

refuseOldBuild()
const cluster = await startCluster("ours")
const url = cluster.urlOf("ours")
try {
  const organizations = await fillTwo(url, { leads, offers: 200 })
  const [{ api_key: key } = { api_key: "" }] = organizations
  const sides: Array<Side> = []
  while (sides.length < Math.max(...counts)) {
    // Each begins at another request, so that no two draft for the same lead and agent.
    const answered = new Map(given.only.split(",").map((name) => [name, sides.length * 3 * leads]))
    sides.push({ name: `server ${sides.length + 1}`, server: await startOurs(url, key), answered })
  }
  const settings = {
    keys: organizations.map(({ api_key }) => api_key),
    connections: Number(given.connections),
    leads,
    databasePid: cluster.pid
  }
  process.stdout.write(`${cpus().length} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`)
  for (const name of given.only.split(",")) {
    const rates = new Map<number, Array<number>>(counts.map((count) => [count, []]))
    const cores = new Map<number, string>()
    for (const side of sides) await runRound(side, name, 1, settings)
    for (let round = 0; round < Number(given.rounds); round++) {
      for (const count of counts) {
        const used = sides.slice(0, count)
        const cpu = () => ({
          servers: used.reduce((sum, { server }) => sum + cpuSeconds(server.pid), 0),
          database: familySeconds(cluster.pid)
        })
        const before = cpu()
        const rounds = await Promise.all(used.map((side) => runRound(side, name, seconds, settings)))
        const after = cpu()
        rates.get(count)?.push(rounds.reduce((sum, { rate }) => sum + rate, 0))
        const share = (of: "servers" | "database") => ((after[of] - before[of]) / seconds).toFixed(1)
        cores.set(count, `${share("servers")} cores of servers, ${share("database")} of the database`)
      }
    }
    const [alone = 1] = counts.map((count) => median(rates.get(count) ?? []))
    for (const count of counts) {
      const rate = median(rates.get(count) ?? [])
      const times = (rate / alone).toFixed(2)
      process.stdout.write(
        `${name.padEnd(14)} ${count} servers ${rate.toFixed(0).padStart(6)} req/s, ${times} times one; ${cores.get(count)}\n`
      )
    }
  }
} finally {
  await stopServers()
  await cluster.stop()
}
