/** A throwaway Redis from the `redis-server` that is installed on this machine, without files. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { connect } from "node:net"
import { delimiter, join } from "node:path"
import { freePort } from "./freePort.ts"

/** A running server on 127.0.0.1. */
export interface RedisServer {
  readonly port: number
  readonly close: () => Promise<void>
}

/** The path of `redis-server`; undefined when it is not installed. */
export const findRedis = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "redis-server"))
    .find((path) => existsSync(path))

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("error", () => resolve(false))
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
  })

/** Starts the program at `path`. */
export const startRedis = async (
  path: string,
  options: { readonly port?: number; readonly password?: string } = {}
): Promise<RedisServer> => {
  const port = options.port ?? (await freePort())
  const login = options.password === undefined ? [] : ["--requirepass", options.password]
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...login]
  const server = spawn(path, flags, { stdio: "ignore" })
  const exit = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  const kill = () => void server.kill("SIGKILL")
  process.once("exit", kill)
  for (let attempt = 0; !(await accepts(port)); attempt++) {
    if (attempt > 200 || server.exitCode !== null) throw new Error("Redis did not start.")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    close: () => {
      process.off("exit", kill)
      server.kill("SIGTERM")
      return exit
    }
  }
}
