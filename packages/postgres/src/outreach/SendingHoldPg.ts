/** The hold of sending in the database: heartbeats, copies, the operator's release. */
import { randomUUID } from "node:crypto"
import { stat } from "node:fs/promises"
import { PgClient } from "@effect/sql-pg/PgClient"
import { type Failure, isoFromMillis, WrongState } from "@svc/core"
import { decideHold, type OnFailover, resumedAfter } from "@svc/core/internal"
import { type Hold, type HoldReason, SendingHold, type SendingState } from "@svc/core/outreach"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import { Database } from "../Database.ts"
import { orUnavailable, retrySerialization } from "../SqlFailure.ts"
import { layer as secretsLayer } from "../workspace/DeploymentSecrets.ts"

/** How often a process notes that it works; a release is in effect everywhere after this long. */
const heartbeatInterval = "5 seconds"

/** How far a process's clock may be from the database's, in milliseconds. */
const maxSkewMillis = 60_000

interface DeploymentRow {
  readonly hold_reason: Exclude<HoldReason, "clock_skew"> | null
  readonly held_since: Date | null
  readonly released_at: Date | null
  readonly failed_over_at: Date | null
}

/** The row as it was found, with what tells of the database now. */
interface FoundRow extends DeploymentRow {
  readonly fingerprint: string
  readonly place: string
  readonly heartbeat_at: Date
  readonly found: string
  readonly now: Date
  readonly is_rewritten: boolean
  readonly started_at: Date
  readonly is_recovered: boolean
}

/** The cluster and the database of a fingerprint, and its timeline. */
const partsOf = (fingerprint: string) => {
  const [cluster, timeline, database] = fingerprint.split(":")
  return { where: `${cluster}:${database}`, timeline }
}

const release = "Read the conversations of what was approved, then run svc sending release."

const details = {
  database_restored: `This database is a copy: it was restored, moved or cloned, and may not know of messages that were sent. ${release}`,
  failover: `The database failed over to another server, which may not know of the last messages that were sent. ${release}`,
  no_heartbeat: `No process has worked on this database for long, so it may be an older copy. ${release}`,
  unheard: "The database did not respond to the last heartbeat. Sending resumes by itself with the next one.",
  database_moved: "This database was moved to another one with svc db move. Use the other one: set SVC_DATABASE_URL."
}

const moved = () => new WrongState({ message: details.database_moved })

const holdOf = ({ held_since, hold_reason }: DeploymentRow): Hold | undefined =>
  hold_reason === null || held_since === null
    ? undefined
    : { reason: hold_reason, since: held_since.toISOString(), detail: details[hold_reason] }

/** Where the database is. `place` is empty unless it is a folder. */
interface Home {
  readonly isServer: boolean
  readonly place: string
}

/** The folder of an embedded database, as its copy in another place is not: its inode and when it was made. */
const homeOf = ({ backend, directory }: Database["Service"]): Effect.Effect<Home> => {
  const isServer = backend === "postgres"
  return directory === undefined
    ? Effect.succeed({ isServer, place: "" })
    : Effect.tryPromise(() => stat(directory)).pipe(
        Effect.map(({ birthtimeMs, ino }) => ({ isServer, place: `${ino}:${Math.round(birthtimeMs)}` })),
        Effect.orElseSucceed(() => ({ isServer, place: "" }))
      )
}

const find = (sql: SqlClient, isToChange: boolean) => sql<FoundRow>`
  select d.*, d.xmin::text <> d.written_by as is_rewritten, svc.svc_fingerprint() as found, clock_timestamp() as now,
    pg_postmaster_start_time() as started_at,
    coalesce((select stats_reset from pg_stat_bgwriter) > pg_postmaster_start_time(), false) as is_recovered
  from svc.deployment d ${sql.literal(isToChange ? "for update" : "")}`

const deciderOf =
  (gapSeconds: number, onFailover: OnFailover) =>
  (row: FoundRow, { isServer, place }: Home, seenAt?: number) => {
    const [then, found] = [partsOf(row.fingerprint), partsOf(row.found)]
    const facts = {
      heldFor: row.hold_reason,
      isRewritten: row.is_rewritten,
      isElsewhere: then.where !== found.where || row.place !== place,
      isNewTimeline: then.timeline !== found.timeline,
      heartbeatAt: row.heartbeat_at.getTime(),
      now: row.now.getTime(),
      startedAt: isServer ? row.started_at.getTime() : undefined,
      isRecovered: row.is_recovered,
      seenAt
    }
    return decideHold(facts, gapSeconds, onFailover)
  }

/** What a process would find that starts now: why sending is held, or that it resumes after a failover. Changes nothing. */
export const inspect = Effect.fnUntraced(function* (gapSeconds: number, onFailover: OnFailover) {
  const home = yield* homeOf(yield* Database)
  const [row] = yield* orUnavailable(find(yield* PgClient, false))
  const decision = row === undefined ? null : deciderOf(gapSeconds, onFailover)(row, home)
  const isResumed = decision === "resume" || (decision === null && row != null && row.failed_over_at !== null)
  return { reason: decision === "resume" ? null : decision, isResumed }
})

