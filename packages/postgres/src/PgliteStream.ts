/**
 * Connects PGlite to the `stream` option of the PostgreSQL client, inside the process.
 *
 * PGlite has one session. A connection acquires it with the first frame of a command and releases it when no transaction is
 * open, in order of arrival, so the statements of one connection never run inside the transaction of another. Session state
 * is still shared: settings changed without `local`, temporary tables, session-level advisory locks, and LISTEN (UNLISTEN
 * on one connection ends it for all). COPY and cancelling a running statement are not possible.
 */
import { Buffer } from "node:buffer"
import { randomInt } from "node:crypto"
import { Duplex } from "node:stream"
import type { PGlite } from "@electric-sql/pglite"
import * as Frames from "./PgliteFrames.ts"

/** The in-process connections to one PGlite. */
export interface PgliteStream {
  /** Opens a connection: the `stream` option of the client. */
  readonly connect: () => Duplex
  /** Ends every connection, rolls back open transactions, and resolves when PGlite is idle. */
  readonly close: () => Promise<void>
}

/** Frames that end a batch: sync, simple query, flush. */
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

/** One PGlite, used by one connection at a time. */
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

  /** The connection has a batch. */
  enter(connection: Connection): void {
    if (this.#holder !== connection && !this.#waiting.includes(connection)) this.#waiting.push(connection)
    this.#drive()
  }

  /** The connection is gone. It gets one more turn for the cleanup. */
  leave(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    connection.batches.length = 0
    this.enter(connection)
  }

  /** Cancels a command that still waits for its turn. A running one cannot be stopped. */
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
      // Work may have arrived since the last check.
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
      // Inside a transaction, waiting for the next statement of its connection.
      if (batch === undefined && this.#status !== "I") return
      if (batch !== undefined) await this.#execute(holder, batch)
      if (this.#status === "I") {
        this.#holder = undefined
        const left = !this.#connections.has(holder)
        if (holder.batches.length > 0 || (left && holder.statements.size > 0)) this.#waiting.push(holder)
      }
      // Statements run in this thread, so let timers and sockets run.
      if (++this.#turns % 32 === 0) await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  #cleanup(gone: Connection): Buffer | undefined {
    // Sync first, since an interrupted failed cycle ignores everything else.
    if (this.#status !== "I") return Buffer.concat([Frames.closeStatements([]), Frames.query("ROLLBACK")])
    const names = [...gone.statements]
    gone.statements.clear()
    return names.length > 0 ? Frames.closeStatements(names) : undefined
  }

  async #execute(holder: Connection, batch: Buffer): Promise<void> {
    const chunks: Array<Uint8Array> = []
    try {
      await this.#database.execProtocolRawStream(batch, { onRawData: (bytes) => chunks.push(bytes.slice()) })
      const output = Buffer.concat(chunks)
      this.#inspect(holder, output)
      if (this.#connections.has(holder) && output.length > 0) holder.push(output)
    } catch (cause) {
      this.#fail(new Error("PGlite stopped working. Restart the process.", { cause }))
    }
  }

  /** Reads the transaction status, and forwards notifications to the other connections. */
  #inspect(holder: Connection, output: Buffer): void {
    // Not idle until a frame says so: a flush in mid-cycle has none.
    this.#status = "?"
    for (let at = 0; at + 5 <= output.length; at += 1 + output.readUInt32BE(at + 1)) {
      const type = output[at]
      if (type === 0x5a) this.#status = String.fromCharCode(output[at + 5] ?? 0x49)
      if (type === 0x41) {
        const notification = output.subarray(at, at + 1 + output.readUInt32BE(at + 1))
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

/** Makes the stream. Nothing else may use the database while it is open. */
export const makePgliteStream = (database: PGlite): PgliteStream => {
  const session = new Session(database)
  return { connect: () => session.connect(), close: () => session.close() }
}
