/** Connections inside of this process, to a handler of HTTP that listens nowhere. */
import { createServer, type RequestListener } from "node:http"
import { Duplex } from "node:stream"

/** One of two streams of which each reads what the other one writes. */
class End extends Duplex {
  other: End | undefined
  /** Tells the other end that what it wrote was taken. */
  taken: (() => void) | undefined

  override _read(): void {
    const { taken } = this
    this.taken = undefined
    taken?.()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { other } = this
    if (other === undefined || other.destroyed) {
      done()
      return
    }
    other.taken = done
    other.push(chunk)
  }

  override _final(done: () => void): void {
    this.other?.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other, taken } = this
    this.taken = undefined
    taken?.()
    // An end that is gone closes the other one, as a socket does.
    if (other !== undefined && !other.destroyed) process.nextTick(() => other.destroy())
    done(error)
  }
}

/** Opens a connection to the handler each time it is called; the result is the client's end. */
export const connectionsTo = (handler: RequestListener): (() => Duplex) => {
  const server = createServer(handler)
  return () => {
    const client = new End()
    const accepted = new End()
    client.other = accepted
    accepted.other = client
    server.emit("connection", accepted)
    return client
  }
}
