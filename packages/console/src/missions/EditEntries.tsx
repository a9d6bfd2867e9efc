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
  return (
    <Card title={title}>
      {entries.map((entry, at) => (
        <details key={`${at}`} class="folded">
          <summary>
            <Name>{nameOf(entry)}</Name>
          </summary>
          <Form
            id={`${id} ${at}`}
            fields={fields}
            values={valuesOf(fields, entry)}
            submit="Save"
            onSubmit={(values, _, key) => save(entries.with(at, { ...entry, ...inputOf(fields, values) }), key)}
            onDone={onDone}
          />
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
        </details>
      ))}
      <details class="folded">
        <summary>{add}</summary>
        <Form
          id={`${id} new`}
          isNew
          fields={fields}
          values={Object.fromEntries(
            fields.flatMap(({ name, options }) => (options?.[0] === undefined ? [] : [[name, options[0][0]]]))
          )}
          submit={add}
          onSubmit={(values, _, key) => save([...entries, inputOf(fields, values) as A], key)}
          onDone={onDone}
        />
      </details>
    </Card>
  )
}
