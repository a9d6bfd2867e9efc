/**
 * The service on a Citus cluster, `SVC_CITUS_URL` of a superuser on its coordinator: an organization with data is distributed, and
 * then every example of every command runs on it and in memory, with the same outcomes; workers do their rounds; two services
 * serve four organizations, while a node is killed where `SVC_CITUS_NODE_STOP` and `SVC_CITUS_NODE_START` are commands that do so;
 * and the contracts of all ports run. Each step prints a row of a table, and how long requests take is compared with one server.
 *
 * Failed: a step that is not {@link unfinished}. Lost, doubled, leaked: what was acknowledged is missing, there twice, or elsewhere.
 */
import { execFile } from "node:child_process"
import { inspect, promisify } from "node:util"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commands } from "#core/commands.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import * as Database from "#postgres/Database.ts"
import { type Distribution, distributeDatabase } from "#postgres/distributeDatabase.ts"
import { type MemoryService, memoryService, ownerOf } from "../support/memoryService.ts"
import { postgresUrl } from "../support/PostgresServer.ts"
import { newDatabase, withPostgres } from "./postgres.ts"
import { runContracts } from "./suites.ts"
import { type Campaign, pause, scenesToRun, type Tally } from "./Tally.ts"

const { SVC_CITUS_NODE_START: start, SVC_CITUS_NODE_STOP: stop, SVC_CITUS_URL: url } = process.env

/** The commands whose examples run, by what they are about. What takes away goes last: others may need what it takes. */
const takesAway = /\.(delete|erase|merge|suppress|lift|revoke|rotate|cancel|set|undo|unlink)$/
const orderOf = (id: string): number => (id.endsWith(".cancel") ? 1 : takesAway.test(id) ? 2 : 0)
const inOrder = commands
  // A state is signed for one key, so no example has one that is taken.
  .filter(({ id }) => id !== "approval.answer")
  .toSorted((left, right) => orderOf(left.id) - orderOf(right.id))
const subjectOf = (id: string): string => `examples of ${id.split(".")[0]}`
const subjects = [...new Set(inOrder.map(({ id }) => subjectOf(id)))].toSorted()

/** Steps that do not pass yet: they are told, and fail nothing. The README of the package has the table. */
const unfinished = new Set(["contracts"])

type Step = (name: string, run: () => Promise<string>) => Promise<void>

/** Prints a row for each step, and counts those that must pass and do not. */
const stepsOf =
  (tally: Tally): Step =>
  async (name, run) => {
    if (!scenesToRun([name]).includes(name)) return
    tally.tried++
    const row = await run().then(
      (told) => `| ${name} | ok | ${told} |`,
      (cause: unknown) => {
        const [, database] = /\[cause\]: Error: (.*)/.exec(inspect(cause, { depth: 9 })) ?? []
        const [why = ""] = (database ?? String(cause instanceof Error ? cause.message : cause)).split("\n")
        if (!unfinished.has(name)) tally.add("failed", `${name}: ${why}`)
        return `| ${name} | failed | ${why} |`
      }
    )
    process.stdout.write(`${row}\n`)
  }

const distribute = (at: string): Promise<Distribution> =>
  Effect.runPromise(
    Effect.flatMap(SqlClient, distributeDatabase).pipe(
      Effect.provide(Database.layer(postgresUrl(at), { maxConnections: 2 }))
    )
  )

/** What was logged last, which has the errors of the database. */
let log = ""

/** Keeps what is logged; what campaigns say goes on to stderr. */
const keepLog = () => {
  const { write } = process.stderr
  process.stderr.write = ((text: string) => {
    if (!String(text).startsWith("{")) return write.call(process.stderr, text)
    log = (log + text).slice(-50_000)
    return true
  }) as typeof write
}

const errorInLog = (): string => [...log.matchAll(/\[cause\]: Error: (.*?)\\n/g)].at(-1)?.[1] ?? log.slice(0, 300)

/** The outcome of every example: `ok` or the code of its failure, and for one that is unexpected why. */
const outcomesOf = async (service: MemoryService) => {
  const found = new Map<string, readonly [outcome: string, why: string]>()
  for (const { examples, id } of inOrder) {
    for (const { input, title } of examples) {
      log = ""
      const { envelope } = await service.run({ command: id, input, options: defaultOptions })
      found.set(`${id}, ${title}`, envelope.ok ? ["ok", ""] : [envelope.error.code, errorInLog()])
    }
  }
  return found
}

