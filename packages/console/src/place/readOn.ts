/** Pages of a list as the service returns them. */
import type { Outcome } from "../service/outcome.ts"

/** A page. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** Which page is read. */
export interface PageRequest {
  readonly limit: number
  readonly cursor?: string
}

/** Pages without an item that are read on. */
const maxPages = 40

/** The next page that holds something: where few match, the service looks for them page by page. */
export const readOn = async <A>(
  read: (page: PageRequest) => Promise<Outcome<Page<A>>>,
  { cursor, limit }: PageRequest
): Promise<Outcome<Page<A>>> => {
  let outcome = await read(cursor === undefined ? { limit } : { limit, cursor })
  for (let pages = 1; pages < maxPages && outcome.ok && outcome.data.items.length === 0; pages++) {
    if (outcome.data.next_cursor === null) break
    outcome = await read({ limit, cursor: outcome.data.next_cursor })
  }
  return outcome
}
