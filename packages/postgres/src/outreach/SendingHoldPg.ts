/** The hold of sending in the database: heartbeats, copies, the operator's release. */
import { randomUUID } from "node:crypto"
import { stat } from "node:fs/promises"
import { PgClient } from "@effect/sql-pg/PgClient"
import { type Failure, isoFromMillis, WrongState } from "@svc/core"
import { type Hold, type HoldReason, SendingHold, type SendingState } from "@svc/core/outreach"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import { Database } from "../Database.ts"
import { orUnavailable } from "../SqlFailure.ts"

/** How often a process notes that it works; a release is in effect everywhere after this long. */
const heartbeatInterval = "5 seconds"

/** How far a process's clock may be from the database's, in milliseconds. */
const maxSkewMillis = 60_000

interface DeploymentRow {
  readonly hold_reason: Exclude<HoldReason, "clock_skew"> | null
  readonly held_since: Date | null
  readonly released_at: Date | null
}

const release = "Read the conversations of what was approved, then run svc sending release."

const details = {
  database_restored: `This database is a copy: it was restored, moved or cloned, and may not know of messages that were sent. ${release}`,
  no_heartbeat: `No process has worked on this database for long, so it may be an older copy. ${release}`,
  database_moved: "This database was moved to another one with svc db move. Use the other one: set SVC_DATABASE_URL."
}

const moved = () => new WrongState({ message: details.database_moved })

const holdOf = ({ held_since, hold_reason }: DeploymentRow): Hold | undefined =>
  hold_reason === null || held_since === null
    ? undefined
    : { reason: hold_reason, since: held_since.toISOString(), detail: details[hold_reason] }

/** The folder of an embedded database, as its copy in another place is not: its inode and when it was made. */
const placeOf = (directory: string | undefined): Effect.Effect<string> =>
  directory === undefined
    ? Effect.succeed("")
    : Effect.tryPromise(() => stat(directory)).pipe(
        Effect.map(({ birthtimeMs, ino }) => `${ino}:${Math.round(birthtimeMs)}`),
        Effect.orElseSucceed(() => "")
      )

const make = Effect.fnUntraced(function* (gapSeconds: number) {
  const sql = yield* PgClient
  const place = yield* placeOf((yield* Database).directory)
  const id = randomUUID()
  yield* Effect.addFinalizer(() => Effect.ignore(sql`delete from svc.service_processes where id = ${id}`))
  const seen = yield* Ref.make<SendingState>({ hold: undefined, releasedAt: null })

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

  const beat = Effect.gen(function* () {
    const before = yield* Ref.get(seen)
    const [row] = yield* orUnavailable(sql<DeploymentRow & { readonly now: Date }>`
      select d.*, clock_timestamp() as now
      from svc.svc_heartbeat(${id}, ${place}, ${gapSeconds}::integer, clock_timestamp()) d
    `)
    if (row === undefined) return before
    const hold = holdOf(row) ?? (yield* clockHold(row.now.getTime(), before))
    const state: SendingState = { hold, releasedAt: row.released_at?.toISOString() ?? null }
    yield* Ref.set(seen, state)
    yield* tell(before.hold, hold)
    return state
  })

  return {
    current: Ref.get(seen),
    beat,
    release: Effect.gen(function* () {
      yield* orUnavailable(sql`
        update svc.deployment set fingerprint = svc.svc_fingerprint(), place = ${place}, heartbeat_at = clock_timestamp(),
          written_by = pg_current_xact_id()::xid::text, hold_reason = null, held_since = null, released_at = clock_timestamp()
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
export const layer = (gapSeconds: number): Layer.Layer<never, Failure, PgClient | Database> =>
  Layer.effect(
    SendingHold,
    Effect.gen(function* () {
      const hold = yield* make(gapSeconds)
      const { hold: found } = yield* hold.beat
      if (found?.reason === "database_moved") return yield* moved()
      yield* hold.beat.pipe(
        Effect.catchCause((cause) => Effect.logDebug("The heartbeat failed", cause)),
        Effect.schedule(Schedule.spaced(heartbeatInterval)),
        Effect.forkScoped
      )
      return hold
    })
  )
