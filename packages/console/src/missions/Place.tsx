/** The places of missions, offers and agents, which share one line of tabs. */
import type { ComponentChildren } from "preact"
import type { Field } from "../form/values.ts"
import { Acts } from "../list/Acts.tsx"
import { Filters } from "../list/Filters.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import type { RowContent } from "../list/Row.tsx"
import type { Listing } from "../place/Listing.ts"
import { go, type Place } from "../place/route.ts"
import { column } from "../screen/state.ts"

/** The item of the form for a new one: no id or handle has this character. */
const newItem = "~new"

const openNew = (): void => {
  column.value = "draft"
  go({ item: newItem })
}

/** Shows the list, after something was deleted or not created. */
export const closeItem = (): void => {
  column.value = "queue"
  go({ item: undefined }, "replace")
}

const names = [
  ["missions", "Missions"],
  ["offers", "Offers"],
  ["agents", "Agents"]
] as const satisfies ReadonlyArray<readonly [Place, string]>

interface Props<A> {
  readonly place: (typeof names)[number][0]
  readonly label: string
  /** What one of them is called. */
  readonly one: string
  readonly list: Listing<A>
  readonly row: (item: A) => RowContent
  readonly detail: (id: string) => ComponentChildren
  readonly created: () => ComponentChildren
  readonly filters?: ReadonlyArray<Field>
}

/** The place. */
export const MissionPlace = <A,>({ created, detail, filters = [], label, list, one, place, row }: Props<A>) => (
  <ListDetail
    label={label}
    list={list}
    tabs={{ names, selected: place, onSelect: (to) => go({ place: to as Place }) }}
    tools={
      <>
        <Filters usual={filters} />
        <Acts of={place} acts={[{ text: `New ${one}`, key: "n", run: openNew }]} />
      </>
    }
    empty={`No ${label.toLowerCase()} yet. Press N to create one.`}
    row={row}
    detail={(id) => (id === newItem ? created() : detail(id))}
  />
)
