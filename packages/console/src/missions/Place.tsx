/** The places of missions, offers and agents: one line of tabs, and what their details have in common. */
import type { ComponentChildren } from "preact"
import { confirm } from "../dialogs/Confirm.tsx"
import { Form } from "../form/Form.tsx"
import type { Field, Values } from "../form/values.ts"
import { Acts } from "../list/Acts.tsx"
import { Card, Detail, Read, useReading } from "../list/Detail.tsx"
import { Filters } from "../list/Filters.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import type { RowContent } from "../list/Row.tsx"
import type { Listing } from "../place/Listing.ts"
import { go, type Place, route, showItem } from "../place/route.ts"
import { act } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import type { CommandId, InputOf } from "../service/shapes.ts"

/** The item of the form for a new one: no id or handle has this character. */
const newItem = "~new"

/** After something was deleted or not created. */
const closeItem = (): void => showItem(undefined, "replace")

/** Deletes what is open, after its name was typed. The first of the others opens next. */
export const askDelete = <Id extends CommandId, A>(
  name: string,
  text: string,
  { idOf, rows }: Listing<A>,
  command: Id,
  input: InputOf<Id>
): void =>
  confirm({
    title: `Delete ${name}?`,
    text,
    button: "Delete",
    typed: name,
    onYes: async () => {
      const deleted = await act(command, input, `${name} is deleted.`)
      if (!deleted.ok || deleted.held !== "") return
      rows.value = { ...rows.value, items: rows.value.items.filter((one) => idOf(one) !== route.value.item) }
      closeItem()
    }
  })

interface NewProps<A> {
  readonly title: string
  readonly about?: string
  readonly fields: ReadonlyArray<Field>
  readonly values?: Values
  readonly list: Pick<Listing<unknown>, "refresh">
  readonly create: (values: Values, key: string) => Promise<Outcome<A>>
  /** The id of what was created. */
  readonly idOf: (made: A) => string
}

/** The form of a new one. */
export const New = <A,>({ about, create, idOf, list, title, ...form }: NewProps<A>) => (
  <Detail title={title} about={about}>
    <Card title="Start with this">
      <Form
        {...form}
        id={title}
        isNew
        submit="Create"
        onSubmit={(values, _, key) => create(values, key)}
        onDone={(made, held) => {
          void list.refresh()
          if (held === "") go({ item: idOf(made) }, "replace")
          else closeItem()
        }}
        onCancel={closeItem}
      />
    </Card>
  </Detail>
)

const names = [
  ["missions", "Missions"],
  ["offers", "Offers"],
  ["agents", "Agents"]
] as const satisfies ReadonlyArray<readonly [Place, string]>

interface Props<A, B> {
  readonly place: (typeof names)[number][0]
  readonly list: Listing<A>
  readonly row: (item: A) => RowContent
  /** Reads the one that is open. */
  readonly read: (id: string) => Promise<Outcome<B>>
  /** Shows it. `refresh` reads it and the list again, after a change made here. */
  readonly detail: (data: B, refresh: () => Promise<void>) => ComponentChildren
  readonly created: ComponentChildren
  readonly filters?: ReadonlyArray<Field>
}

const Open = <A, B>({ detail, id, list, read }: Pick<Props<A, B>, "detail" | "list" | "read"> & { id: string }) => {
  const { reading, refresh } = useReading(() => read(id), list.events)
  const again = async (): Promise<void> => {
    await Promise.all([refresh(), list.refresh()])
  }
  return (
    <Read reading={reading} refresh={again}>
      {detail}
    </Read>
  )
}

/** The place. */
export const MissionPlace = <A, B>({ created, detail, filters = [], list, place, read, row }: Props<A, B>) => (
  <ListDetail
    label={Object.fromEntries(names)[place] ?? ""}
    list={list}
    tabs={{ names, selected: place, onSelect: (to) => go({ place: to as Place }) }}
    tools={
      <>
        <Filters usual={filters} />
        <Acts acts={[{ text: `New ${place.slice(0, -1)}`, key: "n", run: () => showItem(newItem) }]} />
      </>
    }
    empty={`No ${place} yet. Press N to create one.`}
    row={row}
    detail={(id) => (id === newItem ? created : <Open id={id} detail={detail} list={list} read={read} />)}
  />
)
