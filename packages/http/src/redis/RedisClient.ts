/**
 * A connection to Redis that is opened when it is needed and given up when an answer does not come.
 *
 * Commands are written as they are asked for and answered in that order. Whatever goes wrong with one ends the connection,
 * since nobody could tell whose the next reply is; the next command opens another.
 */
import { connect as connectPlain, isIP, type Socket } from "node:net"
import { connect as connectSecure } from "node:tls"
import * as Redacted from "effect/Redacted"
import { parseReply, type RedisReply, requestOf } from "./RedisReply.ts"
import type { RedisTarget } from "./RedisUrl.ts"

/** Sends commands. A promise is rejected with an Error, whose message holds no secret. */
export interface RedisClient {
  readonly send: (command: ReadonlyArray<string>) => Promise<RedisReply>
  readonly close: () => void
}

interface Waiting {
  readonly resolve: (reply: RedisReply) => void
  readonly reject: (error: Error) => void
}

interface Connection {
  readonly send: (command: ReadonlyArray<string>) => Promise<RedisReply>
  readonly end: (error: Error) => void
}

const openSocket = ({ host, isSecure, port }: RedisTarget): Socket =>
  isSecure
    ? connectSecure({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connectPlain({ host, port, noDelay: true })

/** A socket on which replies are matched with commands. `onEnd` is told once, whatever ended it. */
const talk = (socket: Socket, patience: number, onEnd: () => void): Connection => {
  const waiting: Array<Waiting> = []
  let bytes: Buffer = Buffer.alloc(0)
  let ended: Error | undefined
  const end = (error: Error) => {
    if (ended !== undefined) return
    ended = error
    onEnd()
    socket.destroy()
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  socket.on("error", (error) => end(new Error(`Redis cannot be reached: ${error.message}`)))
  socket.on("close", () => end(new Error("Redis closed the connection.")))
  socket.on("data", (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    let from = 0
    while (from < bytes.length) {
      const parsed = parseReply(bytes, from)
      if (parsed === "partial") break
      const asked = waiting.shift()
      if (parsed === "broken" || asked === undefined) return end(new Error("What answers is not Redis."))
      asked.resolve(parsed.reply)
      from = parsed.next
    }
    bytes = bytes.subarray(from)
  })
  const send = (command: ReadonlyArray<string>) =>
    new Promise<RedisReply>((resolve, reject) => {
      if (ended !== undefined) return reject(ended)
      const limit = setTimeout(() => end(new Error(`Redis did not answer within ${patience} ms.`)), patience)
      const settled = () => clearTimeout(limit)
      waiting.push({
        resolve: (reply) => {
          settled()
          resolve(reply)
        },
        reject: (error) => {
          settled()
          reject(error)
        }
      })
      // Until the socket is connected Node keeps what is written.
      socket.write(requestOf(command))
    })
  return { send, end }
}

/** The commands that let a connection in, and what is said when one is refused. */
const greetings = ({ database, password, username }: RedisTarget): ReadonlyArray<ReadonlyArray<string>> => [
  ...(password === undefined
    ? []
    : [["AUTH", ...(username === undefined ? [] : [username]), Redacted.value(password)]]),
  ...(database === 0 ? [] : [["SELECT", String(database)]])
]

const isRefusal = (reply: RedisReply): reply is { readonly refusal: string } =>
  typeof reply === "object" && reply !== null && "refusal" in reply

/** A client. `patience`, in milliseconds, bounds every answer, the first one with connecting. */
export const makeRedisClient = (target: RedisTarget, patience = 500): RedisClient => {
  let current: Connection | undefined
  const open = (): Connection => {
    const connection = talk(openSocket(target), patience, () => {
      if (current === connection) current = undefined
    })
    for (const greeting of greetings(target)) {
      connection.send(greeting).then(
        (reply) => {
          if (isRefusal(reply))
            connection.end(new Error(`Redis refuses ${greeting[0]}: ${reply.refusal.slice(0, 100)}`))
        },
        () => undefined
      )
    }
    return connection
  }
  return {
    send: async (command) => {
      current ??= open()
      const reply = await current.send(command)
      if (isRefusal(reply)) throw new Error(reply.refusal.slice(0, 200))
      return reply
    },
    close: () => current?.end(new Error("The client was closed."))
  }
}
