/**
 * `npm run bench growth`: what organizations of several sizes and many organizations cost. For each number of `--leads`: each read
 * and write, one after the other, through the built server, in milliseconds (medians of `--times`) and processor time of server and
 * database; bytes of leads and events; and what is left when retention has deleted half of the events. For each number of
 * `--organizations` in which nothing is due: how long the database works in a second for one process with its workers.
 *
 * `--leads 10000,1000000 --organizations 1,10000 --times 5`; an empty list leaves a part out.
 */
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { fillGrown } from "./growth/fillGrown.ts"
import { fillIdle } from "./growth/fillIdle.ts"
import { bloatOf, storageOf } from "./growth/storage.ts"
import { runCommand } from "./importClient.ts"
import { cpuSeconds, familySeconds } from "./processUse.ts"
import { startCluster } from "./requests/benchCluster.ts"
import { type Organization, withConnection } from "./requests/fill.ts"
import { median } from "./requests/rounds.ts"
import { refuseOldBuild, runSvc, type Server, startOurs, startWorker, stopServers } from "./requests/servers.ts"

const { values: given } = parseArgs({
  options: {
    leads: { type: "string", default: "10000,100000,1000000" },
    organizations: { type: "string", default: "1,1000,10000" },
    times: { type: "string", default: "7" },
    seconds: { type: "string", default: "20" }
  }
})
const sizesOf = (list: string): ReadonlyArray<number> => list.split(",").filter(Boolean).map(Number)
const write = (line: string): void => void process.stdout.write(`${line}\n`)
const load = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`
const leadId = (number: number): string => `ld_${String(number).padStart(26, "0")}`

const reads: ReadonlyArray<readonly [command: string, input: object]> = [
  ["mission.stats", { mission_id: "mis_1" }],
  ["mission.stats", { mission_id: "mis_1", from: "2026-07-01T05:00:00Z", to: "2026-08-01T17:00:00Z" }],
  ["mission.get", { mission_id: "mis_1" }],
  ["mission.list", {}],
  ["mission.activity", {}],
  ["mission.next-actions", {}],
  ["mission.next-actions", { mission_id: "mis_1" }],
  ["lead.get", { lead_id: leadId(777) }],
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
  ["svc://actions/today", {}],
  ["svc://inbox", {}],
  ["svc://linkedin/drafts/pending", {}],
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

const variations = [{ body_text: "Hello, how many days does closing a month take your team today?" }]

/** Leads that nobody has written to, enough for all writes. */
const newLeads = (url: string): Promise<ReadonlyArray<string>> =>
  withConnection(url, async (sql) => {
    const { rows } = await sql.query("select id from svc.leads where status = 'New' order by id limit 1000")
    return rows.map(({ id }) => String(id))
  })

/** The write that is made for the n-th time, `lead` being one of {@link newLeads}. */
const writes: Readonly<
  Record<string, (n: number, lead: (n: number) => string | undefined) => readonly [command: string, input: object]>
> = {
  "lead.upsert, new": (n) => [
    "lead.upsert",
    { email: `grown.${n}@new.example`, name: `Grown ${n}`, company: "Company 7 GmbH", job_title: "Head of Finance" }
  ],
  "lead.upsert, changed": (n, lead) => ["lead.upsert", { lead_id: lead(100 + n), job_title: `Head of Finance ${n}` }],
  "lead.status.set": (n, lead) => [
    "lead.status.set",
    { lead_id: lead(200 + n), status: "MeetingBooked", reason: "Agreed" }
  ],
  "lead.note.add": (n, lead) => ["lead.note.add", { lead_id: lead(300 + n), text: "Closes the books on the fifth." }],
  "lead.message.record": (n, lead) => [
    "lead.message.record",
    {
      lead_id: lead(400 + n),
      channel: "EMAIL",
      direction: "inbound",
      content: "Thursday at ten.",
      external_id: `mail-${n}`
    }
  ],
  "lead.mission.add": (n, lead) => ["lead.mission.add", { lead_ids: [lead(500 + n)], mission_id: "mis_2" }],
  "linkedin.draft.create": (n, lead) => [
    "linkedin.draft.create",
    { lead_id: lead(600 + n), agent_handle: "agent-1", variations }
  ],
  "lead.suppress": (n) => ["lead.suppress", { email: `stop.${n}@new.example`, reason: "asked for it" }],
  "import.leads.add, 50": (n) => [
    "import.leads.add",
    {
      mission_id: "mis_1",
      leads: Array.from({ length: 50 }, (_, row) => ({ email: `row.${n}.${row}@new.example`, name: `Row ${n} ${row}` }))
    }
  ],
  "webhook.create": (n) => ["webhook.create", { url: `https://hooks.example.com/${n}`, is_active: false }]
}

