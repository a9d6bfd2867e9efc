/** The URL of the review queue: its tab, its filters and the item that is open. */
import { effect, untracked } from "@preact/signals"
import { select } from "../keys/actions.ts"
import { go, type Query, type Route, route } from "../place/route.ts"
import { queue } from "../screen/state.ts"
import type { Filters, Tab } from "../service/shapes.ts"
import type { Queue } from "./Queue.ts"
import { reviewTabs } from "./Review.tsx"
import { openTab } from "./reading.ts"

/** The query of a tab with filters. */
const queryOf = (tab: Tab, { kind, ...filters }: Filters): Query => ({
  ...(tab === "to_review" ? {} : { tab }),
  ...(kind?.[0] === undefined ? {} : { kind: kind[0] }),
  ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
})

const texts = ["mission_id", "agent_handle", "finding", "query"] as const

/** The tab and the filters of a query; what is not known is left out. */
const readQuery = (query: Query): readonly [Tab, Filters] => {
  const [tab = "to_review"] = reviewTabs.find(([name]) => name === query["tab"]) ?? []
  const { flagged, kind, min_score } = query
  const given = texts.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]))
  return [
    tab,
    {
      ...(Object.fromEntries(given) as Filters),
      ...(kind === undefined ? {} : { kind: [kind as NonNullable<Filters["kind"]>[number]] }),
      ...(flagged === "true" ? { flagged: true } : {}),
      ...(Number.isFinite(Number(min_score ?? Number.NaN)) ? { min_score: Number(min_score) } : {})
    }
  ]
}

const isSame = (a: Query, b: Query): boolean =>
  new URLSearchParams(Object.entries(a).toSorted()).toString() ===
  new URLSearchParams(Object.entries(b).toSorted()).toString()

/** Shows what a URL says, and says in the URL what is shown, until the page ends. */
export const followQueue = (): void => {
  let isOpen = false
  const show = ({ item, query }: Route): void => {
    const [tab, filters] = readQuery(query)
    if (!isOpen || !isSame(queryOf(tab, filters), queryOf(queue.value.tab, queue.value.filters)))
      // Other filters of the same list begin at its first item.
      openTab(tab, filters, isOpen && item === queue.value.selected ? undefined : item)
    else if (item !== undefined && item !== queue.value.selected) select(item)
  }
  const tell = ({ filters, selected, tab }: Queue): void => {
    const query = queryOf(tab, filters)
    const isOther = (query["tab"] ?? "") !== (route.value.query["tab"] ?? "")
    go({ item: selected, query }, isOther ? "push" : "replace")
  }
  effect(() => {
    const shown = route.value
    if (shown.place === "review") untracked(() => show(shown))
    isOpen = shown.place === "review"
  })
  effect(() => {
    const shown = queue.value
    if (isOpen) untracked(() => tell(shown))
  })
}
