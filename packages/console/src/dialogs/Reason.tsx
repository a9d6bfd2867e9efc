/** Asks why something is rejected, or how it should be rewritten. The writer reads it. */
import { useState } from "preact/hooks"
import { rejection, rewriteRequest } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { current, dialog } from "../screen/state.ts"
import type { Item } from "../service/shapes.ts"
import { Cancel, Modal } from "./Modal.tsx"

const usual = {
  reject: ["Wrong person", "Not the right moment", "Tone is off", "A fact is wrong"],
  rewrite: ["Shorter", "Less formal", "Say why we write to them", "One clear question at the end"]
}

/** See above. */
export const Reason = ({ item, kind }: { readonly item: Item; readonly kind: "reject" | "rewrite" }) => {
  const [text, setText] = useState("")
  const details = current.value
  const name = item.lead?.name ?? "this item"
  const submit = () => {
    dialog.value = undefined
    if (details === undefined || text.trim() === "") return
    decideOn(item, kind === "reject" ? rejection(details, text.trim()) : rewriteRequest(details, text.trim()))
  }
  return (
    <Modal title={kind === "reject" ? `Reject for ${name}` : `Ask for a rewrite for ${name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label for="reason">{kind === "reject" ? "Reason, for the writer" : "What should change"}</label>
        <input
          id="reason"
          value={text}
          maxLength={500}
          autofocus
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div class="choices" role="group" aria-label="Usual answers">
          {usual[kind].map((one) => (
            <button type="button" key={one} onClick={() => setText(one)}>
              {one}
            </button>
          ))}
        </div>
        <div class="dialog-foot">
          <button type="submit" class="primary" disabled={text.trim() === ""}>
            {kind === "reject" ? "Reject" : "Ask"} <kbd>↵</kbd>
          </button>
          <Cancel />
        </div>
      </form>
    </Modal>
  )
}
