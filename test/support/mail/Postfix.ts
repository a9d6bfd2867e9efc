/**
 * A throwaway Postfix with folders of its own. It takes mail for every domain and hands it to Dovecot, but for addresses whose
 * name says what becomes of it: those it reports to the sender, with delivery reports (RFC 3464) as it writes them.
 */
import { chown, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { freePort } from "../freePort.ts"
import { openFolder, startDaemon, succeeded } from "./daemon.ts"

/** A running server on 127.0.0.1. */
export interface Postfix {
  readonly port: number
  /** How many mails wait. */
  readonly queued: () => Promise<number>
  /** How many reports it wrote about an address. */
  readonly reports: (address: string) => Promise<number>
  readonly stop: () => Promise<void>
}

/** What becomes of a mail, by how the name of its address begins. `refused` is said in the dialogue, the others come as reports. */
export const fates = {
  refused: "550 5.1.1 No such user here",
  gone: "error:5.1.1 The mailbox does not exist",
  full: "error:5.2.2 The mailbox is full",
  policy: "error:5.7.1 Message refused by local policy",
  moved: "error:5.1.6 The person has moved",
  late: "retry:4.3.2 The system does not accept messages for now"
} as const

export type Fate = keyof typeof fates

const transports = Object.entries(fates)
  .filter(([name]) => name !== "refused")
  .map(([name, what]) => `/^${name}[-0-9@]/ ${what}`)

const mainOf = (folder: string, lmtpPort: number) => `
compatibility_level = 3.6
config_directory = ${folder}/config
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.relay.example
mydestination =
smtpd_reject_unlisted_recipient = no
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
local_recipient_maps =
default_transport = lmtp:inet:127.0.0.1:${lmtpPort}
relay_transport = lmtp:inet:127.0.0.1:${lmtpPort}
transport_maps = regexp:${folder}/config/transport
smtpd_recipient_restrictions = check_recipient_access regexp:${folder}/config/refused, permit_mynetworks, reject
lmtp_destination_concurrency_limit = 4
delay_warning_time = 1s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
queue_run_delay = 1s
bounce_queue_lifetime = 1m
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
`

const services = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
`

/** Whether it may be started: only root starts it. */
export const mayStartPostfix = (): boolean => process.getuid?.() === 0

const ownerOf = async (name: string) => {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((one) => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(":") ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** Starts it before a Dovecot. */
export const startPostfix = async (lmtpPort: number): Promise<Postfix> => {
  const folder = await openFolder("postfix")
  const config = join(folder.path, "config")
  const port = await freePort()
  const { gid, uid } = await ownerOf("postfix")
  for (const name of ["config", "queue", "data"]) await mkdir(join(folder.path, name))
  await chown(join(folder.path, "data"), uid, gid)
  await writeFile(join(config, "main.cf"), mainOf(folder.path, lmtpPort))
  await writeFile(join(config, "master.cf"), services(port))
  await writeFile(join(config, "transport"), `${transports.join("\n")}\n`)
  await writeFile(join(config, "refused"), `/^refused[-0-9@]/ ${fates.refused}\n`)
  const stop = await startDaemon("postfix", {
    args: ["-c", config, "start-fg"],
    ports: [port],
    folder,
    pidFile: join(folder.path, "queue/pid/master.pid")
  })
  return {
    port,
    queued: async () => {
      const listed = await succeeded("postqueue", ["-c", config, "-j"])
      return listed.split("\n").filter((line) => line !== "").length
    },
    reports: async (address) => {
      const log = await readFile(join(folder.path, "log"), "utf8")
      return log.split("\n").filter((line) => line.includes(`to=<${address}>`) && line.includes("status=bounced"))
        .length
    },
    stop
  }
}

/** What swaks sends. */
interface SwaksMail {
  readonly from: string
  readonly to: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a mail with swaks. */
export const swaks = (port: number, { body, from, headers, to }: SwaksMail): Promise<string> =>
  succeeded("swaks", [
    ...["--server", "127.0.0.1", "--port", String(port), "--from", from, "--to", to, "--body", body],
    ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`])
  ])
