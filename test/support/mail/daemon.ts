/** Servers of this machine that run in the foreground, each in a temporary folder of its own. */
import { execFile, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

/** A program: on PATH, or where Debian has those of servers. Undefined when it is not installed. */
export const findProgram = (name: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))

/** The programs of these that are not installed. */
export const missingPrograms = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => findProgram(name) === undefined)

/** Runs a program to its end, whatever its exit code is. `input` is what it reads from stdin. */
export const ran = (
  name: string,
  args: ReadonlyArray<string>,
  input: string | Uint8Array = ""
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    const child = execFile(findProgram(name) ?? name, args, { maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` })
    )
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(input)
  })

/** Runs a program, which must succeed. Returns what it printed. */
export const succeeded = async (name: string, args: ReadonlyArray<string>, input?: string | Uint8Array) => {
  const { code, output } = await ran(name, args, input)
  if (code !== 0) throw new Error(`${name} ${args.join(" ")} ended with ${code}: ${output}`)
  return output
}

/** A temporary folder. */
export interface TestFolder {
  readonly path: string
  readonly remove: () => Promise<void>
}

/** Makes a folder that other users may look into. */
export const openFolder = async (name: string): Promise<TestFolder> => {
  const path = await mkdtemp(join(tmpdir(), `svc-${name}-`))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("error", () => resolve(false))
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
  })

const maxLooks = 600

/** How to start a server. */
interface Start {
  readonly args: ReadonlyArray<string>
  /** Its ports of 127.0.0.1: it runs once it listens on them. */
  readonly ports: ReadonlyArray<number>
  /** What is removed when it has ended. */
  readonly folder: TestFolder
  /** Where one that forks writes which process it is. */
  readonly pidFile?: string
}

/** Starts a server that stays in the foreground. Returns what ends it; it ends with this process, too. */
export const startDaemon = async (
  name: string,
  { args, folder, pidFile, ports }: Start
): Promise<() => Promise<void>> => {
  const child = spawn(findProgram(name) ?? name, args, { stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-4_000)
    })
  }
  const exit = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const kill = () => {
    if (pidFile === undefined || !existsSync(pidFile)) child.kill("SIGTERM")
    else process.kill(Number(readFileSync(pidFile, "utf8").trim()), "SIGTERM")
  }
  process.once("exit", kill)
  const stop = async () => {
    process.off("exit", kill)
    kill()
    await exit
    await folder.remove()
  }
  for (const port of ports) {
    for (let look = 0; !(await accepts(port)); look++) {
      if (look < maxLooks && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50))
      else {
        await stop()
        throw new Error(`${name} did not start: ${said}`)
      }
    }
  }
  return stop
}
