/** The items of a list, as far as its pages were read. Pure. */

/** A page as the service returns it. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** What was read. `cursor` is null where it was read to its end. */
export interface Pages<A> {
  readonly items: ReadonlyArray<A>
  readonly cursor: string | null
}

type IdOf<A> = (item: A) => string

const unique = <A>(idOf: IdOf<A>, items: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(items.map((item) => [idOf(item), item])).values()
]

/** The list with its next page. */
export const withNext = <A>(idOf: IdOf<A>, { items }: Pages<A>, page: Page<A>): Pages<A> => ({
  items: unique(idOf, [...items, ...page.items]),
  cursor: page.next_cursor
})

/** The list after its beginning was read again: what was read beyond it stays. */
export const withFirst = <A>(idOf: IdOf<A>, { cursor, items }: Pages<A>, page: Page<A>): Pages<A> => {
  const rest = page.next_cursor === null ? [] : items.slice(page.items.length)
  return { items: unique(idOf, [...page.items, ...rest]), cursor: rest.length > 0 ? cursor : page.next_cursor }
}
