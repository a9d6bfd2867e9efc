import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { build } from "esbuild"
import * as FolderLock from "#postgres/FolderLock.ts"

describe("FolderLock", () => {
  let root: string
  let contender: string
  let folders = 0
  const children = new Set<ChildProcessWithoutNullStreams>()
  const folder = () => join(root, `workspace-${++folders}`, "data")

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "svc-lock-"))
    contender = join(root, "contender.mjs")
    await build({
      entryPoints: [join(import.meta.dirname, "folderLockContender.ts")],
      outfile: contender,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["svc-source"],
      logLevel: "error"
    })
  })
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await rm(root, { recursive: true, force: true })
  })

  /** Starts a contender; `go` lets it try and answers what it says. */
  const start = async (...args: ReadonlyArray<string>) => {
    const child = spawn(process.execPath, [contender, ...args])
    children.add(child)
    child.stderr.pipe(process.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const line = async (): Promise<{ readonly held?: number; readonly refused?: string }> =>
      JSON.parse((await lines.next()).value ?? "{}")
    await line()
    const go = () => {
      child.stdin.write("go\n")
      return line()
    }
    const end = async (how: "leave" | "SIGKILL") => {
      const exited = once(child, "exit")
      if (how === "leave") child.stdin.end()
      else child.kill(how)
      await exited
    }
    return { pid: child.pid, go, end }
  }

  const refusal = (directory: string) => Effect.flip(Effect.scoped(FolderLock.acquire(directory)))
  const ownerFile = (directory: string) =>
    Effect.promise(
      async () => JSON.parse(await readFile(FolderLock.lockFileOf(directory), "utf8")) as Record<string, unknown>
    )
  const plant = (directory: string, changes: Record<string, unknown>) =>
    Effect.promise(() => writeFile(FolderLock.lockFileOf(directory), JSON.stringify(changes)))
  /** What a lock of this process says, as material for staged ones. */
  const sample = (directory: string) =>
    Effect.scoped(Effect.andThen(FolderLock.acquire(directory), ownerFile(directory)))

  it.live("is a private file beside the folder, gone afterwards, and leaves the folder alone", () =>
    Effect.gen(function* () {
      const directory = folder()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const lock = yield* FolderLock.acquire(directory)
          assert.strictEqual(lock.directory, directory)
          const file = `${directory}.lock`
          assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
          assert.deepInclude(yield* ownerFile(directory), { pid: process.pid, url: null, token: null })
          assert.isFalse(existsSync(directory))
        })
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(directory, ".."))), [])
      assert.isUndefined(yield* FolderLock.readOwner(directory))
    })
  )

  it.live("refuses a second opener in one sentence that names the owner", () =>
    Effect.gen(function* () {
      const directory = folder()
      const lock = yield* FolderLock.acquire(directory)
      const before = yield* refusal(directory)
      assert.strictEqual(before.code, "UNAVAILABLE")
      assert.include(before.message, `in use by process ${process.pid}`)
      yield* lock.publish({ url: "http://127.0.0.1:4700", token: Redacted.make("local-secret") })
      const after = yield* refusal(directory)
      assert.include(after.message, `process ${process.pid} at http://127.0.0.1:4700`)
      assert.notInclude(after.message, "local-secret")
      assert.notInclude(after.message.slice(0, -1), ". ")
      const child = yield* Effect.promise(() => start(directory))
      assert.strictEqual((yield* Effect.promise(() => child.go())).refused, after.message)
      yield* Effect.promise(() => child.end("leave"))
      const owner = yield* FolderLock.readOwner(directory)
      assert.strictEqual(owner?.url, "http://127.0.0.1:4700")
      assert.strictEqual(owner?.token && Redacted.value(owner.token), "local-secret")
      assert.strictEqual((yield* Effect.promise(() => stat(`${directory}.lock`))).mode & 0o777, 0o600)
    }).pipe(Effect.scoped)
  )

  it.live("passes from process to process, in peace and after kill -9", () =>
    Effect.gen(function* () {
      const directory = folder()
      for (const how of ["leave", "SIGKILL"] as const) {
        const child = yield* Effect.promise(() => start(directory, "http://127.0.0.1:9"))
        assert.strictEqual((yield* Effect.promise(() => child.go())).held, child.pid)
        assert.strictEqual((yield* FolderLock.readOwner(directory))?.pid, child.pid)
        assert.include((yield* refusal(directory)).message, `process ${child.pid} at http://127.0.0.1:9`)
        yield* Effect.promise(() => child.end(how))
        assert.isUndefined(yield* FolderLock.readOwner(directory))
        yield* Effect.scoped(FolderLock.acquire(directory))
      }
    })
  )

  it.live("takes over from a pid that is gone, or that another process has now", () =>
    Effect.gen(function* () {
      const directory = folder()
      const own = yield* sample(directory)
      for (const stale of [
        { ...own, pid: 2 ** 22 + 7 },
        { ...own, birth: "1" }
      ]) {
        yield* plant(directory, stale)
        assert.isUndefined(yield* FolderLock.readOwner(directory))
        yield* Effect.scoped(FolderLock.acquire(directory))
      }
      // The very same process is alive.
      yield* plant(directory, own)
      assert.include((yield* refusal(directory)).message, `process ${process.pid}`)
    })
  )

  it.live("lets exactly one of eight contenders take over, every time", () =>
    Effect.gen(function* () {
      const directory = folder()
      const own = yield* sample(directory)
      for (let round = 0; round < 5; round++) {
        yield* plant(directory, { ...own, id: `stale-${round}`, pid: 2 ** 22 + 7 })
        // One takeover was killed half-way, too.
        if (round === 2) {
          const half = { ...own, id: "half", pid: 2 ** 22 + 8 }
          yield* Effect.promise(() => writeFile(`${FolderLock.lockFileOf(directory)}.stale-2`, JSON.stringify(half)))
        }
        const all = yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, () => start(directory))))
        const answers = yield* Effect.promise(() => Promise.all(all.map(({ go }) => go())))
        const winners = answers.flatMap(({ held }) => (held === undefined ? [] : [held]))
        assert.strictEqual(winners.length, 1, JSON.stringify(answers))
        assert.strictEqual((yield* ownerFile(directory)).pid, winners[0])
        for (const { refused } of answers) if (refused !== undefined) assert.match(refused, /in use by process \d+/)
        yield* Effect.promise(() => Promise.all(all.map(({ end }) => end("leave"))))
        assert.isUndefined(yield* FolderLock.readOwner(directory))
      }
    })
  )

  it.live("judges an owner in another container by its URL or a sign of life, never by age", () =>
    Effect.gen(function* () {
      const directory = folder()
      const own = yield* sample(directory)
      const foreign = { ...own, host: `${hostname()}/elsewhere/`, pid: 1 }

      const server = createServer((_, response) => response.end("ok"))
      yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
      const address = server.address()
      const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
      yield* plant(directory, { ...foreign, url })
      assert.include((yield* refusal(directory)).message, url)
      server.close()
      server.closeAllConnections()

      yield* plant(directory, { ...foreign, url })
      const touching = setInterval(() => void utimes(`${directory}.lock`, new Date(), new Date()), 300)
      assert.include((yield* refusal(directory)).message, "process 1")
      clearInterval(touching)

      const before = performance.now()
      yield* Effect.scoped(FolderLock.acquire(directory, { timeout: 1500 }))
      assert.isAtLeast(performance.now() - before, 1500)
    })
  )

  it.live("says so when the lock file cannot be written", () =>
    Effect.gen(function* () {
      const file = join(root, "a-file")
      yield* Effect.promise(() => writeFile(file, ""))
      const failure = yield* refusal(join(file, "data"))
      assert.strictEqual(failure.code, "UNAVAILABLE")
      assert.include(failure.message, "SVC_DATABASE_URL=pglite:FOLDER")
    })
  )
})
