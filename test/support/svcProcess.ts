/** The command line as a process of its own. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { svcBundle } from "./svcBundle.ts"

/** Where and with what a process runs. Nothing of this process's environment reaches it but PATH. */
export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** More flags of Node. */
  readonly nodeFlags?: ReadonlyArray<string>
}

/** What a process did. `code` is null when a signal ended it. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The variables of a run: nothing of this process but what it cannot do without. */
export const environment = (env: RunOptions["env"]): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  NODE_NO_WARNINGS: "1",
  // Node never removes what it has kept.
  NODE_DISABLE_COMPILE_CACHE: "1",
  // Nobody's profiles.
  XDG_CONFIG_HOME: join(tmpdir(), "svc-test-no-profiles"),
  // Nobody else uses the servers of tests, and databases are there or are not.
  SVC_DRAIN_SECONDS: "0",
  SVC_DATABASE_WAIT_SECONDS: "0",
  ...env
})

/** A folder that `remove` takes away. */
export const temporaryFolder = async (): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), "svc-test-"))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve(code))
  })

const collect = (stream: Readable): (() => string) => {
  const chunks: Array<Buffer> = []
  stream.on("data", (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString("utf8")
}

/** Runs `svc` with arguments to its end. */
export const svc = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> => {
  const child = spawn(process.execPath, [await svcBundle(), ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: environment(options.env),
    stdio: ["pipe", "pipe", "pipe"]
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  child.stdin.on("error", () => undefined)
  child.stdin.end(options.input ?? "")
  const code = await exitOf(child)
  return { code, stdout: stdout(), stderr: stderr() }
}

/** The one JSON value that stdout must be: one line, nothing before or after. Throws otherwise. */
export const oneJson = ({ stderr, stdout }: Ran): Readonly<Record<string, unknown>> => {
  if (!/^[^\n]+\n$/.test(stdout))
    throw new Error(`stdout is not one line: ${JSON.stringify(stdout)}; stderr: ${stderr}`)
  return Object(JSON.parse(stdout))
}

/** A server that runs. */
export interface RunningSvc {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  readonly url: string
  /** The decoded ready line. */
  readonly ready: Readonly<Record<string, unknown>>
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a signal and answers the exit code, null when the signal itself ended it. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts `svc dev` or `svc serve` on the `--port` of its arguments, else a free one, or `svc worker`, and waits for its ready line. Fails when it ends before. */
export const startSvc = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<RunningSvc> => {
  const port = args[0] === "worker" || args.includes("--port") ? [] : ["--port", "0"]
  const flags = options.nodeFlags ?? []
  const child = spawn(process.execPath, [...flags, await svcBundle(), ...args, "--json", ...port], {
    cwd: options.cwd ?? tmpdir(),
    env: environment(options.env),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const exit = exitOf(child)
  const line = new Promise<string>((resolve) => {
    const look = () => {
      if (stdout().includes("\n")) resolve(stdout())
    }
    child.stdout.on("data", look)
  })
  const first = await Promise.race([line, exit])
  if (typeof first !== "string") throw new Error(`svc ${args.join(" ")} ended with ${first}: ${stdout()}${stderr()}`)
  const ready: Readonly<Record<string, unknown>> = Object(JSON.parse(first))
  if (ready["event"] !== "ready") throw new Error(`svc ${args.join(" ")} is not ready: ${first}${stderr()}`)
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    return exit
  }
  return { child, url: String(ready["url"]), ready, stdout, stderr, stop }
}
