/**
 * The exclusive lock of a PGlite folder, taken before PGlite opens it: two processes in one folder corrupt it silently.
 *
 * The lock is the file `FOLDER.lock` beside the folder, JSON, mode 0600. It appears whole or not at all. Its owner
 * touches it every few seconds. A lock is stale when its process is gone (same host), or, where a pid says nothing
 * (another container or machine), when neither its URL answers nor anybody touches it for 15 seconds; age alone
 * never makes a lock stale.
 *
 * Takeover: only the holder of the lock `FOLDER.lock.ID`, where ID is the stale lock's own, may remove that stale lock.
 * Ids are never used twice, so of any number of contenders one wins, and a takeover that was killed half-way is taken
 * over in the same way.
 *
 * Source: contract 4; ecosystem research, sections 0.4 and 7.1; data research, section 1.
 */
import { randomUUID } from "node:crypto"
import { constants, copyFile, link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { type Failure, fail } from "@svc/core/Failure"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { currentProcess, livenessOf } from "./ProcessIdentity.ts"

/** What the lock file says. `startedAt` is ISO 8601; `token` lets local operators talk to the owner at `url`. */
const Owner = Schema.Struct({
  id: Schema.String,
  pid: Schema.Int,
  host: Schema.String,
  birth: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  token: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  startedAt: Schema.String
})

/** The process that has the folder. */
export type Owner = typeof Owner.Type

/** A lock that is held. */
export interface FolderLock {
  readonly directory: string
  /** Tells other processes where this one listens, so that they become its clients. */
  readonly publish: (address: {
    readonly url: string
    readonly token: Redacted.Redacted<string>
  }) => Effect.Effect<void, Failure>
}

const OwnerJson = Schema.fromJsonString(Owner)
const decodeOwner = Schema.decodeUnknownOption(OwnerJson)
const encodeOwner = Schema.encodeSync(OwnerJson)

const heartbeat = 3000

/** How long an owner that cannot be judged by its pid may go without a sign of life, in milliseconds. */
const defaultPatience = 15_000

/** Where the lock of a folder is. */
export const lockFileOf = (directory: string): string => `${resolve(directory)}.lock`

const hasCode = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  cause instanceof Error && "code" in cause && codes.some((code) => code === cause.code)

const files = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      fail(
        "UNAVAILABLE",
        `The lock file ${path} cannot be used: ${cause instanceof Error ? cause.message : "unknown error"}. Check that ` +
          "its folder can be written to, or choose another one with SVC_DATABASE_URL=pglite:FOLDER."
      )
  })

/** Undefined when there is no such file. An unreadable one (disk full, edited by hand) has no living owner. */
const read = (path: string): Effect.Effect<Option.Option<Owner> | undefined, Failure> =>
  files(path, () =>
    readFile(path, "utf8").then(
      (text) => decodeOwner(text),
      (cause: unknown) => {
        if (hasCode(cause, "ENOENT")) return undefined
        throw cause
      }
    )
  )

/** Creates the file with its whole content, or answers false when it exists. */
const create = (path: string, owner: Owner): Effect.Effect<boolean, Failure> =>
  files(path, async () => {
    const draft = `${path}.${owner.id}.new`
    await writeFile(draft, encodeOwner(owner), { mode: 0o600, flag: "wx" })
    try {
      await link(draft, path).catch((cause: unknown) => {
        // Some file systems (exFAT, some network shares) have no links.
        if (hasCode(cause, "EPERM", "ENOTSUP", "ENOSYS")) return copyFile(draft, path, constants.COPYFILE_EXCL)
        throw cause
      })
      return true
    } catch (cause) {
      if (hasCode(cause, "EEXIST")) return false
      throw cause
    } finally {
      await rm(draft, { force: true })
    }
  })

/** Removes the file if it is still this one's. Only its owner, or the holder of its takeover, may call this. */
const remove = (path: string, id: string | undefined): Effect.Effect<void, Failure> =>
  Effect.flatMap(read(path), (found) =>
    found !== undefined && Option.getOrUndefined(found)?.id === id
      ? files(path, () => rm(path, { force: true }))
      : Effect.void
  )

const answers = (url: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => fetch(new URL("/healthz", url), { signal: AbortSignal.timeout(1000) })).pipe(
    Effect.tap((response) => Effect.promise(async () => response.body?.cancel())),
    Effect.match({ onFailure: () => false, onSuccess: () => true })
  )

