/** Reads the queue, its totals and its items. */
import { changed, counts, details, failures, opened, queue, shown, totals, waiting } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details, Filters, Item, Tab } from "../service/shapes.ts"
import { appended, emptyQueue, placeOf, refreshed, replaced } from "./Queue.ts"

const pageSize = 50
const maxPage = 100
const prefetched = 3

/** When decisions were confirmed: a page that was asked for before does not bring their items back. */
const settledAt = new Map<string, number>()

/** Remembers that an item was decided on, or is to be shown again. */
export const markSettled = (itemId: string, isBack = false): void => {
  if (isBack) settledAt.delete(itemId)
  else settledAt.set(itemId, performance.now())
}

const stillThere = (items: ReadonlyArray<Item>, askedAt: number): ReadonlyArray<Item> => {
  const leaving = new Set(waiting.value.filter(({ leaves }) => leaves).map(({ item }) => item.item_id))
  return items.filter(({ item_id }) => !leaving.has(item_id) && (settledAt.get(item_id) ?? 0) < askedAt)
}

let reading = 0

/** Reads a page: the next one, or the beginning again. False at the end, and when it can't be read. */
export const readPage = async (how: "next" | "again"): Promise<boolean> => {
  const { cursor, filters, items, tab } = queue.value
  if (how === "next" && cursor === null) return false
  const mine = how === "again" || items.length === 0 ? ++reading : reading
  const askedAt = performance.now()
  const limit = how === "again" ? Math.min(maxPage, Math.max(pageSize, items.length)) : maxPage
  const from = how === "next" && cursor !== null ? { cursor } : {}
  const outcome = await run("review.list", { tab, ...filters, ...from, limit })
  if (mine !== reading || queue.value.tab !== tab || queue.value.filters !== filters) return false
  if (!outcome.ok) {
    if (queue.value.state === "loading") queue.value = { ...queue.value, state: "failed" }
    return false
  }
  const page = { ...outcome.data, items: stillThere(outcome.data.items, askedAt) }
  queue.value = how === "again" ? refreshed(queue.value, page) : appended(queue.value, page)
  // Pages with a filter on findings may be empty.
  if (page.items.length === 0 && page.next_cursor !== null) await readPage("next")
  prefetch()
  return true
}

/** Reads the totals. */
export const readCounts = async (): Promise<void> => {
  const { finding: _, ...filters } = queue.value.filters
  const [own, all] = await Promise.all([
    run("review.counts", filters),
    Object.keys(filters).length === 0 ? undefined : run("review.counts", {})
  ])
  if (own.ok) counts.value = own.data
  const whole = all ?? own
  if (whole.ok) totals.value = whole.data
}

/** Shows a tab, with filters. */
export const openTab = (tab: Tab, filters: Filters = queue.value.filters, selected?: string): void => {
  queue.value = emptyQueue(tab, filters, selected)
  void readPage("again")
  void readCounts()
}

const asked = new Set<string>()

const keep = (found: Details, by: string): void => {
  const id = found.item.item_id
  const before = details.value.get(id)
  if (before !== undefined && before.content_hash !== found.content_hash && shown.value?.itemId === id) {
    changed.value = new Map(changed.value).set(id, { before, by })
    opened.value = new Set([...opened.value].filter((one) => one !== id))
  }
  details.value = new Map(details.value).set(id, found)
  queue.value = replaced(queue.value, found.item)
}

/** Reads an item, unless it is known; `by` is who changed it. */
export const readItem = async (itemId: string, by?: string): Promise<Details | undefined> => {
  if (asked.has(itemId) && by === undefined) return details.value.get(itemId)
  asked.add(itemId)
  const outcome = await run("review.get", { item_id: itemId })
  asked.delete(itemId)
  if (outcome.ok) {
    keep(outcome.data, by ?? "")
    failures.value = new Map([...failures.value].filter(([id]) => id !== itemId))
    return outcome.data
  }
  failures.value = new Map(failures.value).set(itemId, outcome.problem.message)
  return undefined
}

/** Reads the selected item and those after it, so that they are there when they are selected. */
export const prefetch = (): void => {
  const place = Math.max(0, placeOf(queue.value))
  const { items, selected } = queue.value
  const wanted = [selected, ...items.slice(place, place + 1 + prefetched).map(({ item_id }) => item_id)]
  for (const id of new Set(wanted)) if (id !== undefined && !details.value.has(id)) void readItem(id)
}
