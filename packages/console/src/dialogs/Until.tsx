/** Until when something is put aside, or does not leave. */
import type { Pressed } from "../keys/keyMap.ts"
import { dateAndTime, snoozeTimes } from "../queue/times.ts"
import { closeDialog, type Dialog } from "../screen/state.ts"
import { Modal } from "./Modal.tsx"

const morning = { at: "next_morning", text: "Their next working morning" }

/** The times, each with its key. */
export const Until = ({ isApproval, isSnoozed, onChoose, title }: Extract<Dialog, { readonly kind: "until" }>) => {
  const now = Date.now()
  const times = [...(isApproval ? [morning] : []), ...snoozeTimes(now)]
  const choose = (at: string | null): void => {
    closeDialog()
    onChoose(at)
  }
  const keys = Object.fromEntries(
    times.map(({ at }, index) => [index + 1, ({ isRepeat }: Pressed) => isRepeat || choose(at)])
  )
  return (
    <Modal title={title} keys={keys}>
      <div class="stack" data-approves={isApproval ? "" : undefined}>
        <ul class="menu">
          {times.map(({ at, text }, index) => (
            <li key={text}>
              <button type="button" onClick={() => choose(at)}>
                <kbd>{index + 1}</kbd> {text} <span class="quiet">{at !== morning.at && dateAndTime(at)}</span>
              </button>
            </li>
          ))}
          {isSnoozed && (
            <li>
              <button type="button" onClick={() => choose(null)}>
                Back now
              </button>
            </li>
          )}
        </ul>
        <form
          class="another-day line"
          onSubmit={(event) => {
            event.preventDefault()
            choose(new Date(String(new FormData(event.currentTarget).get("time"))).toISOString())
          }}
        >
          <label for="until-time">Another time</label>
          <input
            id="until-time"
            name="time"
            type="datetime-local"
            required
            min={new Date(now - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)}
          />
          <button type="submit">Choose</button>
        </form>
      </div>
    </Modal>
  )
}