/** Vacuums once more what a process of PostgreSQL's own may have held up, and lets no checkpoint fall into the reads. */
const settle = (url: string) =>
  withConnection(url, async (sql) => {
    await sql.query("vacuum")
    await sql.query("checkpoint")
  })

const readResource = async ({ url }: Server, key: string, uri: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/v1/resources/read?uri=${encodeURIComponent(uri)}`, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 500)}`)
}

/** Makes a request once to warm up and then some times; a line of the table. */
const measure = async (
  server: Server,
  key: string,
  name: string,
  call: (n: number) => readonly [command: string, input: object]
): Promise<void> => {
  const ask = async (n: number): Promise<unknown> => {
    const [command, input] = call(n)
    return command.startsWith("svc://")
      ? readResource(server, key, command)
      : runCommand(server.url, key, command, input)
  }
  const refusal = await ask(0).then(() => undefined, String)
  if (refusal !== undefined) return write(`| ${name} | FAILED: ${refusal.slice(0, 200)} | |`)
  const before = cpuSeconds(server.pid) + familySeconds(cluster.pid)
  const took: Array<number> = []
  while (took.length < Number(given.times)) {
    const started = performance.now()
    await ask(took.length + 1)
    took.push(performance.now() - started)
  }
  const cpu = ((cpuSeconds(server.pid) + familySeconds(cluster.pid) - before) * 1_000) / took.length
  write(`| ${name} | ${median(took).toFixed(0)} | ${cpu.toFixed(0)} |`)
}

/** A database with the extensions that `svc doctor` asks for where there are many leads. */
const database = async (name: string): Promise<string> => {
  await withConnection(cluster.url, (sql) => sql.query(`create database ${name}`))
  await withConnection(cluster.urlOf(name), (sql) => sql.query("create extension pg_trgm; create extension btree_gin"))
  return cluster.urlOf(name)
}

const grow = async (leads: number): Promise<void> => {
  const url = await database(`grown_${leads}`)
  const organization = (await runSvc(url, "orgs", "create", "Grown")) as Organization
  const began = performance.now()
  await fillGrown(url, organization, leads)
  await settle(url)
  write(`\n${leads} leads, filled in ${((performance.now() - began) / 1_000).toFixed(0)} s, ${load()}`)
  write(await storageOf(url))
  const server = await startOurs(url, organization.api_key)
  write("\n| request | ms | cpu ms |\n|---|---|---|")
  for (const [command, input] of reads) {
    await measure(server, organization.api_key, `\`${command}\` ${JSON.stringify(input)}`, () => [command, input])
  }
  const targets = await newLeads(url)
  for (const [name, call] of Object.entries(writes)) {
    await measure(server, organization.api_key, name, (n) => call(n, (place) => targets[place]))
  }
  await server.stop()
  write("")
  for (const line of await bloatOf(url)) write(line)
}

/** Milliseconds of statements in this database so far, as PostgreSQL counts them. */
const activeMillis = (url: string): Promise<number> =>
  withConnection(url, async (sql) => {
    const { rows } = await sql.query(
      "select active_time as millis from pg_stat_database where datname = current_database()"
    )
    return Number(rows[0]?.millis)
  })

const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

const idle = async (organizations: number): Promise<void> => {
  const url = await database(`idle_${organizations}`)
  const { api_key } = (await runSvc(url, "orgs", "create", "Idle")) as Organization
  if (organizations > 1) await fillIdle(url, 1, organizations - 1)
  await settle(url)
  const worker = await startWorker(url, api_key)
  // What is due at the start is done by then.
  await pause(15)
  const seconds = Number(given.seconds)
  const before = { active: await activeMillis(url), cpu: familySeconds(cluster.pid), worker: cpuSeconds(worker.pid) }
  await pause(seconds)
  const active = ((await activeMillis(url)) - before.active) / seconds
  const cpu = ((familySeconds(cluster.pid) - before.cpu) * 1_000) / seconds
  const own = ((cpuSeconds(worker.pid) - before.worker) * 1_000) / seconds
  await worker.stop()
  write(`| ${organizations} | ${active.toFixed(1)} | ${cpu.toFixed(1)} | ${own.toFixed(1)} |`)
}

refuseOldBuild()
const cluster = await startCluster()
try {
  for (const leads of sizesOf(given.leads)) await grow(leads)
  write(
    `\n${load()}\n\n| organizations | statements, ms a second | database cpu, ms a second | worker cpu, ms a second |\n|---|---|---|---|`
  )
  for (const organizations of sizesOf(given.organizations)) await idle(organizations)
} finally {
  await stopServers()
  await cluster.stop()
}
