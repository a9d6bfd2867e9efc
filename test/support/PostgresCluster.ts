/**
 * A throwaway PostgreSQL for the tests, from the binaries that are installed on this machine; also when run as root,
 * whom PostgreSQL refuses to serve. Plain Node, since it runs outside of any test.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, realpathSync } from "node:fs"
import { chown, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./freePort.ts"

const run = promisify(execFile)

/** The role that tests connect as. No schema or table has its name, so `"$user"` of the search path finds nothing. */
const role = "app_owner"

/** A running server. `url` is that of a superuser in the database `postgres`. */
export interface PostgresCluster {
  readonly url: string
  /** The folder of its files. */
  readonly data: string
  /** Kills the server with SIGKILL and starts it again on the same port. */
  readonly crash: () => Promise<void>
  /** Stops the server, runs `meanwhile`, and starts it again on the same port. */
  readonly restart: (meanwhile?: () => Promise<unknown>) => Promise<void>
  /** Stops the server and removes its files. */
  readonly stop: () => Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

const installations = (): ReadonlyArray<string> => {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(root, version, "bin"))
}

const pgConfig = (): ReadonlyArray<string> => {
  try {
    return [execFileSync("pg_config", ["--bindir"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()]
  } catch {
    return []
  }
}

/** The folder that holds both `initdb` and `postgres`: on PATH, in the usual places, or where `pg_config` says. */
export const findPostgres = (): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), ...installations(), ...pgConfig()].find(
    (folder) => folder !== "" && existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres"))
  )

/** A program that comes with the server, such as `pg_dump`: beside it, wherever it is linked from. */
export const postgresTool = (name: string): string =>
  join(dirname(realpathSync(join(findPostgres() ?? "", "postgres"))), name)

/** Whom the server runs as: undefined for this user; under root some user who has a name, as `initdb` demands. */
export const serverUser = async (): Promise<User | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"))
  const pick = ["postgres", "nobody"].map((name) => users.find((fields) => fields[0] === name))
  const found = [...pick, ...users].find((fields) => fields !== undefined && Number(fields[2]) > 0)
  if (found === undefined) throw new Error("PostgreSQL does not run as root, and there is no other user.")
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** The server writes its state into the last line of a file that has its pid in the first. */
const isReady = (data: string, pid: number | undefined): Promise<boolean> =>
  readFile(join(data, "postmaster.pid"), "utf8").then(
    (text) => {
      const lines = text.split("\n").map((line) => line.trim())
      return lines[0] === String(pid) && lines[7] === "ready"
    },
    () => false
  )

const waitUntilReady = async (data: string, server: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (server.exitCode !== null) throw new Error("PostgreSQL stopped while starting.")
    if (await isReady(data, server.pid)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("PostgreSQL did not become ready within 30 seconds.")
}

/**
 * Creates and starts a server on a free port of 127.0.0.1. It forgoes every safety against power cuts, and sorts text
 * by language where it can, so that a query which relies on byte order without saying so is found out. `changes` are settings
 * of its own, such as `synchronous_commit` for one that is to survive a crash. `fill` makes its files, instead of `initdb`.
 */
export const startPostgres = async (
  bin: string,
  changes: Readonly<Record<string, string>> = {},
  fill?: (data: string) => Promise<unknown>
): Promise<PostgresCluster> => {
  const user = await serverUser()
  const directory = await mkdtemp(join(tmpdir(), "svc-postgres-"))
  const options = { cwd: directory, ...user, env: { PATH: process.env.PATH, TZ: "UTC", LC_ALL: "C" } }
  const data = join(directory, "data")
  if (user !== undefined) await chown(directory, user.uid, user.gid)
  const initialise = (...locale: ReadonlyArray<string>) =>
    run(join(bin, "initdb"), ["-D", data, "-U", role, "-A", "trust", "-E", "UTF8", "--no-sync", ...locale], options)
  /** Files that root has made become the server's. */
  const own = async () => {
    if (user !== undefined) await run("chown", ["-R", `${user.uid}:${user.gid}`, data])
  }
  if (fill !== undefined) await fill(data).then(own)
  else
    await initialise("--locale=C", "--locale-provider=icu", "--icu-locale=en").catch(async () => {
      await rm(data, { recursive: true, force: true })
      return initialise("--locale=C")
    })
  const port = await freePort()
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    shared_buffers: "64MB",
    max_connections: 200,
    log_min_messages: "fatal",
    ...changes
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const launch = () => {
    const server = spawn(join(bin, "postgres"), ["-D", data, ...flags], { ...options, stdio: "ignore" })
    const exit = new Promise<void>((resolve) => server.once("exit", () => resolve()))
    return { server, exit, ready: waitUntilReady(data, server) }
  }
  let current = launch()
  const kill = () => void current.server.kill("SIGQUIT")
  process.once("exit", kill)
  const end = async (signal: NodeJS.Signals) => {
    current.server.kill(signal)
    await current.exit
  }
  const stop = async () => {
    process.off("exit", kill)
    await end("SIGINT")
    await rm(directory, { recursive: true, force: true })
  }
  const crash = async () => {
    await end("SIGKILL")
    // Until the processes that it left have noticed, their memory is in use and no other server starts.
    for (let attempt = 0; ; attempt++) {
      current = launch()
      const cause = await current.ready.then(
        () => undefined,
        (failed: unknown) => failed
      )
      if (cause === undefined) return
      if (attempt > 100) throw cause
    }
  }
  const restart = async (meanwhile: () => Promise<unknown> = async () => undefined) => {
    await end("SIGINT")
    await meanwhile().then(own)
    current = launch()
    await current.ready
  }
  try {
    await current.ready
  } catch (cause) {
    await stop()
    throw cause
  }
  return { url: `postgres://${role}@127.0.0.1:${port}/postgres`, data, crash, restart, stop }
}

/** Copies the files of a running server. `--write-recovery-conf` makes a standby of the copy, which follows the server. */
export const baseBackup = (url: string, data: string, ...flags: ReadonlyArray<string>) =>
  run(postgresTool("pg_basebackup"), ["-d", url, "-D", data, "--checkpoint=fast", "--no-sync", ...flags])
