/** The search of the bar: it restricts the list that is shown, and finds anyone among the leads. */
import { signal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { filterBy, go, route } from "../place/route.ts"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { Icon } from "./Icon.tsx"

type Found = ResultOf<"lead.search">["leads"][number]

const found = signal<ReadonlyArray<Found>>([])
const place = signal(-1)

const maxFound = 6

let searching = 0

const find = async (query: string): Promise<void> => {
  const mine = ++searching
  if (query === "") {
    found.value = []
    return
  }
  const outcome = await run("lead.search", { query, limit: maxFound })
  if (mine !== searching) return
  found.value = outcome.ok ? outcome.data.leads : []
  place.value = -1
}

/** Restricts the list of the place. */
const restrict = (text: string): void => {
  const { place, query } = route.peek()
  if (place === "overview" || place === "settings" || place === "import") return
  const { query: _, ...others } = query
  filterBy(text === "" ? others : { ...others, query: text }, "replace")
}

const close = (): void => {
  searching++
  found.value = []
  place.value = -1
}

const open = (lead: Found | undefined): void => {
  close()
  if (lead !== undefined) go({ place: "leads", item: lead.lead_id })
}

const keyOf: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

const Suggestions = () => (
  <div id="found" class="suggestions panel" role="listbox" aria-label="People">
    {found.value.map((lead, index) => (
      <div
        key={lead.lead_id}
        id={`found-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === place.value}
        class={index === place.value ? "apart chosen" : "apart"}
        onMouseDown={(event) => {
          event.preventDefault()
          open(lead)
        }}
      >
        <Name>{lead.name}</Name>
        <span class="quiet small cut">
          <Name>{lead.company}</Name>
        </span>
      </div>
    ))}
  </div>
)

/** The field. */
export const Search = () => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = (text: string) => {
    clearTimeout(timer.current)
    restrict(text.trim())
    void find(text.trim())
  }
  return (
    <div class="search line quiet">
      <Icon name="search" />
      <label class="hidden" for="search">
        Search this list, and find anyone among the leads
      </label>
      <input
        id="search"
        type="text"
        role="combobox"
        aria-expanded={found.value.length > 0}
        aria-controls="found"
        aria-activedescendant={place.value >= 0 ? `found-${place.value}` : undefined}
        placeholder="Search"
        autocomplete="off"
        value={route.value.query["query"] ?? ""}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(currentTarget.value), 250)
        }}
        onBlur={close}
        onKeyDown={(event) => {
          const by = keyOf[event.key]
          if (by !== undefined) place.value = Math.max(-1, Math.min(found.value.length - 1, place.value + by))
          else if (event.key === "Enter" || event.key === "Escape") {
            if (event.key === "Escape") search("")
            else if (place.value >= 0) open(found.value[place.value])
            else search(event.currentTarget.value)
            event.stopPropagation()
            event.currentTarget.blur()
          } else return
          event.preventDefault()
        }}
      />
      <kbd>/</kbd>
      {found.value.length > 0 && <Suggestions />}
    </div>
  )
}
