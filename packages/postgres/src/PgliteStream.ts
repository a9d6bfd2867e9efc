/**
 * PGlite as what connections of the PostgreSQL client speak to, inside the process: the `stream` option of the client.
 *
 * PGlite has one session. A connection has it until it ends, and the next one waits, rolls back what it left open, and removes
 * its statements and settings. Encryption, COPY, and cancelling a statement are not possible.
 */
import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"
import { setImmediate } from "node:timers/promises"
import type { PGlite } from "@electric-sql/pglite"

/** The protocol's version, in the first message of a connection. A request to cancel a statement has another number there. */
const version = 0x30000

/** A sync, since an interrupted failed cycle ignores everything else, and two queries. */
const reset = Buffer.from("S\0\0\0\x04Q\0\0\0\x0drollback\0Q\0\0\0\x10discard all\0")

/** Opens connections to a PGlite, which nothing else may use. What is written to one at once must be whole messages. */
export const makePgliteStream = (database: PGlite): (() => Duplex) => {
  let turns = 0
  let ended: Promise<unknown> = Promise.resolve()
  const send = (messages: Buffer) =>
    database.runExclusive(async () => {
      // Statements run in this thread, so let timers and sockets run.
      if (++turns % 32 === 0) await setImmediate()
      const parts: Array<Uint8Array> = []
      await database.execProtocolRawStream(messages, { onRawData: (part) => parts.push(part.slice()) })
      return Buffer.concat(parts)
    })
  const begin = (connection: Duplex) => {
    const begun = ended.then(() => send(reset))
    ended = Promise.all([ended, new Promise((resolve) => connection.once("close", resolve))])
    return begun
  }
  return () =>
    new Duplex({
      read: () => {},
      write(messages: Buffer, _encoding, done) {
        const isFirst = messages[0] === 0
        if (isFirst && messages.readInt32BE(4) !== version) {
          this.destroy()
          return
        }
        const sent = isFirst ? begin(this).then(() => send(messages)) : send(messages)
        sent.then(
          (response) => {
            this.push(response)
            done()
          },
          (cause) => done(new Error("PGlite stopped working. Restart the process.", { cause }))
        )
      },
      final(done) {
        done()
        this.destroy()
      }
    })
}