const runExamples = async (service: MemoryService, step: Step) => {
  const memory = await memoryService({ callerOf: () => ({}) })
  const wanted = await outcomesOf(memory)
  await memory.close()
  const found = await outcomesOf(service)
  for (const subject of subjects) {
    await step(subject, async () => {
      const names = [...wanted.keys()].filter((name) => subjectOf(name) === subject)
      const wrong = names.filter((name) => found.get(name)?.[0] !== wanted.get(name)?.[0])
      const why = wrong.map((name) => `${name}: ${found.get(name)?.join(" ")} instead of ${wanted.get(name)?.[0]}`)
      if (wrong.length > 0) throw new Error(why.join("; "))
      return `${names.length}`
    })
  }
}

/** Runs a command of an organization until it is done: retries what says so, with the same idempotency key. */
const persistently = async (
  service: MemoryService,
  organizationId: string,
  command: string,
  input: unknown,
  idempotencyKey: string,
  tally: Tally
) => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const options = { ...defaultOptions, idempotencyKey }
    const { envelope } = await service.run({ command, input, options, actor: ownerOf(organizationId) })
    if (envelope.ok) return Object(envelope.data)
    const { code } = envelope.error
    if (code !== "UNAVAILABLE" && code !== "IDEMPOTENCY_IN_PROGRESS" && code !== "STATEMENT_TIMEOUT")
      throw new Error(`${command} ${idempotencyKey}: ${code} ${errorInLog()}`)
    tally.hit("retried")
    await pause(100)
  }
  throw new Error(`${command} ${idempotencyKey} has no answer`)
}

/** Two services work for four organizations at once, and both send: each person gets one message, of its own organization. */
const serveFour = async (at: string, people: number, tally: Tally, meanwhile?: () => Promise<unknown>) => {
  const services = [
    await memoryService({ databaseUrl: at, sample: false }),
    await memoryService({ databaseUrl: at, sample: false })
  ] as const
  try {
    const organizations: Array<string> = []
    for (const name of ["a", "b", "c", "d"])
      organizations.push((await services[0].svc.createOrganization(name)).organizationId)
    const write = async (organizationId: string, mark: string, number: number) => {
      const service = services[number % 2] ?? services[0]
      const run = (command: string, input: unknown) =>
        persistently(service, organizationId, command, input, `${mark}-${number}-${command}`, tally)
      const { lead_id } = await run("lead.upsert", {
        name: `${mark} ${number}`,
        linkedin_url: `https://www.linkedin.com/in/${mark}-${number}`
      })
      const { draft } = await run("linkedin.draft.create", {
        lead_id,
        agent_handle: "ada-martin",
        variations: [{ body_text: `Hello ${mark} ${number}` }]
      })
      await run("linkedin.draft.approve", { draft_id: draft.draft_id })
      return String(draft.draft_id)
    }
    const promised = organizations.map(async (organizationId, index) => {
      const mark = "abcd".charAt(index)
      await persistently(
        services[0],
        organizationId,
        "agent.create",
        { first_name: "Ada", last_name: "Martin" },
        `${mark}-agent`,
        tally
      )
      const ids: Array<string> = []
      for (let number = 0; number < people; number++) ids.push(await write(organizationId, mark, number))
      return ids
    })
    await meanwhile?.()
    const drafts = await Promise.all(promised)
    for (let round = 0; round < 20; round++) await Promise.all(services.map((service) => service.svc.work()))
    for (const [index, organizationId] of organizations.entries()) {
      const mark = "abcd".charAt(index)
      const { items } = await persistently(
        services[1],
        organizationId,
        "linkedin.queue.list",
        { state: ["sent"], limit: 100 },
        `${mark}-list`,
        tally
      )
      for (const id of drafts[index] ?? []) {
        const sent = items.filter((item: { readonly draft_id: string }) => item.draft_id === id)
        if (sent.length === 0) tally.add("lost", `${mark}: the message of ${id}`)
        if (sent.length > 1) tally.add("doubled", `${mark}: the message of ${id}`)
      }
      if (items.length !== people) tally.add("leaked", `${mark} has ${items.length} messages`)
    }
    return `${people * organizations.length} messages`
  } finally {
    for (const service of services) await service.close()
  }
}

