/** Asks before several drafts are approved, and says which are left out. */
import { approveBatch, batch } from "../draft/approving.ts"
import { pressed } from "../keys/pressed.ts"
import { marked } from "../screen/state.ts"
import { Cancel, Modal } from "./Modal.tsx"

/** See above. */
export const Batch = () => {
  const ready = batch()
  const left = marked.value.size - ready.length
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "a") return
    event.preventDefault()
    approveBatch({ at: event.timeStamp, isRepeat: event.repeat })
  }
  return (
    <Modal title={`Approve ${ready.length} of ${marked.value.size} selected?`} onKey={onKey}>
      <ul class="plain-list batch-list">
        {ready.map(({ item }) => (
          <li key={item.item_id}>
            <strong>{item.lead?.name}</strong> <span class="quiet">{item.preview}</span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p class="quiet">
          {left === 1 ? "1 is" : `${left} are`} left out: not opened yet, with errors or warnings, or with several
          variations.
        </p>
      )}
      <div class="dialog-foot">
        <button
          type="button"
          class="primary"
          data-approves
          disabled={ready.length === 0}
          onClick={() => approveBatch(pressed())}
        >
          Approve {ready.length} <kbd>A</kbd>
        </button>
        <Cancel />
      </div>
    </Modal>
  )
}
