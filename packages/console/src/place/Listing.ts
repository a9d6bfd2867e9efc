/** A list that is read page by page, as the filters of the URL say. */
import { type Signal, signal } from "@preact/signals"
import { mapOutcome, type Outcome } from "../service/outcome.ts"
import { type Page, type Pages, withFirst, withNext } from "./pages.ts"
import type { Query } from "./route.ts"

/** What was read of a list. */
interface Rows<A> extends Pages<A> {
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

type Read<A> = (query: Query, page: { readonly limit: number; readonly cursor?: string }) => Promise<Outcome<Page<A>>>

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

  const readRows = async (how: "again" | "next"): Promise<boolean> => {
    const before = rows.value
    const mine = how === "next" ? reading : ++reading
    const limit = how === "next" ? maxPage : Math.min(maxPage, Math.max(pageSize, before.items.length))
    const cursor = how === "next" ? before.cursor : null
    const outcome = await read(query, { limit, ...(cursor === null ? {} : { cursor }) })
    if (mine !== reading) return false
    if (!outcome.ok) {
      const { message } = outcome.problem
      rows.value = {
        ...rows.value,
        state: rows.value.state === "loading" ? "failed" : rows.value.state,
        problem: message
      }
      return false
    }
    const merged = how === "next" ? withNext : withFirst
    rows.value = { ...merged(idOf, rows.value, outcome.data), state: "ready" }
    return true
  }

  return {
    rows,
    idOf,
    events,
    open: async (next) => {
      query = next
      rows.value = { items: [], cursor: null, state: "loading" }
      await readRows("again")
    },
    refresh: async () => {
      await readRows("again")
    },
    more: async () => rows.value.cursor !== null && (await readRows("next"))
  }
}
