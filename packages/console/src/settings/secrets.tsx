/** Secrets that were just made: only in the memory of this page, until they are put away. */
import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { askForm } from "../form/askForm.tsx"
import type { Field, Values } from "../form/values.ts"
import { Card } from "../list/Detail.tsx"
import { say } from "../screen/state.ts"
import type { Outcome } from "../service/outcome.ts"

const secret = signal<{ readonly name: string; readonly text: string } | undefined>(undefined)

/** Shows a new secret. A repeated response has none. */
export const showOnce = (name: string, text: string | null | undefined): void => {
  if (text == null) say(`${name} was shown once already. If you don't have it, replace it.`, "problem")
  else secret.value = { name, text }
}

/** Forgets it. */
export const forgetSecret = (): void => {
  secret.value = undefined
}

const copy = (text: string): void => {
  const problem = "Your browser doesn't allow copying here. Select the text and copy it."
  // Only pages over https have a clipboard.
  const copied = navigator.clipboard?.writeText(text) ?? Promise.reject()
  void copied.then(
    () => say("Copied."),
    () => say(problem, "problem")
  )
}

/** The secret, selected. */
export const ShownOnce = () => {
  const field = useRef<HTMLInputElement>(null)
  const shown = secret.value
  useEffect(() => field.current?.select(), [shown])
  if (shown === undefined) return null
  return (
    <Card title={shown.name}>
      <p class="part-problem warning">Copy it now: it is shown only once. Whoever has it can use it.</p>
      <input ref={field} readOnly value={shown.text} aria-label={shown.name} />
      <div class="choices">
        <button type="button" class="primary" onClick={() => copy(shown.text)}>
          Copy
        </button>
        <button type="button" onClick={forgetSecret}>
          I have stored it
        </button>
      </div>
    </Card>
  )
}

const overlap: Field = {
  name: "overlap",
  label: "The old secret works for another",
  kind: "choice",
  options: [
    ["86400", "day, so that nothing breaks"],
    ["3600", "hour"],
    ["0", "no time: it may have leaked"]
  ]
}

/** Asks how long the old secret of a key or webhook stays valid, and replaces it. */
export const askReplace = (
  name: string,
  fields: ReadonlyArray<Field>,
  replace: (seconds: number, values: Values, key: string) => Promise<Outcome<string | null>>
): void =>
  askForm({
    id: `secret of ${name}`,
    title: `Replace the secret of ${name}`,
    fields: [overlap, ...fields],
    values: { overlap: "86400" },
    isNew: true,
    submit: "Replace secret",
    onSubmit: (values, _, key) => replace(Number(values["overlap"]), values, key),
    onDone: (text) => showOnce(`New secret of ${name}`, text)
  })
