/** The layout of every place: a list on the left, what is open beside it. */
import { type ComponentChildren, Fragment } from "preact"
import { useEffect } from "preact/hooks"
import { perform, pressed } from "../keys/actions.ts"
import { useEvents } from "../live/useEvents.ts"
import type { Listing } from "../place/Listing.ts"
import { clearFilters, go, route, showItem } from "../place/route.ts"
import { Icon } from "../screen/Icon.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import { column, moving, narrow, type Tabs, tabs as tabsShown } from "../screen/state.ts"
import { List } from "./List.tsx"
import { Row, type RowContent } from "./Row.tsx"

const number = new Intl.NumberFormat()

/** The line below the bar. */
const Tools = ({ label, tabs, tools }: Pick<ListDetailProps<unknown>, "label" | "tabs" | "tools">) => {
  useEffect(() => {
    tabsShown.value = tabs
    return () => {
      tabsShown.value = undefined
    }
  }, [tabs?.selected, label])
  return (
    <section class="tools line" aria-label="Filters and actions">
      {tabs !== undefined && (
        <nav class="tabs" aria-label={label}>
          {tabs.names.map(([id, text, count]) => (
            <button
              type="button"
              key={id}
              class="tab plain quiet"
              aria-current={tabs.selected === id ? "page" : undefined}
              onClick={() => tabs.onSelect(id)}
            >
              {text}
              {count !== undefined && <span class="total digits quiet tiny">{number.format(count)}</span>}
            </button>
          ))}
        </nav>
      )}
      {tools}
    </section>
  )
}

/** What a column shows while it is read. */
export const Loading = () => (
  <div class="skeleton" role="status">
    <span class="hidden">Loading the list…</span>
    {Array.from({ length: 8 }, (_, index) => (
      <div class="skeleton-row" key={index} aria-hidden="true" />
    ))}
  </div>
)

interface ListDetailProps<A> {
  /** What is listed, e.g. `Leads`. */
  readonly label: string
  readonly list: Listing<A>
  readonly row: (item: A) => RowContent
  /** What stands there without an item. */
  readonly empty: string
  /** What is open, by its id. */
  readonly detail: (id: string) => ComponentChildren
  /** Whether the first item is open from the beginning on a phone too, behind the list. */
  readonly isFirstOpen?: boolean
  /** What stands above the list. */
  readonly above?: ComponentChildren
  /** A third column beside it. */
  readonly side?: ComponentChildren
  readonly tabs?: Tabs | undefined
  /** Filters and buttons. */
  readonly tools?: ComponentChildren
}

const select = (item: string): void => go({ item }, "replace")

const Column = <A,>({ empty, label, list, row }: Pick<ListDetailProps<A>, "empty" | "label" | "list" | "row">) => {
  const { cursor, items, problem, state } = list.rows.value
  const { query } = route.value
  if (state === "loading") return <Loading />
  if (state === "failed") {
    return (
      <Nothing
        text={`Can't load ${label.toLowerCase()}. ${problem ?? ""}`}
        help="Try again"
        onHelp={() => void list.open(query)}
      />
    )
  }
  if (items.length === 0) {
    return Object.keys(query).every((name) => name === "tab") ? (
      <Nothing text={empty} />
    ) : (
      <Nothing text="Nothing matches the filters." help="Clear filters" onHelp={clearFilters} />
    )
  }
  return (
    <List
      label={label}
      items={items}
      idOf={list.idOf}
      selected={route.value.item}
      hasMore={cursor !== null}
      onMore={() => void list.more()}
      row={(item, isSelected) => (
        <Row {...row(item)} id={list.idOf(item)} isSelected={isSelected} onOpen={() => showItem(list.idOf(item))} />
      )}
    />
  )
}

/** Goes back to the list, on a phone. */
export const BackToList = ({ to }: { readonly to: string }) => (
  <button type="button" class="plain only-narrow" onClick={() => perform("back", pressed())}>
    <Icon name="back" />
    <span class="hidden">Back to {to}</span>
  </button>
)

/** The place. */
export const ListDetail = <A,>(props: ListDetailProps<A>) => {
  const { above, detail, empty, isFirstOpen = false, label, list, row, side, tabs, tools } = props
  const { item, query } = route.value
  const asked = JSON.stringify(query)
  useEffect(() => {
    column.value = route.peek().item === undefined ? "queue" : "draft"
    void list.open(query)
  }, [asked, list])
  useEffect(() => {
    moving.value = {
      ids: () => list.rows.value.items.map(list.idOf),
      selected: () => route.value.item,
      select,
      isWhole: () => list.rows.value.state !== "loading" && list.rows.value.cursor === null,
      more: list.more
    }
    return () => {
      moving.value = undefined
    }
  }, [list])
  useEvents(list.events, list.refresh)
  const { items, state } = list.rows.value
  useEffect(() => {
    // Of the list as it is now: another tab may have been asked for since this was drawn.
    const { items: shown, state: now } = list.rows.peek()
    if (item === undefined && now === "ready" && shown[0] !== undefined && (isFirstOpen || innerWidth > narrow))
      select(list.idOf(shown[0]))
  }, [item, state, items])
  return (
    <>
      <Tools label={label} tabs={tabs} tools={tools} />
      <main class={`columns ${side === undefined ? "two" : ""}`} aria-label={label}>
        <h1 class="hidden">{label}</h1>
        <section class="queue" aria-label={`List of ${label.toLowerCase()}`} aria-busy={state === "loading"}>
          {above}
          <Column label={label} list={list} row={row} empty={empty} />
        </section>
        <section class="draft" aria-label="Details">
          {item === undefined ? (
            <Nothing text={items.length === 0 ? "" : "Nothing selected."} />
          ) : (
            <Fragment key={item}>{detail(item)}</Fragment>
          )}
        </section>
        {side}
      </main>
    </>
  )
}
