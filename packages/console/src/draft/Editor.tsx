/** Editing in place. */
import { useEffect, useRef, useState } from "preact/hooks"
import { readItem } from "../queue/reading.ts"
import { closeDialog, current, dialog, editing, say, variation } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"
import { isReviewable } from "./Reading.ts"
import { Characters } from "./Text.tsx"

/** `e`. */
export const startEdit = (): void => {
  const found = current.value
  if (found === undefined) return
  if (found.draft === null || !isReviewable(found)) say("Only messages in review can be edited.", "problem")
  else editing.value = { itemId: found.item.item_id, from: found, isSaving: false }
}

/** Leaves the text as it was. */
const discardEdit = (): void => {
  editing.value = undefined
}

/** Saves a text that was written from `from`. When somebody changed the draft since, both are shown. */
const save = async (from: Details, text: string, at: number): Promise<void> => {
  const { item_id } = from.item
  const before = from.draft?.variations.map(({ body_text }) => body_text) ?? []
  // Of several variations, the one that was edited may be gone.
  const variations = [...before.slice(0, at), text, ...before.slice(at + 1)]
  const hash = from.content_hash === null ? {} : { content_hash: from.content_hash }
  const outcome = await run("linkedin.draft.update", { draft_id: item_id, variations, ...hash })
  if (outcome.ok) {
    await readItem(item_id, "you")
    editing.value = undefined
    say("Saved. Read it once more, then approve it.")
    return
  }
  const now = outcome.problem.code === "CONTENT_CHANGED" ? await readItem(item_id, "") : undefined
  if (now !== undefined) {
    editing.value = undefined
    dialog.value = { kind: "conflict", before: from, variation: at, mine: text }
    return
  }
  if (editing.value !== undefined) editing.value = { ...editing.value, isSaving: false }
  say(`Not saved: ${outcome.problem.message} Your text is still here.`, "problem")
}

/** Saves the text, unless somebody else changed the draft since it was opened. */
const saveEdit = async (text: string): Promise<void> => {
  const open = editing.value
  if (open === undefined || open.isSaving) return
  const at = variation.value
  const { from } = open
  if (text === from.draft?.variations[at]?.body_text) {
    discardEdit()
    return
  }
  if (text.trim() === "") {
    say("The text is empty. Write it, or press Esc to discard the change.", "problem")
    return
  }
  editing.value = { ...open, isSaving: true }
  await save(from, text, at)
}

/** After a conflict: the own text replaces the one that is shown beside it. */
export const saveMine = async (now: Details, text: string, at: number): Promise<void> => {
  closeDialog()
  await save(now, text, at)
}

/** The field and its buttons. */
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
        class="text panel prose editor"
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
      <div class="editor-foot line">
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
