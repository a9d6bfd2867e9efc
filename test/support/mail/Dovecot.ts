/** A throwaway Dovecot: anybody is a user, with the password `secret`. Mails come over LMTP and are read over IMAP, or here. */
import { chown, mkdir, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "../freePort.ts"
import { serverUser } from "../PostgresCluster.ts"
import { openFolder, startDaemon, succeeded } from "./daemon.ts"

/** A running server on 127.0.0.1. A user is whatever stands before the `@` of an address, in lower case. */
export interface Dovecot {
  readonly imapPort: number
  readonly lmtpPort: number
  /** Delivers a mail over LMTP, as a mail server does; `from` is the return path. */
  readonly put: (to: string, source: string | Uint8Array, from?: string) => Promise<void>
  /** The source texts of a folder, by UID. */
  readonly list: (user: string, folder?: string) => Promise<ReadonlyArray<string>>
  /** Creates a folder. */
  readonly create: (user: string, folder: string) => Promise<unknown>
  /** Moves all mails of a folder to another. */
  readonly move: (user: string, from: string, to: string) => Promise<unknown>
  /** Moves a folder away, and another into its place. */
  readonly rename: (user: string, from: string, to: string) => Promise<unknown>
  /** Gives a folder a new UIDVALIDITY, as a restored server has. */
  readonly changeValidity: (user: string, folder?: string) => Promise<unknown>
  /** Closes every connection of a user. */
  readonly cut: (user: string) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export const dovecotPassword = "secret"

/** How users log in with an access token instead: who says whose token it is (RFC 7662), as user `sub`. */
export interface DovecotTokens {
  /** `xoauth2`, `oauthbearer`, or both with a space between. */
  readonly mechanisms: string
  /** Where tokens are introspected, with the client's id and secret in the URL. */
  readonly introspection: string
}

const tokenConfigOf = ({ introspection }: DovecotTokens) => `
introspection_url = ${introspection}
introspection_mode = post
username_attribute = sub
active_attribute = active
active_value = true
`

/** The passdb of tokens. Those of passwords answer to no mechanism of tokens, and the other way round. */
const tokenPassdbOf = (file: string, { mechanisms }: DovecotTokens) => `
auth_mechanisms = plain login ${mechanisms}
passdb {
  driver = oauth2
  mechanisms = ${mechanisms}
  args = ${file}
}
`

const configOf = (folder: string, ports: { readonly imap: number; readonly lmtp: number }, mailUser: string) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_username_format = %Ln
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
mail_max_userip_connections = 100
first_valid_uid = 0
recipient_delimiter =
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${ports.lmtp}
  }
}
service stats {
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
passdb {
  driver = static
  mechanisms = plain login
  args = password=${dovecotPassword}
}
userdb {
  driver = static
  args = ${mailUser} home=${folder}/mail/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
}
`

/** Transmits one mail over LMTP (RFC 2033). */
const deliver = (port: number, from: string, to: string, source: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    const body = source.replace(/\r?\n/g, "\r\n").replace(/^\./gm, "..")
    const steps = ["LHLO test", `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, "DATA", `${body}\r\n.`, "QUIT"]
    socket.once("error", reject)
    createInterface({ input: socket }).on("line", (line) => {
      if (/^\d{3}-/.test(line)) return
      if (!/^[23]/.test(line)) reject(new Error(`LMTP to ${to}: ${line}`))
      const step = steps.shift()
      if (step !== undefined) socket.write(Buffer.from(`${step}\r\n`, "latin1"))
      if (step === undefined || !/^[23]/.test(line)) {
        socket.end()
        resolve()
      }
    })
  })

/** Starts it. */
export const startDovecot = async (tokens?: DovecotTokens): Promise<Dovecot> => {
  const folder = await openFolder("dovecot")
  const ports = { imap: await freePort(), lmtp: await freePort() }
  const user = await serverUser()
  const config = join(folder.path, "dovecot.conf")
  for (const name of ["run", "state", "mail"]) await mkdir(join(folder.path, name))
  if (user !== undefined) await chown(join(folder.path, "mail"), user.uid, user.gid)
  const mailUser = user ?? { uid: process.getuid?.(), gid: process.getgid?.() }
  const tokenConfig = join(folder.path, "tokens.conf")
  if (tokens !== undefined) await writeFile(tokenConfig, tokenConfigOf(tokens))
  const base = configOf(folder.path, ports, `uid=${mailUser.uid} gid=${mailUser.gid}`)
  await writeFile(config, tokens === undefined ? base : base + tokenPassdbOf(tokenConfig, tokens))
  const stop = await startDaemon("dovecot", { args: ["-F", "-c", config], ports: Object.values(ports), folder })
  const admin = (...args: ReadonlyArray<string>) => succeeded("doveadm", ["-c", config, ...args])
  let validity = 1
  return {
    imapPort: ports.imap,
    lmtpPort: ports.lmtp,
    put: (to, source, from = "someone@elsewhere.example") =>
      deliver(ports.lmtp, from, to, Buffer.from(source).toString("latin1")),
    list: async (name, box = "INBOX") => {
      const printed = await admin("-f", "json", "fetch", "-u", name, "text", "mailbox", box, "ALL").catch(() => "[]")
      const mails: ReadonlyArray<{ readonly text: string }> = JSON.parse(printed)
      return mails.map(({ text }) => text)
    },
    create: (name, box) => admin("mailbox", "create", "-u", name, box),
    move: (name, from, to) => admin("move", "-u", name, to, "mailbox", from, "ALL"),
    rename: (name, from, to) => admin("mailbox", "rename", "-u", name, from, to),
    changeValidity: (name, box = "INBOX") =>
      admin("mailbox", "update", "-u", name, "--uid-validity", String(++validity), box),
    cut: (name) => admin("kick", name).catch(() => undefined),
    stop
  }
}
