/** Asks before something that can't be undone. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { FieldView } from "../form/Field.tsx"
import { ask, closeDialog } from "../screen/state.ts"
import { Cancel } from "./Modal.tsx"

interface Question {
  readonly title: string
  readonly text: ComponentChildren
  /** What the button says. */
  readonly button: string
  /** A text that must be typed, such as an email address. */
  readonly typed?: string
  readonly onYes: () => void
}

const Body = ({ button, onYes, text, typed }: Question) => {
  const [given, setGiven] = useState("")
  const isReady = typed === undefined || given.trim().toLowerCase() === typed.toLowerCase()
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        closeDialog()
        onYes()
      }}
    >
      <div>{text}</div>
      {typed !== undefined && (
        <FieldView
          id="typed"
          field={{ name: "typed", label: `Type ${typed} to confirm`, autofocus: true }}
          value={given}
          onChange={(_, value) => setGiven(String(value))}
        />
      )}
      <div class="dialog-foot line">
        <button type="submit" class="primary" disabled={!isReady}>
          {button}
        </button>
        <Cancel />
      </div>
    </form>
  )
}

/** Asks, and calls `onYes` when the person confirms. */
export const confirm = (question: Question): void => ask(question.title, () => <Body {...question} />)
