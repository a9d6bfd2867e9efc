/** The filters of a list, which the URL holds: the usual ones in the line of tools, the others in a dialog. */
import { useState } from "preact/hooks"
import { Cancel } from "../dialogs/Modal.tsx"
import { Choice } from "../form/Choice.tsx"
import { FieldView } from "../form/Field.tsx"
import type { Field, Values } from "../form/values.ts"
import { filterBy, type Query, route } from "../place/route.ts"
import { ask, closeDialog } from "../screen/state.ts"

const show = (values: Values): void => {
  const given = Object.entries({ ...route.peek().query, ...values }).filter(([, value]) => value !== "")
  filterBy(Object.fromEntries(given) as Query, "replace")
}

/** Asks for filters. Their names may be read meanwhile. */
export const askFilters = (fields: () => ReadonlyArray<Field>): void => ask("Filter", () => <More fields={fields()} />)

const More = ({ fields }: { readonly fields: ReadonlyArray<Field> }) => {
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name }) => [name, route.peek().query[name] ?? ""]))
  )
  const close = (shown: Values): void => {
    closeDialog()
    show(shown)
  }
  return (
    <form
      class="form stack"
      onSubmit={(event) => {
        event.preventDefault()
        close(values)
      }}
    >
      <div class="filter-fields stack">
        {fields.map((field) => (
          <FieldView
            key={field.name}
            id={`filter-${field.name}`}
            field={field}
            value={values[field.name] ?? ""}
            onChange={(name, value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      <div class="dialog-foot line">
        <button type="submit" class="primary">
          Show
        </button>
        <button type="button" onClick={() => close(Object.fromEntries(fields.map(({ name }) => [name, ""])))}>
          Clear all
        </button>
        <Cancel />
      </div>
    </form>
  )
}

interface FiltersProps {
  /** Choices, whose first option is the one without a filter. */
  readonly usual: ReadonlyArray<Field>
  readonly more?: ReadonlyArray<Field>
}

/** The choices, and the button for the others. */
export const Filters = ({ more = [], usual }: FiltersProps) => {
  const { query } = route.value
  const count = more.filter(({ name }) => query[name] !== undefined).length
  return (
    <>
      {usual.map(({ label, name, options = [] }) => (
        <Choice
          key={name}
          label={label}
          options={options}
          value={query[name] ?? ""}
          onChange={(value) => show({ [name]: value })}
        />
      ))}
      {more.length > 0 && (
        <button type="button" onClick={() => askFilters(() => more)}>
          More filters {count > 0 && <span class="sign">{count}</span>}
        </button>
      )}
    </>
  )
}