const touchedAt = (path: string): Effect.Effect<number> =>
  Effect.promise(() =>
    stat(path).then(
      (entry) => entry.mtimeMs,
      () => 0
    )
  )

/** Waits until the owner touches its lock (true), or patience is over (false). */
const showsLife = (path: string, patience: number): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const before = yield* touchedAt(path)
    const steps = 30
    for (let step = 0; step < steps; step++) {
      yield* Effect.sleep(patience / steps)
      if ((yield* touchedAt(path)) !== before) return true
    }
    return false
  }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))

const isAlive = (path: string, owner: Owner, patience: number): Effect.Effect<boolean> => {
  const liveness = livenessOf(owner)
  if (liveness !== "unknown") return Effect.succeed(liveness === "alive")
  const url = owner.url === null ? Effect.succeed(false) : answers(owner.url)
  return Effect.flatMap(url, (answered) => (answered ? Effect.succeed(true) : showsLife(path, patience)))
}

const touch = (path: string): void => {
  const now = new Date()
  utimes(path, now, now).catch(() => undefined)
}

/** A sign of life for processes that cannot judge this one by its pid. Does not keep the process running. */
const keepTouching = (path: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => setInterval(() => touch(path), heartbeat).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

/** One sentence that names the owner. */
export const describeOwner = (directory: string, owner: Owner): string =>
  `The folder ${directory} is in use by process ${owner.pid}` +
  (owner.url === null
    ? "; stop that process, or choose another folder with SVC_DATABASE_URL=pglite:FOLDER."
    : ` at ${owner.url}; work through it with SVC_BASE_URL=${owner.url}, or stop it.`)

/** Creates the lock file at `path`, taking over a stale one. Fails when its owner is alive. */
const take = (path: string, directory: string, owner: Owner, patience: number): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    for (;;) {
      if (yield* create(path, owner)) return
      const found = yield* read(path)
      if (found === undefined) continue
      const rival = Option.getOrUndefined(found)
      if (rival !== undefined && (yield* isAlive(path, rival, patience))) {
        return yield* Effect.fail(fail("UNAVAILABLE", describeOwner(directory, rival)))
      }
      // On a file system without links, a lock may be seen while it is being written.
      if (rival === undefined && (yield* showsLife(path, patience))) continue
      const permit = `${path}.${rival?.id ?? "unreadable"}`
      yield* take(permit, directory, owner, patience)
      yield* Effect.ensuring(remove(path, rival?.id), Effect.ignore(remove(permit, owner.id)))
    }
  })

/**
 * Takes the lock of a folder until the scope closes. Fails with UNAVAILABLE, in one sentence that names the owner, when
 * a living process has it. The folder itself is neither created nor read. `patience` is in milliseconds.
 */
export const acquire = (
  directory: string,
  options: { readonly url?: string; readonly patience?: number } = {}
): Effect.Effect<FolderLock, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const path = lockFileOf(directory)
    const now = yield* Clock.currentTimeMillis
    let owner: Owner = {
      ...currentProcess(),
      id: randomUUID(),
      url: options.url ?? null,
      token: null,
      startedAt: new Date(now).toISOString()
    }
    yield* files(path, () => mkdir(dirname(path), { recursive: true }))
    yield* Effect.acquireRelease(take(path, resolve(directory), owner, options.patience ?? defaultPatience), () =>
      Effect.ignore(remove(path, owner.id))
    )
    yield* keepTouching(path)
    return {
      directory: resolve(directory),
      publish: ({ url, token }) =>
        files(path, async () => {
          owner = { ...owner, url, token }
          const draft = `${path}.${owner.id}.new`
          await writeFile(draft, encodeOwner(owner), { mode: 0o600 })
          await rename(draft, path)
        })
    }
  })

/** Who has the folder now: undefined when nobody does, or when the owner is gone. Fails when the file is unreadable. */
export const readOwner = (directory: string): Effect.Effect<Owner | undefined, Failure> =>
  Effect.gen(function* () {
    const path = lockFileOf(directory)
    const owner = Option.getOrUndefined((yield* read(path)) ?? Option.none())
    return owner !== undefined && (yield* isAlive(path, owner, defaultPatience)) ? owner : undefined
  })
