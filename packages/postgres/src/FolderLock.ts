/**
 * The exclusive lock of a PGlite folder, acquired before PGlite opens it: two processes in one folder corrupt it silently.
 *
 * The lock is the file `FOLDER.lock` beside the folder: JSON, mode 0600, created atomically. Its owner touches it every few
 * seconds. A lock is stale when its process is gone (same host), or, when the pid says nothing (another container or
 * machine), when its URL does not respond and nobody touches it for 15 seconds. Age alone never makes a lock stale.
 *
 * Takeover: only the holder of the lock `FOLDER.lock.ID`, where ID is that of the stale lock, may remove the stale lock. Ids
 * are never reused, so only one contender wins, and a takeover that was killed half-way is taken over in the same way.
 */
import { randomUUID } from "node:crypto"
import { constants, copyFile, link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { type Failure, Unavailable } from "@svc/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { currentProcess, livenessOf } from "./ProcessIdentity.ts"

/** The content of the lock file. `startedAt` is ISO 8601; `token` lets local operators talk to the owner at `url`. */
const Owner = Schema.Struct({
  id: Schema.String,
  pid: Schema.Int,
  host: Schema.String,
  birth: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  token: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  startedAt: Schema.String
})

/** The process that uses the folder. */
export type Owner = typeof Owner.Type

interface FolderLock {
  readonly directory: string
  /** Publishes the URL of this process, so that other processes become its clients. */
  readonly publish: (address: {
    readonly url: string
    readonly token: Redacted.Redacted<string>
  }) => Effect.Effect<void, Failure>
}

const OwnerJson = Schema.fromJsonString(Owner)
const decodeOwner = Schema.decodeUnknownOption(OwnerJson)
const encodeOwner = Schema.encodeSync(OwnerJson)

const heartbeat = 3000

/** How long an owner with an unknown pid may stay silent, in milliseconds. */
const defaultTimeout = 15_000

/** The lock file of a folder. */
export const lockFileOf = (directory: string): string => `${resolve(directory)}.lock`

const hasCode = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  cause instanceof Error && "code" in cause && codes.some((code) => code === cause.code)

const files = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new Unavailable({
        message:
          `Can't use the lock file ${path}: ${cause instanceof Error ? cause.message : "unknown error"}. Check that its ` +
          "folder is writable, or choose another one with SVC_DATABASE_URL=pglite:FOLDER."
      })
  })

/** Undefined when there is no file. A malformed one (disk full, edited manually) has no owner. */
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

/** Creates the file with its whole content; false when it exists. */
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

/** Removes the file if it still has this id. Only its owner, or the holder of its takeover lock, may call this. */
const remove = (path: string, id: string | undefined): Effect.Effect<void, Failure> =>
  Effect.flatMap(read(path), (found) =>
    found !== undefined && Option.getOrUndefined(found)?.id === id
      ? files(path, () => rm(path, { force: true }))
      : Effect.void
  )

const responds = (url: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => fetch(new URL("/healthz", url), { signal: AbortSignal.timeout(1000) })).pipe(
    Effect.tap((response) => Effect.promise(async () => response.body?.cancel())),
    Effect.match({ onFailure: () => false, onSuccess: () => true })
  )

const touchedAt = (path: string): Effect.Effect<number> =>
  Effect.promise(async () => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0)

/** Waits until the owner touches its lock (true) or the timeout (false). */
const isTouched = (path: string, timeout: number): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const before = yield* touchedAt(path)
    const steps = 30
    for (let step = 0; step < steps; step++) {
      yield* Effect.sleep(timeout / steps)
      if ((yield* touchedAt(path)) !== before) return true
    }
    return false
  }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))

const isAlive = (path: string, owner: Owner, timeout: number): Effect.Effect<boolean> => {
  const liveness = livenessOf(owner)
  if (liveness !== "unknown") return Effect.succeed(liveness === "alive")
  const url = owner.url === null ? Effect.succeed(false) : responds(owner.url)
  return Effect.flatMap(url, (isUp) => (isUp ? Effect.succeed(true) : isTouched(path, timeout)))
}

const touch = (path: string): void => {
  const now = new Date()
  utimes(path, now, now).catch(() => undefined)
}

/** A heartbeat for processes that cannot check this one's pid. Does not keep the process running. */
const keepTouching = (path: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => setInterval(() => touch(path), heartbeat).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

/** Names the owner in one sentence. */
export const describeOwner = (directory: string, owner: Owner): string =>
  `The folder ${directory} is in use by process ${owner.pid}` +
  (owner.url === null
    ? "; stop that process, or choose another folder with SVC_DATABASE_URL=pglite:FOLDER."
    : ` at ${owner.url}; use it with SVC_BASE_URL=${owner.url}, or stop it.`)

/** Creates the lock file at `path`, taking over a stale one. Fails when its owner is alive. */
const take = (path: string, directory: string, owner: Owner, timeout: number): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    for (;;) {
      if (yield* create(path, owner)) return
      const found = yield* read(path)
      if (found === undefined) continue
      const rival = Option.getOrUndefined(found)
      if (rival !== undefined && (yield* isAlive(path, rival, timeout))) {
        return yield* Effect.fail(new Unavailable({ message: describeOwner(directory, rival) }))
      }
      // Without links, a lock may be read while it is being written.
      if (rival === undefined && (yield* isTouched(path, timeout))) continue
      const permit = `${path}.${rival?.id ?? "unreadable"}`
      yield* take(permit, directory, owner, timeout)
      yield* Effect.ensuring(remove(path, rival?.id), Effect.ignore(remove(permit, owner.id)))
    }
  })

/**
 * Acquires the lock of a folder until the scope closes. Fails with UNAVAILABLE, naming the owner, when a running process
 * has it. The folder itself is neither created nor read. `timeout` is in milliseconds.
 */
export const acquire = (
  directory: string,
  options: { readonly url?: string; readonly timeout?: number } = {}
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
    yield* Effect.acquireRelease(take(path, resolve(directory), owner, options.timeout ?? defaultTimeout), () =>
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

/** The running owner of a folder, or undefined. Fails when the lock file cannot be read. */
export const readOwner = (directory: string): Effect.Effect<Owner | undefined, Failure> =>
  Effect.gen(function* () {
    const path = lockFileOf(directory)
    const owner = Option.getOrUndefined((yield* read(path)) ?? Option.none())
    return owner !== undefined && (yield* isAlive(path, owner, defaultTimeout)) ? owner : undefined
  })