const shell = (command: string) => promisify(execFile)("/bin/sh", ["-c", command])

/** Milliseconds of requests, the median of many. */
const medians = async (at: string): Promise<ReadonlyMap<string, number>> => {
  const service = await memoryService({ databaseUrl: at, sample: false })
  const { organizationId } = await service.svc.createOrganization("Measured")
  const times = new Map<string, Array<number>>()
  const run = async (command: string, input: unknown) => {
    const began = performance.now()
    const { envelope } = await service.run({ command, input, options: defaultOptions, actor: ownerOf(organizationId) })
    times.set(command, [...(times.get(command) ?? []), performance.now() - began])
    if (!envelope.ok) throw new Error(`${command}: ${envelope.error.message}`)
    return Object(envelope.data)
  }
  await run("agent.create", { first_name: "Ada", last_name: "Martin" })
  for (let number = 0; number < 60; number++) {
    const { lead_id } = await run("lead.upsert", {
      name: `P ${number}`,
      linkedin_url: `https://www.linkedin.com/in/p-${number}`
    })
    await run("lead.get", { lead_id })
    const { draft } = await run("linkedin.draft.create", {
      lead_id,
      agent_handle: "ada-martin",
      variations: [{ body_text: "Hello" }]
    })
    await run("linkedin.draft.approve", { draft_id: draft.draft_id })
    await run("linkedin.queue.list", { limit: 25 })
  }
  await service.close()
  const middle = (all: ReadonlyArray<number>) =>
    all.slice(10).toSorted((a, b) => a - b)[Math.floor((all.length - 10) / 2)] ?? 0
  return new Map([...times].filter(([, all]) => all.length > 20).map(([command, all]) => [command, middle(all)]))
}

const compareMedians = (at: string): Promise<string> =>
  new Promise((resolve, reject) => {
    withPostgres(async (cluster) => {
      const alone = await medians(await newDatabase(cluster))
      const spread = await medians(at)
      const rows = [...alone].map(([command, one]) => {
        const other = spread.get(command) ?? 0
        return `${command} ${one.toFixed(1)} → ${other.toFixed(1)} ms, ${(other / one).toFixed(1)} ×`
      })
      resolve(rows.join("; "))
    }).catch(reject)
  })

/** Runs the campaign. */
export const citus: Campaign = async ({ count }, tally) => {
  if (url === undefined) {
    tally.skipped = "SVC_CITUS_URL is not set"
    return
  }
  process.env["SVC_LINKEDIN_PACING"] = "off"
  process.env["SVC_SEND_HOLD_SECONDS"] = "0"
  keepLog()
  const step = stepsOf(tally)
  const at = `${url}?schema=svc_campaign_${process.pid}`
  const before = await memoryService({ callerOf: () => ({}), databaseUrl: at })
  const organizationId = before.svc.organization.id
  const filled = await before.contents(organizationId)
  await before.close()
  process.stdout.write("| step | outcome | |\n|---|---|---|\n")
  await step("distribute", async () => {
    const { functions, nodes, tables } = await distribute(at)
    const again = await distribute(at)
    if (again.functions.length > 0 || again.tables.some(({ changed }) => changed))
      throw new Error("The second run changed something.")
    return `${tables.filter(({ changed }) => changed).length} tables and ${functions.length} functions on ${nodes} nodes`
  })
  const service = await memoryService({ callerOf: () => ({}), databaseUrl: at })
  const kept = await service.contents(organizationId)
  for (const [name, rows] of filled)
    if (kept.get(name) !== rows && !name.includes("key")) tally.add("lost", `rows of ${name}`)
  await runExamples(service, step)
  await step("workers", async () => {
    const counts = await service.svc.work()
    return Object.entries(counts)
      .map(([what, number]) => `${what} ${number}`)
      .join(", ")
  })
  await service.close()
  await step("two services with four organizations", () => serveFour(at, 5 * count, tally))
  if (stop !== undefined && start !== undefined) {
    await step("kill of a node", async () => {
      const told = await serveFour(at, 20 * count, tally, async () => {
        for (let times = 0; times < 3; times++) {
          await pause(1_000)
          await shell(stop)
          await pause(2_000)
          await shell(start)
        }
      })
      return `${told}, 3 kills`
    })
  }
  await step("medians", () => compareMedians(at))
  await step("contracts", () => runContracts(url))
}
