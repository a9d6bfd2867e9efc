/**
 * `npm run bench requests`: is the service as fast as the same thing written by hand? Our server and a peer on Fastify and
 * `pg` answer the same requests on the same PostgreSQL, in turn. `test/bench/README.md` says what is measured.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { residentBytes } from "./processUse.ts"
import { fillTwo, postgresSettings, startCluster } from "./requests/benchCluster.ts"
import { checkRows, countRows, type RowCounts, readJournal } from "./requests/checkRows.ts"
import { compareAnswers } from "./requests/compareAnswers.ts"
import { withConnection } from "./requests/fill.ts"
import { fillPeer } from "./requests/fillPeer.ts"
import { databaseFloor } from "./requests/pgbenchFloor.ts"
import { describeMachine, type Footprint, formatTable } from "./requests/report.ts"
import { type LoadSettings, median, medianRound, type Round, runRound, type Side } from "./requests/rounds.ts"
import { scenarios } from "./requests/scenarios.ts"
import {
  beside,
  ourSettings,
  refuseOldBuild,
  runProcess,
  type Server,
  startFloor,
  startOurs,
  startPeer,
  stopServers
} from "./requests/servers.ts"

const starts = 5
const warmUpSeconds = 2

const { values: given } = parseArgs({
  options: {
    leads: { type: "string", default: "100000" },
    offers: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    "peer-pool": { type: "string", default: "8" },
    only: { type: "string" },
    profile: { type: "boolean", default: false }
  }
})
const size = { leads: Number(given.leads), offers: Number(given.offers) }
const names = given.only?.split(",") ?? Object.keys(scenarios)
for (const name of names) {
  if (scenarios[name] === undefined)
    throw new Error(`There is no scenario ${name}. There are ${Object.keys(scenarios).join(", ")}.`)
}

refuseOldBuild()
const seconds = Number(given.seconds)
const folder = await mkdtemp(join(tmpdir(), "svc-bench-"))
const cluster = await startCluster("ours", "peer")
const { urlOf } = cluster

const catalogue = join(folder, "commands.json")

const counted = (database: string): Promise<RowCounts> => withConnection(urlOf(database), countRows)

const journalOf = (database: string, organization: string): Promise<string> =>
  withConnection(urlOf(database), (sql) => readJournal(sql, organization))

interface Servers {
  readonly ours: Server
  readonly peer: Server
  readonly firstAnswer: Footprint["firstAnswer"]
}

/** Starts both in turn and stops them again, but for the last ones. */
const startBoth = async (key: string): Promise<Servers> => {
  const flags = given.profile ? ["--cpu-prof", `--cpu-prof-dir=${beside("profiles")}`] : []
  const times = { ours: [] as Array<number>, peer: [] as Array<number> }
  for (let count = 1; ; count++) {
    const isLast = count === starts
    const ours = await startOurs(urlOf("ours"), key, isLast ? flags : [])
    times.ours.push(ours.firstAnswer)
    if (count === 1) {
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${ours.url}/api/v1/commands`, { headers })
      await writeFile(catalogue, await response.text())
    }
    if (!isLast) await ours.stop()
    const peer = await startPeer(urlOf("peer"), key, catalogue, given["peer-pool"])
    times.peer.push(peer.firstAnswer)
    if (isLast) return { ours, peer, firstAnswer: { ours: median(times.ours), peer: median(times.peer) } }
    await peer.stop()
  }
}

const measureScenario = async (
  sides: Readonly<Record<"ours" | "peer", Side>>,
  name: string,
  settings: LoadSettings
) => {
  await withConnection(cluster.url, (sql) => sql.query("checkpoint"))
  const rounds = { ours: [] as Array<Round>, peer: [] as Array<Round> }
  for (const side of ["ours", "peer"] as const) await runRound(sides[side], name, warmUpSeconds, settings)
  for (let round = 0; round < Number(given.rounds); round++) {
    for (const side of round % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const))
      rounds[side].push(await runRound(sides[side], name, seconds, settings))
  }
  return { name, goal: scenarios[name]?.goal, rounds, ours: medianRound(rounds.ours), peer: medianRound(rounds.peer) }
}

/** Requests a second without what makes a service, by scenario. */
const measureFloors = async (organization: string, settings: LoadSettings) => {
  const server = await startFloor(catalogue)
  const floor: Side = { name: "floor", server, answered: new Map() }
  const floors = new Map<string, number | undefined>()
  for (const name of names) {
    const { connections, leads } = settings
    const place = { folder, url: urlOf("peer"), organization, leads, connections, seconds }
    const isStatic = name === "healthz" || name === "commands"
    if (isStatic) await runRound(floor, name, warmUpSeconds, settings)
    floors.set(
      name,
      isStatic ? (await runRound(floor, name, seconds, settings)).rate : await databaseFloor(name, place)
    )
  }
  await server.stop()
  return floors
}

const measure = async (): Promise<void> => {
  const organizations = await fillTwo(urlOf("ours"), size)
  const [{ api_key: key, organization_id: organization } = { api_key: "", organization_id: "" }] = organizations
  await fillPeer(urlOf("peer"), organizations, size)
  const { firstAnswer, ours, peer } = await startBoth(key)
  await compareAnswers(ours, peer, key)
  const journals = await Promise.all([journalOf("ours", organization), journalOf("peer", organization)])
  if (journals[0] !== journals[1]) throw new Error(`The peer has another journal:\n${journals.join("\n\n")}`)
  const count = { ours: await counted("ours"), peer: await counted("peer") }
  const sides = {
    ours: { name: "ours", server: ours, answered: new Map<string, number>() },
    peer: { name: "peer", server: peer, answered: new Map<string, number>() }
  }
  const keys = organizations.map(({ api_key }) => api_key)
  const settings = { keys, connections: Number(given.connections), leads: size.leads, databasePid: cluster.pid }
  const measured: Array<Awaited<ReturnType<typeof measureScenario>>> = []
  for (const name of names) measured.push(await measureScenario(sides, name, settings))
  const memory = { ours: residentBytes(ours.pid), peer: residentBytes(peer.pid) }
  await Promise.all([ours.stop(), peer.stop()])
  checkRows(sides.ours, count.ours, await counted("ours"))
  checkRows(sides.peer, count.peer, await counted("peer"))
  const floors = await measureFloors(organization, settings)
  const { rate } = await runProcess<{ readonly rate: number }>("memoryProcess.js", { concurrency: 32, seconds })
  const results = measured.map((result) => ({ ...result, floor: floors.get(result.name) }))
  const footprint = { firstAnswer, memory, inProcess: rate }
  process.stdout.write(`${formatTable(results, footprint)}\n`)
  const machine = { ...describeMachine(), load: loadavg()[0] }
  const report = {
    machine,
    settings: { ...given, postgres: postgresSettings, ours: ourSettings },
    ...footprint,
    results
  }
  await writeFile(beside("bench-requests.json"), `${JSON.stringify(report, null, 2)}\n`)
}

try {
  await measure()
} finally {
  await stopServers()
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
}
