/** A throwaway PgBouncer in front of a throwaway PostgreSQL: each transaction gets the session that is free. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { freePort } from "./freePort.ts"
import { serverUser } from "./PostgresCluster.ts"

/** A running bouncer on 127.0.0.1. */
export interface PgBouncer {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** The program: on PATH, or where Debian has it. */
export const findPgBouncer = (): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
    .map((folder) => join(folder, "pgbouncer"))
    .find((file) => existsSync(file))

const responds = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => socket.end(() => resolve(true)))
    socket.once("error", () => resolve(false))
  })

/** Starts it in transaction mode, with its defaults where the tests allow it. `server` is the URL of a superuser who needs no password. */
export const startPgBouncer = async (program: string, server: string): Promise<PgBouncer> => {
  const { hostname, port: serverPort, username } = new URL(server)
  const user = await serverUser()
  const directory = await mkdtemp(join(tmpdir(), "svc-pgbouncer-"))
  const port = await freePort()
  const config = join(directory, "pgbouncer.ini")
  await writeFile(join(directory, "users"), `"${username}" ""\n`)
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(directory, "users")}
auth_user = ${username}
max_client_conn = 2000
server_idle_timeout = 5
`
  )
  if (user !== undefined) {
    for (const file of ["", "users", "pgbouncer.ini"]) await chown(join(directory, file), user.uid, user.gid)
  }
  const child = spawn(program, ["-q", config], { ...user, cwd: directory, stdio: "ignore" })
  const exit = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const stop = async () => {
    child.kill("SIGTERM")
    await exit
    await rm(directory, { recursive: true, force: true })
  }
  for (let attempt = 0; !(await responds(port)); attempt++) {
    if (attempt < 100 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50))
    else {
      await stop()
      throw new Error("PgBouncer did not start.")
    }
  }
  return { port, stop }
}
