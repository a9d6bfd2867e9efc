/**
 * Finds the process that owns an embedded folder, or opens the folder here. Only one process at a time can use it.
 *
 * An owner that has published its URL is used as the service. One that has not is either starting, or a short command, so
 * this waits for it.
 */

import { resolve } from "node:path"
import { type Failure, Unavailable } from "@svc/core"
import { type DatabaseUrl, describeOwner, type Owner, readOwner } from "@svc/postgres"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { sendRequest } from "./Target.ts"

/** A process that owns the folder and responds. `token` is for its operator endpoint. */
export interface RunningOwner {
  readonly url: string
  readonly token: Redacted.Redacted<string> | null
  /** One sentence that names it. */
  readonly sentence: string
}

/** The owner of a database, or the result of opening it here. */
type OwnerOr<A> =
  | { readonly _tag: "Owner"; readonly owner: RunningOwner }
  | { readonly _tag: "Opened"; readonly value: A }

/** How long to wait for one owner, and for all owners in turn, in milliseconds. */
const ownerTimeout = 10_000
const totalTimeout = 30_000
const pause = "50 millis"

const isResponding = (url: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => sendRequest(url, { method: "GET", path: "/healthz" }, AbortSignal.timeout(2_000))).pipe(
    Effect.map((response) => response.destroy()),
    Effect.isSuccess
  )

const runningOwner = Effect.fnUntraced(function* (directory: string, owner: Owner) {
  const { token, url } = owner
  return url !== null && (yield* isResponding(url))
    ? { url, token, sentence: describeOwner(directory, owner) }
    : undefined
})

/**
 * Finds the owner of a database, or opens the database if it has none. `open` may run several times. Fails as `open` does,
 * and with UNAVAILABLE, naming the owner, when an unresponsive owner keeps the folder for ten seconds, or several owners
 * for thirty.
 */
export const ownerOrOpen = <A, R>(
  database: DatabaseUrl,
  open: Effect.Effect<A, Failure, R>
): Effect.Effect<OwnerOr<A>, Failure, R> =>
  Effect.gen(function* () {
    if (database._tag !== "Pglite") return { _tag: "Opened", value: yield* open } as const
    const directory = resolve(database.directory)
    const startedAt = yield* Clock.currentTimeMillis
    let waitingFor: string | undefined
    let since = startedAt
    let rivals = 0
    for (;;) {
      const owner = yield* readOwner(directory)
      const found = owner && (yield* runningOwner(directory, owner))
      if (found !== undefined) return { _tag: "Owner", owner: found } as const
      if (owner === undefined) {
        const opened = yield* Effect.result(open)
        if (opened._tag === "Success") return { _tag: "Opened", value: opened.success } as const
        // Another process may have opened it since the check, and may have closed it again.
        const isTaken =
          opened.failure.code === "UNAVAILABLE" && (rivals++ < 2 || (yield* readOwner(directory)) !== undefined)
        if (!isTaken) return yield* opened.failure
      } else {
        const now = yield* Clock.currentTimeMillis
        if (owner.id !== waitingFor) since = now
        waitingFor = owner.id
        if (now - since > ownerTimeout || now - startedAt > totalTimeout) {
          return yield* new Unavailable({ message: describeOwner(directory, owner) })
        }
      }
      yield* Effect.sleep(pause)
    }
  })

/** Opens a database that no other process uses. Fails with UNAVAILABLE otherwise, naming the owner, with the hint after it. */
export const openAlone = <A, R>(database: DatabaseUrl, open: Effect.Effect<A, Failure, R>, hint = "") =>
  Effect.flatMap(ownerOrOpen(database, open), (found) =>
    found._tag === "Opened"
      ? Effect.succeed(found.value)
      : Effect.fail(new Unavailable({ message: found.owner.sentence + hint }))
  )
