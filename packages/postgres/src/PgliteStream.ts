/**
 * PGlite behind the `stream` option of the PostgreSQL client: a wire between the two, inside the process.
 *
 * PGlite has one session. Each client connection takes it with the first frame of a command and gives it back when the
 * session says that no transaction is open, first come first served; so the statements of one connection never run
 * inside the transaction of another. What a session holds is still shared by all: settings changed without `local`,
 * temporary tables, session-level advisory locks, and LISTEN (UNLISTEN on one connection ends it for all). COPY and
 * cancelling a statement that already runs are not possible.
 *
 * Source: contract 4; data research, section 1 ("Bridge").
 */
import { Buffer } from "node:buffer"
import { randomInt } from "node:crypto"
import { Duplex } from "node:stream"
import type { PGlite } from "@electric-sql/pglite"
import * as Frames from "./PgliteFrames.ts"

/** The in-process wire to one PGlite. */
export interface PgliteStream {
  /** Opens a connection: the `stream` option of the client. */
  readonly connect: () => Duplex
  /** Ends every connection, rolls back what was open, and resolves when PGlite is at rest. */
  readonly close: () => Promise<void>
}

/** Frames after which PGlite has something to do: sync, simple query, flush. */
const endsBatch = new Set(["S", "Q", "H"])

class Connection extends Duplex {
  readonly pid: number
  readonly secret = randomInt(1, 2 ** 31)
  readonly statements = new Set<string>()
  readonly batches: Array<Buffer> = []
  readonly #session: Session
  readonly #reader = new Frames.FrameReader(true)
  #collected: Array<Buffer> = []
  #greeted = false

  constructor(session: Session, pid: number) {
    super({ allowHalfOpen: false })
    this.#session = session
    this.pid = pid
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      for (const frame of this.#reader.push(chunk)) this.#accept(frame)
      done()
    } catch (cause) {
      done(cause instanceof Error ? cause : new Error("A protocol frame could not be read.", { cause }))
    }
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#session.leave(this)
    done(error)
  }

  #accept(frame: Buffer): void {
    if (!this.#greeted) {
      this.#greet(frame)
      return
    }
    const type = Frames.typeOf(frame)
    if (type === "X") {
      this.destroy()
      return
    }
    if (type === "P") this.statements.add(Frames.textAt(frame, 5))
    if (type === "C" && frame[5] === 0x53) this.statements.delete(Frames.textAt(frame, 6))
    this.#collected.push(frame)
    if (!endsBatch.has(type)) return
    this.batches.push(Buffer.concat(this.#collected))
    this.#collected = []
    this.#session.enter(this)
  }

  #greet(frame: Buffer): void {
    const greeting = Frames.greetingOf(frame)
    switch (greeting._tag) {
      case "Encryption":
        this.push(Frames.refuseEncryption)
        return
      case "Startup":
        this.#greeted = true
        this.push(Frames.welcome(this.pid, this.secret))
        return
      case "Cancel":
        this.#session.cancel(greeting.pid, greeting.secret)
        this.destroy()
        return
      case "Unknown":
        throw new RangeError("The first protocol frame is not a greeting.")
    }
  }
}

/** One PGlite, lent to one connection at a time. */
class Session {
  readonly #database: PGlite
  readonly #connections = new Set<Connection>()
  readonly #waiting: Array<Connection> = []
  #holder: Connection | undefined
  #status = "I"
  #driving: Promise<void> | undefined
  #pids = 0
  #turns = 0
  #closed: Error | undefined

  constructor(database: PGlite) {
    this.#database = database
  }

