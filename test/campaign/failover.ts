/**
 * Servers are lost in each way in turn, and another takes their place: a standby that was promoted, or a backup. What was sent last
 * is not recorded there. Sending goes on after a failover alone, if that is the setting; and nothing leaves twice.
 *
 * Lost: a message that never left, or sending that is held without need. Doubled: one that left twice. Leaked: one that left
 * from a copy.
 */
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Pool } from "pg"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { SendingHold } from "#core/outreach/SendOptions.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import * as Unipile from "#providers/unipile/index.ts"
import { type FakeUnipile, startFakeUnipile } from "../support/fakeUnipile/FakeUnipile.ts"
import { at, readReply } from "../support/httpService.ts"
import { keepingMail } from "../support/mailed.ts"
import { baseBackup, findPostgres, type PostgresCluster, startPostgres } from "../support/PostgresCluster.ts"
import { startTcpProxy } from "../support/TcpProxy.ts"
import { newDatabase } from "./postgres.ts"
import type { Campaign, Tally } from "./Tally.ts"

const bin = () => {
  const found = findPostgres()
  if (found === undefined) throw new Error("No PostgreSQL is installed here: initdb was not found.")
  return found
}

const durable = { synchronous_commit: "on" }

const run = async (url: string, ...statements: ReadonlyArray<string>) => {
  const pool = new Pool({ connectionString: url, max: 1, options: "-c default_transaction_read_only=off" })
  pool.on("error", () => {})
  let rows: ReadonlyArray<Record<string, unknown>> = []
  for (const statement of statements) ({ rows } = await pool.query(statement))
  await pool.end()
  return rows
}

