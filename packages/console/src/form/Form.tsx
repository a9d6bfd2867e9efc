/** The form of every place: fields from a list, kept in this browser while they are not saved. */
import { useEffect, useRef, useState } from "preact/hooks"
import { poll } from "../live/follow.ts"
import { onceMore, say } from "../screen/state.ts"
import { heldNote } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import { FieldView } from "./Field.tsx"
import { dropKept, type Kept, keep, keyFor, readKept } from "./kept.ts"
import type { Field, Values } from "./values.ts"

interface FormProps<A> {
  /** What it edits, e.g. `mission spring`: its texts are kept under this name. */
  readonly id: string
  readonly fields: ReadonlyArray<Field>
  /** What is stored now. */
  readonly values?: Values
  readonly submit: string
  /** Sends the values. `changed` are those that differ from the stored ones; `key` is their Idempotency-Key. */
  readonly onSubmit: (values: Values, changed: Values, key: string) => Promise<Outcome<A>>
  /** After it was stored. `held`: a policy asks another person first. */
  readonly onDone?: (data: A, held: string) => void
  readonly onCancel?: () => void
  /** Whether it can be submitted unchanged. */
  readonly isNew?: boolean
  /** A class for its layout. */
  readonly class?: string
}

const initialOf = (fields: ReadonlyArray<Field>, values: Values): Values =>
  Object.fromEntries(fields.map(({ kind, name }) => [name, values[name] ?? (kind === "check" ? false : "")]))

const withoutSecrets = (fields: ReadonlyArray<Field>, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => fields.find((field) => field.name === name)?.kind !== "password")
  )

const untouched: Kept<Values> = { value: {} }

/** The form. Passwords are never kept. Esc in a changed one asks once; the text stays in any case. */
export const Form = <A,>({
  class: layout = "",
  fields,
  id,
  isNew = false,
  onCancel,
  onDone,
  onSubmit,
  submit,
  values = {}
}: FormProps<A>) => {
  const stored = initialOf(fields, values)
  /** What was typed here, and what was stored when a field was changed. */
  const [{ before = {}, value: own }, setKept] = useState<Kept<Values>>(() => readKept(id) ?? untouched)
  const [problem, setProblem] = useState("")
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const shown = { ...stored, ...own }
  const changed = Object.fromEntries(Object.entries(shown).filter(([name, value]) => value !== stored[name]))
  const isChanged = Object.keys(changed).length > 0
  const theirs = fields.filter(
    ({ name }) => changed[name] !== undefined && (before[name] ?? stored[name]) !== stored[name]
  )

  useEffect(() => setKept(readKept(id) ?? untouched), [id])
  // Browsers do so by themselves only where the form opens with its dialog.
  useEffect(() => form.current?.querySelector<HTMLElement>("[autofocus]")?.focus(), [])

  const change = (name: string, value: string | boolean): void => {
    const next = { value: { ...own, [name]: value }, before: { ...before, [name]: before[name] ?? stored[name] ?? "" } }
    // What is as it is stored is not kept.
    if (Object.entries(next.value).every(([one, typed]) => typed === stored[one])) forget()
    else {
      setKept(next)
      setProblem("")
      keep(id, withoutSecrets(fields, next.value), next.before)
    }
  }
  const forget = (): void => {
    dropKept(id)
    setKept(untouched)
    setProblem("")
  }
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    if (!isChanged && !isNew) {
      say("Nothing to save: no field has changed.")
      return
    }
    setBusy(true)
    const outcome = await onSubmit(shown, changed, keyFor(id, withoutSecrets(fields, shown)))
    setBusy(false)
    if (outcome.ok) {
      forget()
      void poll()
      if (outcome.held !== "") say(heldNote)
      else say("Saved.")
      onDone?.(outcome.data, outcome.held)
    } else {
      const { code, message } = outcome.problem
      setProblem(code === "VERSION_CONFLICT" ? `${message} Check what is shown and save again.` : message)
    }
  }
  return (
    <form
      ref={form}
      class={`form stack ${layout}`}
      onSubmit={(event) => void send(event)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault()
          form.current?.requestSubmit()
        } else if (event.key === "Escape" && isChanged && onceMore(`form ${id}`)) {
          event.preventDefault()
          event.stopPropagation()
          say("Not saved yet. Press Esc again to leave. Your text stays in this browser.")
        }
      }}
    >
      {fields.map((field) => (
        <FieldView
          key={field.name}
          id={`${id} ${field.name}`}
          field={field}
          value={shown[field.name] ?? ""}
          onChange={change}
        />
      ))}
      {theirs.length > 0 && (
        <p class="form-problem warning" role="status">
          {theirs.map(({ label }) => label).join(", ")}: changed by somebody else while you were typing. Saving replaces
          their text. Discard your changes to see it.
        </p>
      )}
      {problem !== "" && (
        <p class="form-problem error" role="alert">
          {problem} {isChanged && "Your text is still here."}
        </p>
      )}
      <div class="dialog-foot line">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Saving…" : submit}
        </button>
        {isChanged && (
          <button type="button" onClick={forget}>
            Discard changes
          </button>
        )}
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {isChanged && <span class="quiet small">Not saved yet, kept in this browser</span>}
      </div>
    </form>
  )
}
