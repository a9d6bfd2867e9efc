/** A connection inside of this process: two streams of which each reads what the other one writes. */
import { Duplex } from "node:stream"

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

/** Both ends of a new connection. */
export const connected = (): readonly [Duplex, Duplex] => {
  const near = new End()
  const far = new End()
  near.other = far
  far.other = near
  return [near, far]
}