const until = async (check: () => Promise<boolean>) => {
  for (let tries = 0; tries < 600; tries++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("It did not happen within 30 s.")
}

const portOf = (url: string) => Number(new URL(url).port)

/** A server that takes the place of the first, which has the database at a URL. */
interface Successor {
  readonly server: PostgresCluster
  /** Ends what was prepared, such as the first server. */
  readonly end?: () => Promise<void>
}

interface Scene {
  readonly reason: string | undefined
  readonly onFailover?: "resume" | "hold"
  /** Whether the process that worked on the first server goes on with the next one. */
  readonly survives?: true
  /** Prepares, before anything is sent, and returns how the server is replaced afterwards. */
  readonly prepare: (first: PostgresCluster, database: string) => Promise<() => Promise<Successor>>
}

const positionOf = async (url: string, expression: string) =>
  Number((await run(url, `select ${expression} as at`))[0]?.["at"])

/** A standby that follows the first server, and its promotion when it has lost the connection. */
const followed = async (first: PostgresCluster, database: string) => {
  const standby = await startPostgres(bin(), durable, (data) => baseBackup(first.url, data, "--write-recovery-conf"))
  // A heartbeat has to arrive while it follows.
  await heartbeat(database)
  const written = await positionOf(first.url, "pg_current_wal_lsn() - '0/0'")
  await until(async () => (await positionOf(standby.url, "pg_last_wal_replay_lsn() - '0/0'")) >= written)
  await run(standby.url, "alter system set primary_conninfo = ''", "select pg_reload_conf()")
  await until(async () => (await run(standby.url, "select from pg_stat_wal_receiver")).length === 0)
  return standby
}

const promote = (standby: PostgresCluster) => run(standby.url, "select pg_promote()")

/** A heartbeat of a process on the database. */
const heartbeat = async (databaseUrl: string) => {
  const svc = await createSvc({ databaseUrl, worker: false })
  await svc.close()
}

const standby =
  (old: (first: PostgresCluster) => Promise<unknown>): Scene["prepare"] =>
  async (first, database) => {
    const server = await followed(first, database)
    return async () => {
      await old(first)
      await promote(server)
      return { server, end: server.stop }
    }
  }

const readOnly = ({ url }: PostgresCluster) =>
  run(url, "alter system set default_transaction_read_only = on", "select pg_reload_conf()")

/** A backup takes the place of the files of the server. `age` is in minutes. */
const inPlace =
  (age: number): Scene["prepare"] =>
  async (first, database) => {
    const folder = await mkdtemp(join(tmpdir(), "svc-campaign-"))
    if (age > 0) {
      await run(
        database,
        `update svc.deployment set heartbeat_at = heartbeat_at - interval '${age} minutes',
          written_by = pg_current_xact_id()::xid::text`
      )
    }
    await baseBackup(first.url, join(folder, "data"))
    return async () => {
      await first.restart(async () => {
        await rm(first.data, { recursive: true })
        await cp(join(folder, "data"), first.data, { recursive: true })
        await rm(folder, { recursive: true })
      })
      return { server: first }
    }
  }

const scenes: Readonly<Record<string, Scene>> = {
  "a promoted standby, by default": { reason: undefined, prepare: standby(({ stop }) => stop()) },
  "a promoted standby, to hold": { reason: "failover", onFailover: "hold", prepare: standby(({ stop }) => stop()) },
  "a promoted standby, and the old primary read-only": {
    reason: undefined,
    survives: true,
    prepare: standby(readOnly)
  },
  "the same, to hold": { reason: "failover", onFailover: "hold", survives: true, prepare: standby(readOnly) },
  "a base backup that was recovered": {
    reason: "database_restored",
    prepare: async (first) => {
      const server = await startPostgres(bin(), durable, (data) => baseBackup(first.url, data, "--write-recovery-conf"))
      await run(server.url, "alter system set primary_conninfo = ''", "select pg_reload_conf()")
      return async () => {
        await first.stop()
        await promote(server)
        return { server, end: server.stop }
      }
    }
  },
  "a backup started in place": { reason: "database_restored", prepare: inPlace(10) },
  "a fresh backup started in place, while a process lives on": {
    reason: "database_restored",
    survives: true,
    prepare: inPlace(0)
  },
  "a crash": { reason: undefined, prepare: async (first) => async () => first.crash().then(() => ({ server: first })) },
  "a server that was off for an hour": {
    reason: undefined,
    prepare: async (first, database) => async () => {
      await run(
        database,
        "update svc.deployment set heartbeat_at = heartbeat_at - interval '1 hour', written_by = pg_current_xact_id()::xid::text"
      )
      await first.restart()
      return { server: first }
    }
  }
}

const drill = async (name: string, scene: Scene, fake: FakeUnipile, tally: Tally) => {
  const account = `scene-${tally.tried}`
  const first = await startPostgres(bin(), durable)
  const database = await newDatabase(first)
  const proxy = await startTcpProxy(portOf(first.url))
  const url = Object.assign(new URL(database), { port: String(proxy.port) }).href
  const mailed: Array<string> = []
  const email = keepingMail(mailed)
  const open = () =>
    createSvc({
      databaseUrl: url,
      gateway: Layer.orDie(Unipile.layer({ dsn: fake.url, apiKey: Redacted.make(fake.apiKey) })),
      worker: false,
      rateLimit: 0,
      settings: { onFailover: scene.onFailover ?? "resume" }
    })
  const dispatch = (svc: Svc) =>
    svc.effect.runtime.runPromise(
      Effect.andThen(dispatchDue(), dispatchEmails()).pipe(Effect.provide(Ports.layer), Effect.provide(email))
    )
  const approve = async (svc: Svc, slug: string) => {
    fake.world.addPerson(slug)
    const { lead_id } = await svc.leads.upsert({ name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })
    const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: `Hello ${slug}` }] })
    await svc.linkedin.draft.approve({ draft_id: draft.draft_id })
  }
  const timesSent = (slug: string) => fake.world.ledger.filter((one) => one.slug === slug).length
  fake.world.addAccount(account)

  let svc = await open()
  await svc.agents.create({
    first_name: "Ada",
    last_name: "Martin",
    email_accounts: [{ provider: "SMTP", email: "ada@sender.example" }]
  })
  await svc.linkedin.account.link({ agent_handle: "ada-martin", gateway_account_id: account })
  await svc.missions.create({
    name: "Spring",
    agent_handle: "ada-martin",
    channels: ["LINKEDIN", "EMAIL"],
    email_review_strategy: "AUTO"
  })
  await approve(svc, `${account}-sent`)
  const { lead_id } = await svc.leads.upsert({ email: `${account}@example.com` })
  await svc.email.send({ lead_id, mission_id: "spring", subject: account, body_text: "Hello" })
  const replace = await scene.prepare(first, database)
  // What is sent now is not recorded in what follows, unless the server stays. A process that lives on has had a heartbeat.
  const beat = () => svc.effect.runtime.runPromise(Effect.flatMap(SendingHold, (hold) => hold.beat))
  if (scene.survives === true) await beat()
  await dispatch(svc)
  if (scene.survives === undefined) await svc.close()
  const { end, server } = await replace()
  proxy.lead(portOf(server.url))
  if (scene.survives === undefined) svc = await open()
  const ready = async () => (await readReply(await svc.fetch(new Request("http://127.0.0.1/readyz")))).body
  if (scene.survives === true) {
    // What it knows of the first server holds until its next heartbeat.
    await beat().catch(beat)
  }
  const state = await ready()
  const told = `${name}: ${JSON.stringify(state)}`
  const reason = at(state, "sending_hold.reason")
  if (reason !== scene.reason) tally.add(reason === undefined ? "leaked" : "lost", told)
  const isFailover = name.includes("standby") || name === "the same, to hold"
  if (isFailover && reason === undefined && at(state, "sending_resumed.reason") !== "failover") tally.add("lost", told)
  await approve(svc, `${account}-new`)
  for (let round = 0; round < 3; round++) await dispatch(svc)
  if ((timesSent(`${account}-new`) === 0) !== (scene.reason !== undefined)) {
    tally.add(scene.reason === undefined ? "lost" : "leaked", `${told}: ${timesSent(`${account}-new`)} sent`)
  }
  if (timesSent(`${account}-sent`) !== 1) tally.add("doubled", `${told}: ${timesSent(`${account}-sent`)} sent`)
  if (mailed.length !== 1) tally.add("doubled", `${told}: ${mailed.length} e-mails`)
  if (isFailover && scene.reason === undefined) {
    const { emails } = await svc.email.list({ state: ["in_review"] })
    if (emails.length !== 1) tally.add("lost", `${told}: the e-mail is not in review`)
  }
  await svc.close()
  await proxy.close()
  await end?.()
  await first.stop().catch(() => undefined)
  tally.tried++
}

/** Runs the campaign. */
export const failover: Campaign = async ({ count }, tally) => {
  Object.assign(process.env, { SVC_LINKEDIN_PACING: "off", SVC_SEND_HOLD_SECONDS: "0" })
  const fake = await startFakeUnipile()
  const all = Object.entries(scenes)
  for (let cycle = 0; cycle < count; cycle++) {
    const [name, scene] = all[cycle % all.length] ?? [undefined, undefined]
    if (scene !== undefined) await drill(name, scene, fake, tally)
  }
  await fake.close()
}
