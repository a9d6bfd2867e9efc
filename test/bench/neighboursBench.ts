/**
 * `npm run bench neighbours`: does one organization slow another? One runs heavy searches of its many leads, all the time and many
 * at once; a neighbour asks for little at a steady rate. Its latencies count from when a request was due, so a wait of the client
 * is not left out. They are measured while the other is idle, and under its load without and with a share of the connections.
 *
 * `--leads 200000 --searches 24 --rate 20 --seconds 20 --share 25`; the neighbour has a hundredth of the leads.
 */
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { fillGrown } from "./growth/fillGrown.ts"
import { runCommand } from "./importClient.ts"
import { startCluster } from "./requests/benchCluster.ts"
import { type Organization, withConnection } from "./requests/fill.ts"
import { refuseOldBuild, runSvc, type Server, startOurs, stopServers } from "./requests/servers.ts"

const { values: given } = parseArgs({
  options: {
    leads: { type: "string", default: "200000" },
    searches: { type: "string", default: "24" },
    rate: { type: "string", default: "20" },
    seconds: { type: "string", default: "20" },
    share: { type: "string", default: "25" }
  }
})
const leads = Number(given.leads)
const few = Math.ceil(leads / 100)
const [limit, goal] = [500, 2]

const heavy: ReadonlyArray<readonly [command: string, input: object]> = [
  ["lead.search", { query: "erson", needs_action: false }],
  ["lead.duplicates", {}],
  ["lead.search", { needs_action: false }],
  ["lead.search", { query: "of", has_conversation: false }]
]

const leadId = (number: number): string => `ld_${String(number).padStart(26, "0")}`
const inside = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, name) => Reflect.get(Object(found), name), value)

/** What the neighbour asks for, and whether the answer is right. */
const small = (
  run: string,
  index: number
): readonly [command: string, input: object, isRight: (answer: object) => boolean] => {
  const id = leadId((index % few) + 1)
  switch (index % 4) {
    case 0:
      return ["lead.get", { lead_id: id }, (answer) => inside(answer, "data", "lead", "id") === id]
    case 1:
      return [
        "lead.upsert",
        { email: `new.${run}.${index}@neighbour.example`, name: `New ${index}` },
        (answer) => inside(answer, "data", "lead", "email") === `new.${run}.${index}@neighbour.example`
      ]
    case 2:
      return ["offer.list", { limit: 5 }, (answer) => inside(answer, "data", "offers", "length") === 5]
    default:
      return ["lead.search", { limit: 5 }, (answer) => inside(answer, "data", "leads", "length") === 5]
  }
}

const timed = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, millis)))

const at = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

/** The neighbour's latencies over some seconds, in milliseconds, sorted. */
const neighbour = async ({ url }: Server, key: string, run: string): Promise<ReadonlyArray<number>> => {
  const [rate, began] = [Number(given.rate), performance.now()]
  const asked = Array.from({ length: rate * Number(given.seconds) }, async (_, index) => {
    const due = began + (index * 1_000) / rate
    await timed(due - performance.now())
    const [command, input, isRight] = small(run, index)
    const answer = await runCommand(url, key, command, input)
    if (!isRight(answer)) throw new Error(`${command}: wrong answer ${JSON.stringify(answer).slice(0, 500)}`)
    return performance.now() - due
  })
  return (await Promise.all(asked)).toSorted((a, b) => a - b)
}

/** Searches until it is stopped; counts those that were answered, and those that took too long. */
const startLoad = ({ url }: Server, key: string) => {
  const count = { answered: 0, "too long": 0 }
  let isOn = true
  const search = async (first: number): Promise<void> => {
    for (let turn = first; isOn; turn++) {
      const [command, input] = heavy[turn % heavy.length] ?? ["lead.search", {}]
      const refusal = await runCommand(url, key, command, input).then(() => undefined, String)
      if (refusal === undefined) count.answered++
      else if (refusal.includes("STATEMENT_TIMEOUT")) count["too long"]++
      else throw new Error(`${command}: ${refusal}`)
    }
  }
  const running = Promise.all(Array.from({ length: Number(given.searches) }, (_, first) => search(first)))
  return {
    stop: async () => {
      isOn = false
      await running
      return count
    }
  }
}

const waitsOf = async ({ url }: Server): Promise<string> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const found = [...text.matchAll(/^svc_database_wait_seconds_count\{limit="(\w+)"\} (\d+)$/gm)]
  return found.map(([, name, count]) => `${count} ${name}`).join(", ") || "0"
}

refuseOldBuild()
const cluster = await startCluster("ours")
const url = cluster.urlOf("ours")
try {
  const made = async (name: string) => (await runSvc(url, "orgs", "create", name)) as Organization
  const [large, other] = [await made("Large"), await made("Neighbour")]
  await fillGrown(url, large, leads)
  await fillGrown(url, other, few)
  await withConnection(url, (sql) => sql.query("checkpoint"))
  process.stdout.write(`${leads} leads, ${given.searches} searches at once, load ${(loadavg()[0] ?? 0).toFixed(1)}\n`)
  let idle = 0
  let added = 0
  for (const [name, share] of [
    ["idle", given.share],
    ["without a share", "100"],
    ["with a share", given.share]
  ] as const) {
    const server = await startOurs(url, other.api_key, [], {
      SVC_DB_SHARE: share,
      SVC_DB_POOL: "16",
      SVC_LOG_LEVEL: "error"
    })
    await neighbour(server, other.api_key, `warm-${name.replaceAll(" ", "-")}`)
    const load = name === "idle" ? undefined : startLoad(server, large.api_key)
    // Its searches are under way.
    if (load !== undefined) await timed(2_000)
    const took = await neighbour(server, other.api_key, name.replaceAll(" ", "-"))
    const searches = await load?.stop()
    const [p50, p99, worst] = [at(took, 0.5), at(took, 0.99), at(took, 1)]
    if (name === "idle") idle = p99
    added += Math.floor((took.length + 2) / 4) * 2
    const ratio = `${(p99 / idle).toFixed(1)} × idle (goal ${goal}, p99 at most ${limit} ms)`
    process.stdout.write(
      `${name.padEnd(16)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)}, worst ${worst.toFixed(0)}; ${ratio}; waits: ${await waitsOf(server)}` +
        `${searches === undefined ? "" : `; searches: ${searches.answered} answered, ${searches["too long"]} too long`}\n`
    )
    await server.stop()
  }
  const { rows } = await withConnection(url, (sql) =>
    sql.query("select count(*)::int as count from svc.leads where organization_id = $1", [other.organization_id])
  )
  if (rows[0]?.count !== few + added) throw new Error(`The neighbour has ${rows[0]?.count} leads, not ${few + added}.`)
} finally {
  await stopServers()
  await cluster.stop()
}
