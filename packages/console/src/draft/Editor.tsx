/** Editing in place. */
import { useEffect, useRef, useState } from "preact/hooks"
import { editing } from "../screen/state.ts"
import { discardEdit, saveEdit } from "./edit.ts"
import { Characters } from "./Text.tsx"

/** See above. */
export const Editor = ({ max, text }: { readonly text: string; readonly max: number | null }) => {
  const [value, setValue] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [])
  const isSaving = editing.value?.isSaving === true
  return (
    <section class="text-place" aria-label="Editor">
      <textarea
        ref={field}
        class="text editor"
        aria-label="Text of the message"
        value={value}
        readOnly={isSaving}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault()
            void saveEdit(value)
          } else if (event.key === "Escape") {
            event.preventDefault()
            event.stopPropagation()
            discardEdit()
          }
        }}
      />
      <div class="editor-foot">
        <button type="button" class="primary" disabled={isSaving} onClick={() => void saveEdit(value)}>
          {isSaving ? "Saving…" : "Save"} <kbd>⌘↵</kbd>
        </button>
        <button type="button" disabled={isSaving} onClick={discardEdit}>
          Discard <kbd>Esc</kbd>
        </button>
        <Characters length={value.length} max={max} />
      </div>
    </section>
  )
}