const make = Effect.fnUntraced(function* (gapSeconds: number, onFailover: OnFailover) {
  const sql = yield* PgClient
  const decide = deciderOf(gapSeconds, onFailover)
  const home = yield* homeOf(yield* Database)
  const { place } = home
  const id = randomUUID()
  yield* Effect.addFinalizer(() => Effect.ignore(sql`delete from svc.service_processes where id = ${id}`))
  const seen = yield* Ref.make<SendingState>({ hold: undefined, releasedAt: null, failedOverAt: null })
  const seenAt = yield* Ref.make<number | undefined>(undefined)

  const clockHold = Effect.fnUntraced(function* (databaseMillis: number, since: SendingState) {
    const millis = yield* Clock.currentTimeMillis
    const skew = millis - databaseMillis
    if (Math.abs(skew) <= maxSkewMillis) return undefined
    const hold: Hold = {
      reason: "clock_skew",
      since: since.hold?.reason === "clock_skew" ? since.hold.since : isoFromMillis(millis),
      detail: `The clock of this process is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} the database's. Set it right: sending resumes by itself.`
    }
    return hold
  })

  const tell = (before: Hold | undefined, after: Hold | undefined) => {
    if (before?.reason === after?.reason) return Effect.void
    return after === undefined
      ? Effect.logInfo("Sending resumes")
      : Effect.logError("Sending is held", { reason: after.reason, since: after.since, detail: after.detail })
  }

  const noteProcess = sql`
    with gone as (delete from svc.service_processes where heartbeat_at < clock_timestamp() - interval '1 hour' and id <> ${id}),
      first as (
        insert into svc.deployment (fingerprint, place, heartbeat_at)
        values (svc.svc_fingerprint(), ${place}, clock_timestamp()) on conflict do nothing)
    insert into svc.service_processes (id, heartbeat_at) values (${id}, clock_timestamp())
    on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`

  /** One heartbeat: finds what the database is, and notes it. */
  const note = Effect.gen(function* () {
    yield* noteProcess
    const [row] = yield* find(sql, true)
    if (row === undefined) return yield* Effect.die("The database has no row of its deployment.")
    const decision = decide(row, home, yield* Ref.get(seenAt))
    const resumes = decision === "resume"
    const reason = resumes ? null : decision
    const isFailover = resumes || (reason === "failover" && row.hold_reason === null)
    const [kept] = yield* sql<FoundRow>`
      update svc.deployment set
        heartbeat_at = greatest(heartbeat_at, clock_timestamp()), written_by = pg_current_xact_id()::xid::text,
        hold_reason = ${reason}::text,
        held_since = case when ${reason}::text is not null then coalesce(held_since, clock_timestamp()) end,
        fingerprint = case when ${resumes} then svc.svc_fingerprint() else fingerprint end,
        released_at = case when ${resumes} then clock_timestamp() else released_at end,
        failed_over_at = case when ${isFailover} then clock_timestamp() when ${reason}::text = 'database_restored' then null
          else failed_over_at end
      returning *, clock_timestamp() as now`
    return kept ?? row
  })

  const beat = Effect.gen(function* () {
    const before = yield* Ref.get(seen)
    const row = yield* retrySerialization(sql.withTransaction(note))
    yield* Ref.set(seenAt, row.heartbeat_at.getTime())
    const hold = holdOf(row) ?? (yield* clockHold(row.now.getTime(), before))
    const state: SendingState = {
      hold,
      releasedAt: row.released_at?.toISOString() ?? null,
      failedOverAt: row.failed_over_at?.toISOString() ?? null
    }
    yield* Ref.set(seen, state)
    yield* tell(before.hold, hold)
    const resumed = resumedAfter(state)
    if (resumed !== undefined && before.failedOverAt !== state.failedOverAt) {
      yield* Effect.logWarning("Sending resumes after a failover", resumed)
    }
    return state
  })

  /** After a heartbeat that failed, the database may be another one: nothing is sent until the next one succeeds. */
  const suspect = Effect.gen(function* () {
    const state = yield* Ref.get(seen)
    if (state.hold !== undefined) return
    const since = isoFromMillis(yield* Clock.currentTimeMillis)
    const hold: Hold = { reason: "no_heartbeat", since, detail: details.unheard }
    yield* Ref.set(seen, { ...state, hold })
    yield* tell(undefined, hold)
  })

  return {
    current: Ref.get(seen),
    beat,
    suspect,
    release: Effect.gen(function* () {
      yield* orUnavailable(sql`
        update svc.deployment set fingerprint = svc.svc_fingerprint(), place = ${place},
          heartbeat_at = greatest(heartbeat_at, clock_timestamp()), written_by = pg_current_xact_id()::xid::text,
          hold_reason = null, held_since = null, released_at = clock_timestamp(),
          failed_over_at = case when hold_reason = 'failover' then failed_over_at end
        where hold_reason is distinct from 'database_moved'
      `)
      const state = yield* beat
      return state.hold?.reason === "database_moved" ? yield* moved() : state
    })
  }
})

/**
 * Beats as long as the layer lives. Fails with WRONG_STATE where the database was moved to another one, and with
 * UNAVAILABLE. `gapSeconds` without a heartbeat hold sending; 0 is no limit.
 */
export const layer = (
  gapSeconds: number,
  onFailover: OnFailover = "resume"
): Layer.Layer<never, Failure, PgClient | Database> =>
  Layer.effect(
    SendingHold,
    Effect.gen(function* () {
      const { suspect, ...hold } = yield* make(gapSeconds, onFailover)
      const { hold: found } = yield* hold.beat
      if (found?.reason === "database_moved") return yield* moved()
      yield* hold.beat.pipe(
        Effect.tapCause((cause) => Effect.andThen(Effect.logDebug("The heartbeat failed", cause), suspect)),
        Effect.sandbox,
        Effect.retry(Schedule.spaced("1 second")),
        Effect.schedule(Schedule.spaced(heartbeatInterval)),
        Effect.forkScoped
      )
      return hold
    })
    // Who has not the deployment's key does not start, and must not count as a process that works.
  ).pipe(Layer.provide(secretsLayer))
