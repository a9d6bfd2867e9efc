/**
 * An embedded folder has one process at a time: finding who has it, or opening it here.
 *
 * A process that has it and says where it listens is asked in its place. One that has it and does not say is either about
 * to, or a short command that is gone in a moment, so it is waited for. Source: contract 2 and 4.
 */
import { resolve } from "node:path"
import { type Failure, fail } from "@svc/core/Failure"
import type { DatabaseUrl } from "@svc/postgres/DatabaseUrl"
import { describeOwner, type Owner, readOwner } from "@svc/postgres/FolderLock"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { send } from "./ask.ts"

/** A process that has the folder and can be asked. `token` opens the operators' door. */
export interface Listening {
  readonly url: string
  readonly token: Redacted.Redacted<string> | null
  /** One sentence that names it. */
  readonly sentence: string
}

/** Either somebody who has the database, or what opening it here gave. */
export type OwnerOr<A> =
  | { readonly _tag: "Owner"; readonly owner: Listening }
  | { readonly _tag: "Opened"; readonly value: A }

/** How long one owner may leave this process waiting, and all that take their turn before it, in milliseconds. */
const patience = 10_000
const longest = 30_000
const pause = "50 millis"

const answers = (url: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    send(url, { method: "GET", path: "/healthz" }, 2_000).then(
      (response) => {
        response.destroy()
        return true
      },
      () => false
    )
  )

const listening = (directory: string, owner: Owner): Effect.Effect<Listening | undefined> =>
  owner.url === null
    ? Effect.succeed(undefined)
    : Effect.map(answers(owner.url), (alive) =>
        alive && owner.url !== null
          ? { url: owner.url, token: owner.token, sentence: describeOwner(directory, owner) }
          : undefined
      )

/**
 * Finds the owner of a database, or opens the database when it has none. `open` must do nothing but open: it is tried
 * again while others take turns. Fails as `open` does, and with UNAVAILABLE, naming the owner, when an owner that cannot
 * be asked keeps the folder for ten seconds, or others keep it for thirty.
 */
export const ownerOrOpen = <A, R>(
  database: DatabaseUrl,
  open: Effect.Effect<A, Failure, R>
): Effect.Effect<OwnerOr<A>, Failure, R> =>
  Effect.gen(function* () {
    if (database._tag !== "Pglite") return { _tag: "Opened", value: yield* open } as const
    const directory = resolve(database.directory)
    const begun = yield* Clock.currentTimeMillis
    let waitingFor: string | undefined
    let since = begun
    let rivals = 0
    for (;;) {
      const owner = yield* readOwner(directory)
      const found = owner && (yield* listening(directory, owner))
      if (found !== undefined) return { _tag: "Owner", owner: found } as const
      if (owner === undefined) {
        const opened = yield* Effect.result(open)
        if (opened._tag === "Success") return { _tag: "Opened", value: opened.success } as const
        // Somebody may have come between the look and the opening, and may be gone again.
        const lost =
          opened.failure.code === "UNAVAILABLE" && (rivals++ < 2 || (yield* readOwner(directory)) !== undefined)
        if (!lost) return yield* opened.failure
      } else {
        const now = yield* Clock.currentTimeMillis
        if (owner.id !== waitingFor) since = now
        waitingFor = owner.id
        if (now - since > patience || now - begun > longest) {
          return yield* fail("UNAVAILABLE", describeOwner(directory, owner))
        }
      }
      yield* Effect.sleep(pause)
    }
  })
