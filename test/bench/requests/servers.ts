/** The servers that are compared, each as a process of its own. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"

/** A running server. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** Milliseconds from its start to the first answer to `GET /api/v1/offers`. */
  readonly firstAnswer: number
  readonly stop: () => Promise<void>
}

/** Path of a file beside the bundled benchmark, which is in `test/dist`. */
export const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const cli = beside("../../packages/cli/bin/svc.js")

/** Fails when sources are newer than the program, which would then be an older one. */
export const refuseOldBuild = (): void => {
  const built = statSync(beside("../../packages/cli/dist/bundle/main.js")).mtimeMs
  for (const name of readdirSync(beside("../../packages"))) {
    const sources = beside(`../../packages/${name}/src`)
    if (!existsSync(sources)) continue
    const newer = readdirSync(sources, { recursive: true, encoding: "utf8" }).find(
      (file) => file.endsWith(".ts") && statSync(join(sources, file)).mtimeMs > built
    )
    if (newer !== undefined)
      throw new Error(`packages/${name}/src/${newer} is newer than the build. Run npm run build.`)
  }
}

const readyUrl = async (child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> => {
  let text = ""
  let problems = ""
  child.stderr.on("data", (chunk) => {
    problems += chunk
    if (text.includes("\n")) process.stderr.write(chunk)
  })
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    text += chunk
    if (text.includes("\n")) break
  }
  const ready: { readonly url?: string } = text.includes("\n") ? JSON.parse(text) : {}
  if (ready.url === undefined) throw new Error(`The server did not start: ${text}${problems}`)
  return ready.url
}

const running = new Set<Server>()

/** Stops the servers that still run. */
export const stopServers = async (): Promise<void> => {
  await Promise.all([...running].map(({ stop }) => stop()))
}

/** The option for memory that the unit, the image and `npm start` give Node; every server here gets it. */
const startOption = "--max-old-space-size=384"

const start = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  key: string
): Promise<Server> => {
  const begun = performance.now()
  const child = spawn(process.execPath, [startOption, ...args], {
    env: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1", NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const exit = once(child, "exit")
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  const url = await readyUrl(child)
  const { status } = await fetch(`${url}/api/v1/offers?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  const firstAnswer = performance.now() - begun
  if (status !== 200) throw new Error(`${url} returned ${status} at first.`)
  const stop = async () => {
    running.delete(server)
    process.off("exit", kill)
    child.kill("SIGTERM")
    await exit
  }
  const server: Server = { url, pid: child.pid ?? 0, firstAnswer, stop }
  running.add(server)
  return server
}

/** Settings of our server besides its database. */
export const ourSettings = {
  SVC_RATE_LIMIT: "0",
  SVC_DB_POOL: "32",
  SVC_LOG_LEVEL: "warn",
  SVC_LINKEDIN_GATEWAY: "simulator",
  SVC_DRAIN_SECONDS: "0"
} as const

/** Starts `svc serve --no-worker`; `flags` are those of Node. */
export const startOurs = (
  databaseUrl: string,
  key: string,
  flags: ReadonlyArray<string> = [],
  settings: Readonly<Record<string, string>> = {}
): Promise<Server> =>
  start(
    [...flags, cli, "serve", "--no-worker", "--json", "--port", "0"],
    { ...ourSettings, ...settings, SVC_DATABASE_URL: databaseUrl },
    key
  )

/** Starts `svc serve` with its workers. */
export const startWorker = (databaseUrl: string, key: string): Promise<Server> =>
  start([cli, "serve", "--json", "--port", "0"], { ...ourSettings, SVC_DATABASE_URL: databaseUrl }, key)

/** Starts the floor with the list of commands that it is to serve. */
export const startFloor = (catalogue: string): Promise<Server> =>
  start([beside("floorProcess.js")], { FLOOR_CATALOGUE: catalogue }, "none")

/** Starts the peer with the list of commands that it is to serve. */
export const startPeer = (databaseUrl: string, key: string, catalogue: string, pool: string): Promise<Server> =>
  start([beside("peerProcess.js")], { PEER_DATABASE_URL: databaseUrl, PEER_CATALOGUE: catalogue, PEER_POOL: pool }, key)

/** Runs `svc` to its end and returns what it printed as JSON. */
export const runSvc = async (databaseUrl: string, ...args: ReadonlyArray<string>): Promise<unknown> => {
  const child = spawn(process.execPath, [cli, ...args, "--json"], {
    env: { PATH: process.env["PATH"] ?? "", SVC_DATABASE_URL: databaseUrl, SVC_LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  let text = ""
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk
  return JSON.parse(text)
}

/** Runs a process of this benchmark with an argument and returns the JSON that it printed. */
export const runProcess = async <A>(file: string, argument: object): Promise<A> => {
  const child = spawn(process.execPath, [beside(file), JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let text = ""
  for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk
  if (text === "") throw new Error(`${file} failed.`)
  return JSON.parse(text)
}
