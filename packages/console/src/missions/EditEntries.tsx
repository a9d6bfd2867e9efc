/** A list inside a record, such as the proof of an offer: each entry with its own form. */
import { confirm } from "../dialogs/Confirm.tsx"
import { Form } from "../form/Form.tsx"
import { newId } from "../form/kept.ts"
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
  readonly onDone: () => void
}

/** The list. */
export const EditEntries = <A extends object, B>(props: Props<A, B>) => {
  const { add, entries, fields, id, onDone, save, title } = props
  const nameOf = (entry: A): string => {
    const texts = fields
      .filter(({ kind }) => kind !== "choice")
      .map(({ name }) => String(Reflect.get(entry, name) ?? ""))
    return (texts.find((text) => text !== "") ?? title).split("\n", 1).join("").slice(0, 100)
  }
  const remove = async (at: number): Promise<void> => {
    const outcome = await save(entries.toSpliced(at, 1), newId())
    if (outcome.ok) say(outcome.held === "" ? "Removed." : heldNote)
    else say(`Not removed. ${outcome.problem.message}`, "problem")
    onDone()
  }
  const first = Object.fromEntries(
    fields.flatMap(({ name, options = [] }) => options.slice(0, 1).map(([one]) => [name, one]))
  )
  return (
    <Card title={title}>
      {[...entries, undefined].map((entry, at) => (
        <details key={entry === undefined ? "new" : `${at}`} class="folded">
          <summary>{entry === undefined ? add : <Name>{nameOf(entry)}</Name>}</summary>
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
                  text: nameOf(entry),
                  button: "Remove",
                  onYes: () => void remove(at)
                })
              }
            >
              Remove
            </button>
          )}
        </details>
      ))}
    </Card>
  )
}