  connect(): Duplex {
    const connection = new Connection(this, ++this.#pids)
    if (this.#closed === undefined) this.#connections.add(connection)
    else connection.destroy(this.#closed)
    return connection
  }

  /** The connection has something to do. */
  enter(connection: Connection): void {
    if (this.#holder !== connection && !this.#waiting.includes(connection)) this.#waiting.push(connection)
    this.#drive()
  }

  /** The connection is gone; its turn still comes once more, to clean up after it. */
  leave(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    connection.batches.length = 0
    this.enter(connection)
  }

  /** Answers a command that still waits for its turn as cancelled. One that runs cannot be stopped. */
  cancel(pid: number, secret: number): void {
    for (const connection of this.#connections) {
      if (connection.pid !== pid || connection.secret !== secret) continue
      const turn = this.#waiting.indexOf(connection)
      if (turn === -1) return
      this.#waiting.splice(turn, 1)
      for (const _ of connection.batches.splice(0)) connection.push(Frames.cancelled)
    }
  }

  async close(): Promise<void> {
    this.#closed ??= new Error("PGlite is closed.")
    for (const connection of [...this.#connections]) connection.destroy()
    while (this.#driving !== undefined) await this.#driving
  }

  #drive(): void {
    this.#driving ??= this.#run().finally(() => {
      this.#driving = undefined
      // Something may have come between the last look and here.
      if (this.#hasWork()) this.#drive()
    })
  }

  #hasWork(): boolean {
    const holder = this.#holder
    return holder === undefined ? this.#waiting.length > 0 : holder.batches.length > 0 || !this.#connections.has(holder)
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#holder ??= this.#waiting.shift()
      const holder = this.#holder
      if (holder === undefined) return
      const gone = !this.#connections.has(holder)
      const batch = gone ? this.#cleanup(holder) : holder.batches.shift()
      // In a transaction, between two statements of its connection.
      if (batch === undefined && this.#status !== "I") return
      if (batch !== undefined) await this.#execute(holder, batch)
      if (this.#status === "I") {
        this.#holder = undefined
        const left = !this.#connections.has(holder)
        if (holder.batches.length > 0 || (left && holder.statements.size > 0)) this.#waiting.push(holder)
      }
      // Statements run inside this thread: let timers and sockets have their turn.
      if (++this.#turns % 32 === 0) await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  #cleanup(gone: Connection): Buffer | undefined {
    // The sync comes first, since a failed cycle that was cut off ignores everything else.
    if (this.#status !== "I") return Buffer.concat([Frames.forget([]), Frames.query("ROLLBACK")])
    const names = [...gone.statements]
    gone.statements.clear()
    return names.length > 0 ? Frames.forget(names) : undefined
  }

  async #execute(holder: Connection, batch: Buffer): Promise<void> {
    const chunks: Array<Uint8Array> = []
    try {
      await this.#database.execProtocolRawStream(batch, { onRawData: (bytes) => chunks.push(bytes.slice()) })
      const answer = Buffer.concat(chunks)
      this.#inspect(holder, answer)
      if (this.#connections.has(holder) && answer.length > 0) holder.push(answer)
    } catch (cause) {
      this.#fail(new Error("PGlite stopped working; start the process again.", { cause }))
    }
  }

  /** Notes the transaction status, and tells the other connections what was notified. */
  #inspect(holder: Connection, answer: Buffer): void {
    // Not idle until the session says so: a flush in mid-cycle has no such frame.
    this.#status = "?"
    for (let at = 0; at + 5 <= answer.length; at += 1 + answer.readUInt32BE(at + 1)) {
      const type = answer[at]
      if (type === 0x5a) this.#status = String.fromCharCode(answer[at + 5] ?? 0x49)
      if (type === 0x41) {
        const notification = answer.subarray(at, at + 1 + answer.readUInt32BE(at + 1))
        for (const other of this.#connections) if (other !== holder) other.push(notification)
      }
    }
  }

  #fail(error: Error): void {
    this.#closed ??= error
    this.#status = "I"
    for (const connection of [...this.#connections]) {
      connection.statements.clear()
      connection.destroy(error)
    }
  }
}

/** Makes the wire. Nothing else may use the database while it is open. */
export const makePgliteStream = (database: PGlite): PgliteStream => {
  const session = new Session(database)
  return { connect: () => session.connect(), close: () => session.close() }
}
