/** Shows what was read and what it says now, side by side. */
import { Difference } from "../draft/Changed.tsx"
import { saveMine } from "../draft/edit.ts"
import { textsOf } from "../draft/Reading.ts"
import { select } from "../keys/actions.ts"
import { details, dialog } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { Modal } from "./Modal.tsx"

interface ConflictProps {
  readonly before: Details
  readonly variation: number
  readonly mine: string | undefined
}

/** See above. */
export const Conflict = ({ before, mine, variation }: ConflictProps) => {
  const id = before.item.item_id
  const now = details.value.get(id)
  const isRead = now !== undefined && now.content_hash !== before.content_hash
  const left = mine ?? textsOf(before)[variation] ?? ""
  const right = now === undefined ? "" : (textsOf(now)[variation] ?? "")
  return (
    <Modal title="The text changed while you were reading" isWide>
      <p>
        Nothing was {mine === undefined ? "approved" : "saved"}. Compare both for{" "}
        {before.item.lead?.name ?? "this item"}.
      </p>
      <div class="sides">
        <section aria-label={mine === undefined ? "What you read" : "What you wrote"}>
          <h3>{mine === undefined ? "What you read" : "What you wrote"}</h3>
          <div class="quote">{left}</div>
        </section>
        <section aria-label="What it says now">
          <h3>What it says now</h3>
          {isRead ? <Difference before={left} after={right} /> : <p class="quiet">Loading…</p>}
        </section>
      </div>
      <div class="dialog-foot">
        <button
          type="button"
          class="primary"
          onClick={() => {
            dialog.value = undefined
            select(id)
          }}
        >
          Read the new text
        </button>
        {mine !== undefined && isRead && (
          <button type="button" onClick={() => void saveMine(now, mine, variation)}>
            Save mine instead
          </button>
        )}
      </div>
    </Modal>
  )
}
