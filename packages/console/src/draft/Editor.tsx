/** Editing in place. What is typed stays in this browser until it is saved or discarded. */
import type { TargetedKeyboardEvent } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { dropKept, keep, readKept } from "../form/kept.ts"
import { shownKey } from "../keys/keyMap.ts"
import { approvalWithEdits, hashed } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { current, readItem } from "../queue/reading.ts"
import { closeDialog, dialog, editing, onceMore, say, variation } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"
import { isReviewable } from "./Reading.ts"
import { Characters } from "./Text.tsx"

/** What is edited: the text and, of an email, its subject. */
interface Edited {
  readonly text: string
  readonly subject: string
}

const keptName = (itemId: string, at: number): string => `text ${itemId} ${at}`

/** What somebody typed for a text and did not save. */
export const unsavedText = (details: Details, at: number): Edited | undefined =>
  readKept<Edited>(keptName(details.item.item_id, at))?.value

/** Forgets it. */
export const discardText = (details: Details, at: number): void => {
  dropKept(keptName(details.item.item_id, at))
  editing.value = undefined
}

/** `e`. */
export const startEdit = (): void => {
  const found = current.value
  if (found === undefined) say("Nothing is open yet.")
  else if ((found.draft === null && found.email === null) || !isReviewable(found))
    say("Only messages and emails in review can be edited.", "problem")
  else editing.value = { itemId: found.item.item_id, from: found, isSaving: false }
}

/** Saves a text that was written from `from`. When somebody changed the draft since, both are shown. */
const save = async (from: Details, text: string, at: number): Promise<void> => {
  const { item_id } = from.item
  const before = from.draft?.variations.map(({ body_text }) => body_text) ?? []
  // Of several variations, the one that was edited may be gone.
  const variations = [...before.slice(0, at), text, ...before.slice(at + 1)]
  const outcome = await run("linkedin.draft.update", { draft_id: item_id, variations, ...hashed(from.content_hash) })
  if (outcome.ok) {
    await readItem(item_id, "you")
    discardText(from, at)
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

/** Saves the text, unless somebody else changed the draft since it was opened. Of an email, it is approved with the text. */
const saveEdit = async ({ subject, text }: Edited): Promise<void> => {
  const open = editing.value
  if (open === undefined || open.isSaving) return
  const at = variation.value
  const { from } = open
  if (text.trim() === "") {
    say("The text is empty. Write it, or discard the change.", "problem")
  } else if (from.email !== null) {
    discardText(from, at)
    const typed = { id: keptName(from.item.item_id, at), value: { subject, text } }
    const proposal = approvalWithEdits(from, subject, text)
    decideOn(from.item, proposal && { ...proposal, typed })
  } else if (text === from.draft?.variations[at]?.body_text) {
    discardText(from, at)
    say("Nothing to save: the text has not changed.")
  } else {
    editing.value = { ...open, isSaving: true }
    await save(from, text, at)
  }
}

/** After a conflict: the own text replaces the one that is shown beside it. */
export const saveMine = async (now: Details, text: string, at: number): Promise<void> => {
  closeDialog()
  await save(now, text, at)
}

/** The keys of a field with a text: Ctrl Enter is done with it, Esc leaves it. */
export const textKeys =
  (done: () => void, leave: (field: HTMLElement) => void) =>
  (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const isDone = event.key === "Enter" && (event.metaKey || event.ctrlKey)
    if (!isDone && event.key !== "Escape") return
    event.preventDefault()
    event.stopPropagation()
    if (!isDone) leave(event.currentTarget)
    else if (!event.repeat) done()
  }

interface EditorProps {
  readonly details: Details
  readonly text: string
  readonly index: number
}

/** The field and its buttons. */
export const Editor = ({ details, index, text }: EditorProps) => {
  const stored: Edited = { text, subject: details.subject ?? "" }
  const [value, setValue] = useState(() => unsavedText(details, index) ?? stored)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(value.text.length, value.text.length)
  }, [])
  const isSaving = editing.value?.isSaving === true
  const isEmail = details.email !== null
  const change = (part: Partial<Edited>): void => {
    const next = { ...value, ...part }
    setValue(next)
    keep(keptName(details.item.item_id, index), next)
  }
  const close = (): void => {
    if (value.text === stored.text && value.subject === stored.subject) discardText(details, index)
    else if (onceMore(`edit ${details.item.item_id}`))
      say("Not saved yet. Press Esc again to close. Your text is kept here.")
    else {
      editing.value = undefined
      say("Not saved. Your text is kept here: press E to go on.")
    }
  }
  return (
    <section
      class="text-place"
      aria-label="Editor"
      onKeyDown={textKeys(() => {
        if (isEmail) say("Emails are approved with the button below: it sends what is on screen.")
        else void saveEdit(value)
      }, close)}
    >
      {isEmail && (
        <input
          aria-label="Subject"
          dir="auto"
          value={value.subject}
          onInput={({ currentTarget }) => change({ subject: currentTarget.value })}
        />
      )}
      <textarea
        ref={field}
        class="text panel prose editor"
        aria-label={`Text of the ${isEmail ? "email" : "message"}`}
        dir="auto"
        value={value.text}
        readOnly={isSaving}
        onInput={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <div class="dialog-foot line">
        <button type="button" class="primary" disabled={isSaving} onClick={() => void saveEdit(value)}>
          {isSaving ? "Saving…" : isEmail ? "Approve this text" : "Save"}
          {!isEmail && <kbd>{shownKey("mod+Enter")}</kbd>}
        </button>
        <button type="button" disabled={isSaving} onClick={() => discardText(details, index)}>
          Discard
        </button>
        <Characters length={value.text.length} max={details.max_characters} />
      </div>
    </section>
  )
}
