/** Where the code of a host runs: inside a transaction, whose own service it has to call. */
import { AsyncLocalStorage } from "node:async_hooks"
import { type Failure, InvalidInput } from "@svc/core"

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
