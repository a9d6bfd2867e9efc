/** Until when something is put aside. */
import type { Pressed } from "../keys/keyMap.ts"
import { dateAndTime, snoozeTimes } from "../queue/times.ts"
import { closeDialog, type Dialog } from "../screen/state.ts"
import { Modal } from "./Modal.tsx"

/** The times, each with its key. */
export const Until = ({ isSnoozed, onChoose, title }: Extract<Dialog, { readonly kind: "until" }>) => {
  const times = snoozeTimes(Date.now())
  const choose = (at: string | null): void => {
    closeDialog()
    onChoose(at)
  }
  const keys = Object.fromEntries(
    times.map(({ at }, index) => [index + 1, ({ isRepeat }: Pressed) => isRepeat || choose(at)])
  )
  return (
    <Modal title={title} keys={keys}>
      <ul class="menu">
        {times.map(({ at, text }, index) => (
          <li key={text}>
            <button type="button" onClick={() => choose(at)}>
              <kbd>{index + 1}</kbd> {text} <span class="quiet">{dateAndTime(at)}</span>
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
          const day = String(new FormData(event.currentTarget).get("day") ?? "")
          if (day !== "") choose(new Date(`${day}T09:00`).toISOString())
        }}
      >
        <label for="until-day">Another day</label>
        <input
          id="until-day"
          name="day"
          type="date"
          required
          min={new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}
        />
        <button type="submit">Choose</button>
      </form>
    </Modal>
  )
}
