/**
 * Part of `npm run bench`: how many queued messages a second can be claimed on PostgreSQL with usage limits on. A claim is
 * a lease and the statement that counts, and stores the attempt, before anything is sent. Counts are checked, seconds are
 * only told.
 */
import { loadavg } from "node:os"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { eachDue } from "#core/kernel/background/Worker.ts"
import { type Due, TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import * as DueWorkPg from "#postgres/background/DueWorkPg.ts"
import * as Database from "#postgres/Database.ts"
import { parseDatabaseUrl } from "#postgres/DatabaseUrl.ts"
import * as TransmissionsPg from "#postgres/outreach/TransmissionsPg.ts"
import * as TransactionPg from "#postgres/TransactionPg.ts"
import { beginWithin } from "../support/beginWithin.ts"
import { findPostgres, startPostgres } from "../support/PostgresCluster.ts"
import { queueMessages } from "../support/queuedMessages.ts"

const goal = 1_000
const organizations = 20
const accountsEach = 5
const itemsEach = 100
const total = organizations * accountsEach * itemsEach
/** Below what waits, so that the limits have something to hold back. */
const dayLimit = 80
const claimable = organizations * accountsEach * dayLimit
const workers = 12

const write = (text: string): void => void process.stdout.write(`${text}\n`)

const claim = ({ fence, id, leadId, organizationId }: Due, at: string) => {
  const accountId = id.split("_").slice(1, 3).join("_")
  const rules = [{ counts: ["message"], caps: { day: dayLimit, week: 400 } }] as const
  return beginWithin(
    { id, leadId, organizationId, accountId, attempts: 0, updatedAt: at },
    "message",
    rules,
    at,
    fence,
    60
  )
}

/** Claims until nothing is left to take; answers how many passed, and how many were held back. */
const claimAll = (leased: number) =>
  Effect.gen(function* () {
    const queue = yield* TransmissionsRepo
    const seen = { begun: 0, held: 0, lost: 0 }
    const share = { concurrency: workers, limit: Number.POSITIVE_INFINITY, batch: leased }
    yield* eachDue("linkedin", share, (organizationId) =>
      Effect.gen(function* () {
        const now = new Date().toISOString()
        const request = {
          kind: "message",
          organizationId,
          now,
          isPaced: true,
          leaseSeconds: 60,
          limit: leased
        } as const
        const taken = yield* queue.take(request)
        for (const due of taken) {
          const begun = yield* claim(due, now)
          if (begun._tag === "Begun") seen.begun++
          else if (begun._tag === "Held") seen.held++
          else seen.lost++
        }
        return taken.length
      })
    )
    return seen
  })

const round = (leased: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient
    yield* sql`truncate svc.organizations cascade`
    yield* queueMessages(sql, { prefix: "org", organizations, accountsEach, itemsEach })
    yield* sql`truncate svc.due_work`
    yield* sql`insert into svc.due_work select id, 'linkedin', '-infinity' from svc.organizations`
    yield* sql`analyze`
    const started = performance.now()
    const { begun, held, lost } = yield* claimAll(leased)
    const seconds = (performance.now() - started) / 1_000
    const [stored] = yield* sql<{ readonly count: number; readonly most: number }>`
      select sum(n)::int as count, max(n)::int as most from (
        select count(*) as n from svc.linkedin_attempts group by organization_id, account_id) each_account`
    if (begun !== claimable || lost > 0 || begun + held !== total || stored?.count !== claimable) {
      throw new Error(`Exactly ${claimable} of ${total} may pass: ${JSON.stringify({ begun, held, lost, stored })}`)
    }
    if (stored.most !== dayLimit) throw new Error(`An account passed its limit: ${stored.most}`)
    const rate = Math.round(begun / seconds)
    const label = `claims, ${leased} a lease`.padEnd(20)
    write(`${label} ${seconds.toFixed(2).padStart(6)} s ${rate} claims/s, load ${(loadavg()[0] ?? 0).toFixed(1)}`)
    return rate
  })

const binaries = findPostgres()
if (binaries === undefined) throw new Error("No PostgreSQL is installed here: initdb was not found.")
const cluster = await startPostgres(binaries)
try {
  const url = Result.getOrThrow(parseDatabaseUrl(`${cluster.url}?schema=svc`))
  if (url._tag !== "Postgres") throw new Error("The cluster has an address of PostgreSQL.")
  const database = Database.layer(url, { migrate: true, maxConnections: workers })
  const rounds = Effect.gen(function* () {
    yield* round(1)
    return yield* round(8)
  })
  const rate = await Effect.runPromise(
    rounds.pipe(
      Effect.provide(
        Layer.mergeAll(TransmissionsPg.layer, TransactionPg.layer, DueWorkPg.layer).pipe(Layer.provideMerge(database))
      ),
      Effect.scoped
    )
  )
  write(`claims             ${rate}/s of ${claimable} with limits on (goal: ${goal})\n`)
} finally {
  await cluster.stop()
}
