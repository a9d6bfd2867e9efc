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
  readonly list: Listing<A>
  readonly row: (item: A) => RowContent
  readonly detail: (id: string) => ComponentChildren
  readonly created: () => ComponentChildren
  readonly filters?: ReadonlyArray<Field>
}

/** The place. */
export const MissionPlace = <A,>({ created, detail, filters = [], list, place, row }: Props<A>) => (
  <ListDetail
    label={Object.fromEntries(names)[place] ?? ""}
    list={list}
    tabs={{ names, selected: place, onSelect: (to) => go({ place: to as Place }) }}
    tools={
      <>
        <Filters usual={filters} />
        <Acts of={place} acts={[{ text: `New ${place.slice(0, -1)}`, key: "n", run: openNew }]} />
      </>
    }
    empty={`No ${place} yet. Press N to create one.`}
    row={row}
    detail={(id) => (id === newItem ? created() : detail(id))}
  />
)
