/** Reads the queue, its totals and its items. */
import { computed, untracked } from "@preact/signals"
import { type Listing, listing } from "../place/Listing.ts"
import { go, route } from "../place/route.ts"
import { changed, counts, details, failures, opened, shown, totals, waiting } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details, Item } from "../service/shapes.ts"
import { readQuery } from "./Queue.ts"

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

const readPage: Parameters<typeof listing<Item>>[2] = async (query, page) => {
  const askedAt = performance.now()
  const [tab, filters] = readQuery(query)
  const outcome = await run("review.list", { tab, ...filters, ...page })
  if (!outcome.ok) return outcome
  const { items, next_cursor: cursor } = outcome.data
  const left = stillThere(items, askedAt)
  // Pages with a filter on findings may be empty.
  if (left.length === 0 && cursor !== null) return readPage(query, { ...page, cursor })
  return { ...outcome, data: { items: left, next_cursor: cursor } }
}

/** The queue: one tab, as far as it was read. */
export const queue: Listing<Item> = listing(
  ({ item_id }) => item_id,
  /^(draft|email|approval|invitation|message|lead|reply|linkedin|queue)\b/,
  readPage
)

/** The tab and the filters that are shown. */
export const shownQueue = () => readQuery(route.value.place === "review" ? route.value.query : {})

/** The id of the item that is open in Review. */
export const selected = computed(() => (route.value.place === "review" ? route.value.item : undefined))

/** What was read of it. */
export const current = computed(() => details.value.get(selected.value ?? ""))

const setItems = (items: ReadonlyArray<Item>): void => {
  queue.rows.value = { ...queue.rows.value, items }
}

const select = (item: string | undefined): void => {
  if (route.value.place === "review") go({ item }, "replace")
}

/** The place of an item; -1 if it is not in the queue. */
export const placeOf = (itemId: string | undefined): number =>
  queue.rows.value.items.findIndex(({ item_id }) => item_id === itemId)

/** Takes an item out of the queue; the next one is opened if it was this one. */
export const takeOut = (itemId: string): void => {
  const place = placeOf(itemId)
  if (place === -1) return
  const items = queue.rows.value.items.toSpliced(place, 1)
  setItems(items)
  if (selected.value === itemId) select((items[place] ?? items[place - 1])?.item_id)
}

/** Puts an item back in its place, and opens it. */
export const putBack = (item: Item, place: number): void => {
  if (placeOf(item.item_id) === -1) setItems(queue.rows.value.items.toSpliced(place, 0, item))
  select(item.item_id)
}

/** Reads the totals. */
export const readCounts = async (): Promise<void> => {
  const { finding: _, ...filters } = shownQueue()[1]
  const [own, all] = await Promise.all([
    run("review.counts", filters),
    Object.keys(filters).length === 0 ? undefined : run("review.counts", {})
  ])
  if (own.ok) counts.value = own.data
  const whole = all ?? own
  if (whole.ok) totals.value = whole.data
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
  setItems(queue.rows.value.items.map((one) => (one.item_id === id ? found.item : one)))
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
  const place = Math.max(0, placeOf(selected.value))
  const next = queue.rows.value.items.slice(place, place + 1 + prefetched).map(({ item_id }) => item_id)
  const wanted = [...new Set([selected.value, ...next])]
  untracked(() => {
    for (const id of wanted) if (id !== undefined && !details.value.has(id)) void readItem(id)
  })
}
