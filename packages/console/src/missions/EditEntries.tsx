/** A list inside a record, such as the proof of an offer: each entry with its own form. */
import { confirm } from "../dialogs/Confirm.tsx"
import { Form } from "../form/Form.tsx"
import { keptIds, newId } from "../form/kept.ts"
import type { Field } from "../form/values.ts"
import { Card } from "../list/Detail.tsx"
import { say } from "../screen/state.ts"
import { heldNote } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import { Name } from "../text/Prose.tsx"
import { inputOf, valuesOf } from "./fields.ts"

interface Props<A extends object, B> {
  /** What it belongs to, e.g. `offer spring proof`: what is typed is kept under this name. */
  readonly id: string
  readonly title: string
  /** What the button for a new one says. */
  readonly add: string
  /** The names of the fields are those of the entries. The text of the first one that has any names an entry. */
  readonly fields: ReadonlyArray<Field>
  readonly entries: ReadonlyArray<A>
  /** Stores the whole list. */
  readonly save: (entries: ReadonlyArray<A>, key: string) => Promise<Outcome<B>>
  readonly onDone: () => unknown
  /** Of a list whose order matters: how many entries it takes, and how one is named. */
  readonly order?: { readonly max: number; readonly nameOf: (entry: A, at: number) => string }
}

/** The list. */
export const EditEntries = <A extends object, B>(props: Props<A, B>) => {
  const { add, entries, fields, id, onDone, order, save, title } = props
  const nameOf = (entry: A, at: number): string => {
    if (order !== undefined) return order.nameOf(entry, at)
    const texts = fields
      .filter(({ kind }) => kind !== "choice")
      .map(({ name }) => String(Reflect.get(entry, name) ?? ""))
    return (texts.find((text) => text !== "") ?? title).split("\n", 1).join("").slice(0, 100)
  }
  const change = async (next: ReadonlyArray<A>, done: string): Promise<void> => {
    // What is typed belongs to a place in the list.
    if (keptIds().some((one) => one.startsWith(`${id} `) && Number(one.slice(id.length + 1)) < entries.length)) {
      say("Save or discard your changes in this list first.", "problem")
      return
    }
    const outcome = await save(next, newId())
    if (outcome.ok) say(outcome.held === "" ? done : heldNote)
    else say(`Not done. ${outcome.problem.message}`, "problem")
    onDone()
  }
  const moveUp = async (entry: A, at: number, folds: HTMLElement | null): Promise<void> => {
    await change(entries.toSpliced(at, 1).toSpliced(at - 1, 0, entry), "Moved up.")
    folds?.querySelectorAll("summary")[at - 1]?.focus()
  }
  const first = Object.fromEntries(
    fields.flatMap(({ name, options = [] }) => options.slice(0, 1).map(([one]) => [name, one]))
  )
  return (
    <Card title={title}>
      {(entries.length === order?.max ? entries : [...entries, undefined]).map((entry, at) => (
        <details key={entry === undefined ? "new" : `${at}`} class="folded">
          <summary>{entry === undefined ? add : <Name>{nameOf(entry, at)}</Name>}</summary>
          <Form
            id={`${id} ${entry === undefined ? "new" : at}`}
            isNew={entry === undefined}
            fields={fields}
            values={entry === undefined ? first : valuesOf(fields, entry)}
            submit={entry === undefined ? add : "Save"}
            onSubmit={(values, _, key) =>
              save(entries.toSpliced(at, 1, { ...entry, ...inputOf(fields, values) } as A), key)
            }
            onDone={onDone}
          />
          {entry !== undefined && (
            <button
              type="button"
              onClick={() =>
                confirm({
                  title: "Remove this?",
                  text: <Name>{nameOf(entry, at)}</Name>,
                  button: "Remove",
                  onYes: () => void change(entries.toSpliced(at, 1), "Removed.")
                })
              }
            >
              Remove
            </button>
          )}
          {entry !== undefined && order !== undefined && at > 0 && (
            <button type="button" onClick={(event) => void moveUp(entry, at, event.currentTarget.closest("section"))}>
              Move up
            </button>
          )}
        </details>
      ))}
    </Card>
  )
}
