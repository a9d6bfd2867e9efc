/** A list that is read page by page, as the filters of the URL say. */
import { type Signal, signal } from "@preact/signals"
import { mapOutcome, type Outcome } from "../service/outcome.ts"
import { type Page, type PageRequest, readOn } from "./readOn.ts"
import type { Query } from "./route.ts"

/** What was read of a list. `cursor` is null where it was read to its end. */
interface Rows<A> {
  readonly items: ReadonlyArray<A>
  readonly cursor: string | null
  readonly state: "loading" | "ready" | "failed"
  readonly problem?: string | undefined
}

/** A list and how it is read. */
export interface Listing<A> {
  readonly rows: Signal<Rows<A>>
  readonly idOf: (item: A) => string
  /** Events of these types make it stale. */
  readonly events: RegExp
  /** Reads the list for a query from its beginning. */
  readonly open: (query: Query) => Promise<void>
  /** Reads its beginning again, as far as it was read, up to a hundred items. */
  readonly refresh: () => Promise<void>
  /** Reads the next page; false at the end, and when it can't be read. */
  readonly more: () => Promise<boolean>
}

type Read<A> = (query: Query, page: PageRequest) => Promise<Outcome<Page<A>>>

/** The page in what a command of lists returns, whose items stand under `name`. */
export const pageOf = <Name extends string, A>(
  outcome: Outcome<Readonly<Record<Name, ReadonlyArray<A>>> & Pick<Page<A>, "next_cursor">>,
  name: Name
): Outcome<Page<A>> =>
  mapOutcome(outcome, ({ [name]: items, next_cursor }) => ({ items: items as ReadonlyArray<A>, next_cursor }))

const pageSize = 50
const maxPage = 100

/** A list whose items have an id. */
export const listing = <A>(idOf: (item: A) => string, events: RegExp, read: Read<A>): Listing<A> => {
  const rows = signal<Rows<A>>({ items: [], cursor: null, state: "loading" })
  let query: Query = {}
  let reading = 0

  /** The rows with the next page, or with their beginning, which was read again: what was read beyond it stays. */
  const rowsWith = ({ items, next_cursor }: Page<A>, isNext: boolean): Rows<A> => {
    const { cursor, items: before } = rows.value
    const rest = isNext || next_cursor === null ? [] : before.slice(items.length)
    const all = [...(isNext ? before : []), ...items, ...rest]
    return {
      items: [...new Map(all.map((item) => [idOf(item), item])).values()],
      cursor: rest.length > 0 ? cursor : next_cursor,
      state: "ready"
    }
  }

  const readRows = async (isNext: boolean): Promise<boolean> => {
    const { cursor, items } = rows.value
    const mine = isNext ? reading : ++reading
    const limit = Math.min(maxPage, Math.max(pageSize, items.length))
    const outcome = await readOn(
      (page) => read(query, page),
      isNext && cursor !== null ? { limit: maxPage, cursor } : { limit }
    )
    if (mine !== reading) return false
    const now = rows.value
    if (outcome.ok) rows.value = rowsWith(outcome.data, isNext)
    else {
      rows.value = { ...now, state: now.state === "loading" ? "failed" : now.state, problem: outcome.problem.message }
    }
    return outcome.ok
  }
  const refresh = async (): Promise<void> => void (await readRows(false))

  return {
    rows,
    idOf,
    events,
    open: (next) => {
      query = next
      rows.value = { items: [], cursor: null, state: "loading" }
      return refresh()
    },
    refresh,
    more: async () => rows.value.cursor !== null && (await readRows(true))
  }
}
