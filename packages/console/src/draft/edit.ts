/** Editing a text in place. What is saved replaces the variation that was shown; nothing is approved before it is saved. */

import { readItem } from "../queue/reading.ts"
import { current, details, dialog, editing, say, variation } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"
import { isReviewable } from "./Reading.ts"

/** `e`. */
export const startEdit = (): void => {
  const found = current.value
  if (found === undefined) return
  if (found.draft === null || !isReviewable(found)) say("Only messages in review can be edited.", "problem")
  else editing.value = { itemId: found.item.item_id, from: found, isSaving: false }
}

/** Leaves the text as it was. */
export const discardEdit = (): void => {
  editing.value = undefined
}

const save = async (from: Details, text: string, at: number): Promise<void> => {
  const texts = from.draft?.variations.map(({ body_text }, index) => (index === at ? text : body_text)) ?? []
  const outcome = await run("linkedin.draft.update", { draft_id: from.item.item_id, variations: texts })
  if (outcome.ok) {
    await readItem(from.item.item_id, "you")
    editing.value = undefined
    say("Saved. Read it once more, then approve it.")
    return
  }
  if (editing.value !== undefined) editing.value = { ...editing.value, isSaving: false }
  say(`Not saved: ${outcome.problem.message} Your text is still here.`, "problem")
}

/** Saves the text, unless somebody else changed it since it was opened. */
export const saveEdit = async (text: string): Promise<void> => {
  const open = editing.value
  if (open === undefined || open.isSaving) return
  const at = variation.value
  const { from, itemId } = open
  if (text === from.draft?.variations[at]?.body_text) {
    discardEdit()
    return
  }
  if (text.trim() === "") {
    say("The text is empty. Write it, or press Esc to discard the change.", "problem")
    return
  }
  editing.value = { ...open, isSaving: true }
  const latest = await run("review.get", { item_id: itemId })
  if (latest.ok && latest.data.content_hash !== from.content_hash) {
    details.value = new Map(details.value).set(itemId, latest.data)
    editing.value = undefined
    dialog.value = { kind: "conflict", before: from, variation: at, mine: text }
    return
  }
  await save(from, text, at)
}

/** After a conflict: the own text replaces the other one. */
export const saveMine = async (text: string, at: number): Promise<void> => {
  const found = current.value
  dialog.value = undefined
  if (found !== undefined) await save(found, text, at)
}
