/** Where the page is: a place, an item and its filters, as the URL says. */
import { signal } from "@preact/signals"
import { column } from "../screen/state.ts"
import { base } from "../service/request.ts"

/** The places, in the order of the bar. Offers and agents belong to the missions. */
export const places = [
  ["overview", "Needs you"],
  ["review", "Review"],
  ["replies", "Replies"],
  ["leads", "Leads"],
  ["missions", "Missions"],
  ["offers", "Offers"],
  ["agents", "Agents"],
  ["import", "Import"],
  ["settings", "Settings"]
] as const

export type Place = (typeof places)[number][0]

/** The filters of a list, by the name of their field. Values of a URL are texts. */
export type Query = Readonly<Record<string, string>>

/** What a URL of the page says. `item` is the id of what is open. */
export interface Route {
  readonly place: Place
  readonly item?: string | undefined
  readonly query: Query
}

/** Where a link leads; without a query, to a place without filters. */
export type Target = Omit<Route, "query"> & Partial<Pick<Route, "query">>

const isPlace = (name: string | undefined): name is Place => places.some(([place]) => place === name)

/** Reads a URL of the page. Unknown paths are the overview. */
const routeOf = ({ pathname, search }: Pick<Location, "pathname" | "search">): Route => {
  const [name, ...rest] = pathname.slice(base.length).split("/").filter(Boolean)
  const place = isPlace(name) ? name : "overview"
  const [item] = place === "review" && rest[0] === "d" ? rest.slice(1) : place === "review" ? [] : rest
  return {
    place,
    item: item === undefined ? undefined : decodeURIComponent(item),
    query: Object.fromEntries(new URLSearchParams(search))
  }
}

/** The path of a route, with its query. */
export const pathOf = ({ item, place, query }: Route): string => {
  const names =
    place === "review" && item !== undefined ? [place, "d", item] : [place, ...(item === undefined ? [] : [item])]
  const search = new URLSearchParams(query).toString()
  return `${base}/${names.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`
}

/** Where the page is now. */
export const route = signal<Route>(routeOf(location))

let timer: ReturnType<typeof setTimeout> | undefined

const write = (how: "push" | "replace"): void => {
  clearTimeout(timer)
  const path = pathOf(route.value)
  if (path === location.pathname + location.search) return
  if (how === "push") history.pushState(null, "", path)
  else history.replaceState(null, "", path)
}

/** Goes somewhere: a step in the browser's history, unless it replaces the current one. */
export const go = (to: Partial<Route>, how: "push" | "replace" = "push"): void => {
  const { place } = route.value
  const isElsewhere = to.place !== undefined && to.place !== place
  route.value = isElsewhere ? { place, query: {}, ...to } : { ...route.value, ...to }
  if (how === "push") write("push")
  // Browsers allow few changes of the URL per second.
  else timer = setTimeout(write, 400, "replace")
}

/** Opens an item of the list, or shows the list alone. */
export const showItem = (item: string | undefined, how?: "push" | "replace"): void => {
  column.value = item === undefined ? "queue" : "draft"
  go({ item }, how)
}

/** Filters the list of the place. What is open stays, but in Review, which begins at the first item. */
export const filterBy = (query: Query, how?: "push" | "replace"): void =>
  go({ ...(route.value.place === "review" ? { item: undefined } : {}), query }, how)

/** Shows the list of the place without filters. Its tab stays. */
export const clearFilters = (): void => {
  const { tab } = route.value.query
  filterBy(tab === undefined ? {} : { tab })
}

/** Follows the browser's history, until the page ends. */
export const followHistory = (): void =>
  addEventListener("popstate", () => {
    clearTimeout(timer)
    route.value = routeOf(location)
  })
