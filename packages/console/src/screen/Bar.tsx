/** The bar at the top: tabs with their totals, search, and who is signed in. */
import { useRef } from "preact/hooks"
import { perform, pressed, showTab, tabs } from "../keys/actions.ts"
import { openTab } from "../queue/reading.ts"
import { Icon } from "./Icon.tsx"
import { counts, queue, session, view, waiting } from "./state.ts"

const number = new Intl.NumberFormat()

const Search = () => {
  const { filters, tab } = queue.value
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = (text: string) => {
    clearTimeout(timer.current)
    const { query: _, ...others } = queue.peek().filters
    openTab(tab, text.trim() === "" ? others : { ...others, query: text.trim() })
  }
  return (
    <label class="search line quiet">
      <Icon name="search" />
      <span class="hidden">Search by name, company or text</span>
      <input
        id="search"
        type="search"
        placeholder="Search"
        value={filters.query ?? ""}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(currentTarget.value), 250)
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "Enter") {
            event.preventDefault()
            event.stopPropagation()
            if (event.key === "Escape") search("")
            event.currentTarget.blur()
          }
        }}
      />
      <kbd>/</kbd>
    </label>
  )
}

/** The bar. */
export const Bar = () => {
  const { tab } = queue.value
  const totals = counts.value
  const person = session.value.state === "in" ? session.value.person : undefined
  return (
    <header class="bar line">
      <nav class="tabs" aria-label="Queue">
        {tabs.map(([name, text]) => (
          <button
            type="button"
            key={name}
            class="tab plain quiet"
            aria-current={view.value === "queue" && tab === name ? "page" : undefined}
            onClick={() => showTab(name)}
          >
            {text}
            <span class="total digits quiet tiny">{totals === undefined ? "" : number.format(totals[name])}</span>
          </button>
        ))}
        <button
          type="button"
          class="tab plain quiet"
          aria-current={view.value === "overview" ? "page" : undefined}
          onClick={() => perform("overview", pressed())}
        >
          Overview
        </button>
      </nav>
      <Search />
      <button type="button" class="plain" onClick={() => perform("filters", pressed())} title="Filter (⇧F)">
        <Icon name="filter" />
        <span class="hidden">Filter</span>
        {Object.keys(queue.value.filters).length > 0 && <span class="dot" />}
      </button>
      <button type="button" class="plain" onClick={() => perform("palette", pressed())} title="Commands (⌘K)">
        <kbd>⌘K</kbd>
        <span class="hidden">Commands</span>
      </button>
      <span class="who line small quiet cut" title={person?.organization}>
        {waiting.value.length > 0 && <span class="unsent">{waiting.value.length} to send</span>}
        {person?.name}
      </span>
    </header>
  )
}
