/** The queue that is shown: one tab, as far as it was read. Pure. */
import { type Page, type Pages, withFirst, withNext } from "../place/pages.ts"
import type { Filters, Item, Tab } from "../service/shapes.ts"

/** A tab. */
export interface Queue extends Pages<Item> {
  readonly tab: Tab
  readonly filters: Filters
  readonly state: "loading" | "ready" | "failed"
  readonly selected: string | undefined
}

/** An empty queue that is about to be read. */
export const emptyQueue = (tab: Tab, filters: Filters, selected?: string): Queue => ({
  tab,
  filters,
  items: [],
  cursor: null,
  state: "loading",
  selected
})

const withSelection = (queue: Queue): Queue =>
  queue.selected === undefined ? { ...queue, selected: queue.items[0]?.item_id } : queue

const idOf = ({ item_id }: Item): string => item_id

/** The queue with its next page. */
export const appended = (queue: Queue, page: Page<Item>): Queue =>
  withSelection({ ...queue, ...withNext(idOf, queue, page), state: "ready" })

/** The queue after its beginning was read again. */
export const refreshed = (queue: Queue, page: Page<Item>): Queue =>
  withSelection({ ...queue, ...withFirst(idOf, queue, page), state: "ready" })

/** The place of the selected item; -1 if it is not in the queue. */
export const placeOf = ({ items, selected }: Queue): number => items.findIndex(({ item_id }) => item_id === selected)

/** The queue without an item; the next one is selected if it was this one. */
export const without = (queue: Queue, itemId: string): Queue => {
  const place = queue.items.findIndex(({ item_id }) => item_id === itemId)
  if (place === -1) return queue
  const items = queue.items.filter(({ item_id }) => item_id !== itemId)
  const next = (items[place] ?? items[place - 1])?.item_id
  return { ...queue, items, selected: queue.selected === itemId ? next : queue.selected }
}

/** The queue with an item back in its place, selected. */
export const restored = (queue: Queue, item: Item, index: number): Queue => ({
  ...queue,
  items: queue.items.some(({ item_id }) => item_id === item.item_id)
    ? queue.items
    : queue.items.toSpliced(Math.min(index, queue.items.length), 0, item),
  selected: item.item_id
})

/** The queue with an item that changed. */
export const replaced = (queue: Queue, item: Item): Queue => ({
  ...queue,
  items: queue.items.map((one) => (one.item_id === item.item_id ? item : one))
})
