/** What the details of missions, offers and agents have in common. */
import { confirm } from "../dialogs/Confirm.tsx"
import { Form } from "../form/Form.tsx"
import type { Field, Values } from "../form/values.ts"
import { Card, Detail, useReading } from "../list/Detail.tsx"
import type { Listing } from "../place/Listing.ts"
import { go, route } from "../place/route.ts"
import { act } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import type { CommandId, InputOf } from "../service/shapes.ts"
import { closeItem } from "./Place.tsx"

/** Reads what is open. `refresh` reads its list again too, after a change made here. */
export const useOpen = <A,>(
  list: Pick<Listing<unknown>, "events" | "refresh">,
  read: () => Promise<Outcome<A>>
): ReturnType<typeof useReading<A>> => {
  const { reading, refresh } = useReading(read, list.events)
  return {
    reading,
    refresh: async (): Promise<void> => {
      await Promise.all([refresh(), list.refresh()])
    }
  }
}

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
