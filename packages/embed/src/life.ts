/** What a service has begun, and whether it still begins anything. */

import { AsyncLocalStorage } from "node:async_hooks"
import { type Failure, InvalidInput, Unavailable } from "@svc/core"

/** The life of a running service. */
export interface Life {
  /** The failure of whatever is asked after the service was closed; undefined while it runs. */
  readonly ended: () => Unavailable | undefined
  /** Aborted when closing begins. */
  readonly closing: AbortSignal
  /** Begins something that closing waits for; the result ends it. */
  readonly begin: () => () => void
  /** Runs something that closing waits for. */
  readonly during: <A>(run: () => Promise<A>) => Promise<A>
  /**
   * Begins nothing new, waits up to 10 seconds for what was begun, and ends the service. Closing again waits for the
   * same end. Whoever asks afterwards is told the reason, if there is one.
   */
  readonly close: (reason?: string) => Promise<void>
}

/** Milliseconds that closing waits for what was begun: a request whose client has stalled never ends. */
const patience = 10_000

/** The life of a service that ends with `dispose`. */
export const makeLife = (dispose: () => Promise<void>, maxWait = patience): Life => {
  let closing: Promise<void> | undefined
  const controller = new AbortController()
  let why = " with close(). Create another one with createSvc()."
  const { begin, during, settled } = makeRunning()
  return {
    begin,
    during,
    closing: controller.signal,
    ended: () => (closing === undefined ? undefined : new Unavailable({ message: `The service was closed${why}` })),
    close: (reason) => {
      if (closing === undefined && reason !== undefined) why = `: ${reason}`
      controller.abort()
      closing ??= new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, maxWait)
        void settled().then(() => {
          clearTimeout(timer)
          resolve()
        })
      }).then(dispose)
      return closing
    }
  }
}

/** What is running; `settled` resolves when nothing is. */
export const makeRunning = () => {
  let running = 0
  let isIdle = () => {}
  const end = () => {
    running--
    if (running === 0) isIdle()
  }
  const begin = () => {
    running++
    return end
  }
  return {
    begin,
    during: async <A>(run: () => Promise<A>): Promise<A> => {
      begin()
      try {
        return await run()
      } finally {
        end()
      }
    },
    settled: async (): Promise<void> => {
      while (running > 0)
        await new Promise<void>((resolve) => {
          isIdle = resolve
        })
    }
  }
}

interface Place {
  /** The catalogue of the service that has the transaction: another service may be called. */
  readonly catalog: object
  readonly what: string
  readonly instead: string
  readonly isOpen: () => boolean
}

const places = new AsyncLocalStorage<Place>()

/** Runs code of a host in a transaction. */
export const inPlace: <A>(place: Place, run: () => A) => A = (place, run) => places.run(place, run)

/** The failure of a call of the service from within its transaction, which the call may wait for without being part of it. */
export const misplaced = (catalog: object): Failure | undefined => {
  const place = places.getStore()
  if (place?.catalog !== catalog || !place.isOpen()) return undefined
  return new InvalidInput({
    message: `Inside ${place.what}, call ${place.instead}: svc itself is not part of its transaction, and may wait for it.`
  })
}
