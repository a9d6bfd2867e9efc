/**
 * A Redis on this machine: over real TCP or TLS, with what the shared limits ask of one. Scripts are known by what they do,
 * not run: the token bucket of Effect's store is the only one.
 */
import { createHash } from "node:crypto"
import { createServer as createPlain, type Server, type Socket } from "node:net"
import { createServer as createSecure } from "node:tls"
import { localCertificate, localKey } from "./localCertificate.ts"

/** What a fake demands, and whether it is one that never answers. */
export interface FakeRedisOptions {
  readonly username?: string
  readonly password?: string
  readonly secure?: boolean
  readonly silent?: boolean
  readonly port?: number
}

/** The fake. */
export interface FakeRedis {
  readonly port: number
  /** Commands as they came, the texts of scripts left out. */
  readonly commands: () => ReadonlyArray<ReadonlyArray<string>>
  /** How often it was connected to. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Takes whole commands off the front of what came in. */
const commandsIn = (text: string): { readonly commands: Array<Array<string>>; readonly rest: string } => {
  const commands: Array<Array<string>> = []
  let rest = text
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(rest)
    if (head === null) return { commands, rest }
    let place = head[0].length
    const parts: Array<string> = []
    while (parts.length < Number(head[1])) {
      const size = /^\$(\d+)\r\n/.exec(rest.slice(place))
      if (size === null) return { commands, rest }
      const start = place + size[0].length
      const end = start + Number(size[1])
      if (rest.length < end + 2) return { commands, rest }
      parts.push(rest.slice(start, end))
      place = end + 2
    }
    commands.push(parts)
    rest = rest.slice(place)
  }
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`

/** Starts one. */
export const fakeRedis = async (options: FakeRedisOptions = {}): Promise<FakeRedis> => {
  const seen: Array<ReadonlyArray<string>> = []
  const values = new Map<string, number>()
  const scripts = new Set<string>()
  const sockets = new Set<Socket>()
  let connections = 0

  const takeToken = ([key = "", refillKey = "", ...args]: ReadonlyArray<string>): string => {
    const [tokens = 0, refillMillis = 1, limit = 0, now = 0] = args.map(Number)
    let held = values.get(key) ?? limit
    let refilled = values.get(refillKey) ?? now
    const more = Math.floor((now - refilled) / refillMillis)
    if (more > 0) {
      held = Math.min(held + more, limit)
      refilled += more * refillMillis
    }
    if (held >= limit) refilled = now
    values.set(key, held - tokens >= 0 ? held - tokens : held)
    values.set(refillKey, refilled)
    return `*2\r\n${bulk(String(held - tokens))}${bulk(String(Math.max(0, now - refilled)))}`
  }

  const answer = (command: ReadonlyArray<string>, state: { isKnown: boolean }): string => {
    const [name = "", ...args] = command
    if (name === "AUTH") {
      const [password, username = "default"] = [args.at(-1), args.length > 1 ? args[0] : undefined]
      state.isKnown = password === options.password && username === (options.username ?? "default")
      return state.isKnown ? "+OK\r\n" : "-WRONGPASS invalid username-password pair or user is disabled.\r\n"
    }
    if (!state.isKnown) return "-NOAUTH Authentication required.\r\n"
    if (name === "SELECT") return "+OK\r\n"
    if (name === "PING") return "+PONG\r\n"
    if (name === "SCRIPT" && args[0] === "FLUSH") {
      scripts.clear()
      return "+OK\r\n"
    }
    if (name === "SCRIPT") {
      const sha = createHash("sha1")
        .update(args[1] ?? "")
        .digest("hex")
      scripts.add(sha)
      return bulk(sha)
    }
    if (name === "EVALSHA") {
      return scripts.has(args[0] ?? "") ? takeToken(args.slice(2)) : "-NOSCRIPT No matching script.\r\n"
    }
    return `-ERR unknown command '${name}'\r\n`
  }

  const serve = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    socket.on("error", () => undefined)
    const state = { isKnown: options.password === undefined }
    let text = ""
    socket.on("data", (chunk) => {
      const { commands, rest } = commandsIn(text + chunk.toString("latin1"))
      text = rest
      for (const command of commands) {
        seen.push(command.map((part) => (part.length > 200 ? "(script)" : part)))
        if (options.silent !== true) socket.write(answer(command, state))
      }
    })
  }
  const server: Server =
    options.secure === true ? createSecure({ key: localKey, cert: localCertificate }, serve) : createPlain(serve)
  server.on("tlsClientError", () => undefined)
  server.listen(options.port ?? 0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    commands: () => seen,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
