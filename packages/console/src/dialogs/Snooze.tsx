/** Asks until when an item is put aside. */

import { snooze } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { dateAndTime, snoozeTimes } from "../queue/times.ts"
import { dialog } from "../screen/state.ts"
import type { Item } from "../service/shapes.ts"
import { Modal } from "./Modal.tsx"

/** See above. */
export const Snooze = ({ item }: { readonly item: Item }) => {
  const times = snoozeTimes(Date.now())
  const choose = (at: string | null) => {
    dialog.value = undefined
    decideOn(item, snooze(item, at, at === null ? "" : dateAndTime(at)))
  }
  const onKey = (event: KeyboardEvent) => {
    const time = times[Number(event.key) - 1]
    if (time === undefined || event.repeat) return
    event.preventDefault()
    choose(time.at)
  }
  return (
    <Modal title={`Snooze ${item.lead?.name ?? "this item"}`} onKey={onKey}>
      <ul class="menu">
        {times.map(({ at, text }, index) => (
          <li key={text}>
            <button type="button" onClick={() => choose(at)}>
              <kbd>{index + 1}</kbd> {text} <span class="quiet">{dateAndTime(at)}</span>
            </button>
          </li>
        ))}
        {item.snoozed_until !== null && (
          <li>
            <button type="button" onClick={() => choose(null)}>
              Back to review now
            </button>
          </li>
        )}
      </ul>
    </Modal>
  )
}
