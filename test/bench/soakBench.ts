/**
 * `npm run bench soak`: does a server grow while it serves? Mixed requests of two organizations, `--requests` of them
 * (default 100,000), with its resident memory after each stretch. Rows are counted at the end.
 */
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { residentBytes } from "./processUse.ts"
import { fillTwo, startCluster } from "./requests/benchCluster.ts"
import { checkRows, countRows } from "./requests/checkRows.ts"
import { withConnection } from "./requests/fill.ts"
import { runRound, type Side } from "./requests/rounds.ts"
import { refuseOldBuild, startOurs, stopServers } from "./requests/servers.ts"

const { values: given } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    leads: { type: "string", default: "20000" },
    "stretch-seconds": { type: "string", default: "5" }
  }
})
const size = { leads: Number(given.leads), offers: 200 }
const mixed = ["upsert-new", "upsert-update", "offers-page", "prospect", "commands", "draft-create"]
const connectionsEach = 6
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

refuseOldBuild()
const cluster = await startCluster("ours")
const url = cluster.urlOf("ours")
try {
  const organizations = await fillTwo(url, size)
  const server = await startOurs(url, organizations[0]?.api_key ?? "")
  const side: Side = { name: "ours", server, answered: new Map() }
  const before = await withConnection(url, countRows)
  const settings = {
    keys: organizations.map(({ api_key }) => api_key),
    connections: connectionsEach,
    leads: size.leads,
    databasePid: cluster.pid
  }
  process.stdout.write(`at first ${megabytes(residentBytes(server.pid))}\n`)
  for (let answered = 0; answered < Number(given.requests); ) {
    await Promise.all(mixed.map((name) => runRound(side, name, Number(given["stretch-seconds"]), settings)))
    answered = [...side.answered.values()].reduce((sum, count) => sum + count, 0)
    const load = (loadavg()[0] ?? 0).toFixed(1)
    process.stdout.write(`after ${answered} requests ${megabytes(residentBytes(server.pid))}, load ${load}\n`)
  }
  await server.stop()
  checkRows(side, before, await withConnection(url, countRows))
} finally {
  await stopServers()
  await cluster.stop()
}
