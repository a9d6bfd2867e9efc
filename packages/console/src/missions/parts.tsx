/** What the details of missions, offers and agents have in common. */
import type { ComponentChildren } from "preact"
import { confirm } from "../dialogs/Confirm.tsx"
import { Form } from "../form/Form.tsx"
import type { Field, Values } from "../form/values.ts"
import { Card, Detail } from "../list/Detail.tsx"
import { go, type Place } from "../place/route.ts"
import { Link } from "../screen/Link.tsx"
import { act } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import type { CommandId, InputOf } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { closeItem } from "./Place.tsx"

/** How an open item and its list are read again. */
interface Shown {
  readonly refresh: () => Promise<void>
  readonly list: { readonly refresh: () => Promise<void> }
}

/** Reads both again. */
export const refreshBoth = async ({ list, refresh }: Shown): Promise<void> => {
  await Promise.all([refresh(), list.refresh()])
}

/** Runs a command and reads both again. False when it failed. */
export const change = async <Id extends CommandId>(
  shown: Shown,
  id: Id,
  input: InputOf<Id>,
  done: string
): Promise<boolean> => {
  const { ok } = await act(id, input, done)
  await refreshBoth(shown)
  return ok
}

interface DeleteProps<Id> {
  readonly name: string
  readonly command: Id
  readonly input: InputOf<Id & CommandId>
  readonly text: string
  readonly list: Shown["list"]
  /** Why it can't be deleted. */
  readonly refusal?: () => boolean
}

/** The button that deletes, after the name was typed. */
export const Delete = <Id extends CommandId>({ command, input, list, name, refusal, text }: DeleteProps<Id>) => (
  <button
    type="button"
    onClick={() => {
      if (refusal?.() === true) return
      confirm({
        title: `Delete ${name}?`,
        text,
        button: "Delete",
        typed: name,
        onYes: async () => {
          const { ok } = await act(command, input, `${name} is deleted.`)
          // The list without it comes first: its first item opens next.
          await list.refresh()
          if (ok) closeItem()
        }
      })
    }}
  >
    Delete
  </button>
)

interface EditProps {
  readonly id: string
  readonly title: string
  readonly about?: ComponentChildren
  readonly fields: ReadonlyArray<Field>
  readonly values: Values
  readonly class?: string
  readonly save: (changed: Values, values: Values, key: string) => Promise<Outcome<unknown>>
  readonly onDone: () => void
}

/** A card with a form that changes what is open. */
export const Edit = ({ about, save, title, ...form }: EditProps) => (
  <Card title={title}>
    {about !== undefined && <p class="quiet">{about}</p>}
    <Form {...form} submit="Save" onSubmit={(values, changed, key) => save(changed, values, key)} />
  </Card>
)

interface NewProps<A> {
  readonly title: string
  readonly from: string
  readonly about?: string
  readonly fields: ReadonlyArray<Field>
  readonly values?: Values
  readonly list: Shown["list"]
  readonly create: (values: Values, key: string) => Promise<Outcome<A>>
  /** The id of what was created. */
  readonly idOf: (made: A) => string
}

/** The form of a new one. */
export const New = <A,>({ about, create, fields, from, idOf, list, title, values = {} }: NewProps<A>) => (
  <Detail title={title} from={from} about={about}>
    <Card title="Start with this">
      <Form
        id={title}
        isNew
        fields={fields}
        values={values}
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

interface LinksProps {
  readonly place: Place
  readonly empty: string
  readonly items: ReadonlyArray<{ readonly id: string; readonly name: string; readonly text?: string }>
}

/** A short list of links. */
export const Links = ({ empty, items, place }: LinksProps) =>
  items.length === 0 ? (
    <p class="quiet">{empty}</p>
  ) : (
    <ul class="plain-list">
      {items.map(({ id, name, text }) => (
        <li key={id}>
          <Link to={{ place, item: id }}>
            <Name>{name}</Name>
          </Link>{" "}
          <span class="quiet">{text}</span>
        </li>
      ))}
    </ul>
  )
